/// The rules of zones of the world that were looked up before: the table is long, and a file names few.
struct KnownZoneRules: Sendable {
  private var rules: [[UInt8]: ZoneRule?] = [:]

  /// The rule of a zone; `nil` for a name that the world does not know.
  ///
  /// - Complexity: O(*n*) for the bytes of the table the first time, then O(the bytes of the name)
  mutating func rule(of zone: String) -> ZoneRule? {
    let name = Array(zone.utf8)
    if let known = rules[name] { return known }
    let rule = ZoneRule(zone: zone)
    rules[name] = .some(rule)
    return rule
  }
}

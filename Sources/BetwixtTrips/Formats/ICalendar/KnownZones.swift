import Betwixt

/// The zones that a trip keeps, by the names that it gives them, see ``ZoneNames``.
struct KnownZones: Sendable {
  private var texts: [FieldName: String] = [:]

  // Those of calendars that are joined with the trip.
  private var others: [FieldName: String] = [:]

  /// - Parameter list: A trip; `nil` knows none.
  init(of list: ReplicatedList?) {
    for entry in list?[id: .root]?.entries ?? [] {
      guard case .field(let name) = entry.register, KeptProperty.role(of: name) == .zone,
        case .field(let value) = entry.value
      else { continue }
      texts[name] = value?.string
    }
  }

  /// The zones of some calendars that are joined, beside those of a trip: of several texts of one zone
  /// the least one that a calendar writes, so that the order of the calendars does not matter.
  ///
  /// - Parameters:
  ///   - list: What the calendars are joined with.
  ///   - zones: Those of each calendar.
  init(of list: ReplicatedList, and zones: [CalendarZones]) {
    self.init(of: list)
    for (name, value) in zones.flatMap({ $0.fields }) {
      guard let text = value.string, texts[name] == nil else { continue }
      if let other = others[name], !text.precedesInBytes(other) { continue }
      others[name] = text
    }
  }

  private static let prefix = "ics:VTIMEZONE#"

  /// The field that keeps a zone; `nil` for a name that is too long for one.
  static func field(_ zone: String) -> FieldName? { FieldName(prefix + zone) }

  /// The zone that a field keeps.
  static func zone(of field: FieldName) -> String {
    String(Substring(field.text.utf8.dropFirst(prefix.utf8.count)))
  }

  /// The names of all zones, rising.
  var names: [String] {
    Set(texts.keys).union(others.keys).sorted().map { KnownZones.zone(of: $0) }
  }

  /// How a zone is defined here; `nil` if it is not known.
  func text(of zone: String) -> String? { KnownZones.field(zone).flatMap { text(of: $0) } }

  /// How the zone that a field keeps is defined here; `nil` if it is not known.
  func text(of zone: FieldName) -> String? { texts[zone] ?? others[zone] }

  /// Whether the trip itself keeps a zone.
  func isInTrip(_ zone: String) -> Bool { KnownZones.field(zone).map { texts[$0] != nil } ?? false }

  /// What knows a zone: by its definition, else by what the world knows of its name.
  func clock(of zone: String) -> CalendarZones {
    CalendarZones(zone, definedAs: text(of: zone))
  }
}

/// What stands behind the name of a zone of a calendar, made from what its clock is.
enum ZoneMark {
  /// How many digits it has.
  static let byteCount = 16

  // What says when a clock changes and by how much; all else are words about it.
  private static let properties = [
    "DTSTART", "TZOFFSETFROM", "TZOFFSETTO", "RRULE", "EXRULE", "RDATE", "EXDATE",
  ]

  /// The mark of a clock.
  ///
  /// - Parameter observances: The parts of its `VTIMEZONE`, in their order: before the first change
  ///   the first one counts.
  /// - Returns: The mark.
  static func mark(of observances: [[CalendarLine]]) -> String {
    var bytes: [UInt8] = []
    for lines in observances {
      for name in properties {
        for line in lines where line.isNamed(name) {
          bytes.append(contentsOf: "\(name):\(line.word)\n".utf8)
        }
      }
      bytes.append(UInt8(ascii: "\n"))
    }
    return Hex.encode(Array(SHA256.hash(bytes)[..<(byteCount / 2)]))
  }

  /// A name with a mark behind it.
  static func name(_ stem: String, _ mark: String) -> String { "\(stem) \(mark)" }

  /// What stands before a mark, whatever clock that was made of; `nil` for a name that has none.
  ///
  /// A program that writes a clock in other words keeps the name that it read. So what looks like a mark
  /// is one, and of several none is a part of the name.
  static func stem(ofMarked name: String) -> String? {
    var rest = name.utf8[...]
    while let shorter = withoutLastMark(rest) { rest = shorter }
    return rest.count < name.utf8.count ? String(Substring(rest)) : nil
  }

  /// A name without its mark, if it has one.
  static func stem(of name: String) -> String { stem(ofMarked: name) ?? name }

  private static func withoutLastMark(
    _ name: Substring.UTF8View
  ) -> Substring.UTF8View? {
    let rest = name.dropLast(byteCount)
    let isMark = name.suffix(byteCount).allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
    guard isMark, rest.count > 1, rest.last == UInt8(ascii: " ") else { return nil }
    return rest.dropLast()
  }

  /// What stands behind the name of a property, with the name that a calendar gave the zone in it, and
  /// without quotes around that: a mark may be what needs them.
  static func withoutMark(_ remainder: String) -> String {
    guard remainder.utf8.first == UInt8(ascii: ";") else { return remainder }
    return CalendarLine.replacingParameter("TZID", in: remainder, quoting: false) { stem(of: $0) }
  }
}

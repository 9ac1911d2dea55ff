import Betwixt

/// The time zones that a calendar speaks of: those it brings itself, and those of the world.
struct CalendarZones: Sendable {
  /// A `VTIMEZONE`, whole.
  struct Block: Sendable {
    let name: String
    /// Its lines, without folds, joined by LF.
    let text: String
    fileprivate let observances: [Observance]
  }

  /// One clock that a zone has or had.
  fileprivate struct Observance: Sendable {
    /// The minutes ahead of UTC.
    let offset: Int
    /// When it holds for the first time, by the wall clock before it.
    let onset: Int64
    /// When it starts in each year after that.
    let change: ZoneRule.Change?
    /// The last year in which it starts.
    let lastYear: Int
  }

  /// Those that the calendar brings, in the order of the file.
  private(set) var blocks: [Block] = []

  // The first of each name that has a clock.
  private var places: [[UInt8]: Int] = [:]

  // Zones of the world that were looked up; the table is long.
  private var rules: [String: ZoneRule?] = [:]

  init() {}

  /// The same zones, some by other names.
  func renamed(by names: ZoneNames) -> CalendarZones {
    var zones = self
    zones.blocks = []
    zones.places = [:]
    for block in blocks { zones.append(names[block.name].map { block.named($0) } ?? block) }
    return zones
  }

  /// Takes a `VTIMEZONE` in; one without a name, or without a clock, is kept and not reckoned with.
  mutating func add(_ component: CalendarParser.Component) {
    guard let name = component.lines.first(named: "TZID")?.value, !name.isEmpty else { return }
    var lines = ["BEGIN:VTIMEZONE"]
    for line in component.lines { lines.append(line.text) }
    for inner in component.inner {
      for line in inner { lines.append(line.text) }
    }
    lines.append("END:VTIMEZONE")
    var observances: [Observance] = []
    for inner in component.inner {
      if let observance = Observance(inner) { observances.append(observance) }
    }
    append(Block(name: name, text: lines.joined(separator: "\n"), observances: observances))
  }

  private mutating func append(_ block: Block) {
    let name = Array(block.name.utf8)
    if !block.observances.isEmpty, places[name] == nil { places[name] = blocks.count }
    blocks.append(block)
  }

  /// The fields that keep the zones, of each name the first.
  var fields: [(name: FieldName, value: FieldValue)] {
    var known: Set<FieldName> = []
    var fields: [(name: FieldName, value: FieldValue)] = []
    for block in blocks where block.isKept {
      guard let name = KnownZones.field(block.name), known.insert(name).inserted else { continue }
      fields.append((name, .string(block.text)))
    }
    return fields
  }

  /// How many minutes a zone's wall clock is ahead of UTC when it shows a time; `nil` if neither
  /// the calendar nor the world knows the zone.
  mutating func offset(of zone: String, atLocal minutes: Int64) -> Int? {
    if let block = block(zone) { return block.offset(atLocal: minutes) }
    return rule(zone)?.offset(atLocal: minutes)
  }

  /// How many minutes a zone's wall clock is ahead of UTC at a moment.
  mutating func offset(of zone: String, atUTC minutes: Int64) -> Int? {
    if let block = block(zone) { return block.offset(atUTC: minutes) }
    return rule(zone)?.offset(atUTC: minutes)
  }

  /// The moment that a time means, in minutes since 1970 UTC; `nil` if its zone is not known, and
  /// for a floating one.
  mutating func utcMinutes(of time: CalendarTime) -> Int64? {
    switch time.zone {
    case .utc: return time.minutes
    case .floating: return nil
    case .named(let name):
      return offset(of: name, atLocal: time.minutes).map { time.minutes - Int64($0) }
    }
  }

  private mutating func rule(_ zone: String) -> ZoneRule? {
    if let known = rules[zone] { return known }
    let rule = ZoneRule(zone: zone)
    rules[zone] = .some(rule)
    return rule
  }

  /// Whether a name means the same clock in a calendar as in another definition.
  ///
  /// Programs write one zone in many ways, so that is told from what its clock shows.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - text: The other definition.
  ///   - times: The wall clocks that count, in minutes since 1970.
  /// - Returns: Whether both show the same, or the calendar's own has no clock.
  func agrees(on name: String, with text: String, at times: [Int64]) -> Bool {
    guard let mine = block(name) else { return true }
    guard let other = Block(text: text) else { return false }
    return times.allSatisfy { mine.offset(atLocal: $0) == other.offset(atLocal: $0) }
  }

  private func block(_ name: String) -> Block? {
    places[Array(name.utf8)].map { blocks[$0] }
  }
}

extension CalendarZones.Block {
  /// Whether a field has room for it.
  var isKept: Bool {
    text.utf8.count < FieldValue.maximumByteCount && KnownZones.field(name) != nil
  }

  /// Reads a definition that a trip keeps; `nil` if it has no clock.
  fileprivate init?(text: String) {
    let bytes = Array("BEGIN:VCALENDAR\n\(text)\nEND:VCALENDAR\n".utf8)
    var zones = CalendarZones()
    do throws(TextProblem) {
      _ = try CalendarParser.parse(CalendarSource(bytes)) {
        (component) throws(TextProblem) in zones.add(component)
      }
    } catch {
      return nil
    }
    guard let block = zones.blocks.first, !block.observances.isEmpty else { return nil }
    self = block
  }

  /// The same zone by another name.
  func named(_ name: String) -> CalendarZones.Block {
    var isDone = false
    let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { part in
        let line = String(Substring(part))
        let word = line.utf8.prefix(4).map { $0 & 0xdf }
        guard !isDone, word == Array("TZID".utf8),
          ":;".utf8.contains(line.utf8.dropFirst(4).first ?? 0)
        else { return line }
        isDone = true
        return "TZID:" + name
      }
    return CalendarZones.Block(
      name: name, text: lines.joined(separator: "\n"), observances: observances)
  }

  fileprivate func offset(atLocal minutes: Int64) -> Int {
    var best: (onset: Int64, offset: Int)?
    for observance in observances {
      guard let onset = observance.lastOnset(before: minutes) else { continue }
      if best.map({ $0.onset < onset }) ?? true { best = (onset, observance.offset) }
    }
    // Before the first change there is only the zone's first clock.
    return best?.offset ?? observances.first?.offset ?? 0
  }

  fileprivate func offset(atUTC minutes: Int64) -> Int {
    for observance in observances
    where offset(atLocal: minutes + Int64(observance.offset)) == observance.offset {
      return observance.offset
    }
    return offset(atLocal: minutes)
  }
}

extension CalendarZones.Observance {
  /// Reads a `STANDARD` or `DAYLIGHT`; of rules only the yearly weekday of a month is reckoned with.
  fileprivate init?(_ lines: [CalendarLine]) {
    guard
      let offset = lines.first(named: "TZOFFSETTO").flatMap({ CalendarZones.minutes($0.value) }),
      let start = lines.first(named: "DTSTART").flatMap({ CalendarTime($0.value) })
    else { return nil }
    self.offset = offset
    onset = start.minutes
    var parts: [(String, String)] = []
    for part in (lines.first(named: "RRULE")?.word ?? "").split(separator: ";") {
      let sides = part.split(separator: "=", maxSplits: 1)
      if sides.count == 2 { parts.append((String(sides[0]), String(sides[1]))) }
    }
    func part(_ name: String) -> String? { parts.first { $0.0 == name }?.1 }
    lastYear = part("UNTIL").flatMap { Int($0.prefix(4)) } ?? 9_999
    change =
      part("FREQ") == "YEARLY"
      ? CalendarZones.change(
        month: part("BYMONTH").flatMap { Int($0) } ?? start.date.month,
        day: part("BYDAY") ?? "", minute: start.clock?.minuteOfDay ?? 0) : nil
  }

  /// The last time that it started, at or before a wall clock.
  fileprivate func lastOnset(before minutes: Int64) -> Int64? {
    guard onset <= minutes else { return nil }
    guard let change, let year = CivilDate(dayNumber: minutes / 1_440)?.year else { return onset }
    for candidate in [Swift.min(year, lastYear), Swift.min(year, lastYear) - 1] {
      if let start = change.minutes(in: candidate), onset <= start, start <= minutes {
        return start
      }
    }
    return onset
  }
}

extension CalendarZones {
  /// Reads `+0200` and `-023000` as minutes.
  fileprivate static func minutes(_ text: String) -> Int? {
    var reader = DigitReader(text)
    let isBehind = reader.take("-")
    if !isBehind { _ = reader.take("+") }
    guard let hours = reader.number(digits: 2), let minutes = reader.number(digits: 2),
      hours < 24, minutes < 60
    else { return nil }
    let sum = hours * 60 + minutes
    return isBehind ? -sum : sum
  }

  /// Reads `-1SU`, `2SU` of `BYDAY`.
  fileprivate static func change(month: Int, day: String, minute: Int) -> ZoneRule.Change? {
    let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
    guard (1...12).contains(month), let weekday = names.firstIndex(of: String(day.suffix(2))),
      let count = Int(day.dropLast(2)), count == -1 || (1...5).contains(count)
    else { return nil }
    return ZoneRule.Change(
      month: month, week: count == -1 ? 5 : count, weekday: weekday, minute: minute)
  }
}

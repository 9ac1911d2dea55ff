import Betwixt

/// The time zones that a calendar speaks of: those it brings itself, and those of the world.
struct CalendarZones: Sendable {
  /// A `VTIMEZONE`, whole.
  struct Block: Sendable {
    let name: String
    /// Its lines, without folds, joined by LF.
    let text: String
    /// What its clock makes, see ``ZoneMark``.
    let mark: String
    let observances: [Observance]

    /// Whether it is understood what its clock shows.
    var hasClock: Bool { !observances.isEmpty }
  }

  /// Those that the calendar brings, in the order of the file.
  private(set) var blocks: [Block] = []

  // The first of each name that has a clock.
  private var places: [[UInt8]: Int] = [:]

  private var rules = KnownZoneRules()

  // What the clocks show that were compared.
  private var courses: [[UInt8]: ClockCourse] = [:]

  init() {}

  /// One zone, by its definition if that is known.
  init(_ name: String, definedAs text: String?) {
    if let block = text.flatMap({ Block(text: $0) }) { append(block.named(name)) }
  }

  /// The same zones by the names that a list gives them.
  ///
  /// Of a zone that stands in the calendar twice, as two clocks, the first one counts.
  func renamed(by names: ZoneNames) -> CalendarZones {
    var zones = CalendarZones()
    zones.rules = rules
    for block in blocks {
      guard let name = names.name(of: block.name), block.isKept else {
        zones.append(block)
        continue
      }
      if block.mark.hasSameBytes(as: name.mark) { zones.append(block.kept(as: name)) }
    }
    return zones
  }

  /// Takes a zone of a list in.
  mutating func add(_ block: Block) { append(block) }

  /// Leaves out those of some names.
  mutating func remove(_ isUnwanted: (String) -> Bool) {
    let all = blocks
    blocks = []
    places = [:]
    courses = [:]
    for block in all where !isUnwanted(block.name) { append(block) }
  }

  /// Takes a `VTIMEZONE` in; one without a name, or without a clock, is kept and not reckoned with.
  ///
  /// A clock that is not understood is none: half of a zone would show wrong times. Nor has one of too
  /// many observances a clock.
  mutating func add(_ component: CalendarParser.Component) {
    guard let name = component.lines.first(named: "TZID")?.value, !name.isEmpty else { return }
    var lines = ["BEGIN:VTIMEZONE"]
    for line in component.lines { lines.append(line.text) }
    for inner in component.inner {
      for line in inner { lines.append(line.text) }
    }
    lines.append("END:VTIMEZONE")
    var observances: [Observance] = []
    let isTooLong = component.inner.count > CalendarZones.maximumObservanceCount
    for inner in isTooLong ? [] : component.inner {
      guard let observance = Observance(inner) else {
        observances = []
        break
      }
      observances.append(observance)
    }
    append(
      Block(
        name: name, text: lines.joined(separator: "\n"), mark: ZoneMark.mark(of: component.inner),
        observances: observances))
  }

  // Each time that is looked up asks every observance. With one for each change from 1883 to 2100 New
  // York has less than 400.
  private static let maximumObservanceCount = 500

  private mutating func append(_ block: Block) {
    let name = Array(block.name.utf8)
    if !block.observances.isEmpty, places[name] == nil {
      places[name] = blocks.count
      courses[name] = nil
    }
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
    return rules.rule(of: zone)?.offset(atLocal: minutes)
  }

  /// How many minutes a zone's wall clock is ahead of UTC at a moment.
  mutating func offset(of zone: String, atUTC minutes: Int64) -> Int? {
    if let block = block(zone) { return block.offset(atUTC: minutes) }
    return rules.rule(of: zone)?.offset(atUTC: minutes)
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

  /// When a zone shows something else than another one, which may be of the world.
  ///
  /// Programs write one zone in many ways, so that is told from what its clock shows.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - other: The name of the other one.
  ///   - zones: What knows the other one.
  /// - Returns: The difference; `nil` if one of the clocks is not known.
  mutating func difference(
    of name: String, from other: String, in zones: inout CalendarZones
  ) -> ClockDifference? {
    guard let mine = course(of: name), let theirs = zones.course(of: other) else { return nil }
    return ClockDifference(mine, theirs)
  }

  /// Whether a zone shows at some times what another one shows.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - other: The name of the other one.
  ///   - zones: What knows the other one.
  ///   - difference: When they differ.
  ///   - times: The wall clocks that count.
  /// - Returns: Whether both show the same. Of very many times before and after the years that are
  ///   compared nobody looks.
  mutating func agrees(
    on name: String, with other: String, in zones: inout CalendarZones,
    but difference: ClockDifference, at times: ClockTimes
  ) -> Bool {
    guard difference.isNone(at: times) else { return false }
    let rest = times.all.filter { !ClockCourse.range.contains($0) }
    guard rest.count <= 1_000 else { return false }
    for time in rest {
      guard let mine = offset(of: name, atLocal: time),
        zones.offset(of: other, atLocal: time) == mine
      else { return false }
    }
    return true
  }

  private mutating func course(of name: String) -> ClockCourse? {
    let bytes = Array(name.utf8)
    if let course = courses[bytes] { return course }
    let course = block(name).map { ClockCourse($0) } ?? rules.rule(of: name).map { ClockCourse($0) }
    courses[bytes] = course
    return course
  }

  /// The years for which the clocks of the world are known.
  static let yearsOfTheWorld = 2_015..<2_100

  /// Whether a zone is one of the world, by its name and by what its clock shows.
  ///
  /// That is compared as far as the world's clock is known. What nobody understands is taken for what it
  /// says it is, and what would take too long to compare is not.
  mutating func isOfTheWorld(_ block: Block, called name: String) -> Bool {
    guard let rule = rules.rule(of: name) else { return false }
    guard block.hasClock else { return true }
    let (years, range) = (CalendarZones.yearsOfTheWorld, CalendarZones.timesOfTheWorld)
    let times = Set(block.changes(in: years) + rule.changes(in: years) + [range.lowerBound])
      .filter { range.contains($0) }.sorted()
    guard times.count * block.observances.count <= 50_000 else { return false }
    return times.allSatisfy { time in
      [time - 1, time].allSatisfy {
        !range.contains($0) || block.offset(atUTC: $0) == rule.offset(atUTC: $0)
      }
    }
  }

  /// The times of these years, in minutes since 1970.
  static let timesOfTheWorld: Range<Int64> = {
    let days = [yearsOfTheWorld.lowerBound, yearsOfTheWorld.upperBound].map {
      CivilDate(year: $0, month: 1, day: 1)?.dayNumber ?? 0
    }
    return days[0] * 1_440..<days[1] * 1_440
  }()

  /// The first definition of a name that has a clock, else the first.
  func definition(of name: String) -> Block? {
    block(name) ?? blocks.first { $0.name.hasSameBytes(as: name) }
  }

  private func block(_ name: String) -> Block? {
    places[Array(name.utf8)].map { blocks[$0] }
  }
}

extension CalendarZones.Block {
  /// Whether a field has room for it, and its name for a mark.
  var isKept: Bool {
    text.utf8.count < FieldValue.maximumByteCount
      && KnownZones.field(ZoneMark.name(ZoneMark.stem(of: name), mark)) != nil
  }

  /// Reads a definition that a trip keeps; `nil` if it is none.
  init?(text: String) {
    let bytes = Array("BEGIN:VCALENDAR\n\(text)\nEND:VCALENDAR\n".utf8)
    var zones = CalendarZones()
    do throws(TextProblem) {
      _ = try CalendarParser.parse(CalendarSource(bytes)) {
        (component) throws(TextProblem) in zones.add(component)
      }
    } catch {
      return nil
    }
    guard let block = zones.blocks.first else { return nil }
    self = block
  }

  /// The same zone by another name.
  func named(_ name: String) -> CalendarZones.Block {
    CalendarZones.Block(
      name: name, text: CalendarZones.Block.text(text, calling: name), mark: mark,
      observances: observances)
  }

  /// The zone as a list keeps it: by the name that it has there, and in the words of its calendar.
  fileprivate func kept(as name: ZoneNames.Name) -> CalendarZones.Block {
    let isPlain = self.name.hasSameBytes(as: name.stem)
    return CalendarZones.Block(
      name: name.kept,
      text: isPlain ? text : CalendarZones.Block.text(text, calling: name.stem), mark: mark,
      observances: observances)
  }

  /// The lines of a zone with another name.
  static func text(_ text: String, calling name: String) -> String {
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
    return lines.joined(separator: "\n")
  }

  /// When its clock changes, in minutes since 1970 UTC, each change as it stands or in some years.
  fileprivate func changes(in years: Range<Int>) -> [Int64] {
    var times: [Int64] = []
    for observance in observances {
      var starts = [observance.onset] + observance.dates
      if let change = observance.change {
        starts += years.compactMap { change.minutes(in: $0) }
      }
      times += starts.map { $0 - Int64(observance.before) }
    }
    return times
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
    var best: (onset: Int64, offset: Int)?
    for observance in observances {
      // Each starts by the clock that holds until then.
      let before = Int64(observance.before)
      guard let onset = observance.lastOnset(before: minutes + before) else { continue }
      if best.map({ $0.onset < onset - before }) ?? true {
        best = (onset - before, observance.offset)
      }
    }
    return best?.offset ?? observances.first?.offset ?? 0
  }
}

extension ClockCourse {
  /// The course of a clock that a calendar defines.
  fileprivate init(_ block: CalendarZones.Block) {
    var starts: [(time: Int64, offset: Int)] = []
    for observance in block.observances {
      for time in observance.starts(in: ClockCourse.years) {
        starts.append((time, observance.offset))
      }
    }
    self.init(first: block.offset(atLocal: ClockCourse.range.lowerBound), starts)
  }
}

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
    /// The minutes ahead of UTC until it starts.
    let before: Int
    /// When it holds for the first time, by the wall clock before it.
    let onset: Int64
    /// When it starts by itself after that, rising.
    let dates: [Int64]
    /// When it starts in each year after that.
    let change: Change?
    /// The last year in which it starts.
    let lastYear: Int
  }

  /// A day and a time of each year.
  fileprivate enum Change: Sendable {
    /// The week-th weekday of a month.
    case week(ZoneRule.Change)
    /// The first of a weekday, from 0 for Sunday, on or after a day of a month.
    case day(month: Int, day: Int, weekday: Int, minute: Int)

    /// Minutes since 1970 by the wall clock that still holds; `nil` for a year whose month ends before
    /// that weekday.
    func minutes(in year: Int) -> Int64? {
      switch self {
      case .week(let change): return change.minutes(in: year)
      case .day(let month, let day, let weekday, let minute):
        guard let first = CivilDate(year: year, month: month, day: day) else { return nil }
        let later = (weekday - first.weekday.rawValue % 7 + 7) % 7
        guard CivilDate(year: year, month: month, day: day + later) != nil else { return nil }
        return (first.dayNumber + Int64(later)) * 1_440 + Int64(minute)
      }
    }
  }

  /// Those that the calendar brings, in the order of the file.
  private(set) var blocks: [Block] = []

  // The first of each name that has a clock.
  private var places: [[UInt8]: Int] = [:]

  private var rules = KnownZoneRules()

  init() {}

  /// One zone, by its definition if that is known.
  init(_ name: String, definedAs text: String?) {
    if let block = text.flatMap({ Block(text: $0) }) { append(block.named(name)) }
  }

  /// The same zones, some by other names.
  func renamed(by names: ZoneNames) -> CalendarZones {
    var zones = self
    zones.blocks = []
    zones.places = [:]
    for block in blocks { zones.append(names[block.name].map { block.named($0) } ?? block) }
    return zones
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
    append(Block(name: name, text: lines.joined(separator: "\n"), observances: observances))
  }

  // Each time that is looked up asks every observance. With one for each change from 1883 to 2100 New
  // York has less than 400.
  private static let maximumObservanceCount = 500

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

extension CalendarZones.Observance {
  /// Reads a `STANDARD` or `DAYLIGHT`; `nil` if not all of it is understood.
  ///
  /// Of rules these are: each year the week-th weekday of a month, or the first weekday of seven days
  /// of it.
  fileprivate init?(_ lines: [CalendarLine]) {
    guard
      let offset = lines.first(named: "TZOFFSETTO").flatMap({ CalendarZones.minutes($0.value) }),
      let start = lines.first(named: "DTSTART").flatMap({ CalendarTime($0.value) })
    else { return nil }
    self.offset = offset
    before =
      lines.first(named: "TZOFFSETFROM").flatMap { CalendarZones.minutes($0.value) } ?? offset
    onset = start.minutes
    var dates: [Int64] = []
    for line in lines where line.isNamed("RDATE") {
      for part in line.value.utf8.split(separator: UInt8(ascii: ",")) {
        guard let date = CalendarTime(String(Substring(part))), date.zone == .floating else {
          return nil
        }
        dates.append(date.minutes)
      }
    }
    self.dates = dates.sorted()
    let rules = lines.filter { $0.isNamed("RRULE") }
    guard let rule = rules.first else {
      (change, lastYear) = (nil, 9_999)
      return
    }
    guard rules.count == 1,
      let (change, lastYear) = CalendarZones.rule(rule.word, from: start)
    else { return nil }
    (self.change, self.lastYear) = (change, lastYear)
  }

  /// The last time that it started, at or before a wall clock.
  fileprivate func lastOnset(before minutes: Int64) -> Int64? {
    guard onset <= minutes else { return nil }
    let known = Swift.max(onset, lastDate(before: minutes) ?? onset)
    guard let change, let year = CivilDate(dayNumber: minutes / 1_440)?.year else { return known }
    // Where a month may end before its weekday, some years have no start.
    for candidate in (0..<8).lazy.map({ Swift.min(year, lastYear) - $0 }) {
      if let start = change.minutes(in: candidate), start <= minutes {
        return Swift.max(known, start)
      }
    }
    return known
  }

  /// The last of the dates at or before a wall clock, which may be many.
  private func lastDate(before minutes: Int64) -> Int64? {
    var (low, high) = (0, dates.count)
    while low < high {
      let middle = (low + high) / 2
      if dates[middle] <= minutes { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? dates[low - 1] : nil
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

  /// Reads the rule of an observance; `nil` for one that says more than is understood.
  fileprivate static func rule(
    _ text: String, from start: CalendarTime
  ) -> (change: Change, lastYear: Int)? {
    var (isYearly, day, lastYear) = (false, "", 9_999)
    var month: Int? = start.date.month
    var days: [Int?] = []
    for part in text.utf8.split(separator: UInt8(ascii: ";")) {
      let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1)
      guard sides.count == 2 else { return nil }
      let value = String(Substring(sides[1]))
      switch String(Substring(sides[0])) {
      case "FREQ": isYearly = value.hasSameBytes(as: "YEARLY")
      case "INTERVAL": guard value.hasSameBytes(as: "1") else { return nil }
      case "WKST": break
      case "UNTIL":
        guard let year = Int(String(Substring(value.utf8.prefix(4)))) else { return nil }
        lastYear = year
      case "BYMONTH": month = Int(value)
      case "BYDAY": day = value
      case "BYMONTHDAY":
        days = sides[1].split(separator: UInt8(ascii: ",")).map { Int(String(Substring($0))) }
      default: return nil
      }
    }
    guard isYearly, let month,
      let change = change(
        month: month, day: day, ofDays: days, minute: start.clock?.minuteOfDay ?? 0)
    else { return nil }
    return (change, lastYear)
  }

  /// Reads `-1SU`, `2SU` of `BYDAY`, or `SU` with `BYMONTHDAY` of the days of a week.
  private static func change(
    month: Int, day: String, ofDays days: [Int?], minute: Int
  ) -> Change? {
    let names = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
    let bytes = day.utf8
    let name = String(Substring(bytes.suffix(2)))
    guard (1...12).contains(month),
      let weekday = names.firstIndex(where: { $0.hasSameBytes(as: name) })
    else { return nil }
    let number = String(Substring(bytes.dropLast(2)))
    guard days.isEmpty else {
      let sorted = days.compactMap { $0 }.sorted()
      guard number.isEmpty, let first = sorted.first, first > 0, first <= 25,
        sorted == Array(first..<(first + 7))
      else { return nil }
      return .day(month: month, day: first, weekday: weekday, minute: minute)
    }
    guard let count = Int(number), count == -1 || (1...5).contains(count) else { return nil }
    return .week(
      ZoneRule.Change(
        month: month, week: count == -1 ? 5 : count, weekday: weekday, minute: minute))
  }
}

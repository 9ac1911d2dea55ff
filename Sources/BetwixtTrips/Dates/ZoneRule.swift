/// How far the clock of a time zone is ahead of UTC, and when it changes within a year.
///
/// Reads the rules that POSIX defines for the variable `TZ`, which are those of the last line of
/// the time zone database.
///
/// Where the law changes from year to year, and where it has changed, there are stretches of time in
/// which the clock does not follow the rule.
struct ZoneRule: Hashable, Sendable {
  /// A day and a time at which the clock changes: the week-th weekday of a month.
  struct Change: Hashable, Sendable {
    let month: Int
    /// 1 to 5; 5 is the last one.
    let week: Int
    /// From 0 for Sunday.
    let weekday: Int
    /// Minutes after the midnight that starts the day; may lie before it or on a later day.
    let minute: Int

    /// Minutes since 1970 by the wall clock that still holds.
    func minutes(in year: Int) -> Int64? {
      guard let first = CivilDate(year: year, month: month, day: 1) else { return nil }
      let firstWeekday = first.weekday.rawValue % 7
      var day = 1 + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      while CivilDate(year: year, month: month, day: day) == nil, day > 7 { day -= 7 }
      guard let date = CivilDate(year: year, month: month, day: day) else { return nil }
      return date.dayNumber * 1_440 + Int64(minute)
    }
  }

  /// The minutes that the clock is ahead of UTC outside of summer time.
  let standard: Int

  /// Summer time: the minutes ahead of UTC, when it starts and when it ends.
  let summer: Summer?

  /// Stretches in which the clock does not follow the rule, rising.
  private(set) var exceptions: [Exception] = []

  /// A stretch of time with a clock of its own.
  struct Exception: Hashable, Sendable {
    /// Minutes since 1970 UTC.
    let time: Range<Int64>
    /// The minutes ahead of UTC.
    let offset: Int
  }

  struct Summer: Hashable, Sendable {
    let offset: Int
    let start: Change
    let end: Change
  }

  /// The minutes ahead of UTC at a moment.
  ///
  /// - Complexity: O(log *n*) for *n* exceptions
  func offset(atUTC minutes: Int64) -> Int {
    if let exception = exceptions[firstException(endingAfter: minutes)...].first,
      exception.time.contains(minutes)
    {
      return exception.offset
    }
    guard let summer else { return standard }
    let local = minutes + Int64(standard)
    let day = local / 1_440 - (local % 1_440 < 0 ? 1 : 0)
    guard let year = CivilDate(dayNumber: day)?.year, let start = summer.start.minutes(in: year),
      let end = summer.end.minutes(in: year)
    else { return standard }
    let from = start - Int64(standard)
    let to = end - Int64(summer.offset)
    // South of the equator summer spans the new year.
    let isSummer = from < to ? from <= minutes && minutes < to : minutes < to || from <= minutes
    return isSummer ? summer.offset : standard
  }

  /// When the clock changes, or may change, in some years, in minutes since 1970 UTC.
  func changes(in years: Range<Int>) -> [Int64] {
    var times = exceptions.flatMap { [$0.time.lowerBound, $0.time.upperBound] }
    guard let summer else { return times }
    for year in years {
      if let start = summer.start.minutes(in: year) { times.append(start - Int64(standard)) }
      if let end = summer.end.minutes(in: year) { times.append(end - Int64(summer.offset)) }
    }
    return times
  }

  private func firstException(endingAfter minutes: Int64) -> Int {
    var range = 0..<exceptions.count
    while !range.isEmpty {
      let middle = (range.lowerBound + range.upperBound) / 2
      if minutes < exceptions[middle].time.upperBound {
        range = range.lowerBound..<middle
      } else {
        range = middle + 1..<range.upperBound
      }
    }
    return range.lowerBound
  }

  /// The minutes ahead of UTC when the wall clock shows a time; of two the earlier moment counts.
  func offset(atLocal minutes: Int64) -> Int {
    var offsets: Set<Int> = [standard, summer?.offset ?? standard]
    // No clock is further than a day from UTC.
    let near = firstException(endingAfter: minutes - 1_440)
    for exception in exceptions[near...].prefix(3) { offsets.insert(exception.offset) }
    for offset in offsets.sorted(by: >)
    where self.offset(atUTC: minutes - Int64(offset)) == offset { return offset }
    return standard
  }
}

extension ZoneRule {
  /// The rule of a zone by its name in the time zone database; `nil` for a name it has not.
  ///
  ///     ZoneRule(zone: "Europe/Berlin")?.standard  // 60
  ///
  /// - Complexity: O(*n*) for the bytes of the table
  init?(zone: String) {
    guard let rule = ZoneRule.words(of: zone, in: ZoneTable.text)?.first else { return nil }
    self.init(posix: rule)
    for word in ZoneRule.words(of: zone, in: ZoneTable.exceptions) ?? [] {
      if let exception = Exception(word) { exceptions.append(exception) }
    }
  }

  /// The words of the line of a table that a zone is named in.
  private static func words(of zone: String, in table: String) -> [String]? {
    let wanted = Array(zone.utf8)
    guard !wanted.isEmpty else { return nil }
    var rest = table.utf8[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != UInt8(ascii: "\n") }
      rest = rest[line.endIndex...].dropFirst()
      let words = line.split(separator: UInt8(ascii: " "))
      guard words.dropFirst().contains(where: { $0.elementsEqual(wanted) }) else { continue }
      return words.map { String(Substring($0)) }
    }
    return nil
  }

  /// Reads `CET-1CEST,M3.5.0,M10.5.0/3` and the like.
  init?(posix text: String) {
    var reader = PosixZoneReader(text)
    guard reader.skipName(), let west = reader.clock() else { return nil }
    standard = -west
    guard !reader.isAtEnd else {
      summer = nil
      return
    }
    guard reader.skipName() else { return nil }
    var offset = standard + 60
    if !reader.isNext(",") {
      guard let west = reader.clock() else { return nil }
      offset = -west
    }
    guard let start = reader.change(), let end = reader.change(), reader.isAtEnd else {
      return nil
    }
    summer = Summer(offset: offset, start: start, end: end)
  }
}

extension ZoneRule.Exception {
  /// Reads `FROM/TO/OFFSET`; `nil` for the name of a zone.
  fileprivate init?(_ word: String) {
    let parts = word.utf8.split(separator: UInt8(ascii: "/")).map { Int64(String(Substring($0))) }
    guard parts.count == 3, let start = parts[0], let end = parts[1], start < end,
      let offset = parts[2].flatMap({ Int(exactly: $0) })
    else { return nil }
    self.init(time: start..<end, offset: offset)
  }
}

/// Reads the parts of a POSIX zone rule.
private struct PosixZoneReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  var isAtEnd: Bool { rest.isEmpty }

  func isNext(_ character: Unicode.Scalar) -> Bool {
    rest.first.map { UInt32($0) == character.value } ?? false
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard isNext(character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Skips `CET` or `<+03>`.
  mutating func skipName() -> Bool {
    if take("<") {
      guard let end = rest.firstIndex(of: UInt8(ascii: ">")) else { return false }
      rest = rest[(end + 1)...]
      return true
    }
    let letters = rest.prefix {
      (0x41...0x5a).contains($0) || (0x61...0x7a).contains($0)
    }
    rest = rest[letters.endIndex...]
    return !letters.isEmpty
  }

  /// Takes `[+-]H[:MM[:SS]]` as minutes.
  mutating func clock() -> Int? {
    let isNegative = take("-")
    if !isNegative { _ = take("+") }
    guard let hours = number() else { return nil }
    var minutes = hours * 60
    if take(":") {
      guard let more = number() else { return nil }
      minutes += more
      if take(":") { _ = number() }
    }
    return isNegative ? -minutes : minutes
  }

  /// Takes `,M3.5.0` with `/2` behind it or nothing.
  mutating func change() -> ZoneRule.Change? {
    guard take(","), take("M"), let month = number(), take("."), let week = number(), take("."),
      let weekday = number(), (1...12).contains(month), (1...5).contains(week),
      (0...6).contains(weekday)
    else { return nil }
    var minute = 120
    if take("/") {
      guard let time = clock() else { return nil }
      minute = time
    }
    return ZoneRule.Change(month: month, week: week, weekday: weekday, minute: minute)
  }

  private mutating func number() -> Int? {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard !digits.isEmpty, digits.count <= 3 else { return nil }
    rest = rest[digits.endIndex...]
    return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
  }
}

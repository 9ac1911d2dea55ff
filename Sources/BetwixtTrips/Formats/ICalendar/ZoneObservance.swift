import Betwixt

extension CalendarZones {
  /// One clock that a zone has or had.
  struct Observance: Sendable {
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
  enum Change: Sendable {
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
}

extension CalendarZones.Observance {
  /// When it starts, by the wall clock before it: by itself as it stands, and each year of some.
  func starts(in years: Range<Int>) -> [Int64] {
    var starts = [onset] + dates.filter { onset < $0 }
    guard let change else { return starts }
    let first = Swift.max(years.lowerBound, CivilDate(dayNumber: onset / 1_440)?.year ?? 1)
    let last = Swift.min(years.upperBound - 1, lastYear)
    guard first <= last else { return starts }
    for year in first...last {
      if let start = change.minutes(in: year), onset < start { starts.append(start) }
    }
    return starts
  }

  /// Reads a `STANDARD` or `DAYLIGHT`; `nil` if not all of it is understood.
  ///
  /// Of rules these are: each year the week-th weekday of a month, or the first weekday of seven days
  /// of it.
  init?(_ lines: [CalendarLine]) {
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
  func lastOnset(before minutes: Int64) -> Int64? {
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

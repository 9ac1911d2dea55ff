/// What `DTSTART` and `DTEND` can say.
enum CalendarTime: Hashable, Sendable {
  /// A whole day.
  case date(CivilDate)

  /// A wall clock of no zone, or of one that is not resolved.
  case local(CivilDate, ClockTime)

  /// A wall clock of UTC.
  case utc(CivilDate, ClockTime)
}

extension CalendarTime {
  /// The moment in UTC, or `nil` outside the calendar.
  init?(utcMinutes: Int64) {
    guard let (date, clock) = CalendarTime.wallClock(utcMinutes) else { return nil }
    self = .utc(date, clock)
  }

  /// Reads `YYYYMMDD`, `YYYYMMDDTHHMMSS` and `YYYYMMDDTHHMMSSZ`; seconds are dropped.
  init?(_ text: String) {
    guard let value = CalendarTime.parts(text) else { return nil }
    switch value.clock {
    case .none: self = .date(value.date)
    case .some(let clock) where value.isUTC: self = .utc(value.date, clock)
    case .some(let clock): self = .local(value.date, clock)
    }
  }

  var date: CivilDate {
    switch self {
    case .date(let date), .local(let date, _), .utc(let date, _): date
    }
  }

  var clock: ClockTime? {
    switch self {
    case .date: nil
    case .local(_, let clock), .utc(_, let clock): clock
    }
  }

  var isUTC: Bool { if case .utc = self { true } else { false } }

  /// Minutes since 1970-01-01T00:00 of its own clock.
  var minutes: Int64 { date.dayNumber * 1_440 + Int64(clock?.minuteOfDay ?? 0) }

  /// The time some minutes later by the same clock, or `nil` outside the calendar.
  func later(by minutes: Int64) -> CalendarTime? {
    let (sum, overflow) = self.minutes.addingReportingOverflow(minutes)
    guard !overflow, let (date, clock) = CalendarTime.wallClock(sum) else { return nil }
    switch self {
    case .date: return .date(date)
    case .local: return .local(date, clock)
    case .utc: return .utc(date, clock)
    }
  }

  private static func wallClock(_ minutes: Int64) -> (CivilDate, ClockTime)? {
    let minute = Int((minutes % 1_440 + 1_440) % 1_440)
    let day = minutes / 1_440 - (minutes % 1_440 < 0 ? 1 : 0)
    guard let date = CivilDate(dayNumber: day),
      let clock = ClockTime(hour: minute / 60, minute: minute % 60)
    else { return nil }
    return (date, clock)
  }
}

extension CalendarTime: CustomStringConvertible {
  /// The form that `init(_:)` reads.
  var description: String {
    let day = padded(date.year, to: 4) + padded(date.month, to: 2) + padded(date.day, to: 2)
    guard let clock else { return day }
    let time = padded(clock.hour, to: 2) + padded(clock.minute, to: 2) + "00"
    return "\(day)T\(time)" + (isUTC ? "Z" : "")
  }
}

extension CalendarTime {
  private static func parts(
    _ text: String
  ) -> (date: CivilDate, clock: ClockTime?, second: Int, isUTC: Bool)? {
    var reader = DigitReader(text)
    guard let year = reader.number(digits: 4), let month = reader.number(digits: 2),
      let day = reader.number(digits: 2), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    guard !reader.isAtEnd else { return (date, nil, 0, false) }
    // 60 is a leap second.
    guard reader.take("T"), let hour = reader.number(digits: 2),
      let minute = reader.number(digits: 2), let second = reader.number(digits: 2), second <= 60,
      let clock = ClockTime(hour: hour, minute: minute)
    else { return nil }
    let isUTC = reader.take("Z")
    return reader.isAtEnd ? (date, clock, Swift.min(second, 59), isUTC) : nil
  }

  /// Reads the moment of `LAST-MODIFIED` or `DTSTAMP` as seconds since 1970.
  static func seconds(_ text: String) -> Int64? {
    guard let value = parts(text), let clock = value.clock else { return nil }
    let minutes = value.date.dayNumber * 1_440 + Int64(clock.minuteOfDay)
    return minutes * 60 + Int64(value.second)
  }

  /// Writes a moment as `LAST-MODIFIED` says it.
  static func stamp(seconds: Int64) -> String {
    let time = CalendarTime(utcMinutes: seconds / 60) ?? .date(.max)
    return time.description.prefix(13) + padded(Int(seconds % 60), to: 2) + "Z"
  }
}

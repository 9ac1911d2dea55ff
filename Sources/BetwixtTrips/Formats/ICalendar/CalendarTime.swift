import Betwixt

/// What `DTSTART` and `DTEND` can say.
struct CalendarTime: Hashable, Sendable {
  /// The clock that a time is read from.
  enum Zone: Hashable, Sendable {
    /// The wall clock of wherever one is.
    case floating
    case utc
    /// The wall clock of a zone, by the name that `TZID` gives it.
    case named(String)

    // By the bytes: names that only look alike are two.
    static func == (left: Zone, right: Zone) -> Bool {
      switch (left, right) {
      case (.floating, .floating), (.utc, .utc): true
      case (.named(let left), .named(let right)): left.hasSameBytes(as: right)
      default: false
      }
    }

    func hash(into hasher: inout Hasher) {
      switch self {
      case .floating: hasher.combine(0)
      case .utc: hasher.combine(1)
      case .named(let name): for byte in name.utf8 { hasher.combine(byte) }
      }
    }
  }

  let date: CivilDate

  /// The time of day; `nil` is a whole day.
  let clock: ClockTime?

  let second: Int
  let zone: Zone

  init(_ date: CivilDate, clock: ClockTime? = nil, second: Int = 0, zone: Zone = .floating) {
    self.date = date
    self.clock = clock
    self.second = clock == nil ? 0 : second
    self.zone = clock == nil ? .floating : zone
  }
}

extension CalendarTime {
  /// The moment in UTC, or `nil` outside the calendar.
  init?(utcMinutes: Int64) {
    guard let (date, clock) = CalendarTime.wallClock(utcMinutes) else { return nil }
    self.init(date, clock: clock, zone: .utc)
  }

  /// Reads `YYYYMMDD`, `YYYYMMDDTHHMMSS` and `YYYYMMDDTHHMMSSZ`.
  ///
  /// - Parameters:
  ///   - text: The value.
  ///   - zone: The zone that the property names.
  init?(_ text: String, zone: String? = nil) {
    guard let value = CalendarTime.parts(text) else { return nil }
    let name: Zone = zone.map { .named($0) } ?? .floating
    self.init(
      value.date, clock: value.clock, second: value.second, zone: value.isUTC ? .utc : name)
  }

  var isUTC: Bool { zone == .utc }

  /// Minutes since 1970-01-01T00:00 of its own clock.
  var minutes: Int64 { date.dayNumber * 1_440 + Int64(clock?.minuteOfDay ?? 0) }

  /// The time some minutes later by the same clock, or `nil` outside the calendar.
  func later(by minutes: Int64) -> CalendarTime? {
    let (sum, overflow) = self.minutes.addingReportingOverflow(minutes)
    guard !overflow, let (date, clock) = CalendarTime.wallClock(sum) else { return nil }
    return CalendarTime(date, clock: self.clock == nil ? nil : clock, second: second, zone: zone)
  }

  /// The same digits by the clock of wherever one is, to the minute.
  var floating: CalendarTime { CalendarTime(date, clock: clock) }

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
  /// The form that `init(_:zone:)` reads.
  var description: String {
    digits(second: second)
  }

  /// The same with another second.
  private func digits(second: Int) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(16)
    func append(_ number: Int) {
      text.append(UInt8(truncatingIfNeeded: 48 + number / 10 % 10))
      text.append(UInt8(truncatingIfNeeded: 48 + number % 10))
    }
    for number in [date.year / 100, date.year, date.month, date.day] { append(number) }
    if let clock {
      text.append(UInt8(ascii: "T"))
      for number in [clock.hour, clock.minute, second] { append(number) }
      if isUTC { text.append(UInt8(ascii: "Z")) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// What export writes behind `DTSTART` for a time of no named zone: parameters and value.
  var remainder: String { (clock == nil ? ";VALUE=DATE:" : ":") + description }
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
    let time = CalendarTime(utcMinutes: seconds / 60) ?? CalendarTime(.max)
    return time.digits(second: Int(seconds % 60))
  }
}

/// A time of an event as its line says it, and what it stands for in the trip.
///
/// The line is kept whole, so a time of a zone comes back in its zone and one of UTC as UTC. What
/// it stood for when it was read is kept beside it: if the trip shows something else by now, the
/// line moves by the difference.
struct CalendarTimeLine: Equatable, Sendable {
  /// Parameters, colon and value.
  let remainder: String

  let time: CalendarTime

  /// Reads what stands behind `DTSTART` or `DTEND`; `nil` if that is no time.
  init?(_ remainder: String) {
    let bytes = Array(remainder.utf8)
    // Any writer can put any text into the field that keeps it.
    guard KeptProperty.isRemainder(bytes), let colon = CalendarTimeLine.colon(in: bytes) else {
      return nil
    }
    let zone = CalendarLine.parameter("TZID", in: bytes[..<colon])
    let value = String(decoding: bytes[(colon + 1)...], as: UTF8.self)
    guard let time = CalendarTime(value, zone: zone) else { return nil }
    self.remainder = remainder
    self.time = time
  }

  static func == (left: CalendarTimeLine, right: CalendarTimeLine) -> Bool {
    left.remainder.hasSameBytes(as: right.remainder)
  }

  private init(_ remainder: String, at time: CalendarTime) {
    self.remainder = remainder
    self.time = time
  }

  /// The line that export makes for a time of no named zone.
  init(_ time: CalendarTime) { self.init(time.remainder, at: time) }

  /// The line some minutes later by its own clock.
  func later(by minutes: Int64) -> CalendarTimeLine? {
    guard minutes != 0 else { return self }
    let bytes = Array(remainder.utf8)
    guard let time = time.later(by: minutes), let colon = CalendarTimeLine.colon(in: bytes)
    else { return nil }
    return CalendarTimeLine(
      String(decoding: bytes[...colon], as: UTF8.self) + time.description, at: time)
  }

  /// Where the colon is that the value stands behind.
  static func colon(in bytes: [UInt8]) -> Int? {
    var isQuoted = false
    for (index, byte) in bytes.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ":"), !isQuoted { return index }
    }
    return nil
  }
}

/// A date, and a time of day and an offset where they are there, as ISO 8601 writes them.
struct ISOTime: Hashable, Sendable {
  let date: CivilDate
  let clock: ClockTime?
  let utcOffset: Int?

  /// Reads `2026-05-03`, `2026-05-03T10:00`, with seconds, a fraction and an offset or without.
  init?(_ text: String) {
    var reader = DigitReader(text)
    guard let date = reader.date() else { return nil }
    self.date = date
    guard !reader.isAtEnd else {
      (clock, utcOffset) = (nil, nil)
      return
    }
    guard reader.take("T") || reader.take(" "), let clock = reader.clock() else { return nil }
    self.clock = clock
    var ahead = reader
    if ahead.take(":"), reader.seconds() == nil { return nil }
    guard !reader.isAtEnd else {
      utcOffset = nil
      return
    }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    utcOffset = offset
  }

  /// Minutes since 1970 by its own clock.
  var minutes: Int64 { date.dayNumber * 1_440 + Int64(clock?.minuteOfDay ?? 0) }

  /// The minutes from one time to a later one; `nil` if the clocks cannot be compared.
  static func minutes(from start: ISOTime, to end: ISOTime) -> Int64? {
    guard start.clock != nil, end.clock != nil else { return nil }
    let length: Int64
    if let from = start.utcOffset, let to = end.utcOffset {
      length = end.minutes - Int64(to) - (start.minutes - Int64(from))
    } else if start.utcOffset == nil, end.utcOffset == nil {
      length = end.minutes - start.minutes
    } else {
      return nil
    }
    return length > 0 ? length : nil
  }

  /// The time by the clock of a zone, for one that is written in UTC.
  func shown(by rule: ZoneRule?) -> ISOTime {
    guard let utcOffset, let rule else { return self }
    let moment = minutes - Int64(utcOffset)
    let offset = rule.offset(atUTC: moment)
    let local = CalendarTime(date, clock: clock).later(by: Int64(offset - utcOffset))
    return ISOTime(local?.date ?? date, clock: local?.clock, utcOffset: offset)
  }

  private init(_ date: CivilDate, clock: ClockTime?, utcOffset: Int?) {
    self.date = date
    self.clock = clock
    self.utcOffset = utcOffset
  }
}

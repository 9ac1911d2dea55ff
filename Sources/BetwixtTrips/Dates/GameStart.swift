/// When a game starts: a date at the venue, with a wall clock and an offset from UTC if known.
///
/// Date and time are one value, so two concurrent reschedules cannot mix.
///
///     GameStart("2026-06-11T13:00-06:00")?.time?.minuteOfDay  // 780
public struct GameStart: Hashable, Sendable {
  /// The date at the venue.
  public let date: CivilDate

  /// The wall clock at the venue; `nil` if the file does not say.
  public let time: ClockTime?

  /// The minutes that the venue's clock is ahead of UTC; `nil` if the file does not say.
  public let utcOffset: Int?

  // `Z`, `+00:00` and `-00:00` say the same and are different texts.
  let offsetText: String

  /// Reads `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM`, each with `Z` or `±HH:MM` behind it or nothing.
  public init?(_ text: String) {
    self.init(text, allowsSeconds: false)
  }

  /// Reads what `init(_:)` reads and seconds too, which are dropped.
  package init?(droppingSecondsOf text: String) {
    self.init(text, allowsSeconds: true)
  }

  private init?(_ text: String, allowsSeconds: Bool) {
    var reader = DigitReader(text)
    guard let date = reader.date() else { return nil }
    var time: ClockTime?
    if reader.take("T") {
      guard let clock = reader.clock() else { return nil }
      time = clock
      var ahead = reader
      if allowsSeconds, ahead.take(":"), reader.seconds() == nil { return nil }
    }
    let offsetText = reader.remainder
    var utcOffset: Int?
    if !reader.isAtEnd {
      guard let minutes = reader.offset(), reader.isAtEnd else { return nil }
      utcOffset = minutes
    }
    self.date = date
    self.time = time
    self.utcOffset = utcOffset
    self.offsetText = offsetText
  }

  /// Minutes since 1970-01-01T00:00Z, if time and offset are known.
  public var utcMinutes: Int64? {
    guard let time, let utcOffset else { return nil }
    return date.dayNumber * 1_440 + Int64(time.minuteOfDay - utcOffset)
  }
}

extension GameStart: CustomStringConvertible {
  /// The text that it was read from, without seconds.
  public var description: String {
    "\(date)" + (time.map { "T\($0)" } ?? "") + offsetText
  }
}

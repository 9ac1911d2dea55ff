/// What a clock on the wall shows, to the minute.
public struct ClockTime: Hashable, Sendable {
  /// Minutes since midnight, 0 to 1,439.
  public let minuteOfDay: Int

  /// Makes a time, or `nil` if no clock shows it.
  public init?(hour: Int, minute: Int) {
    guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
    minuteOfDay = hour * 60 + minute
  }

  /// The hour, 0 to 23.
  public var hour: Int { minuteOfDay / 60 }

  /// The minute of the hour, 0 to 59.
  public var minute: Int { minuteOfDay % 60 }
}

extension ClockTime: Comparable {
  /// Earlier is less.
  public static func < (left: ClockTime, right: ClockTime) -> Bool {
    left.minuteOfDay < right.minuteOfDay
  }
}

extension ClockTime: LosslessStringConvertible {
  /// Reads exactly `HH:MM`, the form that ``description`` writes.
  public init?(_ text: String) {
    var reader = DigitReader(text)
    guard let time = reader.clock(), reader.isAtEnd else { return nil }
    self = time
  }

  /// Reads `HH:MM` and `HH:MM:SS`, of which the seconds are dropped.
  package init?(droppingSecondsOf text: String) {
    var reader = DigitReader(text)
    guard let time = reader.clock(), reader.isAtEnd || reader.seconds() != nil, reader.isAtEnd
    else { return nil }
    self = time
  }

  /// `HH:MM`.
  public var description: String { "\(padded(hour, to: 2)):\(padded(minute, to: 2))" }
}

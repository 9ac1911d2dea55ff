/// A moment of absolute time to the millisecond: the form of `modifiedAt` and `completedAt`.
///
///     Moment("2026-06-11T10:00:00+02:00")?.description  // "2026-06-11T08:00:00Z"
public struct Moment: Hashable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z, from 0 to below 2^47 (year 6429).
  public let milliseconds: Int64

  /// Makes a moment, or `nil` before 1970 and beyond the year 6429.
  public init?(milliseconds: Int64) {
    guard 0 <= milliseconds, milliseconds < 1 << 47 else { return nil }
    self.milliseconds = milliseconds
  }

  /// Makes the moment that is nearest to what a clock says.
  public init(clamping milliseconds: Int64) {
    self.milliseconds = min(max(0, milliseconds), (1 << 47) - 1)
  }
}

extension Moment: LosslessStringConvertible {
  /// Reads `YYYY-MM-DDTHH:MM:SS`, a fraction or none, and `Z` or `±HH:MM`, cut to milliseconds.
  public init?(_ text: String) {
    var reader = DigitReader(text)
    guard let date = reader.date(), reader.take("T"), let clock = reader.clock(),
      let milliseconds = reader.seconds(), let offset = reader.offset(), reader.isAtEnd
    else { return nil }
    let minutes = date.dayNumber * 1_440 + Int64(clock.minuteOfDay - offset)
    self.init(milliseconds: minutes * 60_000 + Int64(milliseconds))
  }

  /// `YYYY-MM-DDTHH:MM:SSZ`, with three digits of a fraction if that is not 0.
  public var description: String {
    let fraction = Int(milliseconds % 1_000)
    return wallClock + (fraction == 0 ? "" : "." + padded(fraction, to: 3)) + "Z"
  }

  /// `YYYY-MM-DDTHH:MM:SS` in UTC.
  public var wallClock: String {
    // An integer of 32 bits ends with the seconds of the year 2038.
    let seconds = milliseconds / 1_000
    let date = CivilDate(dayNumber: seconds / 86_400) ?? .max
    let second = Int(seconds % 86_400)
    let parts = [second / 3_600, second / 60 % 60, second % 60].map { padded($0, to: 2) }
    return "\(date)T\(parts[0]):\(parts[1]):\(parts[2])"
  }
}

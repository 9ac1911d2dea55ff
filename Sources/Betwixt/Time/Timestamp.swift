/// When a write was made: 48 bits of milliseconds since 1970 and 16 bits that count within one
/// millisecond, compared as one number.
///
/// A register takes `max(now, its own time + 1)` with each local write, so a device with a wrong
/// clock cannot drag the times of other registers along.
///
///     let noon = Timestamp(milliseconds: 1_777_000_000_000)
///     noon < noon.successor!  // true
public struct Timestamp: Hashable, Sendable {
  /// Milliseconds in the upper 48 bits, the counter in the lower 16.
  public let rawValue: UInt64

  /// The greatest time there is: `rawValue` stays below 2^63 (year 6429).
  public static let max = Timestamp(unchecked: UInt64(Int64.max))

  /// Time 0: any other write wins.
  public static let zero = Timestamp(unchecked: 0)

  /// Makes a time from its 64 bits, or `nil` beyond ``max``.
  public init?(rawValue: UInt64) {
    guard rawValue <= UInt64(Int64.max) else { return nil }
    self.rawValue = rawValue
  }

  /// The time of a clock reading, with counter 0.
  ///
  /// A reading before 1970 counts as 0, one beyond the year 6429 as that year's end, because a
  /// wrong clock must not stop anybody from editing.
  public init(milliseconds: Int64) {
    let limit = Int64(1) << 47 - 1
    rawValue = UInt64(Swift.min(Swift.max(milliseconds, 0), limit)) << 16
  }

  package init(unchecked rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64 { Int64(rawValue >> 16) }

  /// What tells writes of one millisecond apart.
  public var counter: UInt16 { UInt16(truncatingIfNeeded: rawValue) }

  /// The next time, or `nil` at ``max``.
  public var successor: Timestamp? {
    self == .max ? nil : Timestamp(unchecked: rawValue + 1)
  }
}

extension Timestamp: Comparable {
  /// Earlier is less.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Timestamp: CustomStringConvertible {
  /// 16 lower-case hexadecimal digits.
  public var description: String { Hex.encode(rawValue) }
}

/// The name of one list, 128 bits, the same on every device that holds a copy of it.
public struct ListID: Identifier128 {
  /// The first eight bytes, as a big-endian number.
  public let high: UInt64

  /// The last eight bytes, as a big-endian number.
  public let low: UInt64

  /// Makes an id from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Draws a new id from a generator.
  public static func random(using generator: inout some RandomNumberGenerator) -> ListID {
    ListID(high: generator.next(), low: generator.next())
  }
}

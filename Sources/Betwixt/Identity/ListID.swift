/// The name of one list, 128 bits, the same on every device that holds a copy of it.
public struct ListID: Identifier128 {
  public let high: UInt64
  public let low: UInt64

  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Draws a new id from a generator.
  public static func random(using generator: inout some RandomNumberGenerator) -> ListID {
    ListID(high: generator.next(), low: generator.next())
  }
}

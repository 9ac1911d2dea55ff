public import Betwixt

/// The name of a row of a ``DeltaLog``: the first half of the SHA-256 of its bytes.
///
/// So equal rows have one name, and a row that is stored again, because nobody knows whether it was
/// stored, is the same row.
public struct RowName: Identifier128 {
  /// The first eight bytes, as a big-endian number.
  public let high: UInt64

  /// The last eight bytes, as a big-endian number.
  public let low: UInt64

  /// Makes a name from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  init(ofSealed bytes: [UInt8]) {
    let name = SHA256.hash(bytes).prefix(16)
    self.init(
      high: UInt64(bigEndianBytes: name.prefix(8)), low: UInt64(bigEndianBytes: name.dropFirst(8)))
  }
}

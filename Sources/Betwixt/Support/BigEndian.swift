// Fixed-width numbers in canonical bytes are big endian, so that the order of bytes is the order
// of numbers.

extension [UInt8] {
  package mutating func appendBigEndian(_ number: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }

  package mutating func appendBigEndian(_ number: UInt32) {
    for shift in stride(from: 24, through: 0, by: -8) {
      append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
    }
  }
}

extension UInt64 {
  /// The number that the bytes make; of more than eight the last eight count.
  package init(bigEndianBytes bytes: some Sequence<UInt8>) {
    self = 0
    for byte in bytes { self = self << 8 | UInt64(byte) }
  }
}

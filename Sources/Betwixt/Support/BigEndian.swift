// Fixed-width numbers in canonical bytes are big endian, so that the order of bytes is the order
// of numbers. They are appended at once: byte by byte takes four times as long.

extension [UInt8] {
  package mutating func appendBigEndian(_ number: UInt64) {
    unsafe Swift.withUnsafeBytes(of: number.bigEndian) { bytes in
      unsafe append(contentsOf: bytes)
    }
  }

  package mutating func appendBigEndian(_ number: UInt32) {
    unsafe Swift.withUnsafeBytes(of: number.bigEndian) { bytes in
      unsafe append(contentsOf: bytes)
    }
  }

  /// Appends the bytes of a span, at once and without counting references to what it lies in.
  package mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe append(contentsOf: bytes)
    }
  }
}

extension Span<UInt8> {
  /// The number that the bytes make; of more than eight the last eight count.
  package func bigEndian() -> UInt64 {
    if count == 8 {
      return unsafe withUnsafeBytes { bytes in
        UInt64(bigEndian: unsafe bytes.loadUnaligned(as: UInt64.self))
      }
    }
    var number: UInt64 = 0
    for index in indices { number = number << 8 | UInt64(self[index]) }
    return number
  }
}

extension UInt64 {
  /// The number that the bytes make; of more than eight the last eight count.
  package init(bigEndianBytes bytes: ArraySlice<UInt8>) {
    self = bytes.span.bigEndian()
  }
}

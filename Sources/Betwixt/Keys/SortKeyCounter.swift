/// The order-preserving code of a counter: any `Int64` in 1 to 9 bytes.
///
/// It has as many leading one bits as it has bytes, then a zero bit, then the number; of a negative
/// counter all bits are inverted, and the number is -1 minus the counter. Each counter has exactly
/// one code, and no code is the start of another.
enum SortKeyCounter {
  /// The number of bytes that a code with this first byte has, as far as that byte tells: of 8
  /// and 9 the second byte decides.
  static func length(_ first: UInt8) -> Int {
    (first < 0x80 ? first : ~first).leadingZeroBitCount
  }

  /// The number of bytes that a counter needs.
  static func length(_ counter: Int64) -> Int {
    let bits = 64 - magnitude(counter).leadingZeroBitCount
    return Swift.min(9, (bits + 7) / 7)
  }

  /// The counter, or -1 minus it if it is negative.
  static func magnitude(_ counter: Int64) -> UInt64 {
    UInt64(bitPattern: counter < 0 ? ~counter : counter)
  }
}

extension [UInt8] {
  /// Appends the code of a counter.
  mutating func appendCounter(_ counter: Int64) {
    let length = SortKeyCounter.length(counter)
    let inversion: UInt64 = counter < 0 ? .max : 0
    var code = SortKeyCounter.magnitude(counter)
    if length == 9 {
      append(UInt8(truncatingIfNeeded: ~inversion))
      code |= 1 << 63
    } else {
      code |= (1 << UInt64(length) - 1) << UInt64(7 * length)
    }
    code ^= inversion
    for byte in (0..<Swift.min(length, 8)).reversed() {
      append(UInt8(truncatingIfNeeded: code >> UInt64(8 * byte)))
    }
  }
}

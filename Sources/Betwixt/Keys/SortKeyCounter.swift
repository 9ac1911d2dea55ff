/// The order-preserving code of a counter: any `Int64` in 1 to 9 bytes.
///
/// It has as many leading one bits as it has bytes, then a zero bit, then the number; of a negative
/// counter all bits are inverted, and the number is -1 minus the counter. Each counter has exactly
/// one code, and no code is the start of another.
enum SortKeyCounter {
  /// The number of bytes of the code at an offset.
  static func length(at offset: Int, in bytes: SortKeyBytes) -> Int {
    length(bytes[offset], bytes[offset + 1])
  }

  /// The number of bytes of a code that begins with two bytes; of a shorter one the second is any.
  static func length(_ first: UInt8, _ second: UInt8) -> Int {
    let isNegative = first < 0x80
    let length = (isNegative ? first : ~first).leadingZeroBitCount
    // Of 8 and 9 the bit after the first byte decides.
    return length == 8 && (second < 0x80) == isNegative ? 9 : length
  }

  /// The counter whose code is at a range of offsets; `nil` if it has a shorter code.
  static func read(start: Int, end: Int, in bytes: SortKeyBytes) -> Int64? {
    let length = end - start
    let inversion: UInt64 = bytes[start] < 0x80 ? .max : 0
    // The author of the first step stands before, so there are always eight bytes to read.
    let code = bytes.bigEndian(at: end - 8) ^ inversion
    let magnitude = code & (1 << UInt64(length == 9 ? 63 : 7 * length - 1) - 1)
    guard length == 1 || magnitude >= 1 << UInt64(7 * length - 8) else { return nil }
    return Int64(bitPattern: magnitude ^ inversion)
  }
}

extension SortKeyWriter {
  /// Appends the code of a counter.
  mutating func appendCounter(_ counter: Int64) {
    let inversion: UInt64 = counter < 0 ? .max : 0
    let magnitude = UInt64(bitPattern: counter) ^ inversion
    let length = Swift.min(9, (64 - magnitude.leadingZeroBitCount + 7) / 7)
    if length == 9 {
      append(UInt8(truncatingIfNeeded: ~inversion))
      appendBigEndian((magnitude | 1 << 63) ^ inversion)
    } else {
      let code = (magnitude | (1 << UInt64(length) - 1) << UInt64(7 * length)) ^ inversion
      appendFirst(length, of: code << UInt64(64 - 8 * length))
    }
  }
}

/// The number of a step: a fraction in base-128 digits, one byte each.
///
/// The first 64 bits are the order-preserving code of a `Double`, so arithmetic happens on them.
/// Digits beyond them, which only exist between two adjacent doubles, stay in the bytes of the key
/// the number was read from: `start..<end` are its offsets there.
struct SortKeyNumber {
  /// The first 64 bits of the fraction.
  let code: UInt64

  /// Whether digits follow that are not in `code`.
  let isLonger: Bool

  /// The offset of the first digit.
  let start: Int

  /// The offset behind the last digit.
  let end: Int

  /// How many digits there are.
  var count: Int { end - start }

  /// The greatest double whose code is not above the number.
  var double: Double { Self.double(code) }

  /// One digit; beyond the last one all are 0.
  func digit(_ index: Int, in bytes: ArraySlice<UInt8>) -> UInt8 {
    index < count ? bytes[bytes.startIndex + start + index] >> 1 : 0
  }

  /// Whether two numbers, each in the bytes of its own key, are the same.
  func equals(
    _ other: SortKeyNumber, in bytes: ArraySlice<UInt8>, _ otherBytes: ArraySlice<UInt8>
  ) -> Bool {
    guard code == other.code, isLonger == other.isLonger, count == other.count else { return false }
    guard isLonger else { return true }
    return (0..<count).allSatisfy { digit($0, in: bytes) == other.digit($0, in: otherBytes) }
  }

  /// Whether the number is below one of at most 64 bits.
  func isBelow(_ code: UInt64) -> Bool { self.code < code }

  /// Whether the number is above one of at most 64 bits.
  func isAbove(_ code: UInt64) -> Bool { self.code > code || self.code == code && isLonger }

  /// Whether the number is strictly between the codes of the two infinities.
  var isInRange: Bool {
    isAbove(Self.code(-.infinity)) && isBelow(Self.code(.infinity))
  }
}

extension SortKeyNumber {
  /// Numbers that compare like doubles; -0 has the code of 0.
  static func code(_ double: Double) -> UInt64 {
    let magnitude = double.bitPattern & (1 << 63 - 1)
    return double.sign == .minus ? 1 << 63 &- magnitude : 1 << 63 &+ magnitude
  }

  /// The double of a code; that of -infinity reads as the least finite double.
  static func double(_ code: UInt64) -> Double {
    let isNegative = code < 1 << 63
    let magnitude = isNegative ? 1 << 63 &- code : code &- 1 << 63
    let bits = isNegative ? magnitude | 1 << 63 : magnitude
    return Swift.max(Double(bitPattern: bits), -.greatestFiniteMagnitude)
  }

  /// How many digits a number of at most 64 bits has.
  static func digitCount(_ code: UInt64) -> Int {
    (70 - code.trailingZeroBitCount) / 7
  }
}

extension [UInt8] {
  /// Appends the digits of a number of at most 64 bits.
  mutating func appendNumber(_ code: UInt64) {
    var rest = code
    // Ten digits have 70 bits; the last one holds only the lowest bit of the code, at its top.
    while rest << 7 != 0 {
      append(UInt8(truncatingIfNeeded: rest >> 56) | 1)
      rest <<= 7
    }
    append(UInt8(truncatingIfNeeded: rest >> 56))
  }
}

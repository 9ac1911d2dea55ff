/// The number of a step: a fraction in base-128 digits, one byte each.
///
/// The first 64 bits are the order-preserving code of a `Double`, so arithmetic happens on them.
/// Digits beyond them, which only exist between two adjacent doubles, stay in the bytes of the key.
struct SortKeyNumber {
  private let bytes: SortKeyBytes
  private let start: Int

  /// How many digits there are.
  let count: Int

  /// The first 64 bits of the fraction.
  let code: UInt64

  /// Whether digits follow that are not in `code`.
  let isLonger: Bool

  /// Reads the number of a step.
  init(_ step: SortKeyStep, in bytes: SortKeyBytes) {
    self.init(start: step.start, end: step.numberEnd, in: bytes)
  }

  /// Reads the number at a range of offsets, `end` being greater than `start`.
  init(start: Int, end: Int, in bytes: SortKeyBytes) {
    self.bytes = bytes
    self.start = start
    count = end - start
    var code: UInt64 = 0
    for index in 0..<Swift.min(count, 9) {
      code |= UInt64(bytes[start + index] >> 1) << UInt64(57 - 7 * index)
    }
    // Of the tenth digit one bit is left; what does not fit into 64 bits stays in the bytes.
    var isLonger = false
    if count > 9 {
      let tenth = bytes[start + 9]
      code |= UInt64(tenth >> 7)
      isLonger = count > 10 || tenth & 0x7E != 0
    }
    self.code = code
    self.isLonger = isLonger
  }

  /// One digit; beyond the last one all are 0.
  subscript(index: Int) -> UInt8 {
    index < count ? bytes[start + index] >> 1 : 0
  }

  /// The greatest double whose code is not above the number.
  var double: Double { Self.double(code) }

  /// Whether the number is below one of at most 64 bits.
  func isBelow(_ code: UInt64) -> Bool { self.code < code }

  /// Whether the number is above one of at most 64 bits.
  func isAbove(_ code: UInt64) -> Bool { self.code > code || self.code == code && isLonger }

  /// Whether the number is strictly between the codes of the two infinities.
  var isInRange: Bool {
    isAbove(Self.code(-.infinity)) && isBelow(Self.code(.infinity))
  }
}

extension SortKeyNumber: Equatable {
  static func == (left: SortKeyNumber, right: SortKeyNumber) -> Bool {
    guard left.code == right.code, left.count == right.count else { return false }
    return left.count < 10 || (9..<left.count).allSatisfy { left[$0] == right[$0] }
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

extension SortKeyWriter {
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

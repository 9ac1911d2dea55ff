extension Double {
  /// The number nearest to a decimal text, ties to the even one.
  ///
  /// The standard library reads texts by a function of the C library, which devices without an
  /// operating system do not have. This one is the same on every machine.
  ///
  ///     Double(decimal: "-0.1e1")  // -1.0
  ///     Double(decimal: "1e400")   // infinity
  ///     Double(decimal: "0x10")    // nil
  ///
  /// The number is infinite if the text says one that is too great, and `nil` if the text is no
  /// decimal.
  ///
  /// - Parameter text: A sign or none, digits, of which a point may stand among or beside, and an
  ///   exponent or none. Names of numbers and hexadecimal digits are no decimals.
  /// - Complexity: O(*n*), where *n* is the length of the text; no digit after the 800th is more
  ///   than looked at.
  package init?(decimal text: String) {
    self.init(decimal: text.utf8)
  }

  /// The number nearest to a decimal text of ASCII.
  package init?(decimal text: some Sequence<UInt8>) {
    guard let decimal = DecimalText(text) else { return nil }
    self = decimal.isNegative ? -decimal.magnitude : decimal.magnitude
  }
}

/// A decimal text, read: digits and the power of ten of the last of them.
private struct DecimalText {
  private(set) var isNegative = false

  // Without zeros in front; no number in the middle of two others has more than 767.
  private var digits: [UInt8] = []
  private var exponent = 0
  private var hasMore = false

  private static let digitLimit = 800
  // Far outside of every number, and far inside of every integer.
  private static let exponentLimit = 1 << 30

  init?(_ text: some Sequence<UInt8>) {
    var rest = text.makeIterator()
    var byte = rest.next()
    if byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") {
      isNegative = byte == UInt8(ascii: "-")
      byte = rest.next()
    }
    var hasDigits = false
    var isFraction = false
    while let next = byte {
      if let digit = next.decimalDigit {
        hasDigits = true
        add(digit, isFraction: isFraction)
      } else if next == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        break
      }
      byte = rest.next()
    }
    guard hasDigits else { return nil }
    if let next = byte {
      guard next | 0x20 == UInt8(ascii: "e"), let shift = DecimalText.exponent(&rest) else {
        return nil
      }
      exponent += shift
    }
    if hasMore {
      // Enough to stand on the right side of every middle.
      digits.append(1)
      exponent -= 1
    }
  }

  private mutating func add(_ digit: UInt8, isFraction: Bool) {
    if digits.count == DecimalText.digitLimit {
      hasMore = hasMore || digit > 0
      if !isFraction { exponent += 1 }
      return
    }
    if digit > 0 || !digits.isEmpty { digits.append(digit) }
    if isFraction { exponent -= 1 }
  }

  private static func exponent(_ rest: inout some IteratorProtocol<UInt8>) -> Int? {
    var byte = rest.next()
    let isNegative = byte == UInt8(ascii: "-")
    if isNegative || byte == UInt8(ascii: "+") { byte = rest.next() }
    guard byte != nil else { return nil }
    var value = 0
    while let next = byte {
      guard let digit = next.decimalDigit else { return nil }
      // An integer may have 32 bits, so it is looked at before it grows.
      value = value < exponentLimit / 10 ? value * 10 + Int(digit) : exponentLimit
      byte = rest.next()
    }
    return isNegative ? -value : value
  }

  /// The nearest number, without the sign.
  var magnitude: Double {
    guard !digits.isEmpty else { return 0 }
    // The value is at least a tenth of ten to this power, and below it.
    let power = digits.count + exponent
    if power > 309 { return .infinity }
    if power < -323 { return 0 }
    return quick ?? exact
  }

  /// One operation on two numbers without an error has none but that of its rounding.
  private var quick: Double? {
    guard digits.count <= 15, -22...22 ~= exponent else { return nil }
    let whole = digits.reduce(Int64(0)) { $0 * 10 + Int64($1) }
    let power = DecimalText.powers[abs(exponent)]
    return exponent < 0 ? Double(whole) / power : Double(whole) * power
  }

  private static let powers: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
    1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// The quotient of two whole numbers, bit by bit.
  private var exact: Double {
    var rest = LongNumber(digits: digits)
    var divisor = LongNumber(1)
    if exponent < 0 {
      divisor.multiply(byTenTo: -exponent)
    } else {
      rest.multiply(byTenTo: exponent)
    }
    // Both get one length, so that the quotient is between a half and two.
    let shift = rest.bitCount - divisor.bitCount
    if shift < 0 {
      rest.shiftLeft(-shift)
    } else {
      divisor.shiftLeft(shift)
    }
    var bits: UInt64 = 0
    for _ in 0..<64 {
      bits <<= 1
      if rest.subtract(ifFits: divisor) { bits |= 1 }
      rest.shiftLeft(1)
    }
    return Double(rounding: bits, isMore: !rest.isZero, topExponent: shift)
  }
}

extension Double {
  /// The number nearest to `bits` and a little more, where the first of 64 bits counts two to the
  /// power of `topExponent`; it or the next one is set.
  fileprivate init(rounding bits: UInt64, isMore: Bool, topExponent: Int) {
    let leading = bits.leadingZeroBitCount
    let exponent = topExponent - leading
    guard exponent <= 1_023 else {
      self = .infinity
      return
    }
    // Numbers below the normal ones have fewer digits.
    let precision = 53 - max(0, -1_022 - exponent)
    guard precision >= 0 else {
      self = 0
      return
    }
    let dropped = 64 - leading - precision
    let half: UInt64 = 1 << (dropped - 1)
    let rest = bits & (half | (half - 1))
    var whole = bits >> dropped
    if rest > half || rest == half && (isMore || whole & 1 == 1) { whole += 1 }
    // A carry out of the fraction is one more in the exponent, as it has to be.
    let biased = precision == 53 ? UInt64(exponent + 1_022) << 52 : 0
    self.init(bitPattern: biased + whole)
  }
}

/// A whole number of any length.
private struct LongNumber {
  // The least first; the last is not 0.
  private var words: [UInt32]

  init(_ value: UInt32) {
    words = value == 0 ? [] : [value]
  }

  init(digits: [UInt8]) {
    words = []
    words.reserveCapacity(digits.count / 9 + 2)
    var start = 0
    while start < digits.count {
      let end = min(start + 9, digits.count)
      var scale: UInt32 = 1
      var value: UInt32 = 0
      for digit in digits[start..<end] {
        scale *= 10
        value = value * 10 + UInt32(digit)
      }
      multiply(by: scale, adding: value)
      start = end
    }
  }

  var isZero: Bool { words.isEmpty }

  var bitCount: Int {
    guard let last = words.last else { return 0 }
    return words.count * 32 - last.leadingZeroBitCount
  }

  private mutating func multiply(by factor: UInt32, adding addend: UInt32) {
    var carry = UInt64(addend)
    for index in words.indices {
      carry += UInt64(words[index]) * UInt64(factor)
      words[index] = UInt32(truncatingIfNeeded: carry)
      carry >>= 32
    }
    if carry > 0 { words.append(UInt32(carry)) }
  }

  mutating func multiply(byTenTo power: Int) {
    for _ in 0..<(power / 9) { multiply(by: 1_000_000_000, adding: 0) }
    for _ in 0..<(power % 9) { multiply(by: 10, adding: 0) }
  }

  mutating func shiftLeft(_ count: Int) {
    guard !isZero else { return }
    if count % 32 > 0 { multiply(by: 1 << UInt32(count % 32), adding: 0) }
    if count >= 32 { words.insert(contentsOf: repeatElement(0, count: count / 32), at: 0) }
  }

  /// Takes the other number off if it is not greater.
  mutating func subtract(ifFits other: LongNumber) -> Bool {
    guard fits(other) else { return false }
    var borrow: Int64 = 0
    for index in words.indices {
      let other = index < other.words.count ? Int64(other.words[index]) : 0
      let difference = Int64(words[index]) - other + borrow
      words[index] = UInt32(truncatingIfNeeded: difference)
      borrow = difference >> 32
    }
    while words.last == 0 { words.removeLast() }
    return true
  }

  private func fits(_ other: LongNumber) -> Bool {
    guard words.count == other.words.count else { return words.count > other.words.count }
    for index in words.indices.reversed() where words[index] != other.words[index] {
      return words[index] > other.words[index]
    }
    return true
  }
}

extension UInt8 {
  fileprivate var decimalDigit: UInt8? {
    let zero = UInt8(ascii: "0")
    return self >= zero && self <= zero + 9 ? self - zero : nil
  }
}

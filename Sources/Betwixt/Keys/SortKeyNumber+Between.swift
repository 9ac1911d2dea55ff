// The choice of a number for a new step. Nothing here looks at more digits than it has to.

extension SortKeyWriter {
  /// Appends a number strictly between two numbers; `nil` is an open end.
  mutating func appendNumber(between low: SortKeyNumber?, and high: SortKeyNumber?) {
    switch (low, high) {
    case (nil, nil):
      appendNumber(SortKeyNumber.code(2))
    case (let low?, nil):
      if let code = low.nextWhole { appendNumber(code) } else { appendDigits(above: low) }
    case (nil, let high?):
      if let code = high.previousWhole { appendNumber(code) } else { appendDigits(below: high) }
    case (let low?, let high?):
      if let code = SortKeyNumber.midpoint(low, high) {
        appendNumber(code)
      } else {
        appendDigits(between: low, and: high)
      }
    }
  }
}

extension SortKeyNumber {
  // From here on doubles are not dense enough to count by one.
  private static let wholeLimit = 0x1p53

  /// The code of the next whole number above; `nil` where doubles have no fractions.
  fileprivate var nextWhole: UInt64? {
    guard let nearZero else { return nil }
    return Self.code(nearZero > double ? nearZero : nearZero + 1)
  }

  /// The code of the next whole number below; `nil` where doubles have no fractions.
  fileprivate var previousWhole: UInt64? {
    guard let nearZero else { return nil }
    return Self.code(nearZero < double ? nearZero : nearZero - 1)
  }

  /// The double without its fraction; `nil` where doubles have none.
  ///
  /// `rounded(_:)` would need the C library's mathematics.
  private var nearZero: Double? {
    let double = double
    guard double.magnitude < Self.wholeLimit else { return nil }
    return Double(Int64(double))
  }

  /// The code of the arithmetic midpoint, shortened if that keeps it in the middle half.
  ///
  /// It is `nil` if the midpoint of the two doubles is not between the two numbers.
  fileprivate static func midpoint(_ low: SortKeyNumber, _ high: SortKeyNumber) -> UInt64? {
    let least = low.double
    let greatest = high.double
    let middle = halfway(least, greatest)
    let exact = code(middle)
    guard low.isBelow(exact), high.isAbove(exact) else { return nil }
    let firstQuarter = code(halfway(least, middle))
    let lastQuarter = code(halfway(middle, greatest))
    // Three digits hold the exponent and some bits; fewer would seldom be in the middle half.
    for length in 3..<Swift.max(3, digitCount(exact)) {
      let rounded = rounded(exact, toDigits: length)
      if firstQuarter <= rounded, rounded <= lastQuarter, low.isBelow(rounded),
        high.isAbove(rounded)
      {
        return rounded
      }
    }
    return exact
  }

  /// Plain double arithmetic, each operation rounded to nearest even.
  private static func halfway(_ left: Double, _ right: Double) -> Double { left / 2 + right / 2 }

  /// The nearest code of at most `length` digits, 1...9; of two, the lower.
  private static func rounded(_ code: UInt64, toDigits length: Int) -> UInt64 {
    let unit: UInt64 = 1 << UInt64(64 - 7 * length)
    let rest = code & (unit - 1)
    return code &- rest &+ (rest > unit >> 1 ? unit : 0)
  }
}

extension SortKeyWriter {
  /// Appends the first digits of a number, then one digit that ends the new one.
  private mutating func appendDigits(_ count: Int, of number: SortKeyNumber, then last: UInt8) {
    for index in 0..<Swift.max(0, count) { append(number[index] << 1 | 1) }
    append(last << 1)
  }

  /// Appends, of the numbers strictly between that have the fewest digits, the middle one; of two,
  /// the lower.
  private mutating func appendDigits(between low: SortKeyNumber, and high: SortKeyNumber) {
    var shared = 0
    while shared < high.count, low[shared] == high[shared] { shared += 1 }
    let first = Int(low[shared]) + 1
    let last = Int(high[shared]) - (high.count > shared + 1 ? 0 : 1)
    if first <= last {
      let middle = UInt8(truncatingIfNeeded: (first + last) / 2)
      return appendDigits(shared, of: low, then: middle)
    }
    // The high number is the next one of this length, so everything that begins like the low
    // number and is above it fits.
    var length = shared + 1
    while low[length] == 127 { length += 1 }
    appendDigits(length, of: low, then: (low[length] + 128) / 2)
  }

  /// Appends the first three digits plus one in the last, or as many as stay below infinity.
  private mutating func appendDigits(above low: SortKeyNumber) {
    var length = 3
    if low[0] == 127, low[1] == 123 {
      // Infinity is 127 124: a digit from the third on must have room for the carry.
      var room = 2
      while low[room] == 127 { room += 1 }
      length = Swift.max(length, room + 1)
    }
    while length > 1, low[length - 1] == 127 { length -= 1 }
    appendDigits(length - 1, of: low, then: low[length - 1] + 1)
  }

  /// Appends the greatest number below of at most three digits, or as many as stay above -infinity.
  private mutating func appendDigits(below high: SortKeyNumber) {
    var length = 3
    if high[0] == 0, high[1] == 4 {
      // -infinity is 0 4: what is left after the subtraction must not be 0 from the third digit on.
      var kept = 2
      while kept < high.count, high[kept] == 0 { kept += 1 }
      let isUsedUp = kept == high.count - 1 && high[kept] == 1
      length = Swift.max(length, isUsedUp ? kept + 2 : kept + 1)
    }
    guard high.count < length else {
      var last = high[length - 1]
      if high.count == length, last > 0 { last -= 1 }
      while last == 0, length > 1 {
        length -= 1
        last = high[length - 1]
      }
      return appendDigits(length - 1, of: high, then: last)
    }
    for index in 0..<Swift.max(0, high.count - 1) { append(high[index] << 1 | 1) }
    append((high[high.count - 1] &- 1) << 1 | 1)
    for _ in high.count + 1..<length { append(127 << 1 | 1) }
    append(127 << 1)
  }
}

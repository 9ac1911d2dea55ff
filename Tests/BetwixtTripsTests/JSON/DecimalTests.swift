import BetwixtTrips
import TestSupport
import Testing

/// Texts are read as the standard library reads them on a system that has its C library.
@Suite struct DecimalTests {
  @Test(
    arguments: [
      "0", "-0", "+1", ".5", "5.", "-.5e1", "1e5", "1E+5", "1e-5", "007", "0.1", "3.14159",
      "48.85837009999999", "-122.41941550000001", "123456789012345678", "9007199254740993",
      "9007199254740992.9999999999999999999999999", "1e22", "1e23", "8.5e22", "1e400", "-1e400",
      "1e-400", "1e99999999999999999999999", "1e-99999999999999999999999", "0e99999999999999999999",
      "1.7976931348623157e308", "1.7976931348623158e308", "1.7976931348623159e308",
      "179769313486231580793728971405303415079934132710037826936173778980444968292764750946649017977587207096330286416692887910946555547851940402630657488671505820681908902000708383676273854845817711531764475730270069855571366959622842914819860834936475292719074168444365510704342711559699508093042880",
      "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308",
      "4.9406564584124654e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
      "2.47032822920623272088284396434110686182e-324",
      "6.631236846766476e-316", "3.2378839133029012895883524125015321748630094e-319",
      "7.2057594037927933e16", "1.00000000000000011102230246251565404236316680908203125",
      "1.00000000000000011102230246251565404236316680908203124",
      "1.00000000000000011102230246251565404236316680908203126",
      "0.500000000000000166533453693773481063544750213623046875",
      "5708990770823839207320493820740630171355185151999e-3", "2.2222222222222222222222222e-1",
    ])
  func nearest(_ text: String) throws {
    let expected = try #require(Double(text))
    #expect(Double(decimal: text)?.bitPattern == expected.bitPattern)
  }

  @Test(
    arguments: [
      "", "-", ".", "e1", "-.", "1e", "1e+", "1e-", "1.2.3", "1e5.", "1e5x", " 1", "1 ", "1_000",
      "--1", "0x10", "inf", "nan", "infinity", "1,5", "١",
    ])
  func noDecimal(_ text: String) {
    #expect(Double(decimal: text) == nil)
  }

  @Test func anyBitsReadBack() throws {
    var random = SplitMix64(seed: 21)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      try #require(Double(decimal: value.description)?.bitPattern == value.bitPattern)
    }
  }

  @Test func anyDigitsAndExponents() throws {
    var random = SplitMix64(seed: 22)
    for _ in 0..<20_000 {
      let text = random.decimal()
      let expected = try #require(Double(text))
      try #require(Double(decimal: text)?.bitPattern == expected.bitPattern, "\(text)")
    }
  }

  /// A text exactly between two numbers goes to the even one, and one digit far behind decides.
  @Test func middles() throws {
    var random = SplitMix64(seed: 23)
    for _ in 0..<300 {
      // Of 53 bits and one more: the middle of two neighbours, as digits.
      let odd = random.next() >> 10 | 1 << 53 | 1
      let shift = Int(random.next() % 900)
      let digits = Digits(odd, timesFiveTo: shift)
      let middle = "\(digits)e-\(shift)"
      let zeros = String(repeating: "0", count: Int(random.next() % 900))
      for text in [middle, "\(digits).\(zeros)e-\(shift)", "\(digits).\(zeros)1e-\(shift)"] {
        let expected = try #require(Double(text))
        try #require(Double(decimal: text)?.bitPattern == expected.bitPattern, "\(text)")
      }
      let lower = Double(sign: .plus, exponent: -shift, significand: Double((odd - 1) >> 1) * 2)
      let read = try #require(Double(decimal: middle))
      try #require(read.significandBitPattern & 1 == 0)
      try #require(read == lower || read == lower.nextUp)
      try #require(try #require(Double(decimal: "\(digits).\(zeros)1e-\(shift)")) == lower.nextUp)
    }
  }
}

extension SplitMix64 {
  /// Up to 40 digits with a point anywhere and an exponent of any size that matters.
  fileprivate mutating func decimal() -> String {
    let count = Int(next() % 40) + 1
    let point = Int(next() % 41)
    var text = next() % 2 == 0 ? "-" : ""
    for place in 0..<count {
      if place == point { text += "." }
      text += String(next() % 10)
    }
    if next() % 4 > 0 { text += "e\(Int(next() % 700) - 350)" }
    return text
  }
}

/// The decimal digits of a whole number times a power of five.
private struct Digits: CustomStringConvertible {
  // Nine digits each, the least first.
  private var parts: [UInt64]

  init(_ value: UInt64, timesFiveTo power: Int) {
    parts = [value % 1_000_000_000, value / 1_000_000_000]
    for _ in 0..<power {
      var carry: UInt64 = 0
      for place in parts.indices {
        carry += parts[place] * 5
        parts[place] = carry % 1_000_000_000
        carry /= 1_000_000_000
      }
      if carry > 0 { parts.append(carry) }
    }
  }

  var description: String {
    parts.reversed().map { part in
      let digits = String(part)
      return String(repeating: "0", count: 9 - digits.count) + digits
    }.joined()
  }
}

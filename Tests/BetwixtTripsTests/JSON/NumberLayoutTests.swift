import BetwixtTrips
import TestSupport
import Testing

@Suite struct NumberLayoutTests {
  @Test(
    arguments: [
      (0.0, "0.0"), (-0.0, "-0.0"), (1.0, "1.0"), (-3, "-3.0"), (1.5, "1.5"), (0.1, "0.1"),
      (1180, "1180.0"), (-74.07436, "-74.07436"), (123_456_789_012_345_680, "123456789012345680.0"),
      (1e20, "100000000000000000000.0"), (1e21, "1e+21"), (1.25e21, "1.25e+21"),
      (0.000001, "0.000001"), (0.000_001_25, "0.00000125"), (0.000_000_1, "1e-7"),
      (-1.5e-7, "-1.5e-7"), (.leastNonzeroMagnitude, "5e-324"),
      (1.7976931348623157e308, "1.7976931348623157e+308"),
      (9_007_199_254_740_992, "9007199254740992.0"), (4.35, "4.35"), (0.0001, "0.0001"),
    ] as [(Double, String)])
  func ecmaScriptLayout(_ value: Double, _ text: String) {
    #expect(NumberLayout.json(value) == text)
  }

  @Test func readsBackExactly() {
    var random = SplitMix64(seed: 5)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = NumberLayout.json(value)
      #expect(Double(text)?.bitPattern == value.bitPattern)
      #expect(text.contains(".") || text.contains("e"))
    }
  }

  @Test func decimalsHaveNoExponent() {
    var random = SplitMix64(seed: 6)
    for _ in 0..<5_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let text = NumberLayout.decimal(value)
      #expect(!text.contains("e"))
      #expect(Double(text) == value)
    }
    #expect(NumberLayout.decimal(40.0) == "40")
    #expect(NumberLayout.decimal(-0.0) == "0")
    #expect(NumberLayout.decimal(-1e-7) == "-0.0000001")
  }
}

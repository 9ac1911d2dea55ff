import BetwixtTrips
import Testing

@Suite struct WhiteSpaceTests {
  // The oracle is the table that the module does without.
  @Test func everyScalar() {
    for value in UInt32(0)...0x10ffff {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let isSame = scalar.isWhiteSpace == scalar.properties.isWhitespace
      if !isSame { #expect(isSame, "U+\(String(value, radix: 16))") }
    }
  }
}

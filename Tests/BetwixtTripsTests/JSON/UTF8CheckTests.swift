import BetwixtTrips
import Testing

@Suite struct UTF8CheckTests {
  // The standard library repairs what is no UTF-8, so text that comes back unchanged is UTF-8.
  private func isText(_ bytes: [UInt8]) -> Bool {
    Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes
  }

  @Test func everyPairAndTheEdgesOfLongerForms() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max {
        for tail: [UInt8] in [[], [0x80], [0x80, 0x80], [0xbf, 0xbf, 0x41], [0xc0]] {
          let bytes = [first, second] + tail
          #expect((UTF8Check.firstProblem(in: bytes) == nil) == isText(bytes), "\(bytes)")
        }
      }
    }
  }

  @Test func theProblemStandsAtTheFirstByteOfItsSequence() {
    #expect(UTF8Check.firstProblem(in: Array("aé".utf8) + [0xe2, 0x82])?.offset == 3)
    #expect(UTF8Check.firstProblem(in: [0x61, 0xed, 0xa0, 0x80])?.offset == 1)
    #expect(UTF8Check.firstProblem(in: [0x61, 0x80])?.offset == 1)
    #expect(UTF8Check.firstProblem(in: Array("aé€😀".utf8)) == nil)
  }
}

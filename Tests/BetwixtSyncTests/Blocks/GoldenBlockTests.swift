import Betwixt
import BetwixtSync
import Testing

/// The bytes of the example in the article "Byte format": they never change.
@Suite struct GoldenBlockTests {
  static let hex = """
    894254420d0a1a0a010300000000000000000001000000000000000202000000\
    000000000a000000000000000b020000060100020202016e02057469746c6502\
    060401000187d0c2aeefce0102024100050208c06b01030644696e6e65720700\
    00050001710008c03a020203037f9c9e95a0f6e4db
    """

  @Test func theExampleHasItsBytes() throws {
    var a = Replica(id: ReplicaID(rawValue: 0xa)) { 1_777_000_000_000 }
    var b = Replica(id: ReplicaID(rawValue: 0xb)) { 1_777_000_000_001 }
    var list = ReplicatedList(id: ListID(high: 1, low: 2))
    let first = try list.append(["title": "Lunch"], by: &a)
    try list.append(["n": -2], by: &a)
    try list.set("title", of: first, to: "Dinner", by: &b)
    try list.remove(first, by: &b)
    let bytes = try SealedBlock.encode(list)
    let digits = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    #expect(digits.joined() == Self.hex)
    #expect(try SealedBlock.decode(bytes) == list)
  }
}

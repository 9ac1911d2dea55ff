import Betwixt
import BetwixtSync
import Testing

/// The bytes of the example in the article "Byte format": they never change.
@Suite struct GoldenBlockTests {
  static let hex = """
    894254420d0a1a0a010300000000000000000001000000000000000202000000\
    000000000a000000000000000b020000060100020202016e02057469746c6502\
    060101030082a8a1d7b7670001020201010000020004c0030200010307054469\
    6e6e657201030300010000020101000000000004c00200000000020303a87c37\
    053c9faf4e668dcd24e4ce7db70169845354e3d316869448070b46a70709ea7d\
    80412874026dbc68d7a819b13927764d33c9db5062d1567b5542baa8ba
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

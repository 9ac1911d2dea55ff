import Betwixt
import Testing

@Suite("Canonical entries are fixed for ever")
struct CanonicalBytesTests {
  private static let item = ItemID(high: 0x0102_0304_0506_0708, low: 0x090a_0b0c_0d0e_0f10)
  private static let stamp = Stamp(
    time: Timestamp(milliseconds: 0x11), replica: ReplicaID(rawValue: 0x1819_1a1b_1c1d_1e1f))

  private static let start = "0102030405060708090a0b0c0d0e0f10"
  private static let end = "0000000000110000" + "18191a1b1c1d1e1f" + "0000000000000020"

  static let cases: [(Register, RegisterValue, String)] = [
    (.life, .life(3), "00" + "00" + end + "00000008" + "0000000000000003"),
    (
      .position, .position(section: -1, key: key),
      "01" + "00" + end + "0000000c" + "7fffffffffffffff" + "41020301"
    ),
    (.field("title"), .field(.string("é")), "02" + "05" + "7469746c65" + end + "0000000305c3a9"),
    (.field("n"), .field(nil), "02" + "01" + "6e" + end + "00000001" + "00"),
    (.other(kind: 0x7f, name: []), .other([]), "7f" + "00" + end + "00000000"),
    (
      .other(kind: 3, name: [0x41, 0x42]), .other([9, 8]),
      "03" + "02" + "4142" + end + "00000002" + "0908"
    ),
  ]

  private static let key = SortKey(validBytes: [0x41, 0x02, 0x03, 0x01])

  @Test("item, kind, name, time, replica, number, value", arguments: cases)
  func bytes(register: Register, value: RegisterValue, text: String) {
    let entry = Entry(
      item: Self.item, register: register, value: value, stamp: Self.stamp, sequence: 0x20)
    #expect(Hex.encode(entry.canonicalBytes) == Self.start + text)
  }

  @Test("registers order by kind, then by the bytes of their names")
  func registerOrder() {
    let rising: [Register] = [
      .life, .position, .field("a"), .field("aa"), .field("b"), .other(kind: 3, name: []),
      .other(kind: 3, name: [0]), .other(kind: 4, name: []),
    ]
    for (place, left) in rising.enumerated() {
      for (otherPlace, right) in rising.enumerated() {
        #expect((left < right) == (place < otherPlace), "\(left) \(right)")
      }
    }
  }
}

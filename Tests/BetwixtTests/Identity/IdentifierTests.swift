import Betwixt
import Testing

@Suite("Identifiers and their texts")
struct IdentifierTests {
  @Test("hexadecimal and UUID forms read back; other texts do not")
  func texts() throws {
    let id = ItemID(high: 0xc571_4910_6435_57ee, low: 0xbae2_0e0c_2bdc_7a35)
    #expect(id.description == "c5714910643557eebae20e0c2bdc7a35")
    #expect(id.uuid == "c5714910-6435-57ee-bae2-0e0c2bdc7a35")
    #expect(ItemID(id.description) == id)
    #expect(ItemID(uuid: id.uuid) == id)
    #expect(ItemID(uuid: id.uuid.uppercased()) == id)
    #expect(ItemID(bytes: id.bytes) == id)
    #expect(ItemID(id.description.uppercased()) == nil)
    #expect(ItemID(id.uuid) == nil && ItemID(uuid: id.description) == nil)
    #expect(ItemID(uuid: "c5714910-643557ee-bae2-0e0c-2bdc7a35-") == nil)
    #expect(ItemID(bytes: id.bytes.dropLast()) == nil && ItemID("") == nil)
  }

  @Test("a replica's id is exactly 16 digits")
  func replicas() {
    let id = ReplicaID(rawValue: 0x0123_4567_89ab_cdef)
    #expect(id.description == "0123456789abcdef" && ReplicaID(id.description) == id)
    #expect(ReplicaID(rawValue: 0).description == "0000000000000000")
    for text in ["", "0", "123456789abcdef", "00123456789abcdef", "0123456789ABCDEF"] {
      #expect(ReplicaID(text) == nil, "\(text)")
    }
    for text in ["0123456789abcdeg", "0123456789abcde/", "0123456789abcde:", "0123456789abcde`"] {
      #expect(ReplicaID(text) == nil, "\(text)")
    }
    #expect(ReplicaID(rawValue: 1) < ReplicaID(rawValue: 2))
  }

  @Test("an item is named after the write that made it")
  func fromDot() {
    let id = ItemID(family: 0xfe, sequence: 3)
    #expect(id.description == "00000000000000fe0000000000000003")
    #expect(ItemID.root.bytes == [UInt8](repeating: 0, count: 16))
  }

  @Test("ids order as their bytes do")
  func order() {
    var source = ChoiceSource(seed: 3)
    let ids = (0..<200).map { _ in
      ItemID(high: UInt64(source.next(below: 3)) << 62, low: UInt64(source.next(below: 3)) << 62)
    }
    for (left, right) in zip(ids, ids.dropFirst()) {
      #expect((left < right) == left.bytes.lexicographicallyPrecedes(right.bytes))
    }
  }
}

import Betwixt
import Testing

/// The scheme bit for bit, as its golden vectors give it.
@Suite("Sort key vectors")
struct SortKeyVectorTests {
  let sets: [SortKeyVectors]

  init() throws {
    sets = try SortKeyVectors.loadAll()
    #expect(sets[0].numbers.count + sets[0].imports.count + sets[0].between.count > 300)
    #expect(Set(sets[0].malformed.map(\.reason)).count == 9)
    #expect(sets[1].between.count > 100 && sets[2].between.count == 90)
  }

  private func double(_ bits: String) throws -> Double {
    Double(bitPattern: try #require(UInt64(bits, radix: 16)))
  }

  private func key(_ hex: String?) throws -> SortKey? {
    guard let hex else { return nil }
    return try SortKey(bytes: try #require(Hex.decode(hex.utf8)))
  }

  @Test("Numbers have their bytes and read back exactly")
  func numbers() throws {
    for vector in sets.flatMap(\.numbers) {
      let double = try double(vector.bits)
      let key = try SortKey(importing: double, of: ItemID(high: 0, low: 0))
      #expect(key.description == vector.bytes + "00000000000000008001")
      #expect(key.approximateSortOrder == double)
    }
  }

  @Test("Imported keys")
  func imports() throws {
    for vector in sets.flatMap(\.imports) {
      let double = try double(vector.bits)
      let key = try SortKey(importing: double, of: try #require(ItemID(vector.id)))
      #expect(key.description == vector.key)
      #expect(key.approximateSortOrder == double)
      #expect(try SortKey(bytes: key.bytes) == key)
    }
  }

  @Test("Keys between two keys")
  func between() throws {
    for vector in sets.flatMap(\.between) {
      let left = try key(vector.left)
      let right = try key(vector.right)
      let replica = try #require(ReplicaID(vector.replica))
      let made = try SortKey.between(left, right, replica: replica, counter: vector.counter)
      #expect(made.description == vector.key, "\(vector)")
      #expect(
        try made.approximateSortOrder.bitPattern == double(#require(vector.sortOrder)).bitPattern)
      #expect(try SortKey(bytes: made.bytes) == made)
    }
  }

  @Test("Keys that are refused")
  func refused() throws {
    for vector in sets.flatMap(\.refused) {
      let left = try key(vector.left)
      let right = try key(vector.right)
      let replica = try #require(ReplicaID(vector.replica))
      let error = #expect(throws: SortKeyRefusal.self) {
        try SortKey.between(left, right, replica: replica, counter: vector.counter)
      }
      #expect(error?.description == vector.reason, "\(vector)")
    }
  }

  @Test("Malformed bytes, with reason and offset")
  func malformed() throws {
    for vector in sets.flatMap(\.malformed) {
      let bytes = try #require(Hex.decode(vector.hex.utf8))
      let error = #expect(throws: MalformedSortKey.self) { try SortKey(bytes: bytes) }
      #expect(error?.reason.description == vector.reason, "\(vector)")
      #expect(error?.offset == vector.offset, "\(vector)")
    }
  }
}

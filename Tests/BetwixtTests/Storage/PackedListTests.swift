import Testing

@testable import Betwixt

extension Page {
  /// How many bytes the records are kept in.
  var byteCount: Int {
    if let packed {
      return packed.items.byteCount + packed.contents.byteCount + packed.fields.byteCount
    }
    return items.capacity * MemoryLayout<ItemRecord>.stride
      + contents.capacity * MemoryLayout<ContentRecord>.stride
      + fields.capacity * MemoryLayout<FieldRecord>.stride
  }
}

extension PackedRows {
  /// How many bytes its array takes, but for the array's own head.
  var byteCount: Int { words.count * 8 }
}

extension ReplicatedList {
  /// How many bytes the records of all pages are kept in.
  fileprivate var recordByteCount: Int {
    store.branches.reduce(0) { $0 + $1.pages.reduce(0) { $0 + $1.byteCount } }
  }

  /// One edit of a few kinds, which the source chooses.
  fileprivate mutating func edit(_ source: inout ChoiceSource, by me: inout Replica) throws {
    let item = self[source.next(below: count)].id
    switch source.next(below: 5) {
    case 0: try append(["n": 8], by: &me)
    case 1: try remove(item, by: &me)
    case 2: try set("note", of: item, to: "by the river", by: &me)
    case 3: try clear("n", of: item, by: &me)
    default: try move(item, toOffset: source.next(below: count), by: &me)
    }
  }
}

@Suite("Lists that are packed")
struct PackedListTests {
  @Test("what was edited all over is kept in a fourth of the memory, and goes on as before")
  func goesOn() throws {
    for seed in 0..<8 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
      var list = ReplicatedList(id: World.listID)
      for number in 0..<300 { try list.append(["n": .int64(Int64(number))], by: &me) }
      for _ in 0..<300 { try list.edit(&source, by: &me) }
      var packed = list
      packed.pack()
      #expect(packed.recordByteCount * 4 < list.recordByteCount, "seed \(seed)")
      #expect(packed.digest == list.digest && packed.version == list.version, "seed \(seed)")

      // The same edits follow, and now and then it is packed again.
      var other = Replica(id: me.id, sequence: me.sequence) { World.startOfTime }
      var choices = source
      for number in 0..<200 {
        try list.edit(&source, by: &me)
        try packed.edit(&choices, by: &other)
        if number.isMultiple(of: 7) { packed.pack() }
      }
      #expect(packed.map(\.id) == list.map(\.id), "seed \(seed)")
      #expect(packed.digest == list.digest && packed.version == list.version, "seed \(seed)")
    }
  }
}

import Testing

@testable import Betwixt

extension ReplicatedList {
  /// One edit of a few kinds, which the source chooses.
  fileprivate mutating func edit(_ source: inout ChoiceSource, by me: inout Replica) throws {
    let item = isEmpty ? ItemID.root : self[source.next(below: count)].id
    switch source.next(below: 8) {
    case 0..<3: try append(["n": .int64(Int64(source.next(below: 99)))], by: &me)
    case 3 where item != .root: try remove(item, by: &me)
    case 4:
      let length = source.pick([0, 3, 90, 3_000])
      try set("note", of: item, to: .string(String(repeating: "x", count: length)), by: &me)
    case 5: try clear("n", of: item, by: &me)
    case 6 where count > 1: try move(item, toOffset: source.next(below: count), by: &me)
    default: forget(below: source.chance(1, in: 9) ? version : [:])
    }
  }

  /// What a list says of itself; equal for lists that are the same in everything.
  fileprivate var account: [String] {
    [
      "\(id) \(digest) \(version) \(floor) \(entryCount) \(count)", "\(map(\.id))",
      "\(delta(since: [:]).entries)", "\(delta(since: version).entries)",
      "\(store.count) \(store.completeCount) \(store.authorReview) \(store.authors)",
      "\(order.entries)", "\(replicas.rows)", "\(registers.registers)",
    ]
  }
}

extension ListImage {
  /// The image of a list, whole.
  static func bytes(of list: ReplicatedList, mark: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    let isWhole = write(list, mark: mark) {
      bytes += $0
      return true
    }
    precondition(isWhole)
    return bytes
  }

  /// The list of an image that is all there.
  static func list(from bytes: [UInt8], mark: [UInt8]) -> ReplicatedList? {
    list(mark: mark) { offset, count in
      offset + count <= bytes.count ? Array(bytes[offset..<offset + count]) : nil
    }
  }
}

@Suite("Images of lists")
struct ListImageTests {
  private static let mark: [UInt8] = [1, 2, 3]

  private func restored(_ list: ReplicatedList) throws -> ReplicatedList {
    let bytes = ListImage.bytes(of: list, mark: ListImageTests.mark)
    return try #require(ListImage.list(from: bytes, mark: ListImageTests.mark))
  }

  /// A list of some edits by two devices, and of entries that nobody writes.
  private func list(_ source: inout ChoiceSource) throws -> ReplicatedList {
    var list = ReplicatedList(id: World.listID)
    for replica in 1...2 as ClosedRange<UInt64> {
      var me = Replica(id: ReplicaID(rawValue: replica)) { World.startOfTime }
      for _ in 0..<source.pick([0, 5, 150]) { try list.edit(&source, by: &me) }
    }
    if source.chance(1, in: 2) {
      var generator = EntryGenerator()
      try list.merge(Delta(generator.entries(40, from: &source)))
    }
    return list
  }

  @Test("the list of an image is the same, and goes on as the other does")
  func isTheSame() throws {
    for seed in 0..<60 as Range<UInt64> {
      var source = ChoiceSource(seed: seed)
      var list = try list(&source)
      var same = try restored(list)
      list.pack()
      #expect(same.account == list.account, "seed \(seed)")
      #expect(ListImage.bytes(of: same, mark: []) == ListImage.bytes(of: list, mark: []))

      var me = Replica(id: ReplicaID(rawValue: 3)) { World.startOfTime + 1 }
      var other = Replica(id: me.id) { World.startOfTime + 1 }
      var choices = source
      for _ in 0..<100 {
        try list.edit(&source, by: &me)
        try same.edit(&choices, by: &other)
      }
      var generator = EntryGenerator()
      let delta = try Delta(generator.entries(30, from: &source))
      #expect(list.merge(delta) == same.merge(delta), "seed \(seed)")
      #expect(same.account == list.account, "seed \(seed)")
    }
  }

  @Test("damage and what was made of something else are no image")
  func refuses() throws {
    var source = ChoiceSource(seed: 4)
    let bytes = ListImage.bytes(of: try list(&source), mark: ListImageTests.mark)
    #expect(ListImage.list(from: bytes, mark: [1, 2, 4]) == nil)
    #expect(ListImage.list(from: [], mark: ListImageTests.mark) == nil)
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(ListImage.list(from: Array(bytes[..<count]), mark: ListImageTests.mark) == nil)
    }
    for place in stride(from: 0, to: bytes.count, by: 5) {
      var damaged = bytes
      damaged[place] ^= 1 << UInt8(source.next(below: 8))
      #expect(ListImage.list(from: damaged, mark: ListImageTests.mark) == nil, "byte \(place)")
    }
  }

  @Test("who cannot take all of it is not asked for more")
  func stops() throws {
    var source = ChoiceSource(seed: 4)
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    var list = try list(&source)
    for _ in 0..<1_000 { try list.append(["note": .string("\(source.next(below: 9))")], by: &me) }
    var count = 0
    let isWhole = ListImage.write(list, mark: []) { _ in
      count += 1
      return count < 2
    }
    #expect(!isWhole && count == 2)
  }

  /// If this fails, lists lie otherwise in memory than they did: raise the number of the form, so that
  /// nobody reads what an older build has left, and then change the number here.
  @Test("the form of images has a number")
  func formIsKept() throws {
    var source = ChoiceSource(seed: 7)
    var list = ReplicatedList(id: World.listID)
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    for _ in 0..<200 { try list.edit(&source, by: &me) }
    #expect(XXH64.hash(ListImage.bytes(of: list, mark: [])[...]) == 4_437_555_033_262_210_946)
  }
}

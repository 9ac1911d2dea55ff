import Betwixt
import Testing

@Suite struct ReplicatedListTests {
  static func replica(_ number: UInt64) -> Replica {
    Replica(id: ReplicaID(rawValue: number)) { 1_000 }
  }

  func titles(_ list: ReplicatedList) -> [String] {
    list.map { $0["title"]?.string ?? "?" }
  }

  @Test func editsAndReads() throws {
    var me = Self.replica(1)
    var list = ReplicatedList(id: ListID(high: 0, low: 1))
    let a = try list.append(["title": "A"], by: &me)
    let b = try list.append(["title": "B"], by: &me)
    let c = try list.prepend(["title": "C"], by: &me)
    let d = try list.insert(["title": "D"], before: b, by: &me)
    #expect(titles(list) == ["C", "A", "D", "B"])
    try list.move(c, toOffset: 4, by: &me)
    try list.move([d, a], toOffset: 3, by: &me)
    #expect(titles(list) == ["B", "D", "A", "C"])
    try list.move(a, toOffset: 0, inSection: 2, by: &me)
    #expect(list.indices(inSection: 2) == 3..<4)
    #expect(list.sections == [0, 2])
    try list.remove(d, by: &me)
    #expect(titles(list) == ["B", "C", "A"])
    #expect(list[id: d]?.isRemoved == true)
    try list.restore(d, by: &me)
    #expect(titles(list) == ["B", "D", "C", "A"])
    try list.set("title", of: d, to: "D2", by: &me)
    #expect(titles(list) == ["B", "D2", "C", "A"])
    #expect(list.index(id: a) == 3)
    #expect(list.version[ReplicaID(rawValue: 1)] == me.sequence)
  }

  @Test("moving several items writes only those that do not stand there already")
  func movesOfBlocks() throws {
    var me = Self.replica(1)
    var start = ReplicatedList(id: ListID(high: 0, low: 1))
    let ids = try ["A", "B", "C", "D"].map { title throws(EditFailure) in
      try start.append(["title": .string(title)], by: &me)
    }
    let moves: [(items: [Int], offset: Int, result: String, writes: Int64)] = [
      ([1, 2], 1, "ABCD", 0), ([1, 2], 2, "ABCD", 0), ([1, 2], 3, "ABCD", 0),
      ([0, 1, 2, 3], 4, "ABCD", 0), ([2, 3], 4, "ABCD", 0), ([3, 0], 2, "BDAC", 2),
      ([0, 2], 2, "BACD", 1), ([2, 1], 1, "ACBD", 1), ([0, 0], 4, "BCDA", 1), ([], 2, "ABCD", 0),
    ]
    for move in moves {
      var list = start
      let before = me.sequence
      try list.move(move.items.map { ids[$0] }, toOffset: move.offset, by: &me)
      #expect(titles(list).joined() == move.result && me.sequence - before == move.writes)
    }
  }

  @Test("several items stand in the order given when those that are removed come back")
  func movesOfRemovedItems() throws {
    var me = Self.replica(1)
    var start = ReplicatedList(id: ListID(high: 0, low: 1))
    let ids = try ["A", "B", "C", "D", "E"].map { title throws(EditFailure) in
      try start.append(["title": .string(title)], by: &me)
    }
    let moves: [(removed: [Int], items: [Int], offset: Int, shown: String, all: String)] = [
      ([1, 2], [1, 2], 1, "ADE", "ABCDE"), ([1, 2], [2, 1], 1, "ADE", "ACBDE"),
      ([1, 3], [1, 2, 3], 3, "AEC", "AEBCD"), ([0, 2, 4], [4, 3, 2, 0], 0, "DB", "EDCAB"),
      ([1, 2, 3], [3, 0, 2, 1], 2, "EA", "EDACB"),
    ]
    for move in moves {
      var list = start
      for item in move.removed { try list.remove(ids[item], by: &me) }
      try list.move(move.items.map { ids[$0] }, toOffset: move.offset, by: &me)
      #expect(titles(list).joined() == move.shown)
      for item in move.removed { try list.restore(ids[item], by: &me) }
      #expect(titles(list).joined() == move.all)
    }
  }

  @Test("an item moves beside any other, into its section, and is not written where it stands")
  func movesBeside() throws {
    var me = Self.replica(1)
    var list = ReplicatedList(id: ListID(high: 0, low: 1))
    for number in 0..<6 as Range<Int64> { try list.append(toSection: number / 3, by: &me) }
    var source = ChoiceSource(seed: 4)
    for _ in 0..<200 {
      let (item, other) = (source.pick(list).id, source.pick(list).id)
      let (isBefore, rows, sequence) = (source.chance(1, in: 2), list.map(\.id), me.sequence)
      if isBefore {
        try list.move(item, before: other, by: &me)
      } else {
        try list.move(item, after: other, by: &me)
      }
      var expected = rows.filter { $0 != item || item == other }
      if item != other, let place = expected.firstIndex(of: other) {
        expected.insert(item, at: isBefore ? place : place + 1)
      }
      #expect(list.map(\.id) == expected)
      #expect(list[id: item]?.section == list[id: other]?.section)
      if item == other { #expect(me.sequence == sequence) }
      #expect(me.sequence <= sequence + 1)
    }
    let sequence = me.sequence
    try list.move(list[0].id, before: list[1].id, by: &me)
    try list.move(list[1].id, after: list[0].id, by: &me)
    let isOneSection = list[0].section == list[1].section
    #expect(isOneSection && me.sequence == sequence)
    try list.remove(at: 0, by: &me)
    #expect(list.count == 5)
  }

  @Test func mergesConcurrentEdits() throws {
    var me = Self.replica(1)
    var you = Self.replica(2)
    var mine = ReplicatedList(id: ListID(high: 0, low: 1))
    var ids: [ItemID] = []
    for title in ["A", "B", "C", "D"] {
      ids.append(try mine.append(["title": .string(title)], by: &me))
    }
    var yours = mine
    try mine.move(ids[2], toOffset: 0, by: &me)
    try yours.move(ids[2], toOffset: 4, by: &you)
    try yours.set("title", of: ids[0], to: "AA", by: &you)
    try mine.remove(ids[1], by: &me)
    var rows = mine.map(\.id)
    let changes = mine.merge(yours.delta(since: mine.version))
    changes.apply(to: &rows) { $0 }
    #expect(rows == mine.map(\.id))
    yours.merge(mine)
    #expect(mine == yours)
    #expect(mine.digest == yours.digest)
    #expect(titles(mine) == ["AA", "D", "C"])
    #expect(changes.conflicts.count == 1)
    #expect(mine.merge(yours).isEmpty)
  }
}

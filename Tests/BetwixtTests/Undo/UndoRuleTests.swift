import Betwixt
import Testing

/// What people asked for, each as its smallest case.
@Suite struct UndoRuleTests {
  private func list(_ titles: String...) throws -> (ReplicatedList, [ItemID]) {
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    var me = Replica(id: ReplicaID(rawValue: 90)) { 0 }
    let ids = try titles.map { try list.append(["title": .string($0)], by: &me) }
    return (list, ids)
  }

  // MARK: Numbers

  @Test("a refused transaction leaves neither a write nor a gap in the numbers")
  func transaction() throws {
    var (list, ids) = try list("a", "b")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    try list.set("n", of: ids[0], to: 1, by: &me)
    let before = list
    #expect(throws: EditFailure.self) {
      try list.transaction(by: &me) { (list, me) throws(EditFailure) in
        try list.set("n", of: ids[0], to: 2, by: &me)
        try list.move(ids[0], toOffset: 2, by: &me)
        try list.remove(ItemID(high: 6, low: 6), by: &me)
      }
    }
    #expect(list == before && list.version == before.version && me.sequence == 1)
    for number in 2..<200 as Range<Int64> {
      try list.set("n", of: ids[1], to: .int64(number), by: &me)
    }
    #expect(list.version[me.id] == me.sequence)
    var other = before
    other.merge(list.delta(since: other.version))
    #expect(list.delta(since: other.version).isEmpty && other.merge(list).conflicts.isEmpty)
  }

  @Test("a refused step leaves no gap either, and no step")
  func refusedStep() throws {
    var (list, ids) = try list("a")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var history = UndoHistory()
    try history.record("one", in: &list, by: &me) { try $0.set("n", of: ids[0], to: 1, by: &$1) }
    #expect(throws: EditFailure.self) {
      try history.record("two", in: &list, by: &me) { list, me in
        try list.set("n", of: ids[0], to: 2, by: &me)
        try list.remove(ItemID(high: 6, low: 6), by: &me)
      }
    }
    #expect(me.sequence == 1 && list[id: ids[0]]?["n"] == 1)
    #expect(history.nextUndo()?.name == "one")
    try list.set("n", of: ids[0], to: 3, by: &me)
    #expect(list.version[me.id] == 2)
  }

  @Test("an undo that is refused changes nothing, here or in the list, and can be tried again")
  func refusedUndo() throws {
    var (list, ids) = try list("a", "b")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var history = UndoHistory()
    try history.record("both", in: &list, by: &me) { list, me in
      for id in ids { try list.set("n", of: id, to: 1, by: &me) }
    }
    // Where numbers have run out, the second of the two writes is refused.
    var last = Replica(id: ReplicaID(rawValue: 2), sequence: .max - 1) { 0 }
    let (before, kept) = (list, history)
    #expect(throws: EditFailure.self) { try history.undo(in: &list, by: &last) }
    #expect(list == before && history == kept && last.sequence == .max - 1)
    #expect(try history.undo(in: &list, by: &me)?.done.count == 2)
  }

  // MARK: Steps

  @Test("set b, set c, set d, three times back: a; and one step of two sets goes back to its start")
  func levels() throws {
    var (list, ids) = try list("a")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var history = UndoHistory()
    for title in ["b", "c", "d"] as [FieldValue] {
      try history.record("", in: &list, by: &me) {
        try $0.set("title", of: ids[0], to: title, by: &$1)
      }
    }
    var seen: [String?] = []
    while try history.undo(in: &list, by: &me) != nil {
      seen.append(list[id: ids[0]]?["title"]?.string)
    }
    #expect(seen == ["c", "b", "a"])
    while try history.redo(in: &list, by: &me) != nil {
      seen.append(list[id: ids[0]]?["title"]?.string)
    }
    #expect(seen.suffix(3) == ["b", "c", "d"])
    try history.record("", in: &list, by: &me) { list, me in
      try list.set("title", of: ids[0], to: "e", by: &me)
      try list.set("title", of: ids[0], to: "f", by: &me)
    }
    try history.undo(in: &list, by: &me)
    #expect(list[id: ids[0]]?["title"] == "d")
  }

  @Test("append x, remove x, twice back: gone, and not an empty item")
  func appendAndRemove() throws {
    var (list, _) = try list("a")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var history = UndoHistory()
    let start = list.map(\.id)
    let x = try history.record("add", in: &list, by: &me) { try $0.append(["title": "x"], by: &$1) }
    try history.record("remove", in: &list, by: &me) { try $0.remove(x, by: &$1) }
    try history.undo(in: &list, by: &me)
    #expect(list[id: x]?["title"] == "x" && list.contains(id: x))
    try history.undo(in: &list, by: &me)
    #expect(list.map(\.id) == start && list[id: x]?["title"] == "x")
  }

  @Test("a step within a step is part of it, and is given up alone")
  func nested() throws {
    var (list, ids) = try list("a")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var history = UndoHistory()
    try history.record("outer", in: &list, by: &me) { history, list, me in
      try list.set("n", of: ids[0], to: 1, by: &me)
      try history.record("inner", in: &list, by: &me) {
        try $0.set("m", of: ids[0], to: 2, by: &$1)
      }
      #expect(throws: EditFailure.self) {
        try history.record("refused", in: &list, by: &me) { list, me in
          try list.set("o", of: ids[0], to: 3, by: &me)
          try list.remove(ItemID(high: 6, low: 6), by: &me)
        }
      }
      // Within a step nothing is undone.
      #expect(try history.undo(in: &list, by: &me) == nil)
    }
    #expect(list[id: ids[0]]?["o"] == nil && list[id: ids[0]]?["m"] == 2 && me.sequence == 2)
    #expect(history.nextUndo()?.name == "outer")
    try history.undo(in: &list, by: &me)
    #expect(list[id: ids[0]]?["n"] == nil && list[id: ids[0]]?["m"] == nil)
    #expect(history.nextUndo() == nil)
  }

  @Test("edits that come to nothing make no step, and what can be made again stays")
  func nothing() throws {
    var (list, ids) = try list("a")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var history = UndoHistory()
    try history.record("set", in: &list, by: &me) { try $0.set("n", of: ids[0], to: 1, by: &$1) }
    try history.undo(in: &list, by: &me)
    try history.record("come and gone", in: &list, by: &me) { list, me in
      try list.remove(list.append(["title": "x"], by: &me), by: &me)
      try list.set("n", of: ids[0], to: 5, by: &me)
      try list.clear("n", of: ids[0], by: &me)
    }
    #expect(history.nextUndo() == nil && history.nextRedo()?.name == "set")
    try history.redo(in: &list, by: &me)
    #expect(list[id: ids[0]]?["n"] == 1)
  }

  @Test("the oldest step goes when there are too many")
  func limit() throws {
    var (list, ids) = try list("a")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var history = UndoHistory(levels: 3)
    for number in 1...700 as ClosedRange<Int64> {
      try history.record("", in: &list, by: &me) {
        try $0.set(FieldName("f\(number)") ?? "f", of: ids[0], to: .int64(number), by: &$1)
      }
    }
    var count = 0
    while try history.undo(in: &list, by: &me) != nil { count += 1 }
    #expect(count == 3 && list[id: ids[0]]?["f697"] == 697 && list[id: ids[0]]?["f698"] == nil)
  }

  @Test("the button of a message takes back its step only while that is the newest")
  func named() throws {
    var (list, ids) = try list("a", "b")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var history = UndoHistory()
    try history.record("Move", in: &list, by: &me) { try $0.move(ids[0], toOffset: 2, by: &$1) }
    let moved = try #require(history.nextUndo())
    try history.record("Edit", in: &list, by: &me) { try $0.set("n", of: ids[0], to: 1, by: &$1) }
    #expect(try history.undo(moved, in: &list, by: &me) == nil)
    #expect(list.map(\.id) == [ids[1], ids[0]])
    #expect(try history.undo(in: &list, by: &me)?.step.name == "Edit")
    #expect(try history.undo(moved, in: &list, by: &me)?.step == moved)
    #expect(list.map(\.id) == ids)
  }

  // MARK: What is said

  @Test("the result says what was done, what was kept, and who was in the way with what")
  func words() throws {
    var (list, ids) = try list("a", "b", "c")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_000 }
    var bob = Replica(id: ReplicaID(rawValue: 2)) { 2_000 }
    var history = UndoHistory()
    try history.record("all", in: &list, by: &me) { list, me in
      for id in ids { try list.set("n", of: id, to: 1, by: &me) }
    }
    try list.set("n", of: ids[1], to: 7, by: &bob)
    try list.remove(ids[2], by: &bob)
    let result = try #require(try history.undo(in: &list, by: &me))
    #expect(result.done.map(\.item) == [ids[0], ids[2]] && !result.isWhole)
    #expect(result.done[0].removal == nil && result.done[1].removal?.stamp.replica == bob.id)
    let obstacle = try #require(result.kept.first?.obstacles.first)
    #expect(result.kept.count == 1 && result.kept[0].item == ids[1])
    #expect(obstacle.reason == .changed && obstacle.register == .field("n"))
    #expect(obstacle.write?.value == .field(7) && obstacle.write?.stamp.replica == bob.id)
    #expect(history.keptDirection() == .undo)
    let insisted = try #require(try history.insist(in: &list, by: &me))
    #expect(insisted.done.map(\.item) == [ids[1]] && list[id: ids[1]]?["n"] == nil)
    #expect(history.keptDirection() == nil && list[id: ids[0]]?["n"] == nil)
    try history.redo(in: &list, by: &me)
    // The redo brings back what was overwritten: of the others mine, of this one Bob's.
    #expect(list[id: ids[0]]?["n"] == 1 && list[id: ids[1]]?["n"] == 7)
  }

  @Test(
    "an insertion that somebody wrote in says what was added; a removal, whose change came back")
  func additions() throws {
    var (list, ids) = try list("a")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_000 }
    var bob = Replica(id: ReplicaID(rawValue: 2)) { 2_000 }
    var history = UndoHistory()
    let x = try history.record("add", in: &list, by: &me) { try $0.append(["title": "x"], by: &$1) }
    try list.set("note", of: x, to: "by Bob", by: &bob)
    let kept = try #require(try history.undo(in: &list, by: &me)?.kept.first)
    #expect(
      kept.obstacles.map(\.reason) == [.added] && kept.obstacles[0].register == .field("note"))
    #expect(list.contains(id: x))
    _ = try history.insist(in: &list, by: &me)
    #expect(!list.contains(id: x))
    try history.redo(in: &list, by: &me)
    #expect(list[id: x]?["note"] == "by Bob")
    var theirs = list
    try history.record("remove", in: &list, by: &me) { try $0.remove(ids[0], by: &$1) }
    try theirs.set("note", of: ids[0], to: "too", by: &bob)
    list.merge(theirs)
    let back = try #require(try history.undo(in: &list, by: &me)?.done.first)
    #expect(back.othersWrites.map(\.register) == [.field("note")])
  }

  @Test("the metadata of the list is an item like any other")
  func metadata() throws {
    var (list, _) = try list("a")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_000 }
    var history = UndoHistory()
    for name in ["Rome", "Rome 2026"] as [FieldValue] {
      try history.record("", in: &list, by: &me) {
        try $0.set("name", of: .root, to: name, by: &$1)
      }
    }
    #expect(try history.undo(in: &list, by: &me)?.done.map(\.item) == [.root])
    #expect(list.metadata["name"] == "Rome")
    try history.undo(in: &list, by: &me)
    #expect(list.metadata["name"] == nil)
  }

  // MARK: What others brought

  @Test("what comes back is as large as it was, under a name as long as it was")
  func largeValues() throws {
    var (list, ids) = try list("a")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_000 }
    var bob = Replica(id: ReplicaID(rawValue: 2)) { 500 }
    me.limits.valueByteCount = 10
    bob.limits.valueByteCount = 200_000
    bob.limits.nameByteCount = 255
    let note = FieldValue.string(String(repeating: "n", count: 100_000))
    try list.set("note", of: ids[0], to: note, by: &bob)
    var history = UndoHistory()
    try history.record("short", in: &list, by: &me) {
      try $0.set("note", of: ids[0], to: "short", by: &$1)
    }
    #expect(try history.undo(in: &list, by: &me)?.isWhole == true)
    #expect(list[id: ids[0]]?["note"] == note && me.limits.valueByteCount == 10)
    // A name that came with a merge, and is not known to an older copy that is put back.
    let name = try #require(FieldName(String(repeating: "x", count: 100)))
    var older = list
    try list.set(name, of: ids[0], to: 1, by: &bob)
    history.record("merge", from: older, to: list, own: [me.id])
    #expect(try history.undo(in: &list, by: &me)?.isWhole == true)
    #expect(try history.redo(in: &older, by: &me)?.isWhole == true)
    #expect(older[id: ids[0]]?[name] == 1 && me.limits.nameByteCount == 64)
    // So it is where the writes are refused.
    var last = Replica(id: ReplicaID(rawValue: 3), sequence: .max - 1) { 0 }
    #expect(throws: EditFailure.self) { try history.undo(in: &older, by: &last) }
    #expect(last.limits == EditLimits())
  }

  @Test("a life or a place of the root is in nobody's way", arguments: [1, 2] as [UInt64])
  func lifeOfTheRoot(length: UInt64) throws {
    var (list, _) = try list("a")
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_000 }
    var history = UndoHistory()
    try history.record("name", in: &list, by: &me) {
      try $0.set("name", of: .root, to: "Rome", by: &$1)
    }
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 9))
    let key = try SortKey(importing: 1, of: ItemID(high: 5, low: 5))
    let values: [(Register, RegisterValue)] = [
      (.life, .life(length)), (.position, .position(section: 0, key: key)),
      (.field("x"), .field(1)),
    ]
    var builder = Delta.Builder()
    for (number, (register, value)) in values.enumerated() {
      try builder.add(
        Entry(
          item: .root, register: register, value: value, stamp: stamp,
          sequence: Int64(number + 1)))
    }
    let before = list
    #expect(list.merge(builder.build()).removalConflicts.isEmpty)
    #expect(list[id: .root]?.isRemoved == false && list.metadata["name"] == "Rome")
    history.record("merge", from: before, to: list, own: [me.id])
    let merged = try #require(try history.undo(in: &list, by: &me))
    #expect(merged.isWhole && merged.done.map(\.registers) == [[.field("x")]])
    #expect(list.metadata["x"] == nil)
    let named = try #require(try history.undo(in: &list, by: &me))
    #expect(named.done.map(\.item) == [.root] && named.done[0].removal == nil)
    // A step that was kept with such a life.
    let life = UndoStep.Change(
      register: .life, before: RegisterState(value: nil, root: nil),
      after: RegisterState(
        value: .life(length), root: Dot(replica: stamp.replica, sequence: 1)))
    history.stacks[0]?.undos = [
      UndoStep(
        label: UndoHistory.Step(number: 9, name: "old"),
        items: [UndoStep.ItemChange(item: .root, changes: [life])])
    ]
    #expect(try history.undo(in: &list, by: &me) == nil)
  }

  @Test("what somebody else wrote is theirs, though it looks the same and came with my command")
  func sameByMerge() throws {
    let (start, ids) = try list("a")
    for isBobHere in [false, true] {
      var (list, theirs) = (start, start)
      var me = Replica(id: ReplicaID(rawValue: 1)) { 1_000 }
      var bob = Replica(id: ReplicaID(rawValue: 2)) { 2_000 }
      var history = UndoHistory()
      try history.record("tick", in: &list, by: &me) {
        try $0.set("done", of: ids[0], to: 1, by: &$1)
      }
      try theirs.set("done", of: ids[0], to: 1, by: &bob)
      let before = list
      list.merge(theirs)
      // An id that wrote here before is mine.
      let own = isBobHere ? [me.id, bob.id] : [me.id]
      history.record("import", from: before, to: list, own: Set(own))
      #expect(history.nextUndo()?.name == "tick")
      #expect(try history.undo(in: &list, by: &me)?.isWhole == isBobHere)
      #expect(list[id: ids[0]]?["done"] == (isBobHere ? nil : 1))
    }
  }

  @Test("of all steps that are gone the newest is named, in whichever window it was")
  func lostSteps() {
    var history = UndoHistory()
    for window in 1...20 {
      var stack = UndoHistory.Stack()
      let number = window * 7 % 23
      stack.undos = [
        UndoStep(
          label: UndoHistory.Step(number: number, name: ""),
          apart: UndoStep.Key(high: 1, low: UInt64(window)))
      ]
      history.stacks[window] = stack
    }
    history.bringAll()
    #expect(history.lostStep?.label.number == 22)
  }

  // MARK: Keeping what is there

  @Test("whoever insists that an item stays keeps it against a removal that did not know of that")
  func insistingRestore() throws {
    let (start, ids) = try list("a")
    var (mine, theirs) = (start, start)
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_000 }
    var bob = Replica(id: ReplicaID(rawValue: 2)) { 9_000 }
    try mine.restore(ids[0], by: &me)
    #expect(me.sequence == 0)
    try mine.restore(ids[0], insisting: true, by: &me)
    #expect(me.sequence == 1 && mine[id: ids[0]]?.lifeLength == 3)
    try theirs.remove(ids[0], by: &bob)
    mine.merge(theirs)
    theirs.merge(mine)
    #expect(mine.contains(id: ids[0]) && theirs.contains(id: ids[0]) && mine == theirs)
    // A removal that knows of it removes.
    try theirs.remove(ids[0], by: &bob)
    mine.merge(theirs)
    #expect(!mine.contains(id: ids[0]))
  }

  @Test("a life at its end is not insisted on")
  func lifeAtItsEnd() throws {
    let item = ItemID(high: 3, low: 3)
    var builder = Delta.Builder()
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 5))
    try builder.add(
      Entry(item: item, register: .life, value: .life(UInt64(Int64.max)), stamp: stamp, sequence: 1)
    )
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    list.merge(builder.build())
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    let failure = #expect(throws: EditFailure.self) {
      try list.restore(item, insisting: true, by: &me)
    }
    #expect(failure?.code == .lifeExhausted && me.sequence == 0)
  }

  /// Somebody put an older copy of the document back.
  @Test("what the list lacks altogether is gone, also for whoever insists", arguments: 0..<4)
  func itemsThatAreNotThere(kind: Int) throws {
    let (older, _) = try list("a")
    var list = older
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    let item = try list.append(["title": "b"], by: &me)
    try list.set("title", of: item, to: "c", by: &me)
    var history = UndoHistory()
    try history.record("step", in: &list, by: &me) { (list, me) throws(EditFailure) in
      switch kind {
      case 0: try list.remove(item, by: &me)
      case 1: try list.set("title", of: item, to: "d", by: &me)
      case 2: try list.move(item, toOffset: 0, by: &me)
      default: try list.clear("title", of: item, by: &me)
      }
    }
    list = older
    me = Replica(id: ReplicaID(rawValue: 3)) { 0 }
    for result in [
      try history.undo(in: &list, by: &me), try history.insist(in: &list, by: &me),
    ] {
      let kept = try #require(result?.kept.first)
      #expect(kept.item == item && kept.obstacles.allSatisfy { $0.reason == .gone })
      #expect(result?.done.isEmpty == true)
    }
    #expect(list == older && me.sequence == 0)
    #expect(try history.redo(in: &list, by: &me) == nil)
  }

  @Test("what was added and taken back is not made again where the list lacks it altogether")
  func addedItemsThatAreNotThere() throws {
    let (older, _) = try list("a")
    var list = older
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var history = UndoHistory()
    try history.record("add", in: &list, by: &me) { (list, me) throws(EditFailure) in
      try list.append(["title": "b"], by: &me)
    }
    try history.undo(in: &list, by: &me)
    list = older
    let result = try #require(try history.redo(in: &list, by: &me))
    #expect(result.done.isEmpty && result.kept.first?.obstacles.first?.reason == .gone)
    #expect(list == older)
  }
}

import Betwixt
import Testing

@Suite("Reported changes")
struct ListChangesTests {
  private static let count = 8

  /// Two copies of a list of some items, and a replica for each.
  private static func copies() throws -> (mine: Device, theirs: Device) {
    var list = ReplicatedList(id: World.listID)
    var maker = Replica(id: ReplicaID(rawValue: 9)) { World.startOfTime }
    for number in 0..<count { try list.append(["n": .int64(Int64(number))], by: &maker) }
    return (
      Device(list, replica: 1, clock: World.startOfTime),
      Device(list, replica: 2, clock: World.startOfTime)
    )
  }

  @Test("they rise by place, in whatever order items were edited")
  func order() throws {
    let (mine, theirs) = try Self.copies()
    let ids = theirs.list.map(\.id)
    for place in [6, 4, 5] { try theirs.list.remove(ids[place], by: &theirs.me) }
    for place in [2, 0, 1] { try theirs.list.set("n", of: ids[place], to: 50, by: &theirs.me) }
    try theirs.list.move(ids[3], toOffset: 0, by: &theirs.me)
    try theirs.list.move(ids[7], toOffset: 0, by: &theirs.me)
    for offset in [4, 0, 2] { try theirs.list.insert([:], at: offset, by: &theirs.me) }
    let changes = mine.list.merge(theirs.list)
    #expect(changes.removed.map(\.oldIndex) == [4, 5, 6])
    #expect(
      changes.inserted.map(\.newIndex)
        == theirs.list.indices.filter {
          !ids.contains(theirs.list[$0].id)
        })
    #expect(changes.moved.map(\.newIndex) == changes.moved.map(\.newIndex).sorted())
    #expect(changes.moved.count == 2)
    #expect(changes.updated.map(\.oldIndex) == [0, 1, 2])
    #expect(changes.updated.map(\.newIndex) == changes.updated.map(\.newIndex).sorted())
    #expect(changes.updated.allSatisfy { $0.registers == [.field("n")] })
  }

  @Test("nothing but one kind of change is not nothing")
  func oneKind() throws {
    let edits: [(inout ReplicatedList, inout Replica) throws -> Void] = [
      { list, me in try list.remove(list[1].id, by: &me) },
      { list, me in try list.insert([:], at: 1, by: &me) },
      { list, me in try list.move(list[1].id, toOffset: 0, by: &me) },
      { list, me in try list.set("n", of: list[1].id, to: 70, by: &me) },
      { list, me in try list.set("name", of: .root, to: "x", by: &me) },
    ]
    for (number, edit) in edits.enumerated() {
      let (mine, theirs) = try Self.copies()
      try edit(&theirs.list, &theirs.me)
      let changes = mine.list.merge(theirs.list)
      #expect(!changes.isEmpty, "edit \(number)")
      let again = mine.list.merge(theirs.list)
      #expect(again.isEmpty, "edit \(number)")
      let kinds = [
        changes.removed.count, changes.inserted.count, changes.moved.count, changes.updated.count,
        changes.metadata.count, changes.conflicts.count,
      ]
      #expect(kinds == (0..<6).map { $0 == number ? 1 : 0 }, "edit \(number)")
    }
  }

  @Test("a write that lost is all there is to tell")
  func lostWrite() throws {
    let (mine, theirs) = try Self.copies()
    let item = mine.list[0].id
    // Equal times: the greater id wins.
    try mine.list.set("n", of: item, to: 10, by: &mine.me)
    try theirs.list.set("n", of: item, to: 20, by: &theirs.me)
    let changes = theirs.list.merge(mine.list)
    #expect(changes.conflicts.count == 1 && changes.updated.isEmpty && !changes.isEmpty)
    #expect(changes.conflicts.first?.winner.value == .field(20))
  }

  @Test("a removal and an edit that did not know each other are told on both sides")
  func removalAgainstEdit() throws {
    let (mine, theirs) = try Self.copies()
    let item = mine.list[0].id
    try mine.list.set("n", of: item, to: 10, by: &mine.me)
    try mine.list.move(item, toOffset: 5, by: &mine.me)
    try theirs.list.remove(item, by: &theirs.me)
    let before = mine.list
    let atEditor = mine.list.merge(theirs.list)
    let told = try #require(atEditor.removalConflicts.first)
    #expect(atEditor.removalConflicts.count == 1 && atEditor.conflicts.isEmpty)
    #expect(told.item == item && told.lostHere && told.removal.value == .life(2))
    #expect(told.edits.map(\.register) == [.position, .field("n")])
    #expect(told.edits == before[id: item]?.entries.filter { $0.register != .life })
    let atRemover = theirs.list.merge(before)
    #expect(!atRemover.isEmpty && atRemover.removed.isEmpty && atRemover.updated.isEmpty)
    let other = try #require(atRemover.removalConflicts.first)
    #expect(other.edits == told.edits && other.removal == told.removal && !other.lostHere)
    // Told once: whoever merges again has seen it.
    #expect(theirs.list.merge(before).isEmpty && mine.list.merge(theirs.list).isEmpty)
    // "Keep this."
    try mine.list.restore(item, by: &mine.me)
    #expect(mine.list[id: item]?["n"] == 10 && mine.list.index(id: item) == 4)
  }

  @Test("edits that the remover knew, and edits of what was removed before, are no conflict")
  func removalOfWhatWasSeen() throws {
    let (mine, theirs) = try Self.copies()
    let item = mine.list[0].id
    try mine.list.set("n", of: item, to: 10, by: &mine.me)
    theirs.list.merge(mine.list)
    try theirs.list.remove(item, by: &theirs.me)
    #expect(mine.list.merge(theirs.list).removalConflicts.isEmpty)
    // Somebody who sees the removal and edits what lies there.
    try mine.list.set("n", of: item, to: 11, by: &mine.me)
    #expect(theirs.list.merge(mine.list).removalConflicts.isEmpty)
    // The same value on both sides is no loss, nor is the same removal.
    let (left, right) = try Self.copies()
    try left.list.set("n", of: item, to: 12, by: &left.me)
    try right.list.set("n", of: item, to: 12, by: &right.me)
    try right.list.remove(item, by: &right.me)
    #expect(left.list.merge(right.list).removalConflicts.isEmpty)
  }

  @Test("another write of the same value is no update")
  func sameValue() throws {
    let (mine, theirs) = try Self.copies()
    let item = mine.list[0].id
    for device in [mine, theirs] {
      try device.list.set("n", of: item, to: 10, by: &device.me)
      try device.list.set("name", of: .root, to: "x", by: &device.me)
    }
    let before = mine.list.digest
    #expect(mine.list.merge(theirs.list).isEmpty)
    #expect(mine.list.digest != before)
    try theirs.list.set("z", of: item, to: 1, by: &theirs.me)
    try theirs.list.clear("z", of: item, by: &theirs.me)
    #expect(mine.list.merge(theirs.list).isEmpty)
    #expect(mine.list[id: item]?.entries.count == theirs.list[id: item]?.entries.count)
  }

  @Test("an item with very many fields merges field by field", arguments: [31, 32, 33, 200])
  func manyFields(count: Int) throws {
    let (mine, theirs) = try Self.copies()
    let item = mine.list[0].id
    for number in 0..<count {
      try mine.list.set(Device.field(number * 2), of: item, to: 1, by: &mine.me)
      try theirs.list.set(Device.field(number * 3), of: item, to: 2, by: &theirs.me)
    }
    let (left, right) = (mine.list, theirs.list)
    mine.list.merge(right)
    theirs.list.merge(left)
    #expect(mine.list == theirs.list)
    let expected = Set((0..<count).flatMap { [$0 * 2, $0 * 3] }).count + 1
    #expect(mine.list[id: item]?.fields.count == expected)
    #expect(mine.list[id: item]?[Device.field(0)] == theirs.list[id: item]?[Device.field(0)])
  }

  @Test("what one replica wrote later is no conflict with what it wrote before")
  func lateArrivals() throws {
    let (mine, theirs) = try Self.copies()
    let item = theirs.list[3].id
    var deltas: [Delta] = []
    for edit in 0..<6 {
      let known = theirs.list.version
      switch edit {
      case 0, 1, 2: try theirs.list.set("n", of: item, to: .int64(Int64(edit)), by: &theirs.me)
      case 3: try theirs.list.move(item, toOffset: 0, by: &theirs.me)
      case 4: try theirs.list.remove(item, by: &theirs.me)
      default: try theirs.list.set("m", of: item, to: 1, by: &theirs.me)
      }
      deltas.append(theirs.list.delta(since: known))
    }
    for order in [[5, 4, 3, 2, 1, 0], [2, 0, 1, 4, 3, 5], [4, 1, 5, 0, 3, 2]] {
      var list = mine.list
      for index in order {
        let changes = list.merge(deltas[index])
        #expect(changes.conflicts.isEmpty && changes.removalConflicts.isEmpty, "\(order) \(index)")
      }
      #expect(list == theirs.list)
    }
    // What somebody else wrote is one as before.
    try mine.list.set("n", of: item, to: 70, by: &mine.me)
    #expect(mine.list.merge(deltas[4]).removalConflicts.count == 1)
  }
}

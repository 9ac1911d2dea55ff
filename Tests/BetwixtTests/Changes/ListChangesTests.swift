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
}

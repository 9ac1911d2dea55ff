import Betwixt
import Testing

@Suite("An edit that fails changes nothing")
struct FailedEditTests {
  @Test("no item is made by a replica that has no numbers left")
  func noNumbers() {
    var me = Replica(id: ReplicaID(rawValue: 1), sequence: .max) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    let item = ItemID(high: 7, low: 7)
    #expect(throws: EditFailure.self) { try list.create(item, by: &me) }
    #expect(throws: EditFailure.self) {
      try list.place(item, atSortOrder: 1, inSection: 0, by: &me)
    }
    #expect(list[id: item] == nil && list.allItems().isEmpty)
  }

  @Test("of a field that is named twice the last value counts, in one write")
  func namedTwice() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { World.startOfTime }
    var list = ReplicatedList(id: World.listID)
    let item = try list.append(["title": "Lunch"], by: &me)
    let before = me.sequence
    try list.set([("title", "Dinner"), ("note", "late"), ("title", "Lunch")], of: item, by: &me)
    #expect(list[id: item]?.fields == ["title": "Lunch", "note": "late"])
    #expect(me.sequence == before + 1)
    try list.set([("note", "a"), ("note", nil)], of: item, by: &me)
    #expect(list[id: item]?.fields == ["title": "Lunch"] && me.sequence == before + 2)
  }
}

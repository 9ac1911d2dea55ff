import Betwixt
import Testing

/// What is printed of lists and items is for people, and no dump of what is stored.
@Suite struct DescriptionTests {
  @Test func itemsAndListsAreSaidInAFewWords() throws {
    var list = ReplicatedList(id: World.listID)
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    #expect("\(list)" == "list \(list.id), 0 items")
    let lunch = try list.append(
      ["title": "Lunch", "hours": 1.5, "isPaid": true, "data": .bytes([1, 2])], toSection: 2,
      by: &me)
    #expect("\(list)" == "list \(list.id), 1 item")
    #expect(
      "\(list[0])" == """
        \(lunch) in section 2 {data: 2 bytes, hours: 1.5, isPaid: true, title: \u{201c}Lunch\u{201d}}
        """)
    let plain = try list.append([:], by: &me)
    #expect(list[id: plain]?.description == "\(plain) in section 0")
    try list.remove(plain, by: &me)
    #expect(list[id: plain]?.description == "\(plain) removed")
  }
}

import Betwixt
import Testing

/// Looking at items without making snapshots of them says what the snapshots say.
@Suite struct SameItemTests {
  /// One act of one of three devices, and now and then a merge of two.
  private func act(
    _ lists: inout [ReplicatedList], _ writers: inout [UInt64: Int64],
    _ random: inout ChoiceSource
  ) throws {
    let place = random.next(below: 3)
    let time = 1_780_000_000_000 + Int64(random.next(below: 3))
    var me = Replica(
      id: ReplicaID(rawValue: UInt64(place + 1)), sequence: writers[UInt64(place)] ?? 0
    ) { time }
    defer { writers[UInt64(place)] = me.sequence }
    let count = lists[place].count
    switch random.next(below: 6) {
    case 0:
      try lists[place].append(
        ["title": .int64(Int64(random.next(below: 3)))], toSection: Int64(random.next(below: 3)),
        by: &me)
    case 1 where count > 0:
      let id = lists[place][random.next(below: count)].id
      let name: FieldName = random.next(below: 2) == 0 ? "title" : "note"
      try lists[place].set(name, of: id, to: .int64(Int64(random.next(below: 2))), by: &me)
    case 2 where count > 1:
      let section = lists[place].sections[0]
      let count = lists[place].indices(inSection: section).count
      try lists[place].move(
        fromOffset: random.next(below: count), toOffset: 0, inSection: section, by: &me)
    case 3 where count > 0:
      try lists[place].remove(at: random.next(below: count), by: &me)
    default: lists[place].merge(lists[random.next(below: 3)])
    }
  }

  @Test func itemsAreTheSameIfTheirEntriesAre() throws {
    var random = ChoiceSource(seed: 20)
    var (same, different) = (0, 0)
    for _ in 0..<40 {
      var lists = [ReplicatedList](
        repeating: ReplicatedList(id: ListID(high: 1, low: 1)), count: 3)
      var writers: [UInt64: Int64] = [:]
      for _ in 0..<30 {
        try act(&lists, &writers, &random)
        for list in lists {
          var places: [(ItemID, Int64?)] = []
          list.forEachPlace { places.append(($0, $1)) }
          #expect(places.map(\.0) == list.map(\.id) && places.map(\.1) == list.map(\.section))
          for item in list.allItems() {
            for other in lists {
              let isSame = other[id: item.id].map { $0.entries == item.entries } ?? false
              #expect(item.isSame(in: other) == isSame)
              if isSame { same += 1 } else { different += 1 }
            }
          }
        }
      }
    }
    #expect(same > 1_000 && different > 1_000)
  }
}

import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@testable import BetwixtTool

/// The rows of some items are those that they have among all.
@Suite struct RowNumbersTests {
  @Test(arguments: 0..<40 as Range<UInt64>) func rowsOfSomeAreThoseOfAll(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_780_000_000_000 }
    var list = ReplicatedList(id: ListID(high: 1, low: seed))
    try list.set(.startDate, of: .root, to: "2026-06-11", by: &me)
    try list.set(.days, of: .root, to: 4, by: &me)
    // Of every second trip some items stand before its first day or behind its last one.
    let isWithin = seed % 2 == 0
    for number in 0..<30 {
      let day = isWithin ? 1 + random.next(below: 4) : random.next(below: 7) - 1
      try list.append(["title": .string("\(number)")], toSection: Int64(day), by: &me)
    }
    try list.remove(list[3].id, by: &me)
    let all = RowNumbers(list)
    for item in list.allItems() {
      let one = RowNumbers(list, of: [item.id])
      #expect(one[item.id]?.description == all[item.id]?.description)
    }
  }
}

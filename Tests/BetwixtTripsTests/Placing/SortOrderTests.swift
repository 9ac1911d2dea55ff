import Betwixt
import BetwixtTrips
import TestSupport
import Testing

/// Numbers for those who store (day, number): ordered by them, rows stand as the trip shows them.
@Suite struct SortOrderTests {
  @Test("three items added one behind the other have numbers of their own")
  func appended() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var trip = try Self.trip(by: &me)
    for title in ["A", "B", "C"] {
      try trip.append(["kind": "custom", "title": .string(title)], toDay: 1, by: &me)
    }
    let keys = Set(trip.list.compactMap { $0.key?.approximateSortOrder })
    let numbers = trip.sortOrders(ofDay: 1).map(\.number)
    #expect(keys.count == 1 && Set(numbers).count == 3)
    Self.check(trip)
  }

  @Test("a game keeps its clock, whatever stands directly above and below it")
  func games() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var trip = try Self.trip(by: &me)
    let game = try trip.addGame(Self.game("a", "2026-06-11T13:00"), by: &me)
    let same = try trip.addGame(Self.game("b", "2026-06-11T13:00"), by: &me)
    for _ in 0..<3 {
      let above = trip.list.map(\.id).first { $0 == game || $0 == same }
      try trip.add(
        ["kind": "custom", "title": "x"], into: Gap(day: 1, above: nil, below: above), by: &me)
      try trip.add(
        ["kind": "custom", "title": "y"], into: Gap(day: 1, above: above, below: nil), by: &me)
    }
    Self.check(trip)
  }

  @Test("random trips: strictly rising, and the writes are what differs")
  func random() throws {
    for seed in 0..<60 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var me = Replica(id: ReplicaID(rawValue: seed + 1)) { 0 }
      var trip = try Self.trip(by: &me)
      for number in 0..<4 {
        let hour = 10 + random.next(below: 4)
        try trip.addGame(Self.game("\(number)", "2026-06-11T\(hour):00"), by: &me)
      }
      var stored: [ItemID: Double] = [:]
      for _ in 0..<40 {
        let day = trip.list.indices(inSection: 1)
        let below = random.next(below: day.count + 1)
        let gap = Gap(
          day: 1, above: below > 0 ? trip.list[day.lowerBound + below - 1].id : nil,
          below: below < day.count ? trip.list[day.lowerBound + below].id : nil)
        let item = trip.list[day.lowerBound + random.next(below: day.count)].id
        if random.next(below: 2) == 0 || trip.kind(of: item) == .game {
          try trip.add(["kind": "custom", "title": "x"], into: gap, by: &me)
        } else {
          try trip.drop(item, into: gap, by: &me)
        }
        for write in trip.sortOrderWrites(ofDay: 1, stored: stored) {
          #expect(stored[write.item] != write.number)
          stored[write.item] = write.number
        }
        let rows = stored.sorted { $0.value < $1.value }.map(\.key)
        #expect(rows == trip.list[trip.list.indices(inSection: 1)].map(\.id))
        #expect(trip.sortOrderWrites(ofDay: 1, stored: stored).isEmpty)
      }
      Self.check(trip)
    }
  }

  @Test("files with equal and extreme numbers")
  func extremes() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    var trip = try Self.trip(by: &me)
    let numbers: [Double] = [
      -.greatestFiniteMagnitude, -1, -1, 0, 0, 0x1p60, 0x1p60, .greatestFiniteMagnitude,
      .greatestFiniteMagnitude,
    ]
    for (index, number) in numbers.enumerated() {
      let id = ItemID(high: 7, low: UInt64(index))
      try trip.list.create(id, by: &me)
      try trip.list.place(id, atSortOrder: number, inSection: 1, by: &me)
    }
    Self.check(trip)
  }

  private static func trip(by me: inout Replica) throws -> Trip {
    var list = ReplicatedList(id: ListID(high: 1, low: 1))
    try list.set("startDate", of: .root, to: "2026-06-11", by: &me)
    try list.set("days", of: .root, to: 3, by: &me)
    return Trip(list)
  }

  private static func game(_ id: String, _ start: String) -> Fields {
    ["gameId": .string(id), "start": .string(start), "city": "Rome", "title": .string(id)]
  }

  private static func check(_ trip: Trip) {
    let rows = trip.sortOrders(ofDay: 1)
    let shown = trip.list.indices(inSection: 1).map { trip.list[$0] }
    #expect(rows.map(\.item) == shown.map(\.id))
    #expect(rows.allSatisfy { $0.number.isFinite })
    #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.number < $1.number })
    for (row, item) in zip(rows, shown) where trip.kind(of: item.id) == .game {
      let clock = item.key?.approximateSortOrder ?? -1
      #expect(clock <= row.number && row.number < clock + 1)
    }
  }
}

import Betwixt
import BetwixtTrips
import TestSupport
import Testing

/// A trip that several devices edit at random.
struct Devices {
  var trips: [Trip]
  private var sequences: [Int64]

  init(_ count: Int, _ start: ReplicatedList) {
    trips = Array(repeating: Trip(start), count: count)
    sequences = Array(repeating: 0, count: count)
  }

  /// One random edit by one device; edits that are refused are no edits.
  mutating func edit(_ device: Int, using random: inout SplitMix64) {
    var me = Replica(
      id: ReplicaID(rawValue: UInt64(device + 1)), sequence: sequences[device]
    ) { 1_780_000_000_000 }
    defer { sequences[device] = me.sequence }
    let items = trips[device].list.map(\.id)
    let day = Int64(1 + random.next(below: 3))
    func any() -> ItemID? { items.isEmpty ? nil : items[random.next(below: items.count)] }
    switch random.next(below: 6) {
    case 0:
      _ = try? trips[device].append(["title": "new"], toDay: day, by: &me)
    case 1:
      _ = try? trips[device].addLeg(["from": "A", "to": "B"], onDay: day, by: &me)
    case 2:
      let start = "2026-06-1\(random.next(below: 4))T1\(random.next(below: 9)):00"
      let id = "g\(random.next(below: 3))"
      _ = try? trips[device].addGame(
        ["gameId": .string(id), "start": .string(start), "city": "A"], by: &me)
    case 3:
      guard let id = any() else { return }
      try? trips[device].list.remove(id, by: &me)
    default:
      guard let id = any() else { return }
      let gaps = Constraints(trips[device]).validGaps(id)
      guard !gaps.isEmpty else { return }
      _ = try? trips[device].drop(id, into: gaps[random.next(below: gaps.count)], by: &me)
    }
  }
}

@Suite struct PositionTests {
  @Test("DATA-01: every movable item has a day and a number")
  func everyMovableItemHasDayAndSortOrder() throws {
    var random = SplitMix64(seed: 71)
    for _ in 0..<1_000 {
      var devices = Devices(3, try Plain.list(Plain.trip()))
      for _ in 0..<12 { devices.edit(random.next(below: 3), using: &random) }
      let joined = devices.trips[0].list.merging(devices.trips[1].list)
        .merging(devices.trips[2].list)
      var last: (section: Int64, number: Double)?
      for item in joined {
        let section = try #require(item.section)
        let number = try #require(item.key?.approximateSortOrder)
        #expect(number.isFinite)
        if let last { #expect(last.section < section || last.number <= number) }
        last = (section, number)
      }
    }
  }

  @Test("DATA-02: a leg is an item of its own, the same route twice is two")
  func sameRouteTwiceIsTwoItems() throws {
    var trip = Trip(try Plain.list(Plain.trip()))
    var me = Replica(test: 1)
    let route: Fields = ["from": "A", "to": "B"]
    let one = try trip.addLeg(route, onDay: 1, by: &me)
    let two = try trip.addLeg(route, onDay: 1, by: &me)
    #expect(one != two)
    let before = trip.list[id: two]?.entries
    try trip.drop(one, into: Gap(day: 2, above: nil, below: nil), by: &me)
    #expect(trip.list[id: two]?.entries == before)
    try trip.drop(one, into: Gap(day: 1, above: two, below: nil), by: &me)
    #expect(trip.list.map(\.id) == [two, one])
    #expect(trip.list[id: two]?.entries == before)
  }

  @Test("DATA-05: concurrent moves leave one item on one day")
  func concurrentMovesLeaveOneCopy() throws {
    var random = SplitMix64(seed: 72)
    for _ in 0..<1_000 {
      let start = try Plain.list(Plain.trip(Plain.item("a"), Plain.item("b", #""day":2"#)))
      let count = 2 + random.next(below: 3)
      var lists: [ReplicatedList] = []
      for device in 0..<count {
        var trip = Trip(start)
        var me = Replica(test: UInt64(device + 1))
        let day = Int64(1 + random.next(below: 3))
        try trip.drop(Plain.itemA, into: trip.lastGap(ofDay: day), by: &me)
        lists.append(trip.list)
      }
      var digests: Set<Digest> = []
      for order in permutations(lists) {
        let joined = order.dropFirst().reduce(order[0]) { $0.merging($1) }
        digests.insert(joined.digest)
        let shown = Trip(joined).rows.filter {
          if case .item(Plain.itemA, _, _) = $0 { true } else { false }
        }
        #expect(shown.count == 1)
      }
      #expect(digests.count == 1)
    }
  }
}

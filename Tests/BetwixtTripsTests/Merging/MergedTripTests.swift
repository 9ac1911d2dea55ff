import Betwixt
import BetwixtTrips
import TestSupport
import Testing

/// Random edits on random devices that meet now and then, merged at the end.
@Suite struct MergedTripTests {
  private func randomDevices(_ random: inout SplitMix64) throws -> [ReplicatedList] {
    let count = 2 + random.next(below: 3)
    var devices = Devices(count, try Plain.list(Plain.trip(Plain.item("a"), Plain.item("b"))))
    for _ in 0..<(10 + random.next(below: 15)) {
      let device = random.next(below: count)
      if random.next(below: 5) == 0 {
        devices.trips[device].list.merge(devices.trips[random.next(below: count)].list)
      } else {
        devices.edit(device, using: &random)
      }
    }
    return devices.trips.map(\.list)
  }

  /// The games that are where their start says, in the order of the rows, as day and minute.
  private func scheduledGames(_ trip: Trip) -> [(day: Int64, minute: Int)] {
    var off: Set<ItemID> = []
    for case .gameOffSchedule(let id, _) in Constraints(trip).violations() { off.insert(id) }
    return trip.list.compactMap { item in
      guard ItemKind(item["kind"]) == .game, !off.contains(item.id),
        let start = item["start"]?.string.flatMap({ GameStart($0) }),
        let day = trip.day(of: start.date), let time = start.time
      else { return nil }
      return (day, time.minuteOfDay)
    }
  }

  @Test("DATA-05: after any merge every item is shown once, games in time order, rows alike")
  func everyItemOnceAndGamesInTimeOrder() throws {
    var random = SplitMix64(seed: 76)
    var games = 0
    for round in 0..<1_000 {
      let lists = try randomDevices(&random)
      let merged = lists.dropFirst().reduce(lists[0]) { $0.merging($1) }
      let trip = Trip(merged)
      var shown: [ItemID] = []
      for case .item(let id, _, _) in trip.rows { shown.append(id) }
      #expect(shown.count == merged.count, "round \(round)")
      #expect(Set(shown) == Set(merged.map(\.id)), "round \(round)")
      #expect(shown.count == Set(shown).count, "round \(round)")

      let scheduled = scheduledGames(trip)
      games += scheduled.count
      for (above, below) in zip(scheduled, scheduled.dropFirst()) {
        #expect((above.day, above.minute) <= (below.day, below.minute), "round \(round)")
      }
      for _ in 0..<3 {
        let order = lists.shuffled(using: &random)
        let other = order.dropFirst().reduce(order[0]) { $0.merging($1) }
        #expect(Trip(other).rows == trip.rows, "round \(round)")
        #expect(other.digest == merged.digest, "round \(round)")
      }
    }
    #expect(games > 300, "the random trips have games")
  }

  @Test func afterARepairAllGamesStandInTimeOrder() throws {
    var random = SplitMix64(seed: 77)
    for round in 0..<300 {
      let lists = try randomDevices(&random)
      var trip = Trip(lists.dropFirst().reduce(lists[0]) { $0.merging($1) })
      var me = Replica(test: 99)
      _ = trip.repair(Constraints(trip).violations(), by: &me)
      let games = trip.list.count { ItemKind($0["kind"]) == .game }
      let scheduled = scheduledGames(trip)
      #expect(scheduled.count == games, "round \(round)")
      for (above, below) in zip(scheduled, scheduled.dropFirst()) {
        #expect((above.day, above.minute) <= (below.day, below.minute), "round \(round)")
      }
    }
  }
}

extension MergedTripTests {
  /// What one forgot another one restored: whoever merges all three finds what it held.
  @Test func theOrderOfCopiesThatForgotDoesNotMatter() throws {
    var clock: Int64 = 1_780_000_000_000
    func replica(_ id: UInt64) -> Replica {
      clock += 1_000
      let now = clock
      return Replica(id: ReplicaID(rawValue: id)) { now }
    }
    var first = ReplicatedList(id: ListID(high: 1, low: 2))
    var me = replica(1)
    let lunch = try first.append(["title": "Lunch"], toSection: 1, by: &me)
    var (second, third) = (first, first)
    var other = replica(2)
    try second.set("note", of: lunch, to: "bring cash", by: &other)
    try second.remove(lunch, by: &other)
    var another = replica(3)
    try third.remove(lunch, by: &another)
    try third.restore(lunch, by: &another)
    first.merge(second)
    first.forget(below: first.version)
    let files = try [first, second, third].enumerated().map { number, list in
      try TripFile(decoding: list.encoded(as: .trip).bytes, name: "\(number)")
    }
    let orders = [
      [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0], [0, 1, 2, 2, 1],
    ]
    for order in orders {
      let merged = try TripMerge(order.map { files[$0] }).list
      #expect(merged[id: lunch]?["note"] == "bring cash", "\(order)")
      #expect(try merged.digest == TripMerge(files).list.digest, "\(order)")
    }
  }
}

import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@Suite struct GameTests {
  private func game(_ id: String, _ start: String) -> Fields {
    ["gameId": .string(id), "start": .string(start)]
  }

  @Test("DATA-03: games stand where their time at the venue says")
  func anchorsFollowTheSchedule() throws {
    let starts = [
      ("2026-06-11T00:00", 100.0), ("2026-06-11T09:05+01:00", 645), ("2026-06-11T13:00Z", 880),
      ("2026-06-11T13:00", 880), ("2026-06-11T23:59+02:00", 1_539), ("2026-06-11", 1_540),
    ]
    var random = SplitMix64(seed: 51)
    var orders: Set<[ItemID]> = []
    for _ in 0..<20 {
      var trip = Trip(try Plain.list(Plain.trip()))
      var me = Replica(test: 1)
      for (start, number) in starts.shuffled(using: &random) {
        var fields = game(start, start)
        // It ends after midnight and stays on the day of its start.
        fields["durationMin"] = 180
        let id = try trip.addGame(fields, by: &me)
        #expect(trip.sortOrder(id) == number)
        #expect(trip.list[id: id]?.section == 1)
      }
      orders.insert(trip.list.map(\.id))
      let numbers = trip.list.compactMap { $0.key?.approximateSortOrder }
      #expect(numbers == numbers.sorted())
      #expect(Constraints(trip).violations().isEmpty)
      let ofOneMinute = trip.list.filter { $0.key?.approximateSortOrder == 880 }.map(\.id)
      #expect(ofOneMinute.count == 2)
      #expect(ofOneMinute == ofOneMinute.sorted())
    }
    #expect(orders.count == 1)
  }

  @Test func twoDevicesAddOneGame() throws {
    let list = try Plain.list(Plain.trip())
    var trips = [Trip(list), Trip(list)]
    var me = Replica(test: 1)
    var you = Replica(test: 2)
    let mine = try trips[0].addGame(game("final", "2026-06-12T15:00"), by: &me)
    let yours = try trips[1].addGame(game("final", "2026-06-12T15:00"), by: &you)
    #expect(mine == yours)
    #expect(mine == ForeignIdentity.game("final"))
    let joined = trips[0].list.merging(trips[1].list)
    #expect(joined.count == 1)
    #expect(joined == trips[1].list.merging(trips[0].list))
  }

  @Test func reschedulingMovesTheGame() throws {
    var trip = Trip(try Plain.list(Plain.trip(Plain.item("a"))))
    var me = Replica(test: 1)
    let id = try trip.addGame(game("g", "2026-06-11T15:00"), by: &me)
    let start = try #require(GameStart("2026-06-13T18:30-05:00"))
    try trip.reschedule(id, to: start, by: &me)
    #expect(trip.sortOrder(id) == 1_210)
    #expect(trip.list[id: id]?.section == 3)
    #expect(trip.list[id: id]?["start"] == "2026-06-13T18:30-05:00")
    #expect(Constraints(trip).violations().isEmpty)
    let sequence = me.sequence
    try trip.reschedule(id, to: start, by: &me)
    #expect(me.sequence == sequence)
  }

  @Test func whatIsNoGame() throws {
    var trip = Trip(try Plain.list(Plain.trip(Plain.item("a"))))
    var me = Replica(test: 1)
    let before = trip.list.digest
    let start = try #require(GameStart("2026-06-11"))
    #expect(throws: TripFailure.self) { try trip.addGame(["start": "2026-06-11"], by: &me) }
    #expect(throws: TripFailure.self) { try trip.addGame(["gameId": "g"], by: &me) }
    #expect(throws: TripFailure.self) { try trip.addGame(game("g", "noon"), by: &me) }
    #expect(throws: TripFailure.self) {
      try trip.addGame(game("00000000-0000-0000-0000-000000000000", "2026-06-11"), by: &me)
    }
    #expect(throws: TripFailure.self) { try trip.reschedule(Plain.itemA, to: start, by: &me) }
    #expect(throws: TripFailure.self) { try trip.reschedule(.root, to: start, by: &me) }
    #expect(trip.list.digest == before)
    var dateless = Trip(ReplicatedList(id: ListID(high: 1, low: 2)))
    #expect(throws: TripFailure.self) {
      try dateless.addGame(game("g", "2026-06-11"), by: &me)
    }
  }
}

import Betwixt
import BetwixtSync
import BetwixtTesting
import BetwixtTrips
import Testing

/// The code of the documentation's first page, as an embedder has it.
private struct Booking: ListRecord {
  var seat = 0
  var guest = ""

  init(seat: Int, guest: String) {
    self.seat = seat
    self.guest = guest
  }

  init(fields: Fields) {
    seat = fields["seat"]?.int64.map { Int($0) } ?? 0
    guest = fields["guest"]?.string ?? ""
  }

  var fields: Fields { ["seat": .int64(Int64(seat)), "guest": .string(guest)] }
}

@Suite("In the tests of an embedder")
struct EmbedderTests {
  @Test("records, edits and a transport of its own")
  func bookings() throws {
    var simulation = Simulation(replicas: 3)
    simulation.edit = { list, me, choices in
      var bookings = RecordList<Booking>(list)
      try bookings.append(Booking(seat: choices.next(below: 9), guest: choices.text()), by: &me)
      list = bookings.list
    }
    simulation.carry = { delta, list in
      let bytes = try Block(.delta, of: list.id, holding: delta).encoded()
      return try Block(decoding: bytes).delta
    }
    simulation.invariant = { list in
      for booking in RecordList<Booking>(list) {
        try require((0..<9).contains(booking.seat), "seat")
      }
    }
    let report = try simulation.check(seeds: 0..<12)
    #expect(report.actions[.edit, default: 0] > 20)
  }

  @Test("an invariant that does not hold is a failure")
  func invariant() throws {
    var simulation = Simulation(replicas: 2)
    simulation.invariant = { list in try require(list.count < 3, "too many items") }
    let failure = #expect(throws: SimulationFailure.self) {
      try simulation.check(seeds: 0..<50)
    }
    let found = try #require(failure)
    #expect(found.reason.contains("too many items"))
    #expect(found.program.actions.count <= 3)
    #expect(found.program.replicaCount == 1)
  }

  @Test("an insertion that fails is a failure, whatever is written so far")
  func refusedInsertion() throws {
    var simulation = Simulation(replicas: 1)
    simulation.type = { list, _, _, me throws(EditFailure) in
      let nobody = ItemID(high: 1, low: 2)
      try list.remove(nobody, by: &me)
      return nobody
    }
    let program = try Program("betwixt program 1\nreplicas 1\n0 run\n")
    let failure = #expect(throws: Violation.self) { try simulation.run(program) }
    #expect(failure?.description.contains("fails with unknownItem") == true)
  }

  @Test("a property of generated lists, and one of trips")
  func properties() throws {
    try Property { source in
      let list = source.list(itemCount: 20)
      let copy = try SealedBlock.decode(try SealedBlock.encode(list))
      try require(copy == list, "a list does not survive its bytes")
    }.check(seeds: 0..<20)
    try Property { source in
      let trip = source.trip(itemCount: 12)
      try require(trip.list.count == 12, "items are missing")
      try require(trip.rows.count >= 12, "rows are missing")
    }.check(seeds: 0..<10)
  }

  @Test("a property that does not hold is made small, and replays")
  func failingProperty() throws {
    let property = Property { source in
      let numbers = (0..<source.next(below: 30)).map { _ in source.next(below: 1000) }
      try require(numbers.allSatisfy { $0 < 500 }, "\(numbers)")
    }
    let failure = #expect(throws: PropertyFailure.self) { try property.check(seeds: 0..<20) }
    let found = try #require(failure)
    #expect(found.choices == [1, 500])
    #expect(throws: Violation.self) { try property.replay(found.choices) }
  }

  @Test("choices replay what they were recorded from")
  func replay() {
    var source = ChoiceSource(seed: 5)
    let list = source.list(itemCount: 30)
    var again = ChoiceSource(replaying: source.choices)
    #expect(again.list(itemCount: 30) == list)
    #expect(again.isExhausted)
  }
}

import Betwixt
import TestSupport
import Testing

@testable import BetwixtTrips

@Suite struct RepairTests {
  private func repaired(_ list: ReplicatedList) throws -> (trip: Trip, repair: TripRepair) {
    var trip = Trip(list)
    var me = Replica(test: 1)
    let repair = trip.repair(Constraints(trip).violations(), by: &me)
    // A second run finds nothing that it could do.
    let digest = trip.list.digest
    _ = trip.repair(Constraints(trip).violations(), by: &me)
    #expect(trip.list.digest == digest)
    return (trip, repair)
  }

  // A leg goes to the near end of its home.
  @Test(arguments: [
    ("lAcB", ["A1", "l0", "c2", "B3"]), ("AcBl", ["A0", "c1", "l3", "B2"]),
    ("AlcB", ["A0", "l1", "c2", "B3"]), ("ABl", ["A0", "l2", "B1"]),
    // The second and the third find the one home taken, and no other is left.
    ("lllAB", ["A3", "l2", "l1", "l0", "B4"]),
  ])
  func legsGoHome(_ sketch: String, _ expected: [String]) throws {
    let (trip, _) = try repaired(try Sketch.list(sketch))
    #expect(trip.names(ofDay: 1) == expected)
    #expect(Constraints(trip).violations().isEmpty)
  }

  @Test func strayItemsComeInAndKeepTheirOrder() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("a", #""day":-1"#), Plain.item("b", #""day":0"#),
        Plain.item("c", #""day":0,"sortOrder":2"#), Plain.item("d"),
        Plain.item("e", #""day":3"#), Plain.item("f", #""day":4"#), Plain.item("g", #""day":9"#)))
    let before = words(Trip(list).rows, in: list).map { $0.prefix { $0 != "@" } }
    let (trip, repair) = try repaired(list)
    #expect(trip.names(ofDay: 1) == ["a", "b", "c", "d"])
    #expect(trip.names(ofDay: 3) == ["e", "f", "g"])
    #expect(repair.repaired.count == 5)
    #expect(repair.left.isEmpty)
    #expect(words(trip.rows, in: trip.list).map { $0.prefix { $0 != "@" } } == before)
  }

  @Test func gamesGoBackToTheSchedule() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("g", #""kind":"game","start":"2026-06-12T13:00","sortOrder":5"#),
        Plain.item("h", #""kind":"game","start":"2026-06-30T13:00","sortOrder":880,"day":20"#)))
    let (trip, repair) = try repaired(list)
    let id = ForeignIdentity.game("g")
    #expect(trip.sortOrder(id) == 880)
    #expect(trip.list[id: id]?.section == 2)
    // A game beyond the trip is left: its day is the schedule's affair.
    #expect(repair.left == [.dayOutOfRange(ForeignIdentity.game("h"), day: 20)])
  }

  @Test func legsThatTheGamesPutOutOfPlaceFollow() throws {
    let list = try Plain.list(
      Plain.trip(
        Plain.item("A", #""kind":"game","city":"A","start":"2026-06-12T13:00","sortOrder":1"#),
        Plain.item("l", #""kind":"travel","from":"A","to":"B","sortOrder":2"#),
        Plain.item("B", #""day":3,"kind":"game","city":"B","start":"2026-06-13","sortOrder":1540"#)
      ))
    let (trip, repair) = try repaired(list)
    #expect(trip.names(ofDay: 2) == ["A", "l"])
    #expect(repair.repaired.map(\.name) == ["gameOffSchedule", "travelOutOfPlace"])
  }

  @Test func whatHasNoPlaceIsLeft() throws {
    // The leg would have to stand below a game that stands below the last day.
    let list = try Plain.list(
      Plain.trip(
        Plain.item("A", #""kind":"game","city":"A","day":9"#),
        Plain.item("l", #""kind":"travel","from":"A","to":"B""#),
        Plain.item("x", #""latitude":7"#)))
    let (_, repair) = try repaired(list)
    #expect(repair.left.map(\.name).sorted() == ["dayOutOfRange", "travelOutOfPlace"])
  }

  @Test func whatOneItemRefusesKeepsNoOtherFromBeingMended() throws {
    var list = try Plain.list(
      Plain.trip(
        Plain.item("a", #""day":7"#), Plain.item("b", #""day":8"#), Plain.item("c", #""day":9"#)))
    let ids = list.map { $0.id }
    // Somebody has moved the middle one at the end of all times.
    let evil = ReplicaID(rawValue: 666)
    let key = try SortKey.between(nil, nil, replica: evil, counter: 1)
    var builder = Delta.Builder()
    try builder.add(
      Entry(
        item: ids[1], register: .position, value: .position(section: 8, key: key),
        stamp: Stamp(time: .max, replica: evil), sequence: 1))
    list.merge(builder.build())
    let (trip, repair) = try repaired(list)
    #expect(repair.repaired.map(\.item) == [ids[0], ids[2]])
    #expect(repair.left == [.dayOutOfRange(ids[1], day: 8)])
    #expect(trip.names(ofDay: 3) == ["a", "c"])
  }

  /// Where a leg belongs by constraints that are made anew.
  private func home(of id: ItemID, in trip: Trip) -> LegHomes.Home {
    let constraints = Constraints(trip)
    guard let index = constraints.indices[id],
      case .leg(let from, let to) = constraints.places[index].rule,
      let home = constraints.homeIntervals(of: index)?.home(of: index)
    else { return .nowhere }
    let isIn = constraints.inRange.contains(index)
    let route = Route(from: from, to: to, games: constraints.games)
    if isIn, route.isValid(at: index) { return .here }
    guard let boundaries = constraints.boundaries(of: home) else { return .nowhere }
    let gaps = constraints.gaps(boundaries, without: index)
    let isFurtherDown =
      isIn ? home.left.map { $0 > index } ?? false : index < constraints.inRange.lowerBound
    let gap = isFurtherDown ? gaps.first : gaps.last
    return gap.map { .gap($0) } ?? .nowhere
  }

  @Test func legsGoWhereConstraintsMadeAnewSay() throws {
    var random = SplitMix64(seed: 62)
    var me = Replica(test: 2)
    let ends = [("A", "B"), ("B", "A"), ("A", "A"), ("B", "O"), ("", "B")]
    var moves = 0
    for round in 0..<300 {
      var items: [String] = []
      for index in 0..<(2 + random.next(below: 12)) {
        var members = "\"day\":\(random.next(below: 7) - 1),\"sortOrder\":\(index)"
        if random.next(below: 2) == 0 {
          members += ",\"kind\":\"game\",\"city\":\"\(["A", "B", "O"][random.next(below: 3)])\""
        } else {
          let (from, to) = ends[random.next(below: ends.count)]
          members += ",\"kind\":\"travel\",\"from\":\"\(from)\",\"to\":\"\(to)\""
        }
        items.append(Plain.item("i\(index)", members))
      }
      var trip = Trip(try Plain.list(Plain.trip(items.joined(separator: ","))))
      var homes = LegHomes(trip)
      for id in trip.list.map(\.id).shuffled(using: &random) {
        let found = homes.home(of: id, in: trip)
        #expect(found == home(of: id, in: trip), "round \(round)")
        guard case .gap(let gap) = found else { continue }
        moves += 1
        try homes.move(id, in: &trip) { trip throws(TripFailure) in
          _ = try trip.move(id, into: gap, by: &me)
        }
      }
    }
    #expect(moves > 300)
  }

  @Test func repairIsIdempotent() throws {
    var random = SplitMix64(seed: 61)
    for _ in 0..<300 {
      var items: [String] = []
      for index in 0..<random.next(below: 9) {
        let day = random.next(below: 7) - 1
        let kind = random.next(below: 4)
        let cities = ["A", "B", "O"]
        var members = "\"day\":\(day),\"sortOrder\":\(random.next(below: 2_000) - 200)"
        switch kind {
        case 0:
          members += ",\"kind\":\"game\",\"city\":\"\(cities[random.next(below: 3)])\""
          if random.next(below: 2) == 0 {
            members +=
              ",\"start\":\"2026-06-1\(random.next(below: 6))T1\(random.next(below: 9)):00\""
          }
        case 1, 2: members += #","kind":"travel","from":"A","to":"B""#
        default: break
        }
        items.append(Plain.item("i\(index)", members))
      }
      let list = try Plain.list(Plain.trip(items.joined(separator: ",")))
      // Some items are looked at as all are.
      let all = Constraints(Trip(list)).violations()
      for item in [.root] + list.map(\.id) {
        let own = all.filter { violation in
          guard case .clockOrder(let upper, let lower) = violation else {
            return violation.item == item
          }
          return item == upper || item == lower
        }
        #expect(Constraints.violations(of: [item], in: Trip(list)) == own)
      }
      let (trip, repair) = try repaired(list)
      #expect(trip.list.count == list.count)
      let still = Set(Constraints(trip).violations())
      for violation in repair.repaired { #expect(!still.contains(violation)) }
    }
  }
}

// The invariant checks visit by themselves.
#if DEBUG && !BETWIXT_CHECKS
import TestSupport
import Betwixt
import BetwixtTrips
import Testing

/// Costs of large trips as counts of the nodes of the order that are entered, which cannot flake.
@Suite(.serialized) struct TripCostTests {
  /// Trips of 25 and 200 days with 20 items each: games, legs and customs.
  private static let trips: [Trip] = [25, 200].map { (days: Int64) -> Trip in
    var me = Replica(test: 1)
    var trip = Trip(ReplicatedList(id: ListID(high: 1, low: UInt64(days))))
    _ = try? trip.list.set("startDate", of: .root, to: "2028-01-01", by: &me)
    _ = try? trip.list.set("days", of: .root, to: .int64(days), by: &me)
    for day in 1...days {
      guard let date = trip.date(ofDay: day) else { continue }
      let here = FieldValue.string("City \(day % 7)")
      _ = try? trip.addGame(
        ["gameId": .string("\(day)"), "start": .string("\(date)T15:00"), "city": here], by: &me)
      _ = try? trip.addLeg(
        ["from": here, "to": .string("City \((day + 1) % 7)")], onDay: day, by: &me)
      for number in 3...20 {
        _ = try? trip.append(["title": .string("\(number)")], toDay: day, by: &me)
      }
    }
    return trip
  }

  private var small: Trip { TripCostTests.trips[0] }
  private var large: Trip { TripCostTests.trips[1] }

  private func visits(_ body: () throws -> Void) rethrows -> Int {
    try Cost.measure(body).1[.nodeVisit]
  }

  /// What one thing costs in a trip that is eight times as long, as a multiple.
  private func growth(_ body: (Trip) throws -> Void) rethrows -> Double {
    let before = try visits { try body(small) }
    let after = try visits { try body(large) }
    return Double(after) / Double(max(before, 1))
  }

  @Test func theTripsAreLarge() {
    #expect(small.list.count == 500)
    #expect(large.list.count == 4_000)
  }

  @Test func flatteningIsLinear() {
    #expect(growth { _ = $0.rows } < 12)
  }

  @Test func constraintsAndViolationsAreLinear() {
    #expect(growth { _ = Constraints($0) } < 12)
    #expect(growth { _ = Constraints($0).violations() } < 16)
  }

  @Test func theGapsOfAWholeTripAreOneLinearPass() throws {
    for trip in TripCostTests.trips {
      let constraints = Constraints(trip)
      let custom = try #require(trip.list.first { trip.kind(of: $0.id) == .custom }).id
      var count = 0
      let cost = visits { count = constraints.validGaps(custom).count }
      #expect(count == trip.list.count - 1 + Int(trip.dayCount))
      // The constraints hold the places; the list is not asked for any of them.
      #expect(cost == 0)
    }
  }

  @Test func oneGapCostsALogarithm() throws {
    for (trip, bound) in zip(TripCostTests.trips, [60, 80]) {
      let constraints = Constraints(trip)
      for leg in trip.list.filter({ trip.kind(of: $0.id) == .travel }).prefix(20) {
        for gap in constraints.validGaps(leg.id).prefix(20) {
          #expect(visits { _ = constraints.allows(leg.id, in: gap) } <= bound)
        }
      }
    }
  }

  @Test func aDropCostsALogarithm() throws {
    var costs: [Int] = []
    for var trip in TripCostTests.trips {
      var me = Replica(test: 2)
      var random = SplitMix64(seed: 7)
      let movable = trip.list.map(\.id).filter { trip.kind(of: $0) != .game }
      var worst = 0
      for _ in 0..<30 {
        let constraints = Constraints(trip)
        let id = movable[random.next(below: movable.count)]
        let gaps = constraints.validGaps(id)
        let gap = gaps[random.next(below: gaps.count)]
        let cost = try visits {
          try trip.drop(id, into: gap, allowedBy: constraints, by: &me)
        }
        worst = max(worst, cost)
      }
      costs.append(worst)
    }
    // Eight times the items, three levels more at most. A day has the same number of items in both.
    #expect(costs[1] <= 2 * costs[0], "\(costs)")
    #expect(costs[1] < 400, "\(costs)")
  }

  @Test func bringingManyItemsInCostsALogarithmForEach() throws {
    func cost(_ count: Int, day: Int64) throws -> Int {
      var me = Replica(test: 3)
      var trip = Trip(ReplicatedList(id: ListID(high: 2, low: UInt64(count))))
      try trip.list.set("startDate", of: .root, to: "2028-01-01", by: &me)
      try trip.list.set("days", of: .root, to: 3, by: &me)
      for _ in 0..<count { try trip.list.append([:], toSection: day, by: &me) }
      let order = trip.list.map(\.id)
      let violations = Constraints(trip).violations()
      let visits = visits { #expect(trip.repair(violations, by: &me).left.isEmpty) }
      #expect(trip.list.map(\.id) == order)
      #expect(trip.list.indices(inSection: day < 1 ? 1 : 3).count == count)
      return visits
    }
    for day in [-5, 0, 4] as [Int64] {
      let costs = [try cost(200, day: day), try cost(1_600, day: day)]
      #expect(costs[1] < 8 * 2 * costs[0], "\(costs)")
    }
  }
}
#endif

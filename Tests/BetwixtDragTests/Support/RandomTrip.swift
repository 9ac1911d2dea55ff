import Betwixt
import BetwixtDrag
import BetwixtTrips
import TestSupport

/// Trips of games, legs and custom items in any order.
enum RandomTrip {
  static func trip(seed: UInt64, items: Int = 10) throws -> Trip {
    var random = SplitMix64(seed: seed)
    var me = Replica(test: seed + 100)
    var list = ReplicatedList(id: ListID(high: seed, low: 3))
    try list.set("startDate", of: .root, to: "2026-06-11", by: &me)
    try list.set("days", of: .root, to: 4, by: &me)
    var trip = Trip(list)
    for number in 0..<items { try add(number, to: &trip, &random, by: &me) }
    return trip
  }

  static func add(
    _ number: Int, to trip: inout Trip, _ random: inout SplitMix64, by me: inout Replica
  ) throws {
    let cities = ["Alpha", "Beta", "Gamma"]
    let city = cities[random.next(below: 3)]
    let day = Int64(1 + random.next(below: 4))
    switch random.next(below: 3) {
    case 0:
      let hour = 10 + random.next(below: 10)
      try trip.addGame(
        [
          "gameId": .string("game \(number)"), "start": .string("2026-06-1\(day)T\(hour):00"),
          "city": .string(city), "title": .string("Game \(number)"),
        ], by: &me)
    case 1:
      try trip.append(
        [
          "kind": "travel", "from": .string(city),
          "to": .string(cities[random.next(below: 3)]), "title": .string("Leg \(number)"),
        ], toDay: day, by: &me)
    default:
      let gap = random.next(below: 2) == 0 ? trip.firstGap(ofDay: day) : trip.lastGap(ofDay: day)
      try trip.add(
        ["kind": "custom", "title": .string("Item \(number)")], into: gap, by: &me)
    }
  }

  /// Every gap of the trip, by the literal meaning of the word.
  static func allGaps(_ trip: Trip, without id: ItemID) -> [Gap] {
    (1...trip.dayCount).flatMap { day -> [Gap] in
      let items = trip.list.indices(inSection: day).map { trip.list[$0].id }.filter { $0 != id }
      return (0...items.count).map { place in
        Gap(
          day: day, above: place > 0 ? items[place - 1] : nil,
          below: place < items.count ? items[place] : nil)
      }
    }
  }
}

extension DragHost {
  /// A point that means a gap: in the half row next to it.
  func point(of gap: Gap) -> DragPoint {
    if let below = gap.below { return point(below, 0.1) }
    if let above = gap.above { return point(above, 0.9) }
    return point(header: gap.day, 0.9)
  }
}

extension DragDocument {
  /// The gap in which an item of a trip stands.
  func gap(of id: ItemID) -> Gap? {
    if case .trip(let trip) = self { trip.gap(of: id) } else { nil }
  }
}

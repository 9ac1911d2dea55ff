import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@Suite struct DropTests {
  /// One row of the table of zones: what stands above and below, and the number in between.
  struct Case: Sendable {
    let above: (number: Double, kind: String)?
    let below: (number: Double, kind: String)?
    let others: [(number: Double, kind: String)]
    let result: Double
  }

  static let table: [Case] = [
    Case(above: (1, "custom"), below: (2, "custom"), others: [], result: 1.5),
    Case(above: (1, "custom"), below: (1.5, "custom"), others: [], result: 1.25),
    Case(above: (41, "custom"), below: nil, others: [], result: 42),
    Case(above: (1_240, "game"), below: nil, others: [], result: 1_241),
    Case(above: nil, below: nil, others: [], result: 1),
    Case(above: nil, below: (1, "custom"), others: [], result: 0.5),
    Case(above: nil, below: (820, "game"), others: [], result: -1),
    Case(above: (-1, "custom"), below: (820, "game"), others: [], result: -0.5),
    Case(above: nil, below: (-3, "custom"), others: [(820, "game")], result: -4),
    Case(above: (50, "custom"), below: (820, "game"), others: [], result: 435),
    Case(above: nil, below: (-3, "custom"), others: [], result: -4),
    Case(above: (820, "game"), below: (1_000, "game"), others: [], result: 910),
    Case(above: (1, "custom"), below: (1, "custom"), others: [], result: 1),
    // Below the first game the zone from 0 begins, wherever that game stands.
    Case(above: (-5, "game"), below: (7, "custom"), others: [], result: 3.5),
    Case(above: (-5, "custom"), below: (7, "custom"), others: [(9, "game")], result: -2.5),
    Case(above: (-5, "custom"), below: (7, "custom"), others: [(-9, "game")], result: 3.5),
    Case(above: (-5, "custom"), below: (7, "custom"), others: [], result: 3.5),
    Case(above: (-5, "custom"), below: nil, others: [], result: 1),
  ]

  @Test("FLAT-03: the zones of a day and what a drop makes of them", arguments: table.indices)
  func zoneTable(_ row: Int) throws {
    let entry = DropTests.table[row]
    var items = [Plain.item("x", #""day":2"#)]
    func item(_ id: String, _ place: (number: Double, kind: String)) -> String {
      Plain.item(id, "\"sortOrder\":\(place.number),\"kind\":\"\(place.kind)\"")
    }
    if let above = entry.above { items.append(item("a", above)) }
    if let below = entry.below { items.append(item("b", below)) }
    for (index, other) in entry.others.enumerated() { items.append(item("o\(index)", other)) }
    var trip = Trip(try Plain.list(Plain.trip(items.joined(separator: ","))))
    func id(_ name: String) -> ItemID? {
      trip.list.first { $0["foreignId"]?.string == name }?.id
    }
    // Equal numbers stand in the order of the ids.
    var (above, below) = (id("a"), id("b"))
    if entry.above?.number == entry.below?.number, entry.above != nil {
      let ids = trip.list.filter { $0.section == 1 }.map(\.id)
      (above, below) = (ids.first, ids.last)
    }
    var me = Replica(test: 9)
    let moved = try #require(id("x"))
    #expect(try trip.drop(moved, into: Gap(day: 1, above: above, below: below), by: &me))
    #expect(trip.sortOrder(moved) == entry.result)
    #expect(trip.gap(of: moved) == Gap(day: 1, above: above, below: below))
    #expect(me.sequence == 1)
    // An item that is added there gets the same number.
    var other = Trip(try Plain.list(Plain.trip(items.joined(separator: ","))))
    let added = try other.add(
      ["title": "n"], into: Gap(day: 1, above: above, below: below), by: &me)
    #expect(other.sortOrder(added) == entry.result)
  }

  @Test("FLAT-03: the sign of a number tells the side of the first game")
  func zoneSign() throws {
    var random = SplitMix64(seed: 41)
    for round in 0..<1_000 {
      var trip = Trip(try Plain.list(Plain.trip()))
      var me = Replica(test: 1)
      var games: [ItemID] = []
      for index in 0..<(1 + random.next(below: 2)) {
        let start = "2026-06-11T\(10 + random.next(below: 10)):00"
        games.append(
          try trip.addGame(["gameId": .string("\(index)"), "start": .string(start)], by: &me))
      }
      for _ in 0..<(2 + random.next(below: 5)) {
        let day = trip.list.indices(inSection: 1)
        let above = random.next(below: day.count + 1)
        let gap = Gap(
          day: 1, above: above > 0 ? trip.list[above - 1].id : nil,
          below: above < day.count ? trip.list[above].id : nil)
        let id = try trip.add(["title": "c"], into: gap, by: &me)
        #expect(trip.gap(of: id) == gap, "round \(round)")
      }
      let first = try #require(games.compactMap { trip.list.index(id: $0) }.min())
      for index in trip.list.indices(inSection: 1) where index != first {
        let number = try #require(trip.list[index].key?.approximateSortOrder)
        #expect(index < first ? number < 0 : number >= 0, "round \(round)")
      }
    }
  }

  @Test("DATA-04: a custom item reaches every gap of every day")
  func everyGapIsReachable() throws {
    var random = SplitMix64(seed: 42)
    for _ in 0..<1_000 {
      let letters = (0..<random.next(below: 7)).map { _ in Array("ABOcc  ")[random.next(below: 7)] }
      var trip = Trip(try Sketch.list(String(letters) + "c"))
      let moved = try #require(trip.list.last).id
      var me = Replica(test: 2)
      for id in ["m", "n"] where random.next(below: 2) == 0 {
        try trip.addGame(["gameId": .string(id), "start": "2026-06-11T13:00"], by: &me)
      }
      for gap in Constraints(trip).validGaps(moved) {
        let wasThere = trip.gap(of: moved) == gap
        #expect(try trip.drop(moved, into: gap, by: &me) == !wasThere)
        #expect(trip.gap(of: moved) == gap)
        #expect(
          trip.rows.contains(.item(moved, day: gap.day, shownUnder: gap.day)))
      }
    }
  }

  @Test("DATA-04: there is room between two games of one minute")
  func gapsBetweenTwoGamesOfOneMinute() throws {
    var trip = Trip(try Plain.list(Plain.trip(Plain.item("x", #""day":2"#))))
    var me = Replica(test: 3)
    for id in ["m", "n"] {
      try trip.addGame(["gameId": .string(id), "start": "2026-06-11T13:00"], by: &me)
    }
    let games = trip.list.filter { $0.section == 1 }.map(\.id)
    let moved = ForeignIdentity.item("x")
    let gap = Gap(day: 1, above: games[0], below: games[1])
    try trip.drop(moved, into: gap, by: &me)
    #expect(trip.gap(of: moved) == gap)
    #expect(trip.sortOrder(moved) == 880)
  }

  @Test func noOpEmitsNothing() throws {
    var trip = Trip(try Sketch.list("cAc c "))
    let before = trip.list
    var me = Replica(test: 4)
    for item in trip.list where ItemKind(item["kind"]) == .custom {
      let gap = try #require(trip.gap(of: item.id))
      let partly = Gap(day: gap.day, above: gap.above, below: nil)
      let stale = Gap(day: gap.day, above: item.id, below: gap.above == nil ? nil : gap.below)
      for named in gap.above == nil ? [gap, partly, stale] : [gap, partly] {
        #expect(try !trip.drop(item.id, into: named, by: &me))
      }
    }
    #expect(me.sequence == 0)
    #expect(trip.list == before)
  }

  @Test("PERS-03: a drop takes the number in the middle")
  func midpoints() throws {
    for (below, expected) in [(2.0, 1.5), (1.5, 1.25)] {
      var trip = Trip(
        try Plain.list(
          Plain.trip(
            Plain.item("a"), Plain.item("b", "\"sortOrder\":\(below)"),
            Plain.item("c", #""day":2"#))))
      var me = Replica(test: 5)
      try trip.drop(
        Plain.itemC, into: Gap(day: 1, above: Plain.itemA, below: Plain.itemB), by: &me)
      #expect(trip.sortOrder(Plain.itemC) == expected)
    }
  }

  @Test("PERS-03: ten thousand insertions find room in one gap")
  func tenThousandInsertionsInOneGap() throws {
    var trip = Trip(try Plain.list(Plain.trip(Plain.item("a"), Plain.item("b", #""sortOrder":2"#))))
    var me = Replica(test: 6)
    for index in 0..<10_000 {
      // Always in the one gap above `b`.
      let above = trip.list[trip.list.count - 2].id
      try trip.add(
        ["title": .string("\(index)")], into: Gap(day: 1, above: above, below: Plain.itemB),
        by: &me)
    }
    let keys = trip.list.compactMap(\.key)
    #expect(keys.count == 10_002)
    #expect(zip(keys, keys.dropFirst()).allSatisfy { $0 < $1 })
    #expect(keys.allSatisfy { $0.bytes.count <= 1_024 })
    #expect(trip.list.last?["foreignId"] == "b")
  }

  @Test func whatCannotBeDropped() throws {
    var trip = Trip(try Sketch.list("Al B"))
    var me = Replica(test: 7)
    let before = trip.list.digest
    let game = try Sketch.id(trip.list, 0)
    let leg = try Sketch.id(trip.list, 1)
    func code(_ id: ItemID, _ gap: Gap, _ trip: inout Trip, _ me: inout Replica)
      -> TripFailure.Code?
    {
      do {
        try trip.drop(id, into: gap, by: &me)
        return nil
      } catch {
        return error.code
      }
    }
    let top = Gap(day: 1, above: nil, below: game)
    #expect(code(game, top, &trip, &me) == .notMovable)
    #expect(code(leg, top, &trip, &me) == .invalidGap)
    #expect(code(leg, Gap(day: 3, above: nil, below: nil), &trip, &me) == .invalidGap)
    #expect(code(ItemID(high: 4, low: 4), top, &trip, &me) == .unknownItem)
    #expect(throws: TripFailure.self) { try trip.add(["kind": "game"], into: top, by: &me) }
    #expect(trip.list.digest == before)
    #expect(me.sequence == 0)
  }

  @Test func legsGoBelowTheLastGameOfTheirOrigin() throws {
    var trip = Trip(try Sketch.list("AcAcB O"))
    var me = Replica(test: 8)
    let leg = try trip.addLeg(["from": "a", "to": "B", "title": "leg"], onDay: 1, by: &me)
    #expect(trip.names(ofDay: 1) == ["A0", "c1", "A2", "leg", "c3", "B4"])
    #expect(trip.kind(of: leg) == .travel)
    try trip.addLeg(["from": "A", "title": "other"], onDay: 2, by: &me)
    #expect(trip.names(ofDay: 2) == ["O5", "other"])
  }
}

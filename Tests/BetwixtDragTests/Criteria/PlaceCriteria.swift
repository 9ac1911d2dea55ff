import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// DATA, CONS, FLAT and PERS in every way but by a pointer alone, each by what it alone demands.
struct PlaceCriteria {
  let sample: SampleTrip

  init() throws { sample = try SampleTrip() }

  private func journey(_ way: Way, _ trip: Trip? = nil) -> Journey {
    Journey(way, .trip(trip ?? sample.trip))
  }

  /// Below the game of day 2, above the dinner.
  private var middle: Gap { Gap(day: 2, above: sample.beta, below: sample.dinner) }

  @Test("DATA-01: the commit names neighbours", arguments: Way.allCases)
  func data01(way: Way) throws {
    var journey = journey(way)
    try journey.go(sample.lunch, to: middle)
    #expect(journey.dropping.commits == [[.move(sample.lunch, middle)]])
  }

  @Test("DATA-02: a leg goes as any item does", arguments: Way.allCases)
  func data02(way: Way) throws {
    var journey = journey(way)
    let gap = Gap(day: 1, above: sample.alpha, below: sample.lunch)
    try journey.go(sample.leg, to: gap)
    #expect(journey.host.document.gap(of: sample.leg) == gap)
    #expect(journey.host.document.list[id: sample.leg]?["kind"] == "travel")
  }

  @Test("DATA-03: a game is not lifted, nor an item that becomes one", arguments: Way.allCases)
  func data03(way: Way) throws {
    var journey = journey(way)
    journey.item = sample.alpha
    let before = journey.host.document.list.digest
    switch way {
    case .keys: #expect(journey.host.key(.space, sample.alpha).commits.isEmpty)
    case .action:
      for action in RowAction.allCases.prefix(while: { $0 != .complete }) {
        #expect(journey.host.send(.action(sample.alpha, action, at: 1)).commits.isEmpty)
      }
    case .meanwhile:
      journey.lift(sample.lunch)
      journey.carry(to: middle)
      let lunch = sample.lunch
      try journey.host.remotely {
        try $0.set([("kind", "game"), ("start", "2026-06-11T18:00")], of: lunch, by: &$1)
      }
      let remote = journey.host.document.list.digest
      journey.host.send(.document(journey.host.document))
      journey.host.layOut()
      #expect(journey.host.release(DragPoint(x: 9, y: 300)).commits.isEmpty)
      #expect(journey.host.document.list.digest == remote && journey.host.engine.isIdle)
      return
    }
    #expect(journey.host.engine.isIdle && journey.host.document.list.digest == before)
  }

  @Test("DATA-04: a custom item gets to every gap that there is", arguments: Way.allCases)
  func data04(way: Way) throws {
    for gap in Constraints(sample.trip).validGaps(sample.lunch)
    where gap != sample.trip.gap(of: sample.lunch) {
      var journey = journey(way)
      try journey.go(sample.lunch, to: gap)
      let list = journey.host.document.list
      #expect(list[id: sample.lunch]?.section == gap.day)
      let day = list.indices(inSection: gap.day).map { list[$0].id }
      let place = try #require(day.firstIndex(of: sample.lunch))
      if let below = gap.below { #expect(day[place + 1] == below) }
      if let above = gap.above { #expect(day[place - 1] == above) }
    }
  }

  @Test("DATA-05: it stands on one day, once", arguments: Way.allCases)
  func data05(way: Way) throws {
    var journey = journey(way)
    try journey.go(sample.lunch, to: Gap(day: 3, above: nil, below: nil))
    let rows = DragHost.rows(journey.host.document, nil)
    #expect(rows.filter { $0 == .item(sample.lunch) }.count == 1)
    let place = try #require(rows.firstIndex(of: .item(sample.lunch)))
    #expect(rows[..<place].last { $0.item == nil } == .header(day: 3))
  }

  @Test("CONS-01: games stay where the schedule has them", arguments: Way.allCases)
  func cons01(way: Way) throws {
    var journey = journey(way)
    let games = [sample.alpha, sample.beta]
    let before = games.map { journey.host.document.list[id: $0]?.key }
    try journey.go(sample.museum, to: middle)
    #expect(journey.dropping.commits.count == 1)
    #expect(games.map { journey.host.document.list[id: $0]?.key } == before)
  }

  @Test("CONS-02: a leg stops only where the rule lets it", arguments: Way.allCases)
  func cons02(way: Way) throws {
    for seed in 1...12 as ClosedRange<UInt64> {
      let trip = try RandomTrip.trip(seed: seed)
      let legs = trip.list.filter { trip.kind(of: $0.id) == .travel }
      for leg in legs {
        let valid = Constraints(trip).validGaps(leg.id)
        var journey = journey(way, trip)
        switch way {
        case .keys:
          journey.lift(leg.id)
          journey.host.key(.home)
          var seen = 0
          while journey.host.key(.down).announcements != [.noFurther], seen < 100 {
            seen += 1
            guard let gap = journey.host.engine.proposal?.gap else { continue }
            #expect(valid.contains(gap), "seed \(seed): \(gap)")
          }
        case .action:
          for action in journey.host.engine.availableActions(for: leg.id) {
            var host = DragHost(.trip(trip))
            for case .move(_, let gap) in host.send(.action(leg.id, action, at: 0)).commits.joined()
            {
              #expect(valid.contains(gap), "seed \(seed): \(gap)")
            }
          }
        case .meanwhile:
          journey.host.viewportHeight = 10_000
          journey.host.layOut()
          journey.lift(leg.id)
          for y in stride(from: 5.0, to: 900, by: 90) {
            journey.host.move(DragPoint(x: 9, y: y))
            try journey.interfere()
            guard case .trip(let now) = journey.host.document,
              let gap = journey.host.engine.proposal?.gap
            else { continue }
            #expect(Constraints(now).allows(leg.id, in: gap), "seed \(seed): \(gap)")
          }
        }
      }
    }
  }

  @Test("CONS-03: on one day a leg stays between its games", arguments: Way.allCases)
  func cons03(way: Way) throws {
    var me = Replica(test: 5)
    var trip = sample.trip
    try trip.reschedule(sample.beta, to: try #require(GameStart("2026-06-11T20:00")), by: &me)
    var journey = journey(way, trip)
    // Between the games of one day there are two gaps, and the leg stands in one.
    try journey.go(sample.leg, to: Gap(day: 1, above: sample.alpha, below: sample.lunch))
    let list = journey.host.document.list
    let places = [sample.alpha, sample.leg, sample.beta].compactMap { list.index(id: $0) }
    #expect(places == places.sorted() && journey.dropping.commits.count == 1)
    #expect(list[id: sample.leg]?.section == 1)
  }

  @Test("CONS-04: a custom item goes beside games, on both sides", arguments: Way.allCases)
  func cons04(way: Way) throws {
    let gaps = [
      Gap(day: 2, above: nil, below: sample.beta),
      Gap(day: 2, above: sample.beta, below: sample.dinner),
    ]
    for gap in gaps {
      var journey = journey(way)
      try journey.go(sample.lunch, to: gap)
      #expect(journey.host.document.gap(of: sample.lunch) == gap)
      #expect(!journey.log.contains { if case .tint(.invalid) = $0 { true } else { false } })
    }
  }

  @Test("FLAT-01: one order for all, that of the rows", arguments: Way.allCases)
  func flat01(way: Way) throws {
    var journey = journey(way)
    try journey.go(sample.dinner, to: Gap(day: 1, above: sample.museum, below: sample.alpha))
    let document = journey.host.document
    let rows = DragHost.rows(document, nil).compactMap(\.item)
    #expect(rows == document.list.map(\.id))
    let place = try #require(rows.firstIndex(of: sample.dinner))
    #expect(rows[place - 1] == sample.museum && rows[place + 1] == sample.alpha)
  }

  @Test("FLAT-02: above the first game of a day the number is below 0", arguments: Way.allCases)
  func flat02(way: Way) throws {
    var journey = journey(way)
    try journey.go(sample.lunch, to: Gap(day: 2, above: nil, below: sample.beta))
    let key = try #require(journey.host.document.list[id: sample.lunch]?.key)
    #expect(key.approximateSortOrder < 0)
  }

  @Test("FLAT-03: below the first game it is 0 or more", arguments: Way.allCases)
  func flat03(way: Way) throws {
    var journey = journey(way)
    try journey.go(sample.museum, to: middle)
    let key = try #require(journey.host.document.list[id: sample.museum]?.key)
    #expect(key.approximateSortOrder >= 0)
  }

  @Test("PERS-01: a drop writes the place of the item, and nothing else", arguments: Way.allCases)
  func pers01(way: Way) throws {
    var journey = journey(way)
    journey.lift(sample.lunch)
    journey.carry(to: middle)
    try journey.drop()
    let me = journey.host.me.id
    let own = journey.host.document.list.delta(since: sample.trip.list.version).entries
      .filter { $0.stamp.replica == me }
    #expect(!own.isEmpty && own.allSatisfy { $0.item == sample.lunch && $0.register == .position })
  }

  @Test("PERS-02: nothing of what is seen is stored", arguments: [Way.keys, .meanwhile])
  func pers02(way: Way) throws {
    var journey = journey(way)
    journey.lift(sample.lunch)
    journey.carry(to: middle)
    if way == .meanwhile { try journey.interfere() }
    let digest = journey.host.document.list.digest
    #expect(journey.host.send(.cancelled(.escape, at: 9)).commits.isEmpty)
    #expect(journey.host.document.list.digest == digest)
  }

  @Test("PERS-03: between 1.0 and 2.0 the number is 1.5", arguments: Way.allCases)
  func pers03(way: Way) throws {
    var me = Replica(test: 3)
    var list = ReplicatedList(id: ListID(high: 7, low: 7))
    let titles: [(FieldValue, Double)] = [("A", 1), ("B", 2), ("C", 3)]
    for (title, number) in titles {
      let id = try list.append(["kind": "custom", "title": title], toSection: 1, by: &me)
      try list.place(id, atSortOrder: number, inSection: 1, by: &me)
    }
    let ids = list.map(\.id)
    var journey = journey(way, Trip(list))
    try journey.go(ids[2], to: Gap(day: 1, above: ids[0], below: ids[1]))
    let key = try #require(journey.host.document.list[id: ids[2]]?.key)
    #expect(key.approximateSortOrder == 1.5)
  }
}

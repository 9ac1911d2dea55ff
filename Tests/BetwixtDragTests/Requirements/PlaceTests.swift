import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// DATA, CONS, FLAT and PERS: which places there are, and what a drop writes.
struct PlaceTests {
  let sample: SampleTrip

  init() throws { sample = try SampleTrip() }

  private func host() -> DragHost { DragHost(.trip(sample.trip)) }

  @Test("DATA-01: a drop names neighbours, never a row number")
  func data01() {
    var host = host()
    host.lift(sample.lunch)
    let gap = Gap(day: 2, above: sample.beta, below: sample.dinner)
    let commits = host.release(host.point(sample.beta, 0.9)).commits
    #expect(commits == [[.move(sample.lunch, gap)]])
  }

  @Test("DATA-02: a leg is dragged like any item")
  func data02() {
    var host = host()
    host.lift(sample.leg)
    let gap = Gap(day: 1, above: sample.alpha, below: sample.lunch)
    #expect(host.release(host.point(sample.lunch, 0.1)).commits == [[.move(sample.leg, gap)]])
    #expect(host.document.gap(of: sample.leg) == gap)
  }

  @Test("DATA-03: a game cannot be lifted")
  func data03() {
    var host = host()
    // Said to those who listen and to those who look, and nothing else.
    let toast = Toast("Alpha game is fixed by the schedule.")
    let fixed: [DragEffect] = [
      .announce(.notMovable(title: "Alpha game")), .toast(toast),
      .startTimer(.toast, delay: 5_000),
    ]
    #expect(host.lift(sample.alpha) == fixed)
    #expect(host.engine.isIdle)
    let press = DragEvent.press(.item(sample.alpha), .touch, host.point(sample.alpha), at: 0)
    let key = DragEvent.key(.space, .item(sample.alpha), at: 0)
    for event in [press, key, .action(sample.alpha, .moveUp, at: 0)] {
      #expect(host.send(event) == [fixed[0], .cancelTimer(.toast)] + fixed.dropFirst())
      #expect(host.send(.timer(.longPress, at: 300)).isEmpty && host.engine.isIdle)
    }
  }

  @Test("DATA-04: a custom item may go into every gap")
  func data04() throws {
    let gaps = Constraints(sample.trip).validGaps(sample.lunch)
    #expect(gaps.count == 8)
    for gap in gaps where gap != sample.trip.gap(of: sample.lunch) {
      var host = host()
      host.lift(sample.lunch)
      let point = host.point(of: gap)
      host.move(point)
      #expect(host.engine.proposal == .move(gap))
      host.release(point)
      #expect(host.document.gap(of: sample.lunch) == gap)
    }
  }

  @Test("DATA-05: every height belongs to exactly one day")
  func data05() {
    var host = host()
    host.viewportHeight = 480
    host.layOut()
    host.lift(sample.lunch)
    var lastDay: Int64 = 1
    for y in stride(from: 0.5, to: 480, by: 1) {
      host.move(DragPoint(x: 10, y: y))
      let day: Int64? =
        switch host.engine.proposal {
        case .move(let gap): gap.day
        case .stay: 1
        default: nil
        }
      // The days follow each other at the middles of the headers: 300 and 460.
      #expect(day == (y < 300 ? 1 : y < 460 ? 2 : 3), "at \(y)")
      #expect(lastDay <= day ?? 0)
      lastDay = day ?? 0
    }
  }

  @Test("CONS-01: nothing moves a game")
  func cons01() {
    let host = host()
    // It can be removed, and others can be added around it.
    #expect(
      host.engine.availableActions(for: sample.alpha) == [.addAbove, .addBelow, .delete])
    #expect(host.engine.affordance(of: .item(sample.alpha)) == .pinned)
  }

  @Test("CONS-02: a leg is forbidden exactly where the rule says, on any trip")
  func cons02() throws {
    for seed in 1...40 as ClosedRange<UInt64> {
      let trip = try RandomTrip.trip(seed: seed)
      let constraints = Constraints(trip)
      for item in trip.list where trip.kind(of: item.id) == .travel {
        try check(item.id, trip, constraints)
      }
    }
  }

  private func check(_ id: ItemID, _ trip: Trip, _ constraints: Constraints) throws {
    var host = DragHost(.trip(trip))
    host.viewportHeight = 10_000
    host.layOut()
    host.lift(id)
    let gaps = RandomTrip.allGaps(trip, without: id)
    let literal = gaps.filter { constraints.allows(id, in: $0, rule: .literal) }
    for gap in gaps where gap != trip.gap(of: id) {
      host.move(host.point(of: gap))
      let isValid = constraints.allows(id, in: gap)
      #expect(host.engine.proposal == (isValid ? .move(gap) : .forbidden))
      if !literal.isEmpty { #expect(isValid == literal.contains(gap)) }
    }
  }

  @Test("CONS-03: on one day a leg stays between its games")
  func cons03() throws {
    var me = Replica(test: 5)
    var trip = sample.trip
    try trip.reschedule(sample.beta, to: try #require(GameStart("2026-06-11T20:00")), by: &me)
    var host = DragHost(.trip(trip))
    host.lift(sample.leg)
    // Museum, Alpha game, lunch, leg, Beta game.
    host.move(host.point(sample.museum, 0.9))
    #expect(host.engine.proposal == .forbidden)
    host.move(host.point(sample.alpha, 0.9))
    #expect(host.engine.proposal?.gap?.above == sample.alpha)
    host.move(host.point(sample.beta, 0.9))
    #expect(host.engine.proposal == .forbidden)
  }

  @Test("CONS-04: a custom item is never forbidden")
  func cons04() throws {
    for seed in 1...20 as ClosedRange<UInt64> {
      let trip = try RandomTrip.trip(seed: seed)
      for item in trip.list where trip.kind(of: item.id) == .custom {
        var host = DragHost(.trip(trip))
        host.viewportHeight = 10_000
        host.layOut()
        host.lift(item.id)
        for row in host.layout().rows {
          host.move(DragPoint(x: 10, y: row.minY + 1))
          #expect(host.engine.proposal != .forbidden)
        }
        host.send(.cancelled(.escape, at: host.now))
      }
    }
  }

  @Test("FLAT-01: a dropped item stands in the order of the list")
  func flat01() {
    var host = host()
    host.lift(sample.lunch)
    host.release(host.point(sample.dinner, 0.9))
    #expect(
      DragHost.rows(host.document, nil) == [
        .header(day: 1), .item(sample.museum), .item(sample.alpha), .item(sample.leg),
        .header(day: 2), .item(sample.beta), .item(sample.dinner), .item(sample.lunch),
        .header(day: 3),
      ])
  }

  @Test("FLAT-02: the same drops in another replica give the same rows")
  func flat02() {
    var first = host()
    var second = host()
    for _ in 0..<2 {
      first.lift(sample.lunch)
      first.release(first.point(sample.beta, 0.1))
      second.lift(sample.lunch)
      second.release(second.point(sample.beta, 0.1))
    }
    #expect(DragHost.rows(first.document, nil) == DragHost.rows(second.document, nil))
    #expect(first.document.list.digest == second.document.list.digest)
  }

  @Test("FLAT-03: above the first game numbers are negative, elsewhere not")
  func flat03() {
    var host = host()
    host.lift(sample.lunch)
    host.release(host.point(sample.museum, 0.1))
    #expect((host.document.list[id: sample.lunch]?.key?.approximateSortOrder ?? 0) < 0)
    host.lift(sample.lunch)
    host.release(host.point(sample.alpha, 0.9))
    #expect((host.document.list[id: sample.lunch]?.key?.approximateSortOrder ?? -1) >= 0)
  }

  @Test("PERS-01: a drop survives a reload")
  func pers01() throws {
    var host = host()
    host.lift(sample.lunch)
    host.release(host.point(sample.beta, 0.1))
    let bytes = TripJSON.encode(host.document.list)
    let again = try TripJSON.decode(bytes, file: "again")
    #expect(DragHost.rows(DragDocument(again), nil) == DragHost.rows(host.document, nil))
  }

  @Test("PERS-02: what is only seen is not stored")
  func pers02() {
    var host = host()
    let bytes = TripJSON.encode(host.document.list)
    host.lift(sample.lunch)
    host.move(host.point(sample.museum, 0.1))
    host.send(.cancelled(.escape, at: host.now))
    #expect(TripJSON.encode(host.document.list) == bytes)
    #expect(host.events.allSatisfy { if case .committed = $0 { false } else { true } })
  }

  @Test("PERS-03: between imported 1.0 and 2.0 lies 1.5")
  func pers03() throws {
    let file = try TripFile(
      decoding: Array(
        """
        {"id":"t","startDate":"2026-06-11","days":1,"items":[
        {"id":"a","kind":"custom","title":"A","day":1,"sortOrder":1.0},
        {"id":"b","kind":"custom","title":"B","day":1,"sortOrder":2.0},
        {"id":"c","kind":"custom","title":"C","day":1,"sortOrder":3.0}]}
        """.utf8), name: "trip.json")
    let list = file.list()
    var host = DragHost(.trip(Trip(list)))
    host.lift(list[2].id)
    host.release(host.point(list[0].id, 0.9))
    #expect(host.document.list[id: list[2].id]?.key?.approximateSortOrder == 1.5)
  }
}

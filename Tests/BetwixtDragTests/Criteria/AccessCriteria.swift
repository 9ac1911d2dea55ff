import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// ACC, EXT and POL in every way in which there is something of the kind.
struct AccessCriteria {
  let sample: SampleTrip

  init() throws { sample = try SampleTrip() }

  private func journey(_ way: Way) -> Journey { Journey(way, .trip(sample.trip)) }

  private var gap: Gap { Gap(day: 2, above: sample.beta, below: sample.dinner) }

  @Test("ACC-01: one step down is the same by keys and by action", arguments: Way.allCases)
  func acc01(way: Way) throws {
    var journey = journey(way)
    journey.item = sample.lunch
    // Others edit before an action too: it counts from what is true then.
    if way == .meanwhile { try journey.interfere() }
    let effects: [DragEffect]
    if way == .keys {
      journey.lift(sample.lunch)
      journey.host.key(.down)
      effects = journey.host.key(.space)
    } else {
      effects = journey.host.send(.action(sample.lunch, .moveDown, at: 0))
    }
    #expect(
      effects.commits == [[.move(sample.lunch, Gap(day: 1, above: sample.leg, below: nil))]])
  }

  @Test("ACC-02: what was done is said, with the place as it is then", arguments: Way.allCases)
  func acc02(way: Way) throws {
    var journey = journey(way)
    try journey.go(sample.lunch, to: gap)
    #expect(
      journey.dropping.announcements.map(\.text) == ["Dropped Lunch. Position 2 of 3 on day 2."])
  }

  @Test("ACC-03: the focus is on the item", arguments: Way.allCases)
  func acc03(way: Way) throws {
    var journey = journey(way)
    try journey.go(sample.lunch, to: gap)
    #expect(journey.dropping.focus == [.item(sample.lunch)])
    #expect(journey.dropping.last == .focus(.item(sample.lunch)))
  }

  @Test("EXT-01: what is dragged in keeps its gap and is written once", arguments: [Way.meanwhile])
  func ext01(way: Way) throws {
    var journey = journey(way)
    journey.item = sample.lunch
    let point = journey.host.point(of: gap)
    let payload = DragPayload(.custom, fields: ["title": "Concert"], height: 60)
    journey.host.send(.external(.entered(payload, point), at: 0))
    try journey.interfere()
    #expect(journey.host.engine.proposal == .copy(gap))
    #expect(journey.host.send(.external(.dropped(point), at: 1)).commits.count == 1)
    #expect(journey.host.send(.external(.dropped(point), at: 2)).isEmpty)
  }

  @Test("EXT-02: it stands in the gap", arguments: [Way.meanwhile])
  func ext02(way: Way) throws {
    var journey = journey(way)
    journey.item = sample.lunch
    let point = journey.host.point(of: gap)
    let payload = DragPayload(.custom, fields: ["title": "Concert"], height: 60)
    journey.host.send(.external(.entered(payload, point), at: 0))
    try journey.interfere()
    journey.host.send(.external(.dropped(point), at: 1))
    let added = try #require(journey.host.added[CommitID(1)])
    #expect(journey.host.document.gap(of: added) == gap)
  }

  @Test("POL-01: the toast takes back what it names", arguments: Way.allCases)
  func pol01(way: Way) throws {
    var journey = journey(way)
    // One step for each way: actions that are several are several steps.
    let gap = way == .action ? Gap(day: 2, above: nil, below: sample.beta) : gap
    try journey.go(sample.lunch, to: gap)
    let toast = try #require(journey.host.screen.toast)
    #expect(toast.text == "Moved to Day 2")
    let button = try #require(toast.button)
    #expect(journey.dropping.contains(.startTimer(.toast, delay: 5_000)))
    let effects = journey.host.send(.toast(button, at: 9))
    #expect(effects.announcements.map(\.text) == ["Move undone."])
    #expect(journey.host.document.gap(of: sample.lunch)?.below == sample.leg)
  }

  @Test("POL-02: a row has a handle while it can be dragged", arguments: [Way.meanwhile])
  func pol02(way: Way) throws {
    var journey = journey(way)
    #expect(journey.host.engine.affordance(of: .item(sample.lunch)) == .handle)
    try journey.host.remotely {
      try $0.set([("kind", "game"), ("start", "2026-06-11T18:00")], of: sample.lunch, by: &$1)
    }
    journey.host.send(.document(journey.host.document))
    #expect(journey.host.engine.affordance(of: .item(sample.lunch)) == .pinned)
  }
}

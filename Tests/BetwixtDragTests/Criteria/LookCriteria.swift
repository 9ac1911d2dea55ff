import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// DRAG-01 to DRAG-08 in every way that has a copy, a line or a list that scrolls.
struct LookCriteria {
  let sample: SampleTrip
  private let gap: Gap

  init() throws {
    sample = try SampleTrip()
    gap = Gap(day: 2, above: sample.beta, below: sample.dinner)
  }

  private func journey(_ way: Way) -> Journey { Journey(way, .trip(sample.trip)) }

  private func copies(_ effects: [DragEffect]) -> [RowAnimation] {
    effects.animations.filter { $0.target == .lifted }
  }

  @Test("DRAG-01: the copy is raised, and the row is not seen", arguments: [Way.keys, .meanwhile])
  func drag01(way: Way) throws {
    var journey = journey(way)
    if way == .meanwhile {
      // The list changes between the press and the lift.
      let host = journey.host.point(sample.lunch)
      journey.host.send(.press(.item(sample.lunch), .touch, host, at: 0))
      journey.item = sample.lunch
      try journey.interfere()
      let lifting = journey.host.send(.timer(.longPress, at: 300))
      #expect(copies(lifting).map(\.changes.scale) == [1.025])
      #expect(copies(lifting)[0].changes.shadow == .itinerary(from: 0, to: 0.25))
    } else {
      journey.lift(sample.lunch)
      let copy = try #require(copies(journey.lifting).first)
      #expect(copy.changes.scale == 1.025 && copy.changes.corner == 12)
      #expect(copy.changes.shadow == .itinerary(from: 0, to: 0.25))
      #expect(copy.duration == 150 && copy.curve == .spring(damping: 0.85, velocity: 0.5))
    }
    #expect(journey.host.screen.alphas[.item(sample.lunch)] == 0)
  }

  @Test("DRAG-02: the line is above the row below the gap", arguments: [Way.keys, .meanwhile])
  func drag02(way: Way) throws {
    var journey = journey(way)
    journey.lift(sample.lunch)
    journey.carry(to: gap)
    if way == .meanwhile { try journey.interfere() }
    let y = journey.host.minY(.item(sample.dinner))
    #expect(
      journey.carrying.lines.last
        == .show(gap, DragFrame(x: 0, y: y - 2, width: 320, height: 6), .itinerary))
  }

  @Test("DRAG-03: rows between make room by the item's height", arguments: [Way.keys, .meanwhile])
  func drag03(way: Way) throws {
    var journey = journey(way)
    journey.lift(sample.lunch)
    journey.carry(to: gap)
    if way == .meanwhile { try journey.interfere() }
    let between: [RowRef] = [.item(sample.leg), .header(day: 2), .item(sample.beta)]
    #expect(
      journey.host.screen.shifts == Dictionary(uniqueKeysWithValues: between.map { ($0, -60) }))
    let last = try #require(journey.carrying.animations.last { $0.changes.shiftY == -60 })
    #expect(last.duration == 100 && last.curve == .easeInOut)
  }

  @Test("DRAG-04: it settles where it then stands", arguments: [Way.keys, .meanwhile])
  func drag04(way: Way) throws {
    var journey = journey(way)
    try journey.go(sample.lunch, to: gap)
    let copy = try #require(copies(journey.dropping).last)
    #expect(copy.duration == 200 && copy.curve == .spring(damping: 0.8, velocity: 0))
    #expect(copy.changes.frame?.y == journey.host.minY(.item(sample.lunch)))
    #expect(copy.changes.shadow == .itinerary(from: 0.25, to: 0) && copy.changes.scale == 1)
  }

  @Test("DRAG-05: it goes back to where its row lies", arguments: [Way.keys, .meanwhile])
  func drag05(way: Way) throws {
    var journey = journey(way)
    journey.lift(sample.lunch)
    journey.carry(to: gap)
    if way == .meanwhile { try journey.interfere() }
    let copy = try #require(copies(journey.host.send(.cancelled(.escape, at: 9))).last)
    #expect(copy.duration == 200 && copy.curve == .spring(damping: 0.7, velocity: 0.3))
    #expect(copy.changes.frame?.y == journey.host.minY(.item(sample.lunch)))
    #expect(journey.host.document.gap(of: sample.lunch)?.below == sample.leg)
  }

  @Test("DRAG-06: a light knock at the lift, a medium one at the drop", arguments: Way.allCases)
  func drag06(way: Way) throws {
    var journey = journey(way)
    try journey.go(sample.lunch, to: gap)
    #expect(journey.dropping.haptics == [.haptic(.medium, after: 0)])
    guard way != .action else { return }
    #expect(journey.lifting.haptics == [.haptic(.light, after: 0)])
    #expect(journey.lifting.first == .prepareHaptics)
  }

  @Test("DRAG-07: the list follows, also while others edit", arguments: [Way.keys, .meanwhile])
  func drag07(way: Way) throws {
    var journey = journey(way)
    journey.host.viewportHeight = 200
    journey.host.layOut()
    journey.lift(sample.museum)
    guard way == .meanwhile else {
      // Keys bring the gap into sight.
      #expect(journey.host.key(.end).contains(.reveal(Gap(day: 3, above: nil, below: nil))))
      return
    }
    journey.host.move(DragPoint(x: 9, y: 100))
    journey.host.move(DragPoint(x: 9, y: 195))
    try journey.interfere()
    let effects = journey.host.send(.tick(at: journey.host.now + 500))
    let distances = effects.compactMap {
      if case .scroll(let by) = $0 { by } else { nil as Double? }
    }
    #expect(distances.count == 1 && distances[0] > 0)
  }

  @Test("DRAG-08: the copy is tilted by two degrees", arguments: [Way.keys, .meanwhile])
  func drag08(way: Way) throws {
    var journey = journey(way)
    journey.lift(sample.lunch)
    #expect(copies(journey.lifting).map(\.changes.tiltY) == [2])
    if way == .meanwhile { try journey.interfere() }
    #expect(copies(journey.host.send(.cancelled(.escape, at: 9))).map(\.changes.tiltY) == [0])
  }

  @Test("G-10: a task that is held floats larger", arguments: [Way.keys, .meanwhile])
  func g10(way: Way) throws {
    let tasks = try SampleTasks()
    var journey = Journey(way, .tasks(tasks.tasks), tab: .today)
    journey.lift(tasks.pack)
    #expect(copies(journey.lifting).map(\.changes.scale) == [1.025])
    #expect(copies(journey.lifting).map(\.duration) == [200])
    if way == .meanwhile { try journey.interfere() }
    #expect(journey.host.screen.alphas == [.item(tasks.pack): 0.3])
  }
}

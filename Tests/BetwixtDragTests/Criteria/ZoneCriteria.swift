import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// S-01 to S-11: a leg whose gap becomes invalid while it is held by keys or by a pointer, because
/// somebody else puts its game on another day; and actions, which offer valid gaps only.
struct ZoneCriteria {
  let sample: SampleTrip

  init() throws { sample = try SampleTrip() }

  private func journey(_ way: Way) -> Journey { Journey(way, .trip(sample.trip)) }

  private var valid: Gap { Gap(day: 1, above: sample.alpha, below: sample.lunch) }

  private func tints(_ effects: [DragEffect]) -> [DragEffect] {
    effects.filter { if case .tint = $0 { true } else { false } }
  }

  /// Lifts the leg and carries it to where it may go.
  private func held(_ way: Way) -> Journey {
    var journey = journey(way)
    journey.lift(sample.leg)
    journey.carry(to: valid)
    return journey
  }

  /// The game is played a day later, so that the leg may not go above it any more.
  private func reschedule(_ journey: inout Journey) throws -> [DragEffect] {
    guard case .trip(var trip) = journey.host.document else { return [] }
    var other = Replica(test: 9)
    let start = try #require(GameStart("2026-06-12T10:00"))
    try trip.reschedule(sample.alpha, to: start, by: &other)
    journey.host.document = .trip(trip)
    return journey.host.send(.document(journey.host.document)) + journey.host.layOut()
  }

  /// Every move that the leg's actions make, each from the sample as it is.
  private func acts(_ look: ([DragEffect]) -> Void) {
    let journey = journey(.action)
    let moves = RowAction.allCases.prefix { $0 != .complete }
    for action in journey.host.engine.availableActions(for: sample.leg) where moves.contains(action)
    {
      var host = DragHost(.trip(sample.trip))
      look(host.send(.action(sample.leg, action, at: 0)))
    }
  }

  private let tint = DragEffect.tint(
    .invalid(TintStyle(color: .systemRed, alpha: 0.15, corner: 12, fade: 100)))

  @Test("S-01: tinted once when the gap becomes invalid", arguments: Way.allCases)
  func s01(way: Way) throws {
    guard way != .action else { return acts { #expect(tints($0).isEmpty) } }
    var journey = held(way)
    #expect(tints(try reschedule(&journey)) == [tint])
    #expect(tints(journey.host.send(.cancelled(.escape, at: 9))) == [.tint(.none(fade: 100))])
  }

  @Test("S-02: the line goes when the gap becomes invalid", arguments: Way.allCases)
  func s02(way: Way) throws {
    guard way != .action else { return acts { #expect($0.lines.isEmpty) } }
    var journey = held(way)
    #expect(journey.host.screen.line != nil)
    #expect(try reschedule(&journey).lines == [.hide(fade: 150)])
    #expect(journey.host.screen.line == nil)
  }

  @Test("S-03: a drop there is felt three times", arguments: Way.allCases)
  func s03(way: Way) throws {
    guard way != .action else {
      return acts { #expect($0.haptics == [.haptic(.medium, after: 0)]) }
    }
    var journey = held(way)
    _ = try reschedule(&journey)
    let end =
      way == .keys ? journey.host.key(.enter) : journey.host.release(journey.host.point(of: valid))
    #expect(
      end.haptics == [
        .haptic(.error, after: 0), .haptic(.light, after: 60), .haptic(.light, after: 120),
      ])
  }

  @Test("S-04: given up, it goes back without a knock", arguments: [Way.keys, .meanwhile])
  func s04(way: Way) throws {
    var journey = held(way)
    _ = try reschedule(&journey)
    let end =
      way == .keys ? journey.host.key(.escape) : journey.host.send(.cancelled(.focusLost, at: 9))
    #expect(end.haptics.isEmpty && end.commits.isEmpty)
    let back = end.animations.first { $0.target == .lifted }
    #expect(back?.duration == 200 && back?.changes.frame?.y == journey.host.minY(.item(sample.leg)))
  }

  @Test("S-05: no proposal is a header", arguments: Way.allCases)
  func s05(way: Way) throws {
    // To the end of day 1, whose row below is the header of day 2.
    var journey = journey(way)
    try journey.go(sample.museum, to: Gap(day: 1, above: sample.leg, below: nil))
    #expect(
      journey.dropping.commits == [
        [.move(sample.museum, Gap(day: 1, above: sample.leg, below: nil))]
      ])
    let rows = DragHost.rows(journey.host.document, nil)
    let place = try #require(rows.firstIndex(of: .item(sample.museum)))
    #expect(rows[place + 1] == .header(day: 2))
  }

  @Test("S-06: the proposal follows from what is true now", arguments: Way.allCases)
  func s06(way: Way) throws {
    guard way != .action else {
      return acts { for case .move(_, let gap) in $0.commits.joined() { #expect(gap.day <= 2) } }
    }
    var journey = held(way)
    #expect(journey.host.engine.proposal == .move(valid))
    _ = try reschedule(&journey)
    #expect(journey.host.engine.proposal == .forbidden)
  }

  @Test(
    "S-07: valid gaps are found out once for a lift and once for a change", arguments: Way.allCases)
  func s07(way: Way) throws {
    guard way != .action else {
      var host = DragHost(.trip(sample.trip))
      host.send(.action(sample.leg, .moveUp, at: 0))
      return #expect(host.engine.studyCount <= 1)
    }
    var journey = held(way)
    #expect(journey.host.engine.studyCount == 1)
    _ = try reschedule(&journey)
    #expect(journey.host.engine.studyCount == 2)
  }

  @Test("S-08: into the invalid zone a warning is felt", arguments: [Way.keys, .meanwhile])
  func s08(way: Way) throws {
    var journey = held(way)
    #expect(try reschedule(&journey).haptics == [.haptic(.warning, after: 0)])
  }

  @Test("S-09: colours are named by their role", arguments: [Way.keys, .meanwhile])
  func s09(way: Way) throws {
    var journey = held(way)
    let styles = journey.carrying.lines.compactMap { line in
      if case .show(_, _, let style) = line { style.color } else { nil as ColorToken? }
    }
    #expect(!styles.isEmpty && styles.allSatisfy { $0 == .theme })
    var settings = DragSettings(.itinerary)
    settings.haptics = false
    #expect(journey.host.send(.settings(settings)).isEmpty && !journey.host.engine.isIdle)
  }

  @Test("S-10: headers and games are no start", arguments: Way.allCases)
  func s10(way: Way) throws {
    var journey = journey(way)
    for row in [RowRef.header(day: 1), .item(sample.beta)] {
      switch way {
      case .keys: journey.host.send(.key(.enter, row, at: 0))
      case .action:
        if let id = row.item { journey.host.send(.action(id, .moveDown, at: 0)) }
      case .meanwhile:
        journey.item = sample.museum
        journey.host.send(.press(row, .touch, DragPoint(x: 9, y: 10), at: 0))
        try journey.interfere()
        journey.host.send(.timer(.longPress, at: 300))
      }
      #expect(journey.host.engine.isIdle && journey.host.screen.commits.isEmpty)
    }
  }

  @Test("S-11: lift, shuffle and settle, and nothing is left", arguments: Way.allCases)
  func s11(way: Way) throws {
    var journey = journey(way)
    try journey.go(sample.lunch, to: Gap(day: 3, above: nil, below: nil))
    #expect(journey.log.commits.count == 1 && journey.host.engine.isIdle)
    #expect(journey.host.screen.leftovers.isEmpty && journey.host.screen.faults.isEmpty)
    #expect(journey.dropping.announcements.count == 1)
  }
}

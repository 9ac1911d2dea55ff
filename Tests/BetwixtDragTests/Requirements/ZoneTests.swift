import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// S-01 to S-11: where an item cannot go, and how that is seen, felt and ended.
struct ZoneTests {
  let sample: SampleTrip

  init() throws { sample = try SampleTrip() }

  private func host(_ profile: DragProfile = .itinerary) -> DragHost {
    DragHost(.trip(sample.trip), DragSettings(profile))
  }

  @Test("S-01: one tint for each way in and out")
  func s01() {
    var host = host()
    let tint = TintStyle(color: .systemRed, alpha: 0.15, corner: 12, fade: 100)
    let tints: ([DragEffect]) -> [DragEffect] = { effects in
      effects.filter { if case .tint = $0 { true } else { false } }
    }
    host.lift(sample.leg)
    #expect(tints(host.move(host.point(sample.museum, 0.1))) == [.tint(.invalid(tint))])
    #expect(tints(host.move(host.point(sample.museum, 0.9))).isEmpty)
    #expect(tints(host.move(host.point(sample.lunch, 0.1))) == [.tint(.none(fade: 100))])
    host.move(host.point(sample.museum, 0.1))
    #expect(tints(host.send(.cancelled(.escape, at: 9))) == [.tint(.none(fade: 100))])
  }

  @Test("S-02: the line is hidden where nothing can be dropped, and at the end")
  func s02() {
    var host = host()
    host.lift(sample.leg)
    host.move(host.point(sample.lunch, 0.1))
    #expect(host.screen.line != nil)
    #expect(host.move(host.point(sample.museum, 0.1)).lines == [.hide(fade: 150)])
    host.move(host.point(sample.lunch, 0.1))
    #expect(host.move(DragPoint(x: 400, y: 100)).lines == [.hide(fade: 150)])
    #expect(host.engine.proposal == DropProposal.none)
    host.move(host.point(sample.lunch, 0.1))
    #expect(host.release(host.point(sample.lunch, 0.1)).lines == [.hide(fade: 150)])
    #expect(host.screen.leftovers.isEmpty)
  }

  @Test("S-03: an invalid drop is felt three times; not in lists of tasks")
  func s03() {
    for (profile, beats) in [
      (
        DragProfile.itinerary,
        [
          DragEffect.haptic(.error, after: 0), .haptic(.light, after: 60),
          .haptic(.light, after: 120),
        ]
      ), (.tasks, []),
    ] {
      var host = host(profile)
      host.lift(sample.leg)
      host.move(host.point(sample.museum, 0.1))
      #expect(host.release(host.point(sample.museum, 0.1)).haptics == beats)
    }
  }

  @Test("S-04: whatever ends a drag, the item goes back", arguments: CancelReason.allCases)
  func s04(reason: CancelReason) throws {
    var host = host()
    host.lift(sample.lunch)
    host.move(host.point(sample.museum, 0.1))
    let effects = host.send(.cancelled(reason, at: 20))
    let back = try #require(effects.animations.first { $0.target == .lifted })
    #expect(back.changes.frame == DragFrame(x: 0, y: 160, width: 320, height: 60))
    #expect(back.duration == 200 && back.curve == .spring(damping: 0.7, velocity: 0.3))
    #expect(effects.haptics.isEmpty && effects.commits.isEmpty)
    #expect(host.engine.isIdle && host.screen.leftovers.isEmpty)
    #expect(host.send(.cancelled(reason, at: 21)).isEmpty)
  }

  @Test("S-05: headers are no targets, their halves belong to the days")
  func s05() {
    var host = host()
    host.lift(sample.lunch)
    let rows: [(day: Int64, part: Double, gap: Gap)] = [
      (1, 0.1, Gap(day: 1, above: nil, below: sample.museum)),
      (1, 0.9, Gap(day: 1, above: nil, below: sample.museum)),
      (2, 0.1, Gap(day: 1, above: sample.leg, below: nil)),
      (2, 0.9, Gap(day: 2, above: nil, below: sample.beta)),
      (3, 0.1, Gap(day: 2, above: sample.dinner, below: nil)),
      (3, 0.9, Gap(day: 3, above: nil, below: nil)),
    ]
    for row in rows {
      host.move(host.point(header: row.day, row.part))
      #expect(host.engine.proposal == .move(row.gap))
    }
    host.viewportHeight = 600
    host.layOut()
    host.move(DragPoint(x: 10, y: -20))
    #expect(host.engine.proposal == .move(Gap(day: 1, above: nil, below: sample.museum)))
    host.move(DragPoint(x: 10, y: 590))
    #expect(host.engine.proposal == .move(Gap(day: 3, above: nil, below: nil)))
  }

  @Test("S-06: the place makes the proposal")
  func s06() {
    var host = host()
    host.lift(sample.leg)
    #expect(host.engine.proposal == .stay)
    host.move(host.point(sample.lunch, 0.1))
    #expect(
      host.engine.proposal == .move(Gap(day: 1, above: sample.alpha, below: sample.lunch)))
    // The lower half of the row above is the gap in which the leg stands.
    host.move(host.point(sample.lunch, 0.9))
    #expect(host.engine.proposal == .stay)
    host.move(host.point(sample.dinner, 0.9))
    #expect(host.engine.proposal == .forbidden)
    host.move(DragPoint(x: -44, y: 190))
    #expect(host.engine.proposal != DropProposal.none)
    host.move(DragPoint(x: -44.5, y: 190))
    #expect(host.engine.proposal == DropProposal.none)
    let effects = host.release(DragPoint(x: -60, y: 190))
    #expect(effects.commits.isEmpty)
    #expect(effects.announcements.count == 1)
    #expect(host.screen.leftovers.isEmpty)
  }

  @Test("S-07: valid gaps are found out once, and the nearest one may be taken")
  func s07() throws {
    var host = host()
    host.lift(sample.leg)
    for _ in 0..<10 {
      host.move(host.point(sample.museum, 0.1))
      host.move(host.point(sample.lunch, 0.1))
    }
    #expect(host.engine.studyCount == 1)
    host.send(.document(host.document))
    #expect(host.engine.studyCount == 2)
    var clamping = DragProfile.itinerary
    clamping.invalidDrop = .clampToValid
    var other = self.host(clamping)
    other.lift(sample.leg)
    // Above the museum: the nearest gap where the leg may go is below the game in Alpha.
    let nearest = Gap(day: 1, above: sample.alpha, below: sample.lunch)
    let effects = other.move(other.point(sample.museum, 0.1))
    #expect(other.engine.proposal == .move(nearest))
    #expect(!effects.contains { if case .tint = $0 { true } else { false } })
    // Below the game in Beta: directly above it.
    other.move(other.point(sample.dinner, 0.9))
    #expect(other.engine.proposal == .move(Gap(day: 2, above: nil, below: sample.beta)))
    #expect(other.release(other.point(sample.dinner, 0.9)).commits.count == 1)
  }

  @Test("S-08: zones are felt, once for each way in and out")
  func s08() {
    var host = host()
    host.lift(sample.leg)
    #expect(host.move(host.point(sample.museum, 0.1)).haptics == [.haptic(.warning, after: 0)])
    #expect(host.move(host.point(sample.museum, 0.9)).haptics.isEmpty)
    #expect(host.move(host.point(sample.lunch, 0.1)).haptics == [.haptic(.selection, after: 0)])
    #expect(host.move(host.point(sample.leg, 0.1)).haptics.isEmpty)
    host.move(host.point(sample.museum, 0.1))
    // Out of the zone, but to no new place: nothing is felt.
    #expect(host.move(host.point(sample.leg, 0.5)).haptics.isEmpty)
  }

  @Test("S-09: effects name colours by their role")
  func s09() {
    var host = host()
    host.lift(sample.leg)
    let colors = host.move(host.point(sample.lunch, 0.1)).lines.map { line in
      if case .show(_, _, let style) = line { style.color } else { nil as ColorToken? }
    }
    #expect(colors == [.theme])
    #expect(DragProfile.itinerary.tint.color == .systemRed)
  }

  @Test("S-10: games and headers cannot be dragged", arguments: [PointerInput.touch, .pen, .mouse])
  func s10(input: PointerInput) {
    var host = host()
    for row in [RowRef.item(sample.alpha), .header(day: 2)] {
      host.send(.press(row, input, DragPoint(x: 100, y: 130), at: 0))
      host.send(.moved(DragPoint(x: 100, y: 170), at: 10))
      host.send(.timer(.longPress, at: 300))
      #expect(host.engine.isIdle)
      host.send(.lift(row, input, DragPoint(x: 100, y: 130), at: 400))
      #expect(host.engine.isIdle)
      host.send(.key(.enter, row, at: 500))
      #expect(host.engine.isIdle)
    }
    #expect(host.screen.leftovers.isEmpty)
  }

  @Test("S-11: from the press to idle")
  func s11() {
    var host = host()
    let museum = host.point(sample.museum, 0.9)
    var log = host.send(.press(.item(sample.lunch), .touch, host.point(sample.lunch), at: 0))
    log += host.send(.timer(.longPress, at: 300))
    log += host.move(museum)
    log += host.release(museum)
    let gap = Gap(day: 1, above: sample.museum, below: sample.alpha)
    let shift = RowAnimation.Target.rows([.item(sample.alpha)])
    let profile = DragProfile.itinerary
    var lifted = VisualChange()
    lifted.scale = 1.025
    lifted.tiltY = 2
    lifted.perspective = -0.002
    lifted.shadow = .itinerary(from: 0, to: 0.25)
    lifted.alpha = 1
    lifted.corner = 12
    var landed = VisualChange()
    landed.frame = DragFrame(x: 0, y: 100, width: 320, height: 60)
    landed.scale = 1
    landed.tiltY = 0
    landed.shadow = .itinerary(from: 0.25, to: 0)
    let line = DragFrame(x: 0, y: 98, width: 320, height: 6)
    #expect(
      log == [
        .prepareHaptics, .startTimer(.longPress, delay: 300), .haptic(.light, after: 0),
        .animate(RowAnimation(.lifted, to: lifted, motion: profile.lift)),
        .animate(RowAnimation(.item(sample.lunch), to: .opacity(0), motion: Motion(0))),
        .announce(.lifted(title: "Lunch", ListPlace(position: 3, count: 4, section: .day(1)))),
        .line(.show(gap, line, .itinerary)),
        .animate(RowAnimation(shift, to: .shift(60), motion: Motion(100))),
        .announce(
          .movedTo(GapWords(above: "Museum", below: "Alpha game", section: .day(1)))),
        .line(.hide(fade: 150)),
        .animate(RowAnimation(shift, to: .shift(0), motion: Motion(0))),
        .commit(CommitID(1), [.move(sample.lunch, gap)]),
        .animate(RowAnimation(.lifted, to: landed, motion: profile.settle)),
        .animate(
          RowAnimation(.item(sample.lunch), to: .opacity(1), motion: Motion(0), delay: 200)),
        .removeCopy(after: 200), .haptic(.medium, after: 0),
        .toast(Toast("Moved to Day 1", undo: 1)), .startTimer(.toast, delay: 5_000),
        .announce(.dropped(title: "Lunch", ListPlace(position: 2, count: 4, section: .day(1)))),
        .focus(.item(sample.lunch)),
      ])
    #expect(host.engine.isIdle)
  }
}

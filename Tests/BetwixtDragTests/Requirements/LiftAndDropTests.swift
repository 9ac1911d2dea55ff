import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// DRAG-01 to DRAG-08: what a drag in the itinerary looks and feels like, number by number.
struct LiftAndDropTests {
  let sample: SampleTrip

  init() throws { sample = try SampleTrip() }

  private func host() -> DragHost { DragHost(.trip(sample.trip)) }

  private static func lifted() -> VisualChange {
    var change = VisualChange()
    change.scale = 1.025
    change.tiltY = 2
    change.perspective = -1.0 / 500
    change.shadow = ShadowStyle.itinerary(from: 0, to: 0.25)
    change.alpha = 1
    change.corner = 12
    return change
  }

  @Test("DRAG-01: a lift raises the item")
  func drag01() {
    var host = host()
    let effects = host.lift(sample.museum)
    #expect(
      effects == [
        .prepareHaptics, .haptic(.light, after: 0),
        .animate(
          RowAnimation(
            .lifted, to: LiftAndDropTests.lifted(),
            motion: Motion(150, curve: .spring(damping: 0.85, velocity: 0.5)))),
        .animate(RowAnimation(.item(sample.museum), to: .opacity(0), motion: Motion(0))),
        .announce(
          .lifted(
            title: "Museum", ListPlace(position: 1, count: 4, section: .day(1)))),
      ])
  }

  @Test("DRAG-02: the line is at the exact target")
  func drag02() {
    var host = host()
    host.lift(sample.lunch)
    let style = LineStyle.itinerary
    func line(_ effects: [DragEffect]) -> [InsertionLine] {
      effects.compactMap { if case .line(let line) = $0 { line } else { nil } }
    }
    func frame(_ y: Double) -> DragFrame { DragFrame(x: 0, y: y, width: 320, height: 6) }
    // First: above the museum, which begins at 40.
    let first = Gap(day: 1, above: nil, below: sample.museum)
    #expect(
      line(host.move(host.point(sample.museum, 0.2))) == [.show(first, frame(38), style)])
    // The same gap shows nothing new.
    #expect(host.move(host.point(sample.museum, 0.3)).isEmpty)
    // Middle: above the game in Beta.
    let middle = Gap(day: 2, above: nil, below: sample.beta)
    #expect(line(host.move(host.point(sample.beta, 0.2))) == [.show(middle, frame(318), style)])
    // An empty day: nothing stands below its header, which ends at 480.
    let empty = Gap(day: 3, above: nil, below: nil)
    #expect(line(host.move(host.point(header: 3, 0.9))) == [.show(empty, frame(478), style)])
    // Last of a day that others follow: above the next header, which begins at 440.
    let last = Gap(day: 2, above: sample.dinner, below: nil)
    #expect(line(host.move(host.point(sample.dinner, 0.9))) == [.show(last, frame(438), style)])
  }

  @Test("DRAG-03: rows make room at once")
  func drag03() {
    var host = host()
    host.lift(sample.lunch)
    func shifts(_ effects: [DragEffect]) -> [RowAnimation] {
      effects.compactMap { if case .animate(let animation) = $0 { animation } else { nil } }
    }
    let shift = Motion(100, curve: .easeInOut)
    #expect(
      shifts(host.move(host.point(sample.museum, 0.1))) == [
        RowAnimation(
          .rows([.item(sample.museum), .item(sample.alpha)]), to: .shift(60), motion: shift)
      ])
    // One row fewer: only the museum goes back.
    #expect(
      shifts(host.move(host.point(sample.museum, 0.9))) == [
        RowAnimation(.rows([.item(sample.museum)]), to: .shift(0), motion: shift)
      ])
    // To the other side: the game goes back, what stands below moves up.
    #expect(
      shifts(host.move(host.point(header: 2, 0.1))) == [
        RowAnimation(.rows([.item(sample.alpha)]), to: .shift(0), motion: shift),
        RowAnimation(.rows([.item(sample.leg)]), to: .shift(-60), motion: shift),
      ])
  }

  @Test("DRAG-04: a valid release settles in the gap")
  func drag04() throws {
    var host = host()
    host.commits = false
    host.lift(sample.lunch)
    let target = host.point(header: 3, 0.9)
    host.move(target)
    let gap = Gap(day: 3, above: nil, below: nil)
    var landed = VisualChange()
    landed.frame = DragFrame(x: 0, y: 420, width: 320, height: 60)
    landed.scale = 1
    landed.tiltY = 0
    landed.shadow = ShadowStyle.itinerary(from: 0.25, to: 0)
    let settle = Motion(200, curve: .spring(damping: 0.8, velocity: 0))
    #expect(
      host.release(target) == [
        .line(.hide(fade: 150)),
        .animate(
          RowAnimation(
            .rows([
              .item(sample.leg), .header(day: 2), .item(sample.beta), .item(sample.dinner),
              .header(day: 3),
            ]), to: .shift(0), motion: Motion(0))),
        .commit(CommitID(1), [.move(sample.lunch, gap)]),
      ])
    // What is said and shown of it waits until it is true.
    try host.document.apply([.move(sample.lunch, gap)], by: &host.me)
    #expect(host.send(.document(host.document)).isEmpty)
    #expect(
      host.send(.committed(CommitID(1), nil, at: 9)) == [
        .animate(RowAnimation(.lifted, to: landed, motion: settle)),
        .animate(
          RowAnimation(.item(sample.lunch), to: .opacity(1), motion: Motion(0), delay: 200)),
        .removeCopy(after: 200), .haptic(.medium, after: 0),
        .toast(Toast("Moved to Day 3", undo: 1)), .startTimer(.toast, delay: 5_000),
        .announce(
          .dropped(title: "Lunch", ListPlace(position: 1, count: 1, section: .day(3)))),
        .focus(.item(sample.lunch)),
      ])
  }

  @Test("DRAG-05: an invalid release goes back and writes nothing")
  func drag05() {
    var host = host()
    let digest = host.document.list.digest
    host.lift(sample.leg)
    let target = host.point(sample.museum, 0.1)
    host.move(target)
    let effects = host.release(target)
    var back = VisualChange()
    back.frame = DragFrame(x: 0, y: 220, width: 320, height: 60)
    back.scale = 1
    back.tiltY = 0
    back.shadow = ShadowStyle.itinerary(from: 0.25, to: 0)
    back.tintAlpha = 0
    #expect(
      effects == [
        .tint(.none(fade: 100)),
        .animate(
          RowAnimation(
            .lifted, to: back, motion: Motion(200, curve: .spring(damping: 0.7, velocity: 0.3))
          )),
        .animate(
          RowAnimation(.item(sample.leg), to: .opacity(1), motion: Motion(0), delay: 200)),
        .removeCopy(after: 200),
        .haptic(.error, after: 0), .haptic(.light, after: 60), .haptic(.light, after: 120),
        .announce(
          .rejected(title: "Bus", ListPlace(position: 4, count: 4, section: .day(1)))),
        .toast(Toast("Bus cannot go there. Back at position 4 of 4 on day 1.")),
        .startTimer(.toast, delay: 5_000),
        .focus(.item(sample.leg)),
      ])
    #expect(host.document.list.digest == digest)
    #expect(host.screen.commits.isEmpty && host.screen.leftovers.isEmpty)
  }

  @Test("DRAG-06: light on grab, medium on drop, nothing if it stays")
  func drag06() {
    var host = host()
    let haptics: ([DragEffect]) -> [DragEffect] = { effects in
      effects.filter {
        switch $0 {
        case .prepareHaptics, .haptic, .commit: true
        default: false
        }
      }
    }
    #expect(
      haptics(host.send(.press(.item(sample.lunch), .touch, host.point(sample.lunch), at: 0)))
        == [.prepareHaptics])
    #expect(haptics(host.send(.timer(.longPress, at: 300))) == [.haptic(.light, after: 0)])
    let top = host.point(sample.museum, 0.1)
    host.move(top)
    let gap = Gap(day: 1, above: nil, below: sample.museum)
    #expect(
      haptics(host.release(top)) == [
        .commit(CommitID(1), [.move(sample.lunch, gap)]), .haptic(.medium, after: 0),
      ])
    host.lift(sample.lunch)
    let stays = host.release(host.point(sample.lunch, 0.8))
    #expect(haptics(stays).isEmpty)
    #expect(stays.last == .announce(.unchanged(title: "Lunch")))
  }

  @Test(
    "DRAG-07: the speed of scrolling at the edges",
    arguments: [
      (400.0, 350.0, 400 as Int64, 900.0, false), (400, 325, 400, 450, false),
      (400, 350, 200, 450, false), (400, 299, 10_000, 0, false),
      (1_000, 1_000, 1_000, 900, false), (400, 400, 400, 450, true),
    ])
  func drag07(height: Double, y: Double, inBand: Int64, speed: Double, isReduced: Bool) {
    let profile = isReduced ? DragProfile.itinerary.reducingMotion : .itinerary
    let band = profile.autoScroll.band(viewportHeight: height)
    #expect(
      profile.autoScroll.speed(depth: y - (height - band), inBand: inBand, band: band) == speed)
  }

  @Test("DRAG-07: scrolling goes towards the edge and ends at the end")
  func drag07Scrolls() {
    var host = host()
    host.viewportHeight = 200
    host.layOut()
    host.lift(sample.museum)
    #expect(host.move(DragPoint(x: 100, y: 190)).contains(.ticks(true)))
    var last = 0.0
    for _ in 0..<600 {
      host.now += 16
      for case .scroll(let step) in host.send(.tick(at: host.now)) {
        #expect(step >= 1 || host.offset + step == 280)
        host.offset += step
        last = step
        host.layOut()
      }
    }
    #expect(host.offset == 280 && last > 0)
    // The list is at its end: a tick says nothing.
    #expect(host.send(.tick(at: host.now + 16)).isEmpty)
    #expect(host.move(DragPoint(x: 100, y: 100)).contains(.ticks(false)))
    #expect(host.move(DragPoint(x: 100, y: 5)).contains(.ticks(true)))
    host.now += 400
    let up = host.send(.tick(at: host.now))
    #expect(up.contains { if case .scroll(let step) = $0 { step < 0 } else { false } })
  }

  @Test("DRAG-07: an item lifted at the edge rests until it is moved on")
  func drag07Rests() {
    var host = host()
    host.viewportHeight = 200
    host.layOut()
    // The row of the lunch begins at 160, the band at 150.
    host.lift(sample.lunch)
    #expect(!host.move(DragPoint(x: 100, y: 195)).contains(.ticks(true)))
    #expect(host.move(DragPoint(x: 100, y: 199.9)).contains(.ticks(true)) == false)
    #expect(host.move(DragPoint(x: 100, y: 200)).contains(.ticks(true)))
  }

  @Test("DRAG-08: the copy is tilted, unless motion is unwanted")
  func drag08() {
    var host = host()
    func tilt(_ effects: [DragEffect]) -> Double? {
      for case .animate(let animation) in effects where animation.target == .lifted {
        return animation.changes.tiltY
      }
      return nil
    }
    #expect(tilt(host.lift(sample.museum)) == 2)
    host.send(.cancelled(.escape, at: 1))
    var settings = DragSettings(.itinerary)
    settings.reduceMotion = true
    host.send(.settings(settings))
    #expect(tilt(host.lift(sample.museum)) == 0)
  }
}

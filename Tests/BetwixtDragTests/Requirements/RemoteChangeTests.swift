import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// What others do while something is dragged, swiped, pinched or edited.
struct RemoteChangeTests {
  let sample: SampleTrip

  init() throws { sample = try SampleTrip() }

  private func host() -> DragHost { DragHost(.trip(sample.trip)) }

  @Test("The dragged item is removed: the copy fades where it is")
  func removed() throws {
    var host = host()
    host.lift(sample.lunch)
    host.move(host.point(sample.museum, 0.1))
    try host.remotely { try $0.remove(sample.lunch, by: &$1) }
    let effects = host.send(.document(host.document))
    #expect(effects.announcements == [.itemRemoved(title: "Lunch")])
    let fade = RowAnimation(.lifted, to: .opacity(0), motion: DragProfile.itinerary.snapBack)
    #expect(effects.animations.contains(fade))
    #expect(!effects.contains { if case .focus = $0 { true } else { false } })
    host.layOut()
    #expect(host.engine.isIdle && host.screen.leftovers.isEmpty)
    #expect(host.release(DragPoint(x: 100, y: 50)).isEmpty)
  }

  @Test("The dragged item is moved: at either place a release writes nothing")
  func moved() throws {
    for isFormer in [true, false] {
      var host = host()
      let former = host.point(sample.leg, 0.1)
      host.lift(sample.lunch)
      host.move(host.point(sample.museum, 0.1))
      try host.remotely { try $0.move(sample.lunch, after: sample.dinner, by: &$1) }
      let digest = host.document.list.digest
      #expect(host.send(.document(host.document)).commits.isEmpty)
      host.layOut()
      // Above the leg is where it was lifted, below the dinner where it stands now.
      let target = isFormer ? DragPoint(x: 100, y: former.y - 60) : host.point(sample.dinner, 0.9)
      let effects = host.release(target)
      #expect(effects.commits.isEmpty)
      #expect(effects.announcements == [.unchanged(title: "Lunch")])
      let settle = effects.animations.first { $0.target == .lifted }
      #expect(settle?.changes.frame?.y == host.minY(.item(sample.lunch)))
      #expect(host.document.list.digest == digest && host.screen.leftovers.isEmpty)
    }
  }

  @Test("The dragged item is edited: nothing happens")
  func edited() throws {
    var host = host()
    host.lift(sample.lunch)
    host.move(host.point(sample.museum, 0.1))
    try host.remotely { try $0.set("title", of: sample.lunch, to: "Brunch", by: &$1) }
    #expect(host.send(.document(host.document)).isEmpty)
    #expect(host.send(.layout(host.layout())).isEmpty)
    host.release(host.point(sample.museum, 0.1))
    #expect(host.document.list[id: sample.lunch]?["title"] == "Brunch")
  }

  @Test("A neighbour of the gap is removed: the gap is kept by the other one")
  func neighbourRemoved() throws {
    var host = host()
    host.lift(sample.lunch)
    let point = host.point(sample.beta, 0.9)
    host.move(point)
    #expect(
      host.engine.proposal == .move(Gap(day: 2, above: sample.beta, below: sample.dinner)))
    try host.remotely { try $0.remove(sample.dinner, by: &$1) }
    host.send(.document(host.document))
    #expect(host.engine.proposal == .move(Gap(day: 2, above: sample.beta, below: nil)))
    host.layOut()
    let commits = host.release(point).commits
    #expect(commits == [[.move(sample.lunch, Gap(day: 2, above: sample.beta, below: nil))]])
  }

  @Test("A game is rescheduled: a valid gap becomes forbidden under the finger")
  func rescheduled() throws {
    var host = host()
    host.lift(sample.leg)
    let point = host.point(sample.lunch, 0.1)
    host.move(point)
    #expect(host.engine.proposal?.gap != nil)
    let start = try #require(GameStart("2026-06-12T10:00"))
    var trip = sample.trip
    var other = Replica(test: 9)
    try trip.reschedule(sample.alpha, to: start, by: &other)
    host.document = .trip(trip)
    let effects = host.send(.document(host.document))
    #expect(host.engine.proposal == .forbidden)
    #expect(effects.haptics == [.haptic(.warning, after: 0)])
    host.layOut()
    #expect(host.release(point).commits.isEmpty)
    #expect(host.screen.leftovers.isEmpty)
  }

  @Test("The trip is shortened: a gap of its last day is forbidden")
  func shortened() throws {
    var host = host()
    host.key(.space, sample.lunch)
    host.key(.end)
    #expect(host.engine.proposal == .move(Gap(day: 3, above: nil, below: nil)))
    try host.remotely { try $0.set("days", of: .root, to: 2, by: &$1) }
    host.send(.document(host.document))
    #expect(host.engine.proposal == .forbidden)
    host.layOut()
    #expect(
      host.key(.up).announcements == [
        .movedTo(GapWords(above: "Dinner", below: nil, section: .day(2)))
      ])
    #expect(host.key(.space).commits.count == 1)
  }

  @Test("Rows that are laid out during a drag do not change what is under the pointer")
  func displacedRows() {
    var host = host()
    host.lift(sample.lunch)
    let point = host.point(sample.museum, 0.9)
    host.move(point)
    let proposal = host.engine.proposal
    // A front end that reports rows as they are shifted.
    var layout = host.layout()
    layout.rows = layout.rows.map { row in
      RowFrame(row.ref, minY: row.minY + 60, maxY: row.maxY + 60)
    }
    #expect(host.send(.layout(layout)).isEmpty)
    host.move(point)
    #expect(host.engine.proposal == proposal)
  }

  @Test("A swiped or edited item is removed: the gesture is over")
  func gestures() throws {
    var host = host()
    host.send(.swipe(.began(sample.lunch, dx: -200, dy: 0)))
    try host.remotely { try $0.remove(sample.lunch, by: &$1) }
    host.send(.document(host.document))
    #expect(host.engine.isIdle && host.send(.swipe(.ended)).isEmpty)
    host.send(.edit(.begin(sample.dinner)))
    try host.remotely { try $0.remove(sample.dinner, by: &$1) }
    let effects = host.send(.document(host.document))
    #expect(effects.announcements == [.itemRemoved(title: "Dinner")])
    #expect(host.engine.isIdle && host.send(.edit(.commit)).isEmpty)
    host.send(.press(.item(sample.museum), .touch, host.point(sample.museum), at: 0))
    try host.remotely { try $0.remove(sample.museum, by: &$1) }
    #expect(host.send(.document(host.document)) == [.cancelTimer(.longPress)])
  }

  @Test("A neighbour of a draft is removed: the draft goes next to the other one")
  func draft() throws {
    var host = host()
    let upper = host.point(sample.alpha)
    let lower = host.point(sample.lunch)
    host.send(.pinch(.began([upper, lower])))
    host.send(
      .pinch(.changed([DragPoint(x: 0, y: upper.y - 40), DragPoint(x: 0, y: lower.y + 40)])))
    host.send(.pinch(.ended))
    host.send(.edit(.text("Nap")))
    try host.remotely { try $0.remove(sample.alpha, by: &$1) }
    host.send(.document(host.document))
    let gap = Gap(day: 1, above: sample.museum, below: sample.lunch)
    #expect(
      host.send(.edit(.commit)).commits == [[.insert(["kind": "custom", "title": "Nap"], gap)]])
  }
}

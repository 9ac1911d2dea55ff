import Betwixt
import BetwixtDrag
import BetwixtTrips
import TestSupport
import Testing

/// Front ends that make only the rows that can be seen: table views, lazy stacks.
struct PartialLayoutTests {
  /// Ten days of ten items: a day is 640 points high.
  private static func trip() throws -> Trip {
    try MeanwhileTests.days(10, 10, 10, 10, 10, 10, 10, 10, 10, 10)
  }

  private func host(_ trip: Trip, offset: Double, margin: Double? = 0) -> GuideHost {
    var host = GuideHost(.trip(trip), margin: margin)
    host.viewportHeight = 400
    host.offset = offset
    host.layOut()
    return host
  }

  private func day(_ proposal: DropProposal?) -> Int64? { proposal?.gap?.day }

  @Test("Below and above the rows that are known lies the day that is there")
  func beyondTheKnownRows() throws {
    let trip = try PartialLayoutTests.trip()
    // Day 2 lies from 640 to 1280; its fifth item is at 920.
    var host = host(trip, offset: 800)
    let item = try #require(trip.list.first { $0["title"] == "2.5" }?.id)
    host.tell(.lift(.item(item), .touch, DragPoint(x: 9, y: 150), at: 0))
    // What is outside the list by less than 44 points counts, and no row of it is known.
    host.tell(.moved(DragPoint(x: 9, y: 440), at: 1))
    #expect(day(host.engine.proposal) == 2)
    host.tell(.moved(DragPoint(x: 9, y: -40), at: 2))
    #expect(day(host.engine.proposal) == 2)
    host.tell(.released(DragPoint(x: 9, y: -40), at: 3))
    #expect(host.document.list[id: item]?.section == 2)
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("Every height means what it means when all rows are known", arguments: 1...40)
  func sameGaps(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let trip = try RandomTrip.trip(seed: seed, items: 30)
    var whole = GuideHost(.trip(trip))
    let movable = whole.rows.filter { $0.item.map { trip.kind(of: $0) != .game } ?? false }
    guard let row = movable.randomElement(using: &random) else { return }
    let height = whole.frames.last?.maxY ?? 0
    whole.viewportHeight = height
    whole.layOut()
    guard let frame = whole.frames.first(where: { $0.ref == row }) else { return }
    // Rows of one height each, so that what is guessed is right.
    let rows = whole.frames.map { frame in
      RowFrame(frame.ref, minY: frame.minY, maxY: frame.maxY)
    }
    let known = rows.filter { $0.ref == row || $0.ref.item == nil || random.next(below: 3) == 0 }
    whole.tell(.lift(row, .touch, DragPoint(x: 9, y: (frame.minY + frame.maxY) / 2), at: 0))
    var engine = DragEngine()
    _ = engine.handle(.document(.trip(trip)))
    _ = engine.handle(
      .layout(
        ListLayout(rows: known, width: 320, viewportHeight: height, contentHeight: height)))
    _ = engine.handle(.lift(row, .touch, DragPoint(x: 9, y: (frame.minY + frame.maxY) / 2), at: 0))
    for y in stride(from: 1.0, to: height, by: 7) {
      let point = DragPoint(x: 9, y: y)
      #expect(engine.proposal(at: point) == whole.engine.proposal(at: point), "\(y)")
    }
  }

  @Test("A row that comes two points off is known, and moves nothing else")
  func nearlyRight() throws {
    let trip = try PartialLayoutTests.trip()
    var host = host(trip, offset: 800)
    let item = try #require(trip.list.first { $0["title"] == "2.5" }?.id)
    host.tell(.lift(.item(item), .touch, DragPoint(x: 9, y: 150), at: 0))
    // The rows that come in from below were guessed to be two points higher up.
    host.offset = 1_000
    let frames = host.frames.filter { $0.maxY > 1_000 && $0.minY < 1_400 }.map { row in
      row.minY < 1_190 ? row : RowFrame(row.ref, minY: row.minY - 2, maxY: row.maxY - 2)
    }
    host.tell(
      .layout(
        ListLayout(
          rows: frames, width: 320, viewportHeight: 400, offset: 1_000, contentHeight: 6_400)))
    let last = try #require(trip.list.first { $0["title"] == "2.10" }?.id)
    // Day 3 begins at 1280; its head is 40 points high.
    host.tell(.moved(DragPoint(x: 9, y: 265), at: 1))
    #expect(host.engine.proposal == .move(Gap(day: 2, above: last, below: nil)))
    host.tell(.moved(DragPoint(x: 9, y: 315), at: 2))
    #expect(day(host.engine.proposal) == 3)
  }

  @Test("Scrolling brings rows in that make room like the others")
  func rowsComeIn() throws {
    let trip = try PartialLayoutTests.trip()
    var host = host(trip, offset: 800)
    let item = try #require(trip.list.first { $0["title"] == "2.5" }?.id)
    host.tell(.lift(.item(item), .touch, DragPoint(x: 9, y: 150), at: 0))
    for step in 1...60 {
      host.scroll(to: 800 + Double(step) * 35)
      host.tell(.moved(DragPoint(x: 9, y: 300 + Double(step % 7) * 10), at: Int64(step)))
    }
    #expect(day(host.engine.proposal) == 6)
    for step in 1...70 { host.scroll(to: 2_900 - Double(step) * 35) }
    host.tell(.released(DragPoint(x: 9, y: 200), at: 99))
    #expect(host.document.list[id: item]?.section == 1)
    host.wait()
    #expect(host.faults.isEmpty, "\(host.faults.prefix(3))")
  }

  @Test("A scroll is told by its offset alone, and means what a layout would mean")
  func scrolled() throws {
    let trip = try PartialLayoutTests.trip()
    var host = host(trip, offset: 800, margin: nil)
    let item = try #require(trip.list.first { $0["title"] == "2.5" }?.id)
    host.tell(.lift(.item(item), .touch, DragPoint(x: 9, y: 150), at: 0))
    host.tell(.moved(DragPoint(x: 9, y: 300), at: 1))
    let here = host.engine.proposal
    host.scroll(to: 1_440)
    #expect(host.engine.proposal != here && day(host.engine.proposal) == 3)
    host.scroll(to: 800)
    #expect(host.engine.proposal == here)
    for bad in [Double.nan, .infinity] { #expect(host.engine.handle(.scrolled(bad)).isEmpty) }
    host.tell(.cancelled(.escape, at: 2))
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("A pinch names the rows that can be seen, of however many there are")
  func pinch() throws {
    let trip = try PartialLayoutTests.trip()
    var host = host(trip, offset: 800, margin: nil)
    let points = [DragPoint(x: 9, y: 150), DragPoint(x: 9, y: 210)]
    host.tell(.pinch(.began(points)))
    let effects = host.engine.handle(
      .pinch(.changed([DragPoint(x: 9, y: 140), DragPoint(x: 9, y: 220)])))
    let named = effects.animations.flatMap { animation in
      if case .rows(let rows) = animation.target { rows } else { [] as [RowRef] }
    }
    let seen = host.frames.filter { $0.maxY > 800 && $0.minY < 1_200 }.map(\.ref)
    #expect(named == seen)
    // The same fingers again change nothing.
    #expect(
      host.engine.handle(
        .pinch(.changed([DragPoint(x: 9, y: 140), DragPoint(x: 9, y: 220)]))
      ).isEmpty)
  }

  // The invariant checks visit by themselves, and release builds do not count.
  #if DEBUG && !BETWIXT_CHECKS
  @Test("An event over 10,000 rows, 60 of them known, costs at most twice that over 60")
  func cost() throws {
    let small = try work(rows: 60)
    let large = try work(rows: 10_000)
    #expect(small > 0 && large <= 2 * small, "\(large) against \(small)")
  }

  /// What a drag over 60 known rows looks at in a list of so many, all events together.
  private func work(rows count: Int) throws -> Int {
    var me = Replica(test: 4)
    var list = ReplicatedList(id: ListID(high: 4, low: 4))
    for number in 0..<count {
      try list.append(["title": .string("\(number)")], toSection: 1, by: &me)
    }
    var engine = DragEngine()
    _ = engine.handle(.document(.trip(Trip(list))))
    let first = count / 2 - 30
    let rows = (first..<first + 60).map {
      RowFrame(.item(list[$0].id), minY: Double($0) * 60 + 40, maxY: Double($0) * 60 + 100)
    }
    let offset = rows[10].minY
    _ = engine.handle(
      .layout(
        ListLayout(
          rows: rows, width: 320, viewportHeight: 2_000, offset: offset,
          contentHeight: Double(count) * 60 + 40)))
    _ = engine.handle(.lift(.item(list[count / 2].id), .touch, DragPoint(x: 9, y: 1_000), at: 0))
    let (named, counter) = Cost.measure {
      var named = 0
      for step in 1...200 {
        let y = Double(step * 37 % 2_000)
        for animation in engine.handle(.moved(DragPoint(x: 9, y: y), at: Int64(step))).animations {
          if case .rows(let rows) = animation.target { named += rows.count }
        }
      }
      return named
    }
    return named + counter[.nodeVisit]
  }
  #endif
}

import Betwixt
import BetwixtDrag
import BetwixtTrips

/// A drag over a trip of 10,000 rows, up and down all of it that is known, event by event.
struct DragEvents {
  let workload: String
  let kind: String
  var itemCount = 10_000
  /// How many rows in the middle of the trip are known; `nil` is all.
  var knownCount: Int?

  private static let itemsPerDay = 100
  static let rowHeight = 50.0
  private static let moveCount = 20_000

  func run() throws -> ResultLine {
    let trip = try trip()
    var engine = DragEngine()
    _ = engine.handle(.document(.trip(trip)))
    let all = DragEvents.rows(of: trip)
    let rows = known(all)
    guard let top = rows.first?.minY, let bottom = rows.last?.maxY else {
      return ResultLine(workload, Timing(), ops: 0, check: .failed("no rows"))
    }
    let height = bottom - top
    let layout = ListLayout(
      rows: rows, width: 400, viewportHeight: height, offset: top,
      contentHeight: Double(all.count) * DragEvents.rowHeight)
    let item = rows.compactMap { $0.ref.item }.first { trip.list[id: $0]?["kind"]?.string == kind }
    guard let item, let start = rows.first(where: { $0.ref == .item(item) })?.minY else {
      return ResultLine(workload, Timing(), ops: 0, check: .failed("no such item"))
    }
    let (_, layoutTiming) = Stopwatch.time { _ = engine.handle(.layout(layout)) }
    let (_, liftTiming) = Stopwatch.time {
      _ = engine.handle(.lift(.item(item), .touch, DragPoint(x: 9, y: 60), at: 0))
    }
    var slowest = 0.0
    var effectCount = 0
    let watch = Stopwatch()
    for step in 1...DragEvents.moveCount {
      // A third of a row for each event, with a jump over all of the list now and then.
      let travel = Double(step % 5_000) * DragEvents.rowHeight / 3
      let y = step % 1_000 == 0 ? height - 1 : (60 + travel).truncatingRemainder(dividingBy: height)
      let event = Stopwatch()
      effectCount += engine.handle(.moved(DragPoint(x: 9, y: y), at: Int64(step))).count
      slowest = max(slowest, event.elapsed)
    }
    let timing = watch.lap()
    // Its own row in the capture: it was not moved.
    let end = DragPoint(x: 9, y: start - top + 1)
    let commits = engine.handle(.released(end, at: 1_000_000)).contains { $0.isCommit }
    var line = ResultLine(
      workload, timing, ops: DragEvents.moveCount,
      check: .holds(engine.isIdle && effectCount > 0 && !commits, "the drag did not end at rest"))
    line.notes = "one event with its effects; the property: dropped where it was, nothing written"
    line.add("event_us", JSON(timing.seconds / Double(DragEvents.moveCount) * 1e6, decimals: 2))
    line.add("slowest_us", JSON(slowest * 1e6, decimals: 1))
    line.add("lift_us", JSON(liftTiming.seconds * 1e6, decimals: 1))
    line.add("layout_us", JSON(layoutTiming.seconds * 1e6, decimals: 1))
    line.add("effects", .int(effectCount))
    return line
  }

  /// Games in three cities, legs between them, and custom items, day after day.
  func trip() throws -> Trip {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_780_000_000_000 }
    var list = ReplicatedList(id: ReplicatedList.benchmarkID)
    try list.set("startDate", of: .root, to: "2026-06-11", by: &me)
    let dayCount = (itemCount + DragEvents.itemsPerDay - 1) / DragEvents.itemsPerDay
    try list.set("days", of: .root, to: .int64(Int64(dayCount)), by: &me)
    let cities = ["Alpha", "Beta", "Gamma"]
    for number in 0..<itemCount {
      let city = FieldValue.string(cities[number % 3])
      let other = FieldValue.string(cities[(number + 1) % 3])
      let title = FieldValue.string("Item \(number)")
      let fields: Fields =
        switch number % 10 {
        case 3: ["kind": "game", "title": title, "city": city]
        case 7: ["kind": "travel", "title": title, "from": city, "to": other]
        default: ["kind": "custom", "title": title]
        }
      try list.append(fields, toSection: Int64(number / DragEvents.itemsPerDay) + 1, by: &me)
    }
    return Trip(list)
  }

  private func known(_ rows: [RowFrame]) -> [RowFrame] {
    guard let knownCount, knownCount < rows.count else { return rows }
    let first = (rows.count - knownCount) / 2
    return Array(rows[first..<first + knownCount])
  }

  static func rows(of trip: Trip) -> [RowFrame] {
    trip.rows.enumerated().map { place, row in
      let ref: RowRef =
        switch row {
        case .header(let day, _): .header(day: day)
        case .item(let id, _, _): .item(id)
        }
      return RowFrame(
        ref, minY: Double(place) * rowHeight, maxY: Double(place + 1) * rowHeight)
    }
  }
}

extension DragEffect {
  fileprivate var isCommit: Bool { if case .commit = self { true } else { false } }
}

extension Workload {
  static let drags: [Workload] = [
    Workload(name: "drag.custom", summary: "an event of a drag over 10,000 rows") { _ in
      [try DragEvents(workload: "drag.custom", kind: "custom").run()]
    },
    Workload(name: "drag.leg", summary: "the same with a travel leg, which not every gap takes") {
      _ in
      [try DragEvents(workload: "drag.leg", kind: "travel").run()]
    },
    Workload(
      name: "drag.drop",
      summary: "a drop among 100,000 rows, as far as the engine has to do with it"
    ) { _ in [try DragDrops().run()] },
    Workload(
      name: "drag.known",
      summary: "an event of a drag over 60 rows, and over 10,000 of which 60 are known"
    ) { _ in
      [
        try DragEvents(workload: "drag.known.60", kind: "custom", itemCount: 60).run(),
        try DragEvents(workload: "drag.known.10000", kind: "custom", knownCount: 60).run(),
      ]
    },
  ]
}

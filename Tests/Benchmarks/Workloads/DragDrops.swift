import Betwixt
import BetwixtDrag
import BetwixtTrips

/// Drops by keys in a trip of 100,000 rows, from the key to the rows as they stand then.
///
/// Writing the move and laying rows out is the host's and is not counted.
struct DragDrops {
  private static let dropCount = 20
  private let workload = "drag.drop"

  func run() throws -> ResultLine {
    var me = Replica(id: ReplicaID(rawValue: 2)) { 1_780_000_000_001 }
    let trip = try DragEvents(workload: workload, kind: "custom", itemCount: 100_000).trip()
    var document = DragDocument.trip(trip)
    var history = CommitHistory()
    var engine = DragEngine()
    _ = engine.handle(.document(document))
    let first = layout(of: trip)
    let (_, layoutTiming) = Stopwatch.time { _ = engine.handle(.layout(first)) }
    var total = Timing()
    var slowest = 0.0
    var commitCount = 0
    for drop in 0..<DragDrops.dropCount {
      let item = trip.list[50_000 + drop * 10].id
      _ = engine.handle(.key(.space, .item(item), at: 0))
      _ = engine.handle(.key(.down, .item(item), at: 1))
      _ = engine.handle(.key(.down, .item(item), at: 2))
      var watch = Stopwatch()
      let effects = engine.handle(.key(.space, .item(item), at: 3))
      var spent = watch.lap()
      for case .commit(let id, let edits) in effects {
        commitCount += 1
        let added = try history.commit(id, edits: edits, in: &document, by: &me)
        let layout = layout(of: Trip(document.list))
        watch = Stopwatch()
        _ = engine.handle(.document(document))
        _ = engine.handle(.layout(layout))
        _ = engine.handle(.committed(id, added, at: 4))
        spent = spent + watch.lap()
      }
      total = total + spent
      slowest = max(slowest, spent.seconds)
    }
    var line = ResultLine(
      workload, total, ops: DragDrops.dropCount,
      check: .holds(
        engine.isIdle && commitCount == DragDrops.dropCount, "not every drop was a move"))
    line.notes = "a drop in the engine, rows laid out anew included; beside it the first layout"
    line.add("drop_us", JSON(total.seconds / Double(DragDrops.dropCount) * 1e6, decimals: 1))
    line.add("slowest_us", JSON(slowest * 1e6, decimals: 1))
    line.add("layout_us", JSON(layoutTiming.seconds * 1e6, decimals: 1))
    return line
  }

  private func layout(of trip: Trip) -> ListLayout {
    let rows = DragEvents.rows(of: trip)
    return ListLayout(
      rows: rows, width: 400, viewportHeight: 1_000, offset: 0,
      contentHeight: Double(rows.count) * DragEvents.rowHeight)
  }
}

import Betwixt
import BetwixtTrips

// What gestures share.

extension DragEngine {
  /// A knock when a gesture becomes armed, and when it is no longer.
  mutating func feelThreshold(from old: Bool, to new: Bool) {
    if old != new { emit(.selection) }
  }

  /// The height of an item's row that nobody knows the height of: that of another.
  var usualHeight: Double { table?.rows.first { $0.ref.item != nil }?.height ?? 44 }

  /// The rows that can be seen.
  var visibleRows: Range<Int> {
    guard let layout, let table else { return 0..<0 }
    return table.rows(from: layout.offset, to: layout.offset + layout.viewportHeight)
  }
}

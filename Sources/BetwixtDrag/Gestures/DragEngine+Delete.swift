import Betwixt
import BetwixtTrips

extension DragEngine {
  /// Removes an item; the rows below close up one after the other.
  mutating func delete(_ id: ItemID) {
    guard let document, document.list.contains(id: id), let stage,
      let section = stage.section(of: id)
    else { return }
    let gap = stage.gap(of: id)
    let title = document.title(of: id)
    let neighbour = gap.flatMap { $0.below ?? $0.above }
    commit([.remove(id)], title: title)
    emit(.item(id), .alpha(0), .none)
    closeUp(id)
    offerUndo("Removed from \(stage.name(of: section).title)")
    emit(.focus(neighbour.map { .item($0) } ?? .header(day: section)))
  }

  private mutating func closeUp(_ id: ItemID) {
    var count = 0
    if let table, let place = table.place(of: .item(id)) {
      let height = table.rows[place].height
      let visible = visibleRows
      let below = max(place + 1, visible.lowerBound)..<max(place + 1, visible.upperBound)
      count = below.count
      for (number, row) in table.rows[below].enumerated() {
        emit(
          .rows([row.ref]), .shiftY(-height), profile.delete,
          delay: number * profile.deleteStagger)
      }
    }
    let end = profile.delete.duration + (count - 1) * profile.deleteStagger
    emit(.reload(after: count > 0 ? end : 0))
  }
}

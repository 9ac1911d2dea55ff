import Betwixt
import BetwixtTrips

extension DragEngine {
  /// Removes an item.
  mutating func delete(_ id: ItemID) {
    guard let document, document.list.contains(id: id), let stage,
      let section = stage.section(of: id)
    else { return }
    var end = Commit.End.silent
    if let table, let place = table.place(of: .item(id)) {
      end = .closing(top: table.rows[place].minY, height: table.rows[place].height)
    }
    commit(
      [.remove(id)], step: EditStep(.removal, title: document.title(of: id)), end: end,
      in: stage.name(of: section), neighbour: neighbour(of: id))
  }

  /// The rows below a removed one close up, one after the other.
  ///
  /// They lie where they belong already: each is put back to where it was and comes from there, so
  /// whatever happens meanwhile, nothing has to be put right afterwards.
  mutating func closeUp(from top: Double, by height: Double) {
    finishDelayed()
    guard let table, let layout else { return }
    let bottom = layout.offset + layout.viewportHeight
    let visible = table.rows(from: max(top, layout.offset - height), to: bottom)
    let rows = table.rows[visible].filter { $0.minY >= top }.map { $0.ref }
    if profile.delete.duration > 0, height > 0, !rows.isEmpty {
      emit(.rows(rows), to: .shiftY(height), motion: .none)
      for (number, row) in rows.enumerated() {
        emit(
          .rows([row]), to: .shiftY(0), motion: profile.delete,
          delay: number * profile.deleteStagger)
      }
    }
    let end = profile.delete.duration + (rows.count - 1) * profile.deleteStagger
    emit(.reload(after: rows.isEmpty ? 0 : end))
  }
}

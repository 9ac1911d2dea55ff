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
          delay: number.times(profile.deleteStagger))
      }
    }
    let last = (rows.count - 1).times(profile.deleteStagger)
    let (end, isLate) = profile.delete.duration.addingReportingOverflow(last)
    emit(.reload(after: rows.isEmpty ? 0 : isLate ? .max : end))
  }
}

extension Int {
  /// The product, or what is nearest to it: a profile is read from a log, and may say anything.
  fileprivate func times(_ other: Int) -> Int {
    let (product, isBeyond) = multipliedReportingOverflow(by: other)
    guard isBeyond else { return product }
    return (self < 0) == (other < 0) ? .max : .min
  }
}

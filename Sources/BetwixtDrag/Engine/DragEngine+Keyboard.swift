import Betwixt
import BetwixtTrips

extension DragEngine {
  mutating func pressed(_ key: ReorderKey, _ row: RowRef?, _ time: Int64) {
    guard press == nil, gesture == nil else { return }
    guard let session else {
      if key == .space || key == .enter, let row { liftByKey(row, time) }
      return
    }
    guard session.isByKeyboard else { return }
    switch key {
    case .space, .enter: drop()
    case .escape: cancel(.escape)
    case .tab: break
    case .up, .down, .pageUp, .pageDown, .home, .end: step(key)
    }
  }

  private mutating func liftByKey(_ row: RowRef, _ time: Int64) {
    guard let table, let layout, let place = table.place(of: row) else { return }
    let y = table.rows[place].minY - layout.offset
    lift(row, .keyboard, DragPoint(x: 0, y: y), time)
  }

  private mutating func step(_ key: ReorderKey) {
    guard let session, let gap = session.keyboardGap, let stage = sessionStage else { return }
    let destinations = session.destinations
    let target =
      switch key {
      case .up: destinations.previous(before: gap, on: stage)
      case .down: destinations.next(after: gap, on: stage)
      case .pageUp: destinations.lastBefore(gap.day, on: stage)
      case .pageDown: destinations.firstAfter(gap.day, on: stage)
      case .home: destinations.first(on: stage)
      case .end: destinations.last(on: stage)
      case .space, .enter, .escape, .tab: nil as Gap?
      }
    guard let target, target != gap else { return emit(.announce(.noFurther)) }
    self.session?.keyboardGap = target
    propose(proposal(for: target))
    emit(.reveal(target))
    if self.session?.proposal == .stay { emit(.announce(.movedTo(stage.words(for: target)))) }
  }
}

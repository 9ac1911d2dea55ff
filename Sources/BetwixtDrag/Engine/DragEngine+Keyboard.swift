import Betwixt
import BetwixtTrips

extension DragEngine {
  mutating func pressed(_ key: ReorderKey, row: RowRef?, at time: Int64) {
    guard let session else {
      if isIdle, key == .space || key == .enter, let row { liftByKey(row, at: time) }
      return
    }
    guard session.isByKeyboard else { return }
    switch key {
    case .space, .enter: drop()
    case .escape: cancel(.escape)
    case .tab: break
    case .left: switchTab(-1)
    case .right: switchTab(1)
    case .up, .down, .pageUp, .pageDown, .home, .end: step(key)
    }
  }

  private mutating func liftByKey(_ row: RowRef, at time: Int64) {
    guard let table, let layout, let place = table.place(of: row) else { return }
    let y = table.rows[place].minY - layout.offset
    lift(row, input: .keyboard, at: DragPoint(x: 0, y: y), time: time)
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
      case .space, .enter, .escape, .tab, .left, .right: nil as Gap?
      }
    guard let target, target != gap else { return tell(.noFurther) }
    self.session?.aim = .gap(target)
    proposeAgain()
    if self.session?.proposal == .stay { emit(.announce(.movedTo(stage.words(for: target)))) }
    emit(.reveal(target))
  }

  /// Carries the item into the next tab on one side that takes it.
  private mutating func switchTab(_ step: Int) {
    guard let here = session?.tab, let targets = settings.tabTargets[here],
      let start = TaskTab.allCases.firstIndex(of: here)
    else { return tell(.noFurther) }
    var index = start + step
    while TaskTab.allCases.indices.contains(index) {
      let tab = TaskTab.allCases[index]
      if targets.contains(tab) { return enter(tab) }
      index += step
    }
    tell(.noFurther)
  }
}

extension DragSession {
  /// The gap that arrow keys go on from.
  fileprivate var keyboardGap: Gap? {
    switch aim {
    case .gap(let gap): gap
    case .origin: originGap
    case .tab, .nowhere, .nothing: nil
    }
  }
}

import BetwixtTrips

extension DragEngine {
  mutating func handle(_ phase: PullPhase) {
    switch phase {
    case .began(let offset, let rowHeight):
      guard isIdle, offset.isFinite, rowHeight.isFinite, rowHeight > 0, offset <= 0,
        layout != nil, stage?.firstGap(moving: nil) != nil
      else { return }
      finishDelayed()
      state = .pulling(Pull(rowHeight: rowHeight))
      pull(to: offset)
    case .changed(let offset):
      guard offset.isFinite else { return }
      pull(to: offset)
    case .ended: endPull(isReleased: true)
    case .cancelled: endPull(isReleased: false)
    }
  }

  private mutating func pull(to offset: Double) {
    guard case .pulling(var pull) = state, !pull.isOver, let layout else { return }
    let row = pull.rowHeight
    if offset > 0 {
      pull.isOver = true
      feelThreshold(from: pull.isArmed, to: false)
      pull.isArmed = false
      if pull.placeholder != nil { emit(.placeholder(nil)) }
      pull.placeholder = nil
    } else {
      let isArmed = -offset > row
      let placeholder = AddPlaceholder(
        frame: DragFrame(x: 0, y: -row, width: layout.width, height: row),
        text: isArmed ? "Release to add item" : "Pull to add item", alpha: min(1, -offset / row),
        scaleY: 1, like: nil)
      if placeholder != pull.placeholder { emit(.placeholder(placeholder)) }
      pull.placeholder = placeholder
      feelThreshold(from: pull.isArmed, to: isArmed)
      pull.isArmed = isArmed
    }
    state = .pulling(pull)
  }

  private mutating func endPull(isReleased: Bool) {
    guard case .pulling(let pull) = state else { return }
    state = .idle
    if pull.placeholder != nil { emit(.placeholder(nil)) }
    guard isReleased, pull.isArmed, let gap = stage?.firstGap(moving: nil) else { return }
    beginDraft(in: gap, height: pull.rowHeight)
  }
}

import BetwixtTrips

extension DragEngine {
  mutating func handle(_ phase: PinchPhase) {
    switch phase {
    case .began(let points): beginPinch(points)
    case .changed(let points):
      guard case .pinching(let pinch) = gesture, let touches = Pinch.Touches(points) else {
        return
      }
      let upper = touches.upper - pinch.touches.upper
      let lower = pinch.touches.lower - touches.lower
      open(pinch, by: -min(0, min(upper, lower)))
    case .ended: endPinch(isReleased: true)
    case .cancelled: endPinch(isReleased: false)
    }
  }

  private mutating func beginPinch(_ points: [DragPoint]) {
    guard isIdle, let touches = Pinch.Touches(points), let layout, let table, let stage,
      let upper = table.row(at: touches.upper + layout.offset),
      let lower = table.row(at: touches.lower + layout.offset), lower == upper + 1
    else { return }
    let capture = Capture(table: table, stage: stage, item: nil)
    guard case .gap(let gap) = capture.spot(below: upper) else { return }
    let refs = table.rows.map(\.ref)
    gesture = .pinching(
      Pinch(
        upper: table.rows[upper], lower: table.rows[lower], gap: gap,
        above: Array(refs[...upper]), below: Array(refs[lower...]), touches: touches))
  }

  private mutating func open(_ pinch: Pinch, by delta: Double) {
    guard delta != pinch.delta || pinch.placeholder == nil, let layout else { return }
    var pinch = pinch
    let row = pinch.upper.height
    let opening = 2 * delta
    let isArmed = opening > row
    pinch.delta = delta
    emit(.rows(pinch.above), .shiftY(-delta), .none)
    emit(.rows(pinch.below), .shiftY(delta), .none)
    let part = row > 0 ? min(1, opening / row) : 1
    let placeholder = AddPlaceholder(
      frame: DragFrame(x: 0, y: pinch.upper.minY + row / 2, width: layout.width, height: row),
      text: isArmed ? "Release to add item" : "Pull apart to add item", alpha: part, scaleY: part,
      like: pinch.upper.ref)
    emit(.placeholder(placeholder))
    pinch.placeholder = placeholder
    feelThreshold(from: pinch.isArmed, to: isArmed)
    pinch.isArmed = isArmed
    gesture = .pinching(pinch)
  }

  private mutating func endPinch(isReleased: Bool) {
    guard case .pinching(let pinch) = gesture else { return }
    gesture = nil
    let isAdding = isReleased && pinch.isArmed
    if pinch.placeholder != nil {
      emit(.rows(pinch.above + pinch.below), .shiftY(0), isAdding ? .none : profile.wayBack)
      emit(.placeholder(nil))
    }
    if isAdding { beginDraft(in: pinch.gap) }
  }
}

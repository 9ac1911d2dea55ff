import Betwixt
import BetwixtTrips

// Two rows that are pulled apart, to add an item between them.

/// How fingers pull rows apart; points are in viewport coordinates, in any order.
public enum PinchPhase: Hashable, Sendable {
  /// The fingers went down.
  case began([DragPoint])
  /// They moved.
  case changed([DragPoint])
  /// They went up.
  case ended
  /// The gesture is over.
  case cancelled
}

/// Two rows that are pulled apart.
struct Pinch: Hashable, Sendable {
  let upper: RowRef
  let lower: RowRef
  let height: Double
  let gap: Gap
  /// The rows that can be seen above the opening, and those below it.
  var above: [RowRef]
  var below: [RowRef]
  /// Where the fingers went down, the upper one first.
  let touches: Touches
  var delta = 0.0
  var placeholder: AddPlaceholder?
  var isArmed = false

  struct Touches: Hashable, Sendable {
    let upper: Double
    let lower: Double

    /// - Returns: `nil` unless there are exactly two, with usable numbers.
    init?(_ points: [DragPoint]) {
      guard points.count == 2, points.allSatisfy({ $0.isFinite }) else { return nil }
      upper = min(points[0].y, points[1].y)
      lower = max(points[0].y, points[1].y)
    }
  }
}

extension DragEngine {
  mutating func handle(_ phase: PinchPhase) {
    switch phase {
    case .began(let points): beginPinch(points)
    case .changed(let points):
      guard case .pinching(let pinch) = state, let touches = Pinch.Touches(points) else {
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
    let capture = Capture(
      table: table, stage: stage, item: nil, contentHeight: layout.contentHeight)
    let row = table.rows[upper]
    guard case .gap(let gap) = capture.spot(below: row.ref) else { return }
    finishDelayed()
    let rows = rowsBesides(upper)
    state = .pinching(
      Pinch(
        upper: row.ref, lower: table.rows[lower].ref, height: row.height, gap: gap,
        above: rows.above, below: rows.below, touches: touches))
  }

  /// The rows that can be seen down to one, and those below it: the others need not move.
  private func rowsBesides(_ upper: Int) -> (above: [RowRef], below: [RowRef]) {
    guard let table else { return ([], []) }
    let visible = visibleRows
    let above = min(visible.lowerBound, upper)...upper
    let below = upper + 1..<max(visible.upperBound, upper + 2)
    return (table.rows[above].map { $0.ref }, table.rows[below].map { $0.ref })
  }

  private mutating func open(_ pinch: Pinch, by delta: Double) {
    guard delta != pinch.delta || pinch.placeholder == nil, let layout, let table,
      let upper = table.place(of: pinch.upper)
    else { return }
    var pinch = pinch
    let row = pinch.height
    let opening = 2 * delta
    let isArmed = opening > row
    emit(.rows(pinch.above), to: .shiftY(-delta), motion: .none)
    emit(.rows(pinch.below), to: .shiftY(delta), motion: .none)
    pinch.delta = delta
    let part = row > 0 ? min(1, opening / row) : 1
    let placeholder = AddPlaceholder(
      frame: DragFrame(
        x: 0, y: table.rows[upper].minY + row / 2, width: layout.width, height: row),
      text: isArmed ? "Release to add item" : "Pull apart to add item", alpha: part, scaleY: part,
      like: pinch.upper)
    emit(.placeholder(placeholder))
    pinch.placeholder = placeholder
    feelThreshold(from: pinch.isArmed, to: isArmed)
    pinch.isArmed = isArmed
    state = .pinching(pinch)
  }

  /// Other rows may lie around the fingers now.
  mutating func pinchLaidOut() {
    guard case .pinching(var pinch) = state, let table else { return }
    guard let upper = table.place(of: pinch.upper), let lower = table.place(of: pinch.lower),
      lower == upper + 1
    else { return endPinch(isReleased: false) }
    let rows = rowsBesides(upper)
    let before = Set(pinch.above + pinch.below)
    pinch.above = rows.above
    pinch.below = rows.below
    state = .pinching(pinch)
    guard pinch.placeholder != nil, before != Set(rows.above + rows.below) else { return }
    let after = Set(rows.above + rows.below)
    let gone = table.rows.map { $0.ref }.filter { before.contains($0) && !after.contains($0) }
    if !gone.isEmpty { emit(.rows(gone), to: .shiftY(0), motion: .none) }
    pinch.placeholder = nil
    open(pinch, by: pinch.delta)
  }

  private mutating func endPinch(isReleased: Bool) {
    guard case .pinching(let pinch) = state else { return }
    state = .idle
    let isAdding = isReleased && pinch.isArmed
    if pinch.placeholder != nil {
      emit(
        .rows(pinch.above + pinch.below), to: .shiftY(0),
        motion: isAdding ? .none : profile.wayBack)
      emit(.placeholder(nil))
    }
    if isAdding { beginDraft(in: pinch.gap, height: pinch.height) }
  }
}

// MARK: - In a log

extension PinchPhase {
  var logMembers: [(String, LogValue)] {
    switch self {
    case .began(let points):
      [("phase", .text("began")), ("points", .list(points.map { .point($0) }))]
    case .changed(let points):
      [("phase", .text("changed")), ("points", .list(points.map { .point($0) }))]
    case .ended: [("phase", .text("ended"))]
    case .cancelled: [("phase", .text("cancelled"))]
    }
  }

  init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.phase {
    case "began": self = .began(try reader.points())
    case "changed": self = .changed(try reader.points())
    case "ended": self = .ended
    case "cancelled": self = .cancelled
    default: throw reader.unknownPhase
    }
  }
}

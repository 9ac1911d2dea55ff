import Betwixt
import BetwixtTrips

/// A gesture that is no drag, and how far it has come.
enum ListGesture: Hashable, Sendable {
  case swiping(Swipe)
  case pulling(Pull)
  case pinching(Pinch)
  case editing(TextEdit)
}

/// A row that is swiped.
struct Swipe: Hashable, Sendable {
  let item: ItemID
  var distance = 0.0
  var cue: GestureCue?

  var isArmed: Bool { cue?.isArmed ?? false }
}

/// A list that is pulled down.
struct Pull: Hashable, Sendable {
  let rowHeight: Double
  var placeholder: AddPlaceholder?
  var isArmed = false
  /// It was scrolled the other way, so this drag adds nothing any more.
  var isOver = false
}

/// Two rows that are pulled apart.
struct Pinch: Hashable, Sendable {
  let upper: RowFrame
  let lower: RowFrame
  let gap: Gap
  /// The rows above the opening, and those below it.
  let above: [RowRef]
  let below: [RowRef]
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
      guard points.count == 2, points.allSatisfy(\.isFinite) else { return nil }
      upper = min(points[0].y, points[1].y)
      lower = max(points[0].y, points[1].y)
    }
  }
}

/// A text that is edited.
struct TextEdit: Hashable, Sendable {
  let target: EditTarget
  var text: String
  /// What was shifted and faded, to be put back.
  let rows: [RowRef]
  let others: [RowRef]
}

extension DragEngine {
  /// Ends a gesture as if nothing had been armed.
  mutating func endGesture() {
    switch gesture {
    case .swiping: handle(SwipePhase.cancelled)
    case .pulling: handle(PullPhase.cancelled)
    case .pinching: handle(PinchPhase.cancelled)
    case .editing: handle(EditPhase.cancel)
    case nil: break
    }
  }

  /// Ends a gesture on an item that somebody else has removed.
  mutating func checkGesture() {
    guard let document else { return }
    switch gesture {
    case .swiping(let swipe) where !document.list.contains(id: swipe.item):
      endGesture()
    case .editing(let edit):
      guard case .item(let id) = edit.target, !document.list.contains(id: id) else { return }
      endGesture()
      emit(.announce(.itemRemoved(title: document.title(of: id))))
    case .swiping, .pulling, .pinching, nil: break
    }
  }

  /// A knock when a gesture becomes armed, and when it is no longer.
  mutating func feelThreshold(from old: Bool, to new: Bool) {
    if old != new { emit(.selection) }
  }

  /// The list as it is shown while nothing is dragged.
  var stage: (any ReorderStage)? { stage(in: layout?.container, isVisitor: false) }

  /// The rows that can be seen.
  var visibleRows: Range<Int> {
    guard let layout, let table else { return 0..<0 }
    return table.rows(from: layout.offset, to: layout.offset + layout.viewportHeight)
  }
}

import Betwixt
import BetwixtTrips

/// A row that is swiped.
struct Swipe: Hashable, Sendable {
  let item: ItemID
  let title: String
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

/// A text that is edited.
struct TextEdit: Hashable, Sendable {
  /// What a row looks like meanwhile.
  struct ShownRow: Hashable, Sendable {
    let ref: RowRef
    let shift: Double
    let isFaded: Bool
  }

  var target: EditTarget
  /// The item's title, to be said should it be removed.
  var title: String
  /// The text as it was when nothing was typed.
  var base: String
  var text: String
  /// Where the field stands, in content coordinates.
  let top: Double
  let height: Double
  /// Where the item's row lies, or lay when it was known last.
  var rowTop: Double?
  /// What was shifted and faded, to be put back.
  var shown: [ShownRow] = []

  init(target: EditTarget, title: String, text: String, top: Double, height: Double) {
    self.target = target
    self.title = title
    base = text
    self.text = text
    self.top = top
    self.height = height
  }

  var isTyped: Bool { !text.hasSameBytes(as: base) }
}

extension DragEngine {
  /// Ends a gesture as if nothing had been armed.
  mutating func endGesture(_ reason: CancelReason) {
    switch state {
    case .swiping: handle(SwipePhase.cancelled)
    case .pulling: handle(PullPhase.cancelled)
    case .pinching: handle(PinchPhase.cancelled)
    case .editing: interruptEdit(reason)
    case .idle, .pressed, .dragging: break
    }
  }

  /// The document has changed under a gesture.
  mutating func gestureChanged() {
    switch state {
    case .swiping(let swipe):
      guard !contains(swipe.item) else { return }
      endGesture(.itemRemoved)
      tell(.itemRemoved(title: swipe.title))
    case .editing(let edit): editChanged(edit)
    case .idle, .pressed, .dragging, .pulling, .pinching: break
    }
  }

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

public import Betwixt

/// How a row is swiped; distances are from where the finger went down.
public enum SwipePhase: Hashable, Sendable {
  /// A finger began to move on a row.
  case began(ItemID, dx: Double, dy: Double)
  /// It moved on.
  case changed(dx: Double)
  /// It went up.
  case ended
  /// The gesture is over.
  case cancelled
}

/// How a list is pulled; the offset is negative while it is pulled down at its top.
public enum PullPhase: Hashable, Sendable {
  /// A finger began to pull.
  case began(offset: Double, rowHeight: Double)
  /// It moved on.
  case changed(offset: Double)
  /// It went up.
  case ended
  /// The gesture is over.
  case cancelled
}

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

/// How a text is edited.
public enum EditPhase: Hashable, Sendable {
  /// An item's text is to be edited.
  case begin(ItemID)
  /// A new item is to stand below a row, or at the top of the list.
  case add(below: RowRef?)
  /// It reads so now.
  case text(String)
  /// Return, or the focus is lost.
  case commit
  /// All stays as it was.
  case cancel
}

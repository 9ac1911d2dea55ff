/// What points.
public enum PointerInput: String, Hashable, Sendable {
  /// A finger.
  case touch
  /// A pen.
  case pen
  /// A mouse.
  case mouse
  /// No pointer: the arrow keys move.
  case keyboard
}

/// Why something is over.
public enum CancelReason: String, Hashable, Sendable, CaseIterable {
  /// The user gave up.
  case escape
  /// The focus left the list.
  case focusLost
  /// The program is no longer in front.
  case background
  /// It was released over a tab.
  case overTab
  /// Somebody else removed the item.
  case itemRemoved
  /// The system took the pointer.
  case system
}

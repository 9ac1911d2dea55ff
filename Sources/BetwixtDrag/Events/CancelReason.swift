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

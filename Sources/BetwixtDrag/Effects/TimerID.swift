/// A timer of the host's.
public enum TimerID: String, Hashable, Sendable, CaseIterable {
  /// A finger rests on an item.
  case longPress
  /// A drag rests over a tab.
  case tabHover
  /// A toast is shown.
  case toast
}

/// A key.
public enum ReorderKey: String, Hashable, Sendable, CaseIterable {
  /// Lifts and drops.
  case space
  /// Lifts and drops.
  case enter
  /// To the gap above.
  case up
  /// To the gap below.
  case down
  /// To the day before.
  case pageUp
  /// To the next day.
  case pageDown
  /// To the first gap.
  case home
  /// To the last gap.
  case end
  /// To the tab on the left.
  case left
  /// To the tab on the right.
  case right
  /// Gives up.
  case escape
  /// Does nothing.
  case tab
}

/// A move without a drag.
public enum ReorderAction: String, Hashable, Sendable, CaseIterable {
  /// To the nearest gap above.
  case moveUp
  /// To the nearest gap below.
  case moveDown
  /// To an earlier day.
  case moveToPreviousDay
  /// To a later day.
  case moveToNextDay
  /// To the first gap of its day.
  case moveToTop
  /// To the last gap of its day.
  case moveToBottom
}

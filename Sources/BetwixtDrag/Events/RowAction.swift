/// What can be done with a row without a gesture: by a menu, a key or a screen reader.
public enum RowAction: String, Hashable, Sendable, CaseIterable {
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
  /// To the tasks without a date.
  case moveToInbox
  /// To the tasks of today.
  case moveToToday
  /// To the tasks of tomorrow, which are the first ones of the later days.
  case moveToTomorrow
  /// Completes a task.
  case complete
  /// Edits the text of the item.
  case edit
  /// Begins a new item above.
  case addAbove
  /// Begins a new item below.
  case addBelow
  /// Removes the item.
  case delete

  /// The tab that the action moves a task to.
  var tab: TaskTab? {
    switch self {
    case .moveToInbox: .inbox
    case .moveToToday: .today
    case .moveToTomorrow: .upcoming
    default: nil
    }
  }
}

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

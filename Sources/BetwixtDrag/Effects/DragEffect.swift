public import BetwixtTrips

/// What a front end is to do, in the order given.
public enum DragEffect: Hashable, Sendable {
  /// Something will be felt soon.
  case prepareHaptics
  /// Something is felt after some milliseconds.
  case haptic(HapticKind, after: Int)
  /// Something on the screen changes.
  case animate(RowAnimation)
  /// The insertion line.
  case line(InsertionLine)
  /// The tint of the lifted copy.
  case tint(CopyTint)
  /// Whether ``DragEvent/tick(at:)`` is wanted for each picture.
  case ticks(Bool)
  /// Scroll by some points, and answer with a layout.
  case scroll(by: Double)
  /// Scroll so far that a gap can be seen.
  case reveal(Gap)
  /// Send ``DragEvent/timer(_:at:)`` after some milliseconds; a timer of this name starts anew.
  case startTimer(TimerID, delay: Int)
  /// Do not send it.
  case cancelTimer(TimerID)
  /// A tab shows that it can be dropped on, or no tab does.
  case highlight(TabHighlight?)
  /// Open a tab.
  case switchTab(TaskTab, Motion)
  /// Write, and answer with the document.
  case commit(CommitID, [ListEdit])
  /// Take a commit back as far as nobody has changed it since, and answer whether that was.
  case revert(CommitID)
  /// A short text with a button, or none.
  case toast(Toast?)
  /// Say something to those who listen.
  case announce(Announcement)
  /// Whoever uses a keyboard or a screen reader is there now.
  case focus(RowRef)
  /// What stands where a new item would be, or nothing.
  case placeholder(AddPlaceholder?)
  /// How far a gesture has come.
  case cue(GestureCue)
  /// Show a field for text.
  case beginEditing(EditTarget)
  /// Lay out all rows anew after some milliseconds.
  case reload(after: Int)
}

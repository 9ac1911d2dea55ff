public import BetwixtTrips

/// What a front end is to do, in the order given.
///
/// What a host answers with events is the last of its batch: ``commit(_:_:)``, ``turn(_:)``,
/// ``scroll(by:)``, ``reveal(_:)`` and ``switchTab(_:_:)``. So nothing that follows can be wrong
/// because of the answer.
public enum DragEffect: Hashable, Sendable {
  /// Something will be felt soon.
  case prepareHaptics
  /// Something is felt after some milliseconds.
  case haptic(HapticKind, after: Int)
  /// Something on the screen changes; it takes the place of earlier changes of the same kind.
  case animate(RowAnimation)
  /// Changes and removals of the copy that still wait for their time happen now.
  case finishDelayed
  /// The lifted copy goes after some milliseconds.
  case removeCopy(after: Int)
  /// The insertion line.
  case line(InsertionLine)
  /// The tint of the lifted copy.
  case tint(CopyTint)
  /// Whether ``DragEvent/tick(at:)`` is wanted for each picture.
  case ticks(Bool)
  /// Scroll by some points, and answer with ``DragEvent/scrolled(_:)`` or a layout.
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
  /// Write, and answer with the document, a layout and ``DragEvent/committed(_:_:at:)``, or with
  /// ``DragEvent/commitFailed(_:at:)``.
  case commit(CommitID, [ListEdit])
  /// Take a step back or make it again, and answer with the document, a layout and
  /// ``DragEvent/turned(_:at:)``.
  case turn(UndoTurn)
  /// A short text, or none.
  case toast(Toast?)
  /// Say something to those who listen.
  case announce(Announcement)
  /// Whoever uses a keyboard or a screen reader is there now.
  case focus(RowRef)
  /// What stands where a new item would be, or nothing.
  case placeholder(AddPlaceholder?)
  /// How far a gesture has come.
  case cue(GestureCue)
  /// Show a field for text, with the text that is in it; the frame is in content coordinates.
  case beginEditing(EditTarget, DragFrame, String)
  /// The field shows another text: somebody else has changed it, and nothing was typed.
  case editText(String)
  /// The field goes.
  case endEditing(EditTarget, EditEnd)
  /// Lay out all rows anew after some milliseconds.
  case reload(after: Int)
}

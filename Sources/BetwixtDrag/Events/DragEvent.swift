public import Betwixt
public import BetwixtTrips

/// What happened, as the host tells it.
///
/// Times are milliseconds of a clock that only goes forward. Points are in viewport coordinates.
public enum DragEvent: Sendable {
  /// Something was chosen.
  case settings(DragSettings)
  /// The list as it is now, after any change, own or not.
  case document(DragDocument)
  /// How it lies on the screen now.
  case layout(ListLayout)
  /// The list was scrolled to an offset, and its rows lie as they did.
  case scrolled(Double)
  /// A new day has begun.
  case today(CivilDate)
  /// A pointer went down on a row; the engine finds out what comes of it.
  case press(RowRef, PointerInput, DragPoint, at: Int64)
  /// A row is lifted, for hosts that recognise that themselves.
  case lift(RowRef, PointerInput, DragPoint, at: Int64)
  /// The pointer moved.
  case moved(DragPoint, at: Int64)
  /// The pointer went up.
  case released(DragPoint, at: Int64)
  /// Whatever goes on is over.
  case cancelled(CancelReason, at: Int64)
  /// A new picture is drawn.
  case tick(at: Int64)
  /// A timer has run down.
  case timer(TimerID, at: Int64)
  /// A key was pressed while a row had the focus.
  case key(ReorderKey, RowRef?, at: Int64)
  /// An action was chosen in a menu or by a screen reader.
  case action(ItemID, RowAction, at: Int64)
  /// Something is dragged in from another program.
  case external(ExternalPhase, at: Int64)
  /// A row is swiped sideways.
  case swipe(SwipePhase)
  /// The list is pulled down at its top.
  case pull(PullPhase)
  /// Two fingers pull rows apart.
  case pinch(PinchPhase)
  /// A text is edited.
  case edit(EditPhase)
  /// An item is to be deleted.
  case delete(ItemID)
  /// Undo was chosen, in a menu or by a key.
  case undo(at: Int64)
  /// Redo was chosen.
  case redo(at: Int64)
  /// The button of a toast was chosen.
  case toast(Toast.Button, at: Int64)
  /// A commit is in the document, which was told before; with the item that it added.
  case committed(CommitID, ItemID?, at: Int64)
  /// A commit could not be written, at once or later on; the document was told before.
  case commitFailed(CommitID, at: Int64)
  /// What came of an undo or redo; the document was told before.
  case turned(TurnReport, at: Int64)
}

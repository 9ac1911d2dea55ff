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
  case action(ItemID, ReorderAction, at: Int64)
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
  /// Undo was chosen.
  case undo(at: Int64)
  /// A commit was taken back, or not because it was changed since.
  case reverted(CommitID, Bool, at: Int64)
  /// A commit could not be written.
  case commitFailed(CommitID, at: Int64)
}

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
  /// Gives up.
  case escape
  /// Does nothing.
  case tab
}

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

/// What is dragged in from another program.
public struct DragPayload: Hashable, Sendable {
  /// What kind of item it would be.
  public enum Kind: String, Hashable, Sendable {
    /// It may stand anywhere.
    case custom
    /// It is bound to the games of its cities.
    case travel
    /// It goes to its own day and time.
    case game
    /// It cannot be taken.
    case other
  }

  /// What kind of item it would be.
  public var kind: Kind

  /// What it would hold.
  public var fields: Fields

  /// How high its row would be.
  public var height: Double

  /// Describes what is dragged in.
  public init(_ kind: Kind, _ fields: Fields, height: Double) {
    self.kind = kind
    self.fields = fields
    self.height = height
  }
}

/// How something from another program moves.
public enum ExternalPhase: Hashable, Sendable {
  /// It came.
  case entered(DragPayload, DragPoint)
  /// It moved.
  case moved(DragPoint)
  /// It left.
  case left
  /// It was let go.
  case dropped(DragPoint)
}

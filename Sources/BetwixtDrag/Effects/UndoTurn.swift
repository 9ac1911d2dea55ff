/// Which way steps are taken.
public enum UndoTurn: Hashable, Sendable {
  /// The newest step is taken back; if a commit is named, only while its step is the newest.
  case undo(CommitID?)
  /// The step that was taken back last is made again.
  case redo
  /// What the last undo or redo kept for others' sake is taken as well.
  case insist
}

/// What came of an ``UndoTurn``.
public struct TurnReport: Hashable, Sendable {
  /// Why a step was left as it is.
  public enum Reason: String, Hashable, Sendable {
    /// Somebody wrote there since.
    case changed
    /// Somebody added to an item that would go.
    case added
    /// Somebody else removed the item as well.
    case removed
    /// Somebody else brought the item back.
    case restored
    /// Nothing more is known of the item.
    case gone
  }

  /// What came of it.
  public enum Outcome: Hashable, Sendable {
    /// All of it was done.
    case done
    /// It was done, but somebody else has removed the item, so nothing is seen.
    case doneUnseen
    /// The item is back, with what others have written in it.
    case doneWithChanges
    /// Something was kept as it is.
    case kept(Reason)
    /// There is no such step.
    case nothing
    /// It could not be written; the step is there as before.
    case refused
  }

  /// Which way.
  public let turn: UndoTurn

  /// Whose step it was; `nil` if it was none of a commit of this engine.
  public let commit: CommitID?

  /// What the step is called; `nil` if there was none.
  public let name: String?

  /// What came of it.
  public let outcome: Outcome

  /// Reports a turn.
  public init(_ turn: UndoTurn, commit: CommitID?, named name: String? = nil, outcome: Outcome) {
    self.turn = turn
    self.commit = commit
    self.name = name
    self.outcome = outcome
  }
}

/// A short text for all to see, perhaps with a button.
public struct Toast: Hashable, Sendable {
  /// A button, and what it does.
  public enum Button: Hashable, Sendable {
    /// Takes a commit back, while it is the newest.
    case undo(CommitID)
    /// Makes again what was taken back last.
    case redo
    /// Takes back, or makes again, what was kept for others' sake.
    case insist

    /// What the button says in English.
    public var title: String {
      switch self {
      case .undo: "Undo"
      case .redo: "Redo"
      case .insist: "Do it anyway"
      }
    }

    var turn: UndoTurn {
      switch self {
      case .undo(let commit): .undo(commit)
      case .redo: .redo
      case .insist: .insist
      }
    }
  }

  /// What it says.
  public let text: String

  /// Its button; without one it only says something.
  public let button: Button?

  /// Puts one together.
  public init(_ text: String, button: Button? = nil) {
    self.text = text
    self.button = button
  }
}

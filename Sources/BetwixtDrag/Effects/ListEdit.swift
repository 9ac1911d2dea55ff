public import Betwixt
public import BetwixtTrips

/// One write of a commit.
public enum ListEdit: Hashable, Sendable {
  /// An item goes into a gap.
  case move(ItemID, Gap)
  /// A new item goes into a gap.
  case insert(Fields, Gap)
  /// A game goes where its start says.
  case addGame(Fields)
  /// A field of an item gets a value.
  case set(ItemID, FieldName, FieldValue)
  /// An item is removed.
  case remove(ItemID)
}

/// What a commit does, as one would call it.
public struct EditStep: Hashable, Sendable {
  /// The kinds of steps.
  public enum Kind: String, Hashable, Sendable {
    /// An item goes to another gap.
    case move
    /// An item is added.
    case addition
    /// An item is removed.
    case removal
    /// A task is completed.
    case completion
    /// A text is changed.
    case change
    /// Something that was not done here, with its name for a title.
    case other
  }

  /// What it does.
  public let kind: Kind

  /// The item's title, at most its first 200 characters.
  public let title: String

  /// Names a step.
  ///
  /// - Parameters:
  ///   - kind: What it does.
  ///   - title: The item's title; it is said aloud, so the end of a very long one is left out.
  public init(_ kind: Kind, title: String) {
    self.kind = kind
    let start = title.prefix(EditStep.titleLimit)
    self.title = start.endIndex == title.endIndex ? title : start + "…"
  }

  private static let titleLimit = 200

  /// The step in English, such as “Move Lunch”.
  public var name: String {
    switch kind {
    case .move: "Move \(title)"
    case .addition: "Add \(title)"
    case .removal: "Remove \(title)"
    case .completion: "Complete \(title)"
    case .change: "Change \(title)"
    case .other: title
    }
  }

  /// The word that a sentence about the step begins with.
  var noun: String {
    switch kind {
    case .move: "Move"
    case .addition: "Addition"
    case .removal: "Removal"
    case .completion: "Completion"
    case .change: "Change"
    case .other: "“\(title)”"
    }
  }
}

/// The number of a commit, from 1.
public struct CommitID: Hashable, Sendable {
  /// The number.
  public let number: Int

  /// Names a commit.
  public init(_ number: Int) { self.number = number }
}

/// What an undo or a redo did, and what it left alone because somebody else wrote there.
///
/// It holds all that a message needs: whose write stood in the way, what it says, and when it was
/// made. A front end that knows names can say "Bob changed Dinner since", with a button for
/// ``UndoHistory/insist(in:by:window:)``.
public struct UndoResult: Hashable, Sendable {
  /// Which way a step was taken.
  public enum Direction: Hashable, Sendable {
    /// Back.
    case undo
    /// Forth again.
    case redo
  }

  /// An item whose part of the step was taken back, or made again.
  public struct Done: Hashable, Sendable {
    /// Which item; ``ItemID/root`` for the metadata of the list.
    public let item: ItemID

    /// What was written, rising by register.
    public let registers: [Register]

    /// The removal that hides the item, if it is removed and this step did not do that: its
    /// registers are as they were, and it shows them as soon as somebody restores it.
    public let removal: Entry?

    /// What others wrote in an item that came back; it shows their change.
    public let othersWrites: [Entry]
  }

  /// An item whose part of the step was left as it is.
  public struct Kept: Hashable, Sendable {
    /// Which item; ``ItemID/root`` for the metadata of the list.
    public let item: ItemID

    /// What stood in the way, rising by register; at least one.
    public let obstacles: [Obstacle]
  }

  /// A register that others have written, so that an item was kept.
  public struct Obstacle: Hashable, Sendable {
    /// What was done to it.
    public enum Reason: Hashable, Sendable {
      /// Somebody wrote a value or a place since.
      case changed
      /// Somebody wrote in an item that would be removed: the step never wrote this register.
      case added
      /// Somebody else removed the item as well.
      case removed
      /// Somebody removed the item and brought it back.
      case restored
      /// Nothing is known of the register any more: the item was removed and what it held forgotten, or
      /// the list is an older one than the step was made in.
      case gone
    }

    /// Which register.
    public let register: Register

    /// What was done to it.
    public let reason: Reason

    /// The write that it shows: who, when, and what; `nil` if nothing is known any more.
    public let write: Entry?
  }

  /// The step that was taken.
  public let step: UndoHistory.Step

  /// Which way.
  public let direction: Direction

  /// What was taken, rising by item.
  public let done: [Done]

  /// What was kept for others' sake, rising by item.
  public let kept: [Kept]

  /// Whether everything was taken.
  public var isWhole: Bool { kept.isEmpty }
}

/// Two concurrent writes of one register: neither writer knew the other's.
///
/// The loser is gone from the list; only the report of the merge that decided knows it.
public struct Conflict: Hashable, Sendable {
  /// The write that the register holds now.
  public let winner: Entry

  /// The write that lost.
  public let loser: Entry

  /// Whether the write that lost stood in this list; otherwise it came with the merge.
  public let lostHere: Bool

  /// Whose register.
  public var item: ItemID { winner.item }

  /// Which register.
  public var register: Register { winner.register }
}

/// Two concurrent writes of one register: neither writer knew the other's.
///
/// The loser is gone from the list; only the report of the merge that decided knows it. What one
/// replica wrote later is no conflict with what it wrote before, in whatever order both arrive. Of two
/// replicas' writes that arrive the wrong way round it cannot be told any more that one knew the other.
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

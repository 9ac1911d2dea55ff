/// An item that one side removed while the other, not knowing it, edited or moved it.
///
/// The item is not shown. The edits lie in it and come back with it:
///
///     let changes = list.merge(theirs)
///     for conflict in changes.removalConflicts where conflict.lostHere {
///       try list.restore(conflict.item, by: &me)  // "keep this"
///     }
public struct RemovalConflict: Hashable, Sendable {
  /// The removal: what the item's life holds now.
  public let removal: Entry

  /// The edits and the move that are not shown for it, rising by register.
  public let edits: [Entry]

  /// Whether the edits are those of this list, and the removal came with the merge; otherwise the
  /// edits came, to an item that was removed here.
  public let lostHere: Bool

  /// Which item.
  public var item: ItemID { removal.item }

  /// The conflict with some of its edits alone.
  ///
  /// - Parameter isKept: Whether an edit stays.
  /// - Returns: The conflict; `nil` if no edit stays.
  package func keepingEdits(where isKept: (Entry) -> Bool) -> RemovalConflict? {
    let edits = edits.filter(isKept)
    guard !edits.isEmpty else { return nil }
    return RemovalConflict(removal: removal, edits: edits, lostHere: lostHere)
  }
}

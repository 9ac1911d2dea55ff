/// What a merge changed in a list, by id and by place.
///
/// Old places are those before the merge, new places those after it. Applied to a copy of the old
/// order as ``apply(to:inserting:)`` does it, they give the new one.
public struct ListChanges: Hashable, Sendable {
  /// An item that is no longer shown.
  public struct Removal: Hashable, Sendable {
    /// Which item.
    public let id: ItemID
    /// Where it stood.
    public let oldIndex: Int
  }

  /// An item that is shown now: new, or restored.
  public struct Insertion: Hashable, Sendable {
    /// Which item.
    public let id: ItemID
    /// Where it stands.
    public let newIndex: Int
  }

  /// An item that got another position; its places may still be equal.
  public struct Move: Hashable, Sendable {
    /// Which item.
    public let id: ItemID
    /// Where it stood.
    public let oldIndex: Int
    /// Where it stands.
    public let newIndex: Int
  }

  /// An item that is shown as before, with registers other than life and position whose values
  /// changed.
  public struct Update: Hashable, Sendable {
    /// Which item.
    public let id: ItemID
    /// Where it stood.
    public let oldIndex: Int
    /// Where it stands.
    public let newIndex: Int
    /// What has another value, rising; another write of the same value changes nothing.
    public let registers: [Register]
  }

  /// Items no longer shown, rising by old place.
  public internal(set) var removed: [Removal] = []

  /// Items shown now, rising by new place.
  public internal(set) var inserted: [Insertion] = []

  /// Items that moved, rising by new place.
  public internal(set) var moved: [Move] = []

  /// Items whose content changed, rising by new place; an item may have moved as well.
  public internal(set) var updated: [Update] = []

  /// Registers of the root item whose values changed: the list's metadata.
  public internal(set) var metadata: [Register] = []

  /// Concurrent writes of one register, with different values, of which one lost.
  ///
  /// Rising by item and register. The delta's ``Delta/context`` tells what its sender had seen; of
  /// a delta that says nothing of it every difference counts as concurrent.
  public package(set) var conflicts: [Conflict] = []

  /// Items that are removed, with edits that whoever removed them had not seen; rising by item.
  public package(set) var removalConflicts: [RemovalConflict] = []

  package init() {}

  /// Whether nothing that is shown changed and no write lost.
  public var isEmpty: Bool {
    removed.isEmpty && inserted.isEmpty && moved.isEmpty && updated.isEmpty && metadata.isEmpty
      && conflicts.isEmpty && removalConflicts.isEmpty
  }

  /// Brings a mirror of the old order to the new one.
  ///
  ///     var rows = list.map(\.id)
  ///     list.merge(theirs).apply(to: &rows) { $0 }  // rows == list.map(\.id)
  ///
  /// - Parameters:
  ///   - mirror: One element per visible item, as they stood before.
  ///   - make: Makes the element of an item that was not shown before.
  /// - Precondition: The mirror has as many elements as the list had items.
  /// - Complexity: O(*n* + *k* log *k*) for *k* changes
  public func apply<Element>(
    to mirror: inout [Element], inserting make: (ItemID) -> Element
  ) {
    guard !(removed.isEmpty && inserted.isEmpty && moved.isEmpty) else { return }
    var leaving = removed.map { $0.oldIndex } + moved.map { $0.oldIndex }
    leaving.sort()
    var coming = inserted.map { (index: $0.newIndex, element: make($0.id)) }
    coming += moved.map { (index: $0.newIndex, element: mirror[$0.oldIndex]) }
    coming.sort { $0.index < $1.index }
    var result: [Element] = []
    result.reserveCapacity(mirror.count + inserted.count)
    var nextLeaving = 0
    var nextComing = 0
    func takeComing() {
      while nextComing < coming.count, coming[nextComing].index == result.count {
        result.append(coming[nextComing].element)
        nextComing += 1
      }
    }
    for index in mirror.indices {
      if nextLeaving < leaving.count, leaving[nextLeaving] == index {
        nextLeaving += 1
        continue
      }
      takeComing()
      result.append(mirror[index])
    }
    takeComing()
    mirror = result
  }

  mutating func sort() {
    removed.sort { $0.oldIndex < $1.oldIndex }
    inserted.sort { $0.newIndex < $1.newIndex }
    moved.sort { $0.newIndex < $1.newIndex }
    updated.sort { $0.newIndex < $1.newIndex }
  }
}

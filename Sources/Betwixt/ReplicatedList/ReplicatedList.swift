/// An ordered list that several devices edit offline and merge later.
///
/// A list is a set of items; an item is a few registers; a register holds the greatest write it
/// has seen. Everything else follows from that.
///
///     var list = ReplicatedList(id: tripID)
///     let lunch = try list.append(["title": "Lunch"], by: &me)
///     try list.append(["title": "Museum"], by: &me)
///     try list.move(lunch, toOffset: 2, by: &me)   // Museum, Lunch
///     let changes = list.merge(theirs)             // never throws, in any order, any number of times
///
/// # Convergence
/// Merging takes the greatest write of each register under a total order on content: time,
/// replica, value, number. It is commutative, associative and idempotent, so all who hold the same
/// writes hold the same list, whatever way the writes came.
///
/// # Copies and replicas
/// A list is a value without identity. Copying takes O(1); an edit after a copy copies the pages it
/// touches and nothing else. Whoever edits passes a ``Replica``.
///
/// # Moves
/// Section and sort key are one register, so a move is one write, an item is always in exactly one
/// place, and two concurrent moves of one item leave it where the later one put it.
///
/// # Performance
/// Place -> item, id -> item and id -> place take O(log *n*). Only merging or encoding of whole
/// lists is O(*n*).
///
/// # Memory and removed items
/// A removed item keeps its registers, so that restoring it brings back what was edited meanwhile,
/// until ``forget(below:)`` lets them go: then that it was removed is all that is kept of it. Removed
/// items stay reachable by id.
///
/// # What it is not
/// It is no `MutableCollection` and no `RangeReplaceableCollection`: assigning to a place would
/// delete one item and insert another, and throw concurrent edits of the first away.
public struct ReplicatedList: Sendable {
  /// The name of the list, the same on every device.
  public let id: ListID

  var store = ItemStore()
  var order = OrderTree()
  var index = IDIndex()
  var registers = RegisterTable()
  var replicas = ReplicaTable()

  /// Up to which writes this list has forgotten what removed items held.
  ///
  /// It is part of the state and joins when lists merge; empty in a list that never forgot. See
  /// ``forget(below:)``.
  public internal(set) var floor = VersionVector()

  /// Makes an empty list.
  ///
  /// - Parameter id: Its name; copies that are to merge share it.
  public init(id: ListID) {
    self.id = id
  }

  /// For each replica, the number up to which this list knows all writes.
  ///
  /// - Complexity: O(*r* log *r*) for *r* replicas
  public var version: VersionVector { replicas.version }

  /// The greatest number of a replica that this list claims or has seen; 0 if there is none.
  ///
  /// What was written behind something that is missing is not claimed.
  ///
  /// - Complexity: O(1)
  package func lastNumber(of replica: ReplicaID) -> Int64 {
    replicas.index(of: replica).map { replicas.rows[Int($0)].highest } ?? 0
  }

  func slot(_ id: ItemID) -> Slot? { index.slot(of: id, in: store) }

  /// The slot of an item, made for it if nothing of it was known.
  mutating func slotMaking(_ id: ItemID) -> Slot {
    if let slot = slot(id) { return slot }
    let slot = store.append(id)
    index.insert(id, at: slot)
    return slot
  }
}

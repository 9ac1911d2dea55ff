extension ReplicatedList {
  /// Lets go what removed items held: of each item whose removal lies at or below the floor only
  /// that it was removed is kept, and what was written above the floor.
  ///
  /// Nothing that is shown changes, no removed item comes back, and no acknowledgement is needed:
  /// who was away for years merges as before. What is lost is what restoring would have brought
  /// back. The floor goes wherever the list goes: it is joined by merging, written with the list and
  /// said in sync.
  ///
  ///     let count = list.forget(below: list.version)  // all that was removed so far
  ///     list[id: lunch]?.isForgotten                  // true
  ///
  /// A polite host forgets below what all devices that it knows have acknowledged, and nothing that
  /// is younger than some weeks.
  ///
  /// - Parameter floor: For each replica the number up to which. What goes beyond ``version`` does
  ///   not count: nobody can forget what is yet to be written.
  /// - Returns: How many registers went.
  /// - Complexity: O(*n*)
  @discardableResult
  public mutating func forget(below floor: VersionVector) -> Int {
    raise(to: floor.intersection(version))
  }

  /// Joins a floor, whatever is known here, and brings all items into normal form.
  @discardableResult
  package mutating func raise(to other: VersionVector) -> Int {
    guard !other.isEmpty, !floor.covers(other) else { return 0 }
    floor.formUnion(other.believable)
    let numbers = replicas.rows.map { floor[$0.id] }
    let count = store.forgetAll { $1 <= numbers[Int($0)] }
    checkInvariants()
    return count
  }

  /// Brings an item that was written into normal form.
  mutating func normalize(_ slot: Slot) {
    guard !floor.isEmpty else { return }
    let (floor, replicas) = (floor, replicas)
    store.forget(slot) { floor.covers(Dot(replica: replicas[$0], sequence: $1)) }
  }

  /// Whether an item was removed at or below the floor, so that what is not there may have been.
  func isForgotten(_ slot: Slot) -> Bool {
    guard !floor.isEmpty else { return false }
    let record = store.record(slot)
    guard record.life.isWritten, !record.isAlive, record.id != .root else { return false }
    return floor.covers(Dot(replica: replicas[record.life.replica], sequence: record.life.sequence))
  }
}

extension VersionVector {
  /// The same without numbers that nobody reaches, so that each replica has numbers above the floor
  /// left to write with.
  fileprivate var believable: VersionVector {
    guard contains(where: { $0.sequence > EditSession.greatestBelieved }) else { return self }
    return VersionVector(
      map {
        Component(
          replica: $0.replica, sequence: Swift.min($0.sequence, EditSession.greatestBelieved))
      })
  }
}

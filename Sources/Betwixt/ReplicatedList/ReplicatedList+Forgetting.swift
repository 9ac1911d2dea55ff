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

  /// The version up to which everything that is held is older than a time: what a host forgets below
  /// that keeps what is younger.
  ///
  ///     let month: Int64 = 30 * 86_400_000
  ///     list.forget(below: list.version(olderThan: Timestamp(milliseconds: now - month)))
  ///
  /// - Parameter time: By the clocks of those who wrote.
  /// - Returns: A version that this list's own covers.
  /// - Complexity: O(*n*)
  public func version(olderThan time: Timestamp) -> VersionVector {
    var known = replicas.rows.map { $0.known }
    func note(_ replica: UInt32, sequence: Int64, written: UInt64) {
      guard written >= time.rawValue else { return }
      known[Int(replica)] = Swift.min(known[Int(replica)], sequence - 1)
    }
    for branch in store.branches {
      for page in branch.pages {
        for place in 0..<page.itemCount {
          let item = page.item(place)
          if item.life.isWritten {
            note(item.life.replica, sequence: item.life.sequence, written: item.life.time)
          }
        }
        for index in 0..<page.contentCount {
          let position = page.content(at: index).position
          guard position.isWritten else { continue }
          note(position.replica, sequence: position.sequence, written: position.time)
        }
        for index in 0..<page.fieldCount {
          let field = page.field(Int32(index))
          note(field.replica, sequence: field.sequence, written: field.time)
        }
      }
    }
    return VersionVector(
      zip(replicas.rows, known).filter { $1 > 0 }.map { row, sequence in
        VersionVector.Component(replica: row.id, sequence: sequence)
      })
  }

  /// How many items were removed at or below the floor.
  ///
  /// - Complexity: O(*n*)
  public var forgottenItemCount: Int {
    floor.isEmpty ? 0 : (0..<store.count).count { isForgotten(Slot($0)) }
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
  package var believable: VersionVector {
    guard contains(where: { $0.sequence > Edit.greatestBelieved }) else { return self }
    return VersionVector(
      map {
        Component(
          replica: $0.replica, sequence: Swift.min($0.sequence, Edit.greatestBelieved))
      })
  }
}

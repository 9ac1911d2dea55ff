// How much a list holds: what a session asks before it takes more.

extension ReplicatedList {
  /// The items of which anything is known, removed ones and the root included.
  package var knownItemCount: Int { store.count }

  /// The items that have a life and, unless they are removed, a position, as every item does once all
  /// of it is here.
  package var completeItemCount: Int { store.completeCount }

  /// The replicas of which anything is known.
  package var knownReplicaCount: Int { replicas.rows.count }

  /// Whether anything of an item is known.
  ///
  /// - Complexity: O(log *n*)
  package func knows(_ item: ItemID) -> Bool { slot(item) != nil }

  /// Whether anything of a replica is known.
  package func knows(_ replica: ReplicaID) -> Bool { replicas.index(of: replica) != nil }

  /// The number up to which all writes of a replica are known.
  package func known(of replica: ReplicaID) -> Int64 {
    replicas.index(of: replica).map { replicas.rows[Int($0)].known } ?? 0
  }

  /// The registers of an item other than its life and position.
  ///
  /// - Complexity: O(log *n*), and O(*f*) for *f* fields
  package func fieldRegisters(of item: ItemID) -> [Register] {
    guard let slot = slot(item) else { return [] }
    var found: [Register] = []
    store.page(slot).forEachEntry(of: slot.place, registers: registers, replicas: replicas) {
      entry in
      switch entry.register {
      case .life, .position: break
      default: found.append(entry.register)
      }
    }
    return found
  }

  /// The entry that a register holds.
  ///
  /// - Complexity: O(log *n*), and O(*f*) for *f* fields
  package func entry(at address: RegisterAddress) -> Entry? {
    guard let slot = slot(address.item) else { return nil }
    var found: Entry?
    store.page(slot).forEachEntry(of: slot.place, registers: registers, replicas: replicas) {
      entry in
      if entry.register == address.register { found = entry.entry }
    }
    return found
  }
}

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
  /// Who asks for many asks for ``entries(at:)``.
  ///
  /// - Complexity: O(log *n*), and O(*f*) for *f* fields
  package func entry(at address: RegisterAddress) -> Entry? {
    guard let slot = slot(address.item) else { return nil }
    return entry(at: address.register, of: slot)?.entry
  }

  private func entry(at register: Register, of slot: Slot) -> RawEntry? {
    store.page(slot).entry(of: slot.place, at: register, registers: registers, replicas: replicas)
  }

  /// The entries that some registers hold, in the order of the addresses.
  ///
  /// - Complexity: O(*k* log *n*) for *k* addresses, and O(*k* log *k*) if they do not rise; O(*f*) for
  ///   each item with *f* fields, however many of them are asked for
  package func entries(at addresses: [RegisterAddress]) -> [Entry?] {
    var found = [Entry?](repeating: nil, count: addresses.count)
    forEachEntry(at: addresses) { place, entry in found[place] = entry.entry }
    return found
  }

  /// Which of some rows of a delta are the very writes that their registers hold.
  ///
  /// - Complexity: as for ``entries(at:)``
  package func holds(_ rows: [Delta.Row], of delta: Delta) -> [Bool] {
    var isHeld = [Bool](repeating: false, count: rows.count)
    let addresses = rows.map { RegisterAddress($0.item, register: delta.register($0.register)) }
    forEachEntry(at: addresses) { place, entry in
      isHeld[place] = entry.isSameWrite(as: delta.raw(rows[place]))
    }
    return isHeld
  }

  /// Which of some rows of a delta win over what their registers hold, or are of registers that hold
  /// nothing.
  ///
  /// - Complexity: as for ``entries(at:)``
  func lacks(_ rows: [Delta.Row], of delta: Delta) -> [Bool] {
    var isNews = [Bool](repeating: true, count: rows.count)
    let addresses = rows.map { RegisterAddress($0.item, register: delta.register($0.register)) }
    forEachEntry(at: addresses) { place, entry in
      isNews[place] = entry.isLess(than: delta.raw(rows[place]))
    }
    return isNews
  }

  /// Calls a closure with the places of addresses and the entries that are there, passing over each item
  /// once.
  func forEachEntry(at addresses: [RegisterAddress], _ body: (Int, RawEntry) -> Void) {
    let order = addresses.indices.sorted { addresses[$0].isBefore(addresses[$1]) }
    var start = 0
    while start < order.count {
      let item = addresses[order[start]].item
      var end = start + 1
      while end < order.count, addresses[order[end]].item == item { end += 1 }
      if let slot = slot(item) { forEachEntry(at: addresses, order[start..<end], of: slot, body) }
      start = end
    }
  }

  private func forEachEntry(
    at addresses: [RegisterAddress], _ rising: ArraySlice<Int>, of slot: Slot,
    _ body: (Int, RawEntry) -> Void
  ) {
    if rising.count == 1, let place = rising.first {
      if let entry = entry(at: addresses[place].register, of: slot) { body(place, entry) }
      return
    }
    var next = rising.startIndex
    store.page(slot).forEachEntry(of: slot.place, registers: registers, replicas: replicas) {
      entry in
      while next < rising.endIndex, addresses[rising[next]].register < entry.register { next += 1 }
      while next < rising.endIndex, addresses[rising[next]].register == entry.register {
        body(rising[next], entry)
        next += 1
      }
    }
  }
}

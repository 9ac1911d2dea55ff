// Making a list well again that has taken what no policy would let in.

extension ReplicatedList {
  /// The writes that a policy would not let in: a clock was wrong, or somebody meant harm.
  ///
  ///     for write in list.poisoned(under: AdmissionPolicy(now: clock())) { print(write) }
  ///
  /// - Parameter policy: What is asked of others.
  /// - Returns: The writes, rising by item and register.
  /// - Complexity: O(*n*), a few numbers of each page; O(*k* log *k*) for *k* items of pages that hold any
  public func poisoned(under policy: AdmissionPolicy) -> [WithheldWrite] {
    var found: [WithheldWrite] = []
    for slot in slots(under: policy) {
      store.page(slot).forEachEntry(of: slot.place, registers: registers, replicas: replicas) {
        raw in
        guard policy.mayObject(to: raw) else { return }
        let entry = raw.entry
        if let reason = policy.objection(to: entry) {
          found.append(WithheldWrite(entry, because: reason))
        }
      }
    }
    return found
  }

  /// The items of all pages on which something may not be let in, rising by id.
  private func slots(under policy: AdmissionPolicy) -> [Slot] {
    var slots: [Slot] = []
    var first = 0
    for branch in store.branches {
      for page in branch.pages {
        if policy.mayObject(to: page) {
          slots += (first..<first + page.itemCount).map { Slot($0) }
        }
        first += page.itemCount
      }
    }
    return slots.sorted { store.id($0) < store.id($1) }
  }

  /// This list with some of its writes made again: the same values, at the present time, by another
  /// writer.
  ///
  /// Items stay where they are. A causal length that is too great to follow becomes the least one
  /// that means the same. Nothing is claimed of the numbers of the writes that are gone, and whoever
  /// still holds one of them can bring it back.
  ///
  ///     let poisoned = list.poisoned(under: policy).map(\.entry)
  ///     list = try list.rewriting(poisoned, by: &someoneNew)
  ///
  /// - Parameters:
  ///   - writes: Entries of this list; others are passed over.
  ///   - replica: Who writes; nobody who wrote one of them.
  /// - Returns: A list of its own history: it replaces this one, and is not merged with it.
  /// - Throws: ``EditFailure`` if there are no numbers left.
  /// - Complexity: O(*n* log *n*)
  public func rewriting(
    _ writes: [Entry], by replica: inout Replica
  ) throws(EditFailure) -> ReplicatedList {
    let items = Set(writes.map { $0.item })
    let writes = Set(writes)
    let all = everything()
    let gone = all.rows.indices.filter { index in
      items.contains(all.rows[index].item) && writes.contains(all.entry(all.rows[index]))
    }
    guard !gone.isEmpty else { return self }
    var healed = ReplicatedList(id: id)
    healed.join(all.leavingOut(gone).claiming(below: gone.map { all.rows[$0] }))
    try healed.edit(by: &replica, writes: gone.count) { edit throws(EditFailure) in
      for index in gone { try edit.heal(all.entry(all.rows[index])) }
    }
    return healed
  }
}

extension Edit {
  fileprivate mutating func heal(_ entry: Entry) throws(EditFailure) {
    let slot = list.slotMaking(entry.item)
    switch entry.value {
    case .life(let length): try heal(life: length, of: slot)
    case .position(let section, let key): try heal(key, inSection: section, of: slot)
    case .field, .other: try heal(entry, of: slot)
    }
  }

  private mutating func heal(life length: UInt64, of slot: Slot) throws(EditFailure) {
    let isHonest = AdmissionPolicy(now: nil).allows(length, at: now.rawValue)
    try write(life: isHonest ? length : 2 - length & 1, of: slot, time: now.rawValue)
    list.show(slot)
  }

  private mutating func heal(_ entry: Entry, of slot: Slot) throws(EditFailure) {
    let register = list.registers.insert(entry.register)
    list.setField(
      of: slot,
      to: FieldRecord(
        time: now.rawValue, sequence: try next(), value: ByteArena.Reference(), replica: writer,
        name: register, next: FieldRecord.none),
      value: ContiguousArray(entry.value.canonicalBytes).span)
  }

  /// Puts an item where it stood: the same key, as another's write.
  private mutating func heal(
    _ key: SortKey, inSection section: Int64, of slot: Slot
  ) throws(EditFailure) {
    replica.scratch.removeAll(keepingCapacity: true)
    replica.scratch.append(contentsOf: key.bytes)
    try putByKey(slot, inSection: section)
  }
}

extension Delta {
  /// The same entries without claims of rows that were left out, or of what comes behind them.
  fileprivate func claiming(below rows: [Row]) -> Delta {
    var floors: [ReplicaID: Int64] = [:]
    for row in rows {
      let replica = replicas[row.replica]
      floors[replica] = Swift.min(floors[replica] ?? .max, row.sequence)
    }
    return keeping(
      ranges.compactMap { range in
        let through = Swift.min(range.through, (floors[range.replica] ?? .max) - 1)
        return through > range.after
          ? CoveredRange(replica: range.replica, after: range.after, through: through) : nil
      })
  }
}

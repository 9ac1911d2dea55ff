// What a merge will do, found before anything is changed.

extension ReplicatedList {
  /// Compares each row with what its register holds.
  ///
  /// - Complexity: O(*k* log *n*) for *k* rows, and O(*f*) for each item with *f* fields
  mutating func plan(_ delta: Delta, through map: inout TableMap) -> MergePlan {
    var plan = MergePlan(itemCount: store.count)
    plan.winners.reserveCapacity(delta.rows.count)
    var start = 0
    while start < delta.rows.count {
      let item = delta.rows[start].item
      var end = start + 1
      while end < delta.rows.count, delta.rows[end].item == item { end += 1 }
      let slot = slotMaking(item)
      self.plan(start..<end, of: slot, in: delta, through: &map, plan: &plan)
      if plan.isNew(slot) { store.packIfFull(slot) }
      start = end
    }
    return plan
  }

  /// Compares the rows of one item.
  private mutating func plan(
    _ rows: Range<Int>, of slot: Slot, in delta: Delta, through map: inout TableMap,
    plan: inout MergePlan
  ) {
    // Of most items that are forgotten here and there nothing comes but a life that is known.
    if rows.count == 1, isLifeHeld(delta.rows[rows.lowerBound], at: slot, in: delta) { return }
    let first = plan.winners.count
    var field = store.firstField(slot)
    let forgetting =
      floor.isEmpty
      ? Forgetting()
      : forgetting(rows.lowerBound, of: slot, field: &field, in: delta, through: &map)
    for index in rows {
      let row = delta.rows[index]
      // What goes under the floor goes before it is compared, so that it keeps nothing else out.
      if forgetting.takesRows, row.register != .life, floor.covers(delta.dot(row)) { continue }
      let held = present(row, at: slot, from: &field, in: delta, through: &map)
      guard let present = held,
        !forgetting.takesHeld || row.register == .life || !isBelow(present)
      else {
        // "No value" is what a register holds that was never written.
        let isValue = delta.isValue(row)
        plan.add(winner: index, of: slot, register: row.register, changesValue: isValue)
        continue
      }
      let order = compare(row, in: delta, present: present)
      guard order != 0 else { continue }
      let isConcurrent = isConcurrent(row, in: delta, present: present)
      guard order > 0 || isConcurrent else { continue }
      let changesValue = !holdsSameValue(row, in: delta, present: present)
      if isConcurrent, changesValue {
        plan.conflicts.append(conflict(row, in: delta, present: present, rowWins: order > 0))
      }
      if order > 0 {
        plan.add(winner: index, of: slot, register: row.register, changesValue: changesValue)
      }
    }
    let winners = plan.winners[first...]
    if let conflict = removalConflict(rows, winners: winners, of: slot, in: delta) {
      plan.removalConflicts.append(conflict)
    }
  }

  /// What the floor takes of an item before its registers are compared.
  private struct Forgetting {
    /// Of the delta's rows: what the sender would drop under this floor, whichever life is greater,
    /// so that two whole lists are merged in either order.
    var takesRows = false
    /// Of what is held here.
    var takesHeld = false
  }

  private mutating func forgetting(
    _ first: Int, of slot: Slot, field: inout Int32, in delta: Delta, through map: inout TableMap
  ) -> Forgetting {
    let row = delta.rows[first]
    let isRowForgotten = delta.isForgotten(first, below: floor)
    var isForgotten = isForgotten(slot)
    if row.register == .life {
      let held = present(row, at: slot, from: &field, in: delta, through: &map)
      if held.map({ compare(row, in: delta, present: $0) > 0 }) ?? true {
        isForgotten = isRowForgotten
      }
    }
    return Forgetting(takesRows: isRowForgotten || isForgotten, takesHeld: isForgotten)
  }

  private func isBelow(_ present: Present) -> Bool {
    floor.covers(Dot(replica: replicas[present.replica], sequence: present.sequence))
  }

  // MARK: What is there

  /// The write that a row's register holds in this list.
  private struct Present {
    var time: UInt64
    var replica: UInt32
    var sequence: Int64
    /// For `life`, which has no bytes.
    var length: UInt64 = 0
    var slot: Slot
    var value: ByteArena.Reference?
  }

  /// The present write of a row's register; the search for a field begins at `field`, which no row
  /// before has passed.
  private mutating func present(
    _ row: Delta.Row, at slot: Slot, from field: inout Int32, in delta: Delta,
    through map: inout TableMap
  ) -> Present? {
    switch row.register {
    case .life:
      let life = store.record(slot).life
      guard life.isWritten else { return nil }
      return Present(
        time: life.time, replica: life.replica, sequence: life.sequence, length: life.length,
        slot: slot)
    case .position:
      let position = store.position(slot)
      guard position.isWritten else { return nil }
      return Present(
        time: position.time, replica: position.replica, sequence: position.sequence, slot: slot)
    default:
      let name = map.register(row.register, in: delta, table: &registers)
      guard let found = store.field(slot, named: name, from: &field, names: registers) else {
        return nil
      }
      return Present(
        time: found.time, replica: found.replica, sequence: found.sequence, slot: slot,
        value: found.value)
    }
  }

  /// Whether a row is the write that is held as the life of an item.
  private func isLifeHeld(_ row: Delta.Row, at slot: Slot, in delta: Delta) -> Bool {
    guard row.register == .life else { return false }
    let life = store.record(slot).life
    return life.isWritten && life.sequence == row.sequence && life.time == row.time
      && life.length == delta.value(row).span.bigEndian()
      && replicas[life.replica] == delta.replicas[row.replica]
  }

  private func value(_ present: Present, register: Delta.RegisterCode) -> ArraySlice<UInt8> {
    switch register {
    case .life:
      var bytes: [UInt8] = []
      bytes.appendBigEndian(present.length)
      return bytes[...]
    case .position:
      return store.page(present.slot).positionValue(present.slot.place)[...]
    default:
      return present.value.map { store.page(present.slot).arena[$0] } ?? []
    }
  }

  /// The order of a row and the write that is present.
  private func compare(_ row: Delta.Row, in delta: Delta, present: Present) -> Int {
    writeOrder(
      (row.time, delta.replicas[row.replica], row.sequence),
      (present.time, replicas[present.replica], present.sequence), isLife: row.register == .life
    ) {
      guard row.register == .life else {
        return compareBytes(delta.value(row), value(present, register: row.register))
      }
      let length = delta.value(row).span.bigEndian()
      return length == present.length ? 0 : length < present.length ? -1 : 1
    }
  }

  private func holdsSameValue(_ row: Delta.Row, in delta: Delta, present: Present) -> Bool {
    let theirs = delta.value(row)
    if row.register == .life { return UInt64(bigEndianBytes: theirs) == present.length }
    guard row.register == .position else {
      return compareBytes(theirs, value(present, register: row.register)) == 0
    }
    let position = store.position(present.slot)
    let section = UInt64(bigEndianBytes: theirs.prefix(8)) ^ 1 << 63
    return section == UInt64(bitPattern: position.section)
      && theirs.count - 8 == position.key.length
      && compareBytes(theirs.dropFirst(8), store.key(present.slot)) == 0
  }

  // MARK: Conflicts

  private func isNew(_ row: Delta.Row, in delta: Delta) -> Bool {
    !replicas.covers(Dot(replica: delta.replicas[row.replica], sequence: row.sequence))
  }

  private func isConcurrent(_ row: Delta.Row, in delta: Delta, present: Present) -> Bool {
    let mine = Dot(replica: replicas[present.replica], sequence: present.sequence)
    // A replica knows what it wrote before, in whatever order that arrives. But one number for two
    // writes of it, or one time, which only life repeats: it was cloned, and what versions say of them
    // is worth nothing.
    guard delta.replicas[row.replica] != mine.replica else {
      return row.sequence == present.sequence || row.register != .life && row.time == present.time
    }
    return !delta.context.covers(mine) && isNew(row, in: delta)
  }

  private func conflict(
    _ row: Delta.Row, in delta: Delta, present: Present, rowWins: Bool
  ) -> Conflict {
    let theirs = delta.entry(row)
    let mine = RawEntry(
      item: row.item, register: theirs.register, time: Timestamp(unchecked: present.time),
      replica: replicas[present.replica], sequence: present.sequence,
      value: value(present, register: row.register)
    ).entry
    return rowWins
      ? Conflict(winner: theirs, loser: mine, lostHere: true)
      : Conflict(winner: mine, loser: theirs, lostHere: false)
  }

  /// Edits that are not shown because the item is removed, by one who had not seen them.
  private func removalConflict(
    _ rows: Range<Int>, winners: ArraySlice<MergePlan.Winner>, of slot: Slot, in delta: Delta
  ) -> RemovalConflict? {
    // The root is never removed, whatever somebody wrote as its life.
    guard !winners.isEmpty, store.id(slot) != .root else { return nil }
    let life = store.record(slot).life
    let wasRemoved = life.isWritten && life.length & 1 == 0
    // Life is the first register, so its row is the first one if it is there at all.
    let winner = winners.first.map { delta.rows[$0.row] }.flatMap {
      $0.register == .life ? $0 : nil
    }
    // Most items are neither removed nor being removed: they cost no entries.
    guard winner.map(delta.isRemoval) ?? wasRemoved else { return nil }
    if let winner, !wasRemoved {
      let remover = delta.replicas[winner.replica]
      let edits =
        isNew(winner, in: delta)
        ? unseenEdits(rows, winners: winners, by: remover, of: slot, in: delta) : []
      return edits.isEmpty
        ? nil : RemovalConflict(removal: delta.entry(winner), edits: edits, lostHere: true)
    }
    let remover = replicas[life.replica]
    guard !delta.context.covers(Dot(replica: remover, sequence: life.sequence)) else { return nil }
    let edits = winners.filter { winner in
      let row = delta.rows[winner.row]
      return row.register != .life && winner.changesValue && isNew(row, in: delta)
        && delta.replicas[row.replica] != remover
    }
    guard !edits.isEmpty,
      let removal = winner.map({ delta.entry($0) }) ?? ListItem(self, at: slot).entries.first
    else { return nil }
    return RemovalConflict(
      removal: removal, edits: edits.map { delta.entry(delta.rows[$0.row]) }, lostHere: false)
  }

  /// What the item holds here, keeps, and neither the delta's sender nor the remover had seen.
  private func unseenEdits(
    _ rows: Range<Int>, winners: ArraySlice<MergePlan.Winner>, by remover: ReplicaID,
    of slot: Slot, in delta: Delta
  ) -> [Entry] {
    var theirs: [Register: RegisterValue] = [:]
    for row in delta.rows[rows] {
      let entry = delta.entry(row)
      theirs[entry.register] = entry.value
    }
    var replaced: Set<Register> = []
    for winner in winners { replaced.insert(delta.register(delta.rows[winner.row].register)) }
    return ListItem(self, at: slot).entries.filter { entry in
      entry.register != .life && !delta.context.covers(entry.dot) && entry.dot.replica != remover
        && !replaced.contains(entry.register) && theirs[entry.register] != entry.value
    }
  }
}

extension Delta {
  /// Whether a row is more than a write of "no value".
  fileprivate func isValue(_ row: Row) -> Bool {
    guard row.count == 1, case .field = register(row.register) else { return true }
    return bytes[row.start] != FieldValue.Tag.cleared
  }

  /// Whether a row of a life says that the item is removed: its length is even.
  fileprivate func isRemoval(_ row: Row) -> Bool {
    (value(row).last ?? 0) & 1 == 0
  }
}

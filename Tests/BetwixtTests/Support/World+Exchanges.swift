import Betwixt

extension World {
  /// The receiver gets what it lacks, claims included.
  func send(from: Int, to: Int) throws(Divergence) {
    guard from != to else { return }
    let (sender, receiver) = (devices[from], devices[to])
    let delta = sender.list.delta(since: receiver.list.version)
    try check(delta, of: sender, for: receiver)
    let whole = receiver.list.merging(sender.list)
    try receiver.take(delta, madeFor: receiver.model, from: sender.model)
    if !hasImpostors {
      try require(receiver.list == whole, "a delta brings other content than the whole list")
      try require(receiver.list.version == whole.version, "a delta brings other claims")
    }
  }

  /// The receiver gets some of what it lacks, in pieces and out of order, some of it twice.
  func sendPart(from: Int, to: Int, seed: Int) throws(Divergence) {
    guard from != to else { return }
    let (sender, receiver) = (devices[from], devices[to])
    var source = ChoiceSource(seed: UInt64(seed))
    let entries = source.shuffled(Array(sender.list.delta(since: receiver.list.version).entries))
    var rest = entries.prefix(source.next(below: entries.count + 1))
    while !rest.isEmpty {
      let size = 1 + source.next(below: 5)
      do {
        try receiver.take(Delta(rest.prefix(size)), madeFor: NaiveList(), from: sender.model)
      } catch let error as Divergence {
        throw error
      } catch {
        throw Divergence("a list's own entry is refused: \(error)")
      }
      rest = rest.dropFirst(source.chance(1, in: 5) ? max(1, size / 2) : size)
    }
  }

  /// The receiver gets what another device lacks.
  func divert(from: Int, madeFor other: Int, to: Int) throws(Divergence) {
    guard from != to else { return }
    let delta = devices[from].list.delta(since: devices[other].list.version)
    try devices[to].take(delta, madeFor: devices[other].model, from: devices[from].model)
  }

  /// The receiver takes in a whole list.
  func merge(from: Int, to: Int) throws(Divergence) {
    guard from != to else { return }
    let (sender, receiver) = (devices[from], devices[to])
    let conflicts = receiver.expectedConflicts(sender.model.entries, sender.list.version)
    let hidden = receiver.expectedRemovals(sender.model.entries, sender.list.version)
    let before = receiver.model
    receiver.model.join(sender.model)
    let changes = receiver.list.merge(sender.list)
    try receiver.check(changes, conflicts, hidden, before)
  }

  /// A delta holds exactly the entries above the receiver's claims, and claims what is missing.
  private func check(_ delta: Delta, of sender: Device, for receiver: Device) throws(Divergence) {
    let known = receiver.model.version
    let lacking = sender.model.entries.filter { $0.sequence > known[$0.dot.replica] ?? 0 }
    try require(Array(delta.entries) == lacking, "sends \(Array(delta.entries)), not \(lacking)")
    try require(delta.count == lacking.count, "counts \(delta.count) entries")
    let ranges = sender.model.version.filter { $0.value > known[$0.key] ?? 0 }
    try require(delta.ranges.count == ranges.count, "claims \(delta.ranges), not \(ranges)")
    for range in delta.ranges {
      try require(
        range.after == known[range.replica] ?? 0 && range.through == ranges[range.replica],
        "claims \(range), not \(ranges)")
    }
    try require(delta.context == sender.list.version, "context \(delta.context)")
  }
}

extension Device {
  /// Merges a delta into the list and the model.
  ///
  /// Its ranges count only for who knows what the delta was made for: a write that they cover may
  /// have been replaced by one that was left out because it is known there.
  func take(
    _ delta: Delta, madeFor other: NaiveList, from sender: NaiveList
  ) throws(Divergence) {
    let mayClaim = other.version.allSatisfy { replica, sequence in
      // What the sender never saw cannot have made it leave anything out.
      model.version[replica] ?? 0 >= min(sequence, sender.highestSequence(of: replica))
    }
    let conflicts = expectedConflicts(Array(delta.entries), delta.context)
    let hidden = expectedRemovals(Array(delta.entries), delta.context)
    let before = model
    for entry in delta.entries { model.join(entry) }
    for range in delta.ranges where mayClaim {
      model.cover(range.replica, after: range.after, through: range.through)
    }
    let changes = list.merge(delta)
    try check(changes, conflicts, hidden, before)
  }

  /// The pairs of writes of one register that neither side had seen of the other.
  func expectedConflicts(_ entries: [Entry], _ context: VersionVector) -> [[Entry]] {
    entries.compactMap { entry in
      guard let present = model[entry.item, entry.register], present != entry,
        present.value != entry.value,
        isTwice(entry, present)
          || entry.dot.replica != present.dot.replica && !context.covers(present.dot)
            && entry.sequence > model.version[entry.dot.replica] ?? 0
      else { return nil }
      let wins = NaiveList.wins(entry, over: present)
      return wins ? [entry, present] : [present, entry]
    }
  }

  /// Whether one replica wrote both under one number or at one time, which only a clone does.
  private func isTwice(_ entry: Entry, _ present: Entry) -> Bool {
    entry.dot.replica == present.dot.replica
      && (entry.sequence == present.sequence
        || entry.register != .life && entry.stamp.time == present.stamp.time)
  }

  /// For each item that is removed afterwards: the edits that whoever removed it had not seen.
  ///
  /// Either the removal comes and meets edits here, or edits come and meet a removal here.
  func expectedRemovals(_ entries: [Entry], _ context: VersionVector) -> [ItemID: [Entry]] {
    var after = model
    for entry in entries { after.join(entry) }
    func isNew(_ entry: Entry) -> Bool {
      entry.sequence > model.version[entry.dot.replica] ?? 0
    }
    var expected: [ItemID: [Entry]] = [:]
    for item in Set(entries.map(\.item)) {
      guard let removal = after[item, .life], after.lifeLength(item).isMultiple(of: 2) else {
        continue
      }
      let hidden: [Entry]
      if let mine = model[item, .life], model.lifeLength(item).isMultiple(of: 2) {
        hidden = entries.filter { entry in
          entry.item == item && entry.register != .life && isNew(entry)
            && after[item, entry.register] == entry && model[item, entry.register] != entry
            && !context.covers(mine.dot) && entry.dot.replica != mine.dot.replica
            && !NaiveList.look(alike: model[item, entry.register], entry)
        }
      } else {
        hidden = model.entries(of: item).filter { entry in
          entry.register != .life && isNew(removal) && after[item, entry.register] == entry
            && !context.covers(entry.dot) && entry.dot.replica != removal.dot.replica
            && !entries.contains { NaiveList.isSame($0, entry) }
        }
      }
      if !hidden.isEmpty { expected[item] = hidden }
    }
    return expected
  }

  /// Applies what a merge reported to the mirror, and compares all with the model.
  func check(
    _ changes: ListChanges, _ conflicts: [[Entry]], _ hidden: [ItemID: [Entry]],
    _ before: NaiveList
  ) throws(Divergence) {
    try require(
      changes.conflicts.map { [$0.winner, $0.loser] } == conflicts,
      "reports conflicts \(changes.conflicts), not \(conflicts)")
    for conflict in changes.conflicts {
      let loser = before[conflict.item, conflict.register]
      try require(conflict.lostHere == (loser == conflict.loser), "whose is \(conflict.loser)")
    }
    try checkRemovals(changes.removalConflicts, hidden, before)
    let old = before.visible
    let new = model.visible
    for removed in changes.removed {
      try require(
        old[removed.oldIndex] == removed.id && !new.contains(removed.id), "removed \(removed)")
    }
    for inserted in changes.inserted {
      try require(
        !old.contains(inserted.id) && new[inserted.newIndex] == inserted.id,
        "inserted \(inserted)")
    }
    for moved in changes.moved {
      try require(
        old[moved.oldIndex] == moved.id && new[moved.newIndex] == moved.id, "moved \(moved)")
    }
    try checkUpdated(changes, before)
    changes.apply(to: &mirror) { $0 }
    try check()
  }

  private func checkRemovals(
    _ conflicts: [RemovalConflict], _ hidden: [ItemID: [Entry]], _ before: NaiveList
  ) throws(Divergence) {
    try require(
      conflicts.map(\.item) == hidden.keys.sorted(),
      "tells of removals \(conflicts), not \(hidden)")
    for conflict in conflicts {
      try require(conflict.edits == hidden[conflict.item], "hides \(conflict.edits)")
      try require(
        conflict.removal == model[conflict.item, .life], "removed by \(conflict.removal)")
      let first = conflict.edits[0]
      try require(
        conflict.lostHere == (before[first.item, first.register] == first), "whose is \(first)")
    }
  }

  private func checkUpdated(_ changes: ListChanges, _ before: NaiveList) throws(Divergence) {
    let changed = model.entries.filter { entry in
      switch entry.register {
      case .life, .position: false
      case .field, .other:
        !NaiveList.look(alike: before[entry.item, entry.register], entry)
          && (before.isVisible(entry.item) && model.isVisible(entry.item) || entry.item == .root)
      }
    }
    let updated =
      changes.updated.flatMap { update in
        update.registers.map { NaiveList.Address(item: update.id, register: $0) }
      } + changes.metadata.map { NaiveList.Address(item: .root, register: $0) }
    try require(
      Set(updated)
        == Set(changed.map { NaiveList.Address(item: $0.item, register: $0.register) }),
      "reports updates \(updated), not \(changed)")
  }
}

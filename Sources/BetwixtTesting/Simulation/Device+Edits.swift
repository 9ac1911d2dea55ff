import Betwixt

extension Device {
  /// Makes an edit and compares what it wrote with its plan.
  ///
  /// - Returns: The item that was inserted.
  @discardableResult
  func follow(
    _ plan: EditPlan,
    typing type: (
      (inout ReplicatedList, Int, Int64, inout Replica) throws(EditFailure) -> ItemID
    )? =
      nil
  ) throws(Violation) -> ItemID? {
    let (sequence, before) = (me.sequence, model)
    var new: ItemID?
    let last = history.nextUndo()?.number
    do throws(EditFailure) {
      new = try history.record("", in: &list, by: &me) { (list, me) throws(EditFailure) in
        guard let type else { return try plan.perform(in: &list, by: &me) }
        return try type(&list, plan.offset, plan.section, &me)
      }
    } catch {
      try require(mayFail(error, plan: plan), "fails with \(error.code)")
      try require(me.sequence == sequence, "an edit failed and used a number")
      try check()
      return nil
    }
    try require(plan.isKnown, "an edit of an unknown item did not fail")
    try takeWrites(since: sequence)
    // An edit that changes nothing is no step.
    if let step = history.nextUndo()?.number, step != last { befores[step] = before }
    let shown = model.visible(in: plan.section)
    guard shown.elementsEqual(plan.order.lazy.map { $0 ?? new ?? .root }) else {
      throw Violation("section \(plan.section) is \(shown), planned \(plan.order)")
    }
    if case .set(let name, let value) = plan.edit {
      let seen = plan.item == .root ? list.metadata[name] : list[id: plan.item]?[name]
      try require(seen == value, "the author sees \(seen as Any), not \(value as Any)")
    }
    return new
  }

  /// What is not known cannot be edited, and at the end of time a register cannot be written again.
  private func mayFail(_ failure: EditFailure, plan: EditPlan) -> Bool {
    switch failure.code {
    case .unknownItem:
      // Of an item that has half arrived, the life that an edit takes on may be missing.
      if case .life = plan.edit { return model[plan.item, .life] == nil }
      return !plan.isKnown
    case .stampExhausted:
      switch plan.edit {
      case .set(let name, _): return isExhausted(.field(name), of: plan.item)
      case .move(let items): return items.contains { isExhausted(.position, of: $0) }
      // What is new has no time yet, and of lives the length decides.
      case .insert, .life: return false
      }
    default: return false
    }
  }

  private func isExhausted(_ register: Register, of item: ItemID) -> Bool {
    model[item, register]?.stamp.time == .max
  }

  /// Whether something that was written here is at the end of time, and cannot be taken back.
  private func mayFailToUndo(_ failure: EditFailure) -> Bool {
    failure.code == .stampExhausted
      && written.contains { isExhausted($0.register, of: $0.item) && $0.register != .life }
  }

  /// Takes the last step back.
  func undo() throws(Violation) -> Bool {
    let (before, sequence) = (list, me.sequence)
    let result: UndoResult?
    do throws(EditFailure) {
      result = try history.undo(in: &list, by: &me)
    } catch {
      try require(mayFailToUndo(error), "taking back fails with \(error)")
      try require(list == before && me.sequence == sequence, "a refused undo left something behind")
      return false
    }
    guard let result else {
      try require(list == before && me.sequence == sequence, "no undo left something behind")
      return false
    }
    for kept in result.kept {
      for obstacle in kept.obstacles {
        let present = model[kept.item, obstacle.register]
        try require(obstacle.write == present, "kept \(kept.item) for a write that is not there")
      }
    }
    takeBack(from: before)
    let count = written.count
    try takeWrites(since: sequence)
    if let before = befores[result.step.number] {
      for entry in written[count...] { try check(entry, bringsBack: before) }
    }
    return true
  }

  /// What is taken back is as it was before the step.
  private func check(_ entry: Entry, bringsBack before: NaiveList) throws(Violation) {
    let old = before[entry.item, entry.register]?.value
    switch entry.value {
    case .field:
      try require(entry.value == old ?? .field(nil), "\(entry) takes back to \(old as Any)")
    case .life(let length):
      let wasAlive = before[entry.item]?.isAlive ?? false
      try require(length.isMultiple(of: 2) != wasAlive, "\(entry) is no life as before")
    default: break
    }
  }

  /// The model takes what an undo has brought back of what was forgotten: the very entries.
  ///
  /// They may be older than what was forgotten: a place that was changed while the item was away, and
  /// changed back, comes as it was when the item went.
  private func takeBack(from before: ReplicatedList) {
    guard !model.floor.isEmpty else { return }
    let held = Set(before.delta(since: [:]).entries)
    for entry in list.delta(since: [:]).entries
    where !held.contains(entry)
      && (model.floor.covers(entry.dot) || isGone(entry.register, of: entry.item, in: before))
    { model.join(entry) }
  }

  /// Whether a list holds no more of a register than that it has forgotten what was there.
  private func isGone(
    _ register: Register, of item: ItemID, in list: ReplicatedList
  ) -> Bool {
    guard let item = list[id: item], item.isRemoved else { return false }
    return !item.entries.contains { $0.register == register }
  }

  /// The model takes what an edit wrote; each write has a number of its own and wins at once.
  func takeWrites(since sequence: Int64) throws(Violation) {
    let writes = list.writes(by: me.id, after: sequence)
      .filter { model[$0.item, $0.register] != $0 }
    try require(
      me.sequence - sequence >= Int64(writes.count), "\(writes.count) writes used fewer numbers")
    var last = sequence
    for entry in writes {
      try require(
        entry.sequence > last && entry.sequence <= me.sequence, "number of \(entry)")
      last = entry.sequence
      try check(stampOf: entry)
      try require(model.join(entry), "an author does not see \(entry)")
      written.append(entry)
    }
    model.settle()
    mirror = model.visible.map(\.id)
    try check()
  }

  /// Each write has the time now, or the next one of its register.
  private func check(stampOf entry: Entry) throws(Violation) {
    let now = Timestamp(milliseconds: clock.now)
    let old = model[entry.item, entry.register]?.stamp.time
    let wanted = old.map { max($0.successor ?? .max, now) } ?? now
    // A register that was written twice in one edit has the time after that.
    let second = max(wanted.successor ?? .max, now)
    try require(
      entry.stamp.time == wanted || entry.stamp.time == second, "time of \(entry), not \(wanted)")
  }
}

extension EditPlan {
  /// Makes the edit.
  ///
  /// - Returns: The item that was inserted.
  fileprivate func perform(
    in list: inout ReplicatedList, by me: inout Replica
  ) throws(EditFailure) -> ItemID? {
    switch edit {
    case .insert(let value):
      return try list.insert([EditPlan.field(0): value], at: offset, inSection: section, by: &me)
    case .move(let items):
      if items.count == 1 {
        try list.move(items[0], toOffset: offset, inSection: section, by: &me)
      } else {
        try list.move(items, toOffset: offset, inSection: section, by: &me)
      }
    case .set(let name, let value?): try list.set(name, of: item, to: value, by: &me)
    case .set(let name, nil): try list.clear(name, of: item, by: &me)
    case .life(let isAlive):
      if isAlive {
        try list.restore(item, by: &me)
      } else {
        try list.remove(item, by: &me)
      }
    }
    return nil
  }
}

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
    let sequence = me.sequence
    me.beginRecording()
    var new: ItemID?
    do throws(EditFailure) {
      if let type {
        new = try type(&list, plan.offset, plan.section, &me)
      } else {
        new = try perform(plan)
      }
    } catch {
      _ = me.endRecording()
      try require(mayFail(error, plan), "fails with \(error.code)")
      try require(me.sequence == sequence, "an edit failed and used a number")
      try check()
      return nil
    }
    try require(plan.isKnown, "an edit of an unknown item did not fail")
    try takeWrites(since: sequence)
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

  /// At the end of time a register cannot be written again.
  private func mayFail(_ failure: EditFailure, _ plan: EditPlan) -> Bool {
    switch failure.code {
    case .unknownItem:
      // Of an item that has half arrived, what the edit needs may be missing.
      guard plan.isKnown, let item = model[plan.item] else { return true }
      return item[.life] == nil || item[.position] == nil
    case .stampExhausted:
      return model.entries.contains { $0.stamp.time == .max }
    default: return false
    }
  }

  private func perform(_ plan: EditPlan) throws(EditFailure) -> ItemID? {
    switch plan.edit {
    case .insert(let value):
      return try list.insert(
        [EditPlan.field(0): value], at: plan.offset, inSection: plan.section, by: &me)
    case .move(let items):
      if items.count == 1 {
        try list.move(items[0], toOffset: plan.offset, inSection: plan.section, by: &me)
      } else {
        try list.move(items, toOffset: plan.offset, inSection: plan.section, by: &me)
      }
    case .set(let name, let value?): try list.set(name, of: plan.item, to: value, by: &me)
    case .set(let name, nil): try list.clear(name, of: plan.item, by: &me)
    case .life(let isAlive):
      if isAlive {
        try list.restore(plan.item, by: &me)
      } else {
        try list.remove(plan.item, by: &me)
      }
    }
    return nil
  }

  /// Takes back what the last edit wrote.
  func undo() throws(Violation) -> Bool {
    guard !lastWrites.isEmpty else { return false }
    let writes = lastWrites
    let sequence = me.sequence
    me.beginRecording()
    for write in writes.reversed() {
      let isShown = model[write.item, write.register]?.dot == write.dot
      do {
        let isTaken = try list.revert(write, by: &me)
        try require(isShown || !isTaken, "\(write) taken back although it is not shown")
      } catch let error as Violation {
        throw error
      } catch {
        try require(
          model.entries.contains { $0.stamp.time == .max }, "taking back fails with \(error)")
      }
    }
    try takeWrites(since: sequence)
    lastWrites = []
    return true
  }

  /// The model takes what an edit wrote; each write has a number of its own and wins at once.
  func takeWrites(since sequence: Int64) throws(Violation) {
    let writes = me.endRecording()
    try require(
      me.sequence - sequence >= Int64(writes.count), "\(writes.count) writes used fewer numbers")
    var last = sequence
    var item: ListItem?
    var entries: [Entry] = []
    for write in writes {
      if item?.id != write.item {
        item = list[id: write.item]
        entries = item?.entries ?? []
      }
      let entry = entries.first { $0.register == write.register }
      guard let entry, entry.dot == write.dot else {
        // Two writes of one register in one edit: the later one stands.
        try require(
          writes.contains { $0.dot > write.dot && $0.item == write.item }, "lost \(write)")
        continue
      }
      try require(
        entry.stamp.replica == me.id && entry.sequence > last && entry.sequence <= me.sequence,
        "number of \(entry)")
      last = entry.sequence
      // A register that was written before in the same edit has another time by now.
      let isFirst = !writes.contains {
        $0.item == write.item && $0.register == write.register && $0.dot < write.dot
      }
      if isFirst { try check(stampOf: entry) }
      try require(model.join(entry), "an author does not see \(entry)")
      written.append(entry)
    }
    model.settle()
    mirror = model.visible.map(\.id)
    lastWrites = writes
    try check()
  }

  /// Each write has the time now, or the next one of its register.
  private func check(stampOf entry: Entry) throws(Violation) {
    let now = Timestamp(milliseconds: clock.now)
    let old = model[entry.item, entry.register]?.stamp.time
    let wanted = old.map { max($0.successor ?? .max, now) } ?? now
    try require(entry.stamp.time == wanted, "time of \(entry), not \(wanted)")
  }
}

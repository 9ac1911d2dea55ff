extension UndoHistory {
  /// Makes edits as one step, all of them or none.
  ///
  /// The step keeps the states before and after the edits of each register that was written, so
  /// whatever the closure does in between is of no account. Edits that come to nothing make no step,
  /// and leave those that can be made again.
  ///
  ///     try history.record("Rename", in: &trip, by: &me) { trip, me in
  ///       try trip.list.set("title", of: lunch, to: "Dinner", by: &me)
  ///     }
  ///
  /// - Parameters:
  ///   - name: What the person would call the step.
  ///   - document: A list, or what is backed by one.
  ///   - replica: Who writes.
  ///   - window: Whose step it is, where a document has several windows.
  ///   - body: Edits, and no merge.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws. Nothing is changed then, and no number used:
  ///   see ``ListBacked/transaction(by:_:)``.
  /// - Complexity: As the edits, O(*w* log *n*) for *w* registers written, and O(*f*) for each item
  ///   with *f* fields that was written
  @discardableResult
  public mutating func record<Document: ListBacked & ~Copyable, Value, Failure: Error>(
    _ name: String, in document: inout Document, by replica: inout Replica, window: Int = 0,
    _ body: (inout Document, inout Replica) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try record(name, in: &document, by: &replica, window: window) {
      (_, document, replica) throws(Failure) in
      try body(&document, &replica)
    }
  }

  /// Makes edits as one step, for a closure that hands the history on: what it records becomes part
  /// of this step.
  ///
  /// - Parameters:
  ///   - name: What the person would call the step.
  ///   - document: A list, or what is backed by one.
  ///   - replica: Who writes.
  ///   - window: Whose step it is, where a document has several windows.
  ///   - body: Edits, and no merge. An undo within it does nothing.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws; nothing is changed then.
  @discardableResult
  public mutating func record<Document: ListBacked & ~Copyable, Value, Failure: Error>(
    _ name: String, in document: inout Document, by replica: inout Replica, window: Int = 0,
    _ body: (inout UndoHistory, inout Document, inout Replica) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard !isRecording else {
      return try document.transaction(by: &replica) { (document, replica) throws(Failure) in
        try body(&self, &document, &replica)
      }
    }
    let before = document.list
    let sequence = replica.sequence
    isRecording = true
    defer { isRecording = false }
    let value = try document.transaction(by: &replica) { (document, replica) throws(Failure) in
      try body(&self, &document, &replica)
    }
    let writes = document.list.writes(by: replica.id, after: sequence)
    let written = before.replaced(by: writes).filter { $0.old?.dot != $0.new.dot }
    if let items = fold(written, from: before, to: document.list) {
      push(name, items: items, window: window)
    }
    return value
  }

  /// Keeps what a person took in with one command as a step, whoever wrote it.
  ///
  /// - Parameters:
  ///   - name: What the person would call the step.
  ///   - before: The list before it came.
  ///   - after: The list with it, and with nothing else that is new.
  ///   - own: Under which ids the person writes here. What others wrote is theirs, even where it
  ///     looks like what was there.
  ///   - window: Whose step it is, where a document has several windows.
  /// - Complexity: O(*n* log *n*)
  package mutating func record(
    _ name: String, from before: ReplicatedList, to after: ReplicatedList, own: Set<ReplicaID>,
    window: Int = 0
  ) {
    guard !isRecording else { return }
    let written = after.allItems().flatMap { item in
      before.replaced(by: item.entries).filter { entry, old in
        // What this version does not know it cannot take back.
        if case .other = entry.register { return false }
        guard old?.dot != entry.dot else { return false }
        return own.contains(entry.dot.replica)
          || !RegisterState(value: entry.value, root: entry.dot)
            .looks(like: standIns.state(of: old))
      }
    }
    guard let items = fold(written, from: before, to: after) else { return }
    push(name, items: items, window: window)
  }

  /// What the writes changed, by item; `nil` if nothing.
  private mutating func fold(
    _ written: [(new: Entry, old: Entry?)], from before: ReplicatedList, to after: ReplicatedList
  ) -> [UndoStep.ItemChange]? {
    var items: [ItemID: UndoStep.ItemChange] = [:]
    for (entry, replaced) in written.sorted(by: { $0.new.register < $1.new.register }) {
      if entry.address.isIgnored { continue }
      let old = standIns.state(of: replaced)
      let new = RegisterState(value: entry.value, root: entry.dot)
      guard !new.looks(like: old) else {
        standIns.note(entry.dot, of: entry.address, standsFor: old.root)
        continue
      }
      // Nothing is left of an item that came and went within the step.
      let isNew = before[id: entry.item]?.lifeLength ?? 0 == 0 && entry.item != .root
      if isNew, let length = after[id: entry.item]?.lifeLength, length > 0, length & 1 == 0 {
        continue
      }
      let change = UndoStep.Change(register: entry.register, before: old, after: new)
      items[entry.item, default: UndoStep.ItemChange(item: entry.item, changes: [])].changes
        .append(change)
      guard entry.register == .life else { continue }
      items[entry.item]?.isNew = isNew
      items[entry.item]?.whole = whole(of: entry.item, isAlive: new.isAlive, before, after)
    }
    return items.isEmpty ? nil : items.values.sorted { $0.item < $1.item }
  }

  /// All that an item held, in the list as it is or before.
  ///
  /// Of one that has gone the list may already have forgotten the rest, if a floor came with the
  /// removal: it comes back with what was here.
  private func whole(
    of item: ItemID, isAlive: Bool, _ before: ReplicatedList, _ after: ReplicatedList
  ) -> [Entry] {
    let entries = after[id: item]?.entries ?? []
    guard !isAlive else { return entries }
    var greatest: [Register: Entry] = [:]
    for entry in entries + (before[id: item]?.entries ?? []) {
      if let other = greatest[entry.register], !other.isLess(than: entry) { continue }
      greatest[entry.register] = entry
    }
    return greatest.values.sorted { $0.register < $1.register }
  }

  private mutating func push(_ name: String, items: [UndoStep.ItemChange], window: Int) {
    stepCount += 1
    let step = UndoStep(label: Step(number: stepCount, name: name), items: items)
    var stack = stacks[window] ?? Stack()
    stack.undos.append(step)
    if stack.undos.count > levels { stack.undos.removeFirst() }
    stack.redos = []
    stack.kept = nil
    stacks[window] = stack
    sweep()
  }
}

extension ReplicatedList {
  /// Entries, each with what is held of its register.
  fileprivate func replaced(by entries: [Entry]) -> [(new: Entry, old: Entry?)] {
    zip(entries, self.entries(at: entries.map { $0.address })).map { (new: $0, old: $1) }
  }
}

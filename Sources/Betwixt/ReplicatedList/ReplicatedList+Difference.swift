extension ReplicatedList {
  /// What would change for someone who sees this list and is shown another.
  ///
  ///     var rows = old.map(\.id)
  ///     old.difference(to: new).apply(to: &rows) { $0 }  // rows == new.map(\.id)
  ///
  /// - Parameter other: Any list; items are told apart by id.
  /// - Returns: The changes, without conflicts. An item has moved if its section or key differs.
  /// - Complexity: O(*d* log *n*) for *d* items that differ; finding them takes O(*n* / 64) where one
  ///   list is an edited copy of the other, and O(*n*) otherwise
  public func difference(to other: ReplicatedList) -> ListChanges {
    var changes = ListChanges()
    ListComparison(self, other).forEachDifference { here, there in
      changes.add(
        from: here.map { ListItem(self, at: $0) }, in: self,
        to: there.map { ListItem(other, at: $0) }, in: other)
      return true
    }
    changes.sort()
    return changes
  }
}

extension ListChanges {
  /// Adds what an item was and what it is; `nil` where nothing of it was known.
  fileprivate mutating func add(
    from old: ListItem?, in before: ReplicatedList, to new: ListItem?, in after: ReplicatedList
  ) {
    guard let id = old?.id ?? new?.id else { return }
    if id == .root {
      metadata = ListChanges.difference(old?.entries ?? [], new: new?.entries ?? [])
      return
    }
    let (oldIndex, newIndex) = (before.index(id: id), after.index(id: id))
    guard let old, let oldIndex else {
      if let newIndex { inserted.append(.init(id: id, newIndex: newIndex)) }
      return
    }
    guard let new, let newIndex else {
      removed.append(.init(id: id, oldIndex: oldIndex))
      return
    }
    if old.section != new.section || old.key != new.key {
      moved.append(.init(id: id, oldIndex: oldIndex, newIndex: newIndex))
    }
    let registers = ListChanges.difference(old.entries, new: new.entries)
    if !registers.isEmpty {
      updated.append(
        .init(id: id, oldIndex: oldIndex, newIndex: newIndex, registers: registers))
    }
  }

  /// The registers other than life and position that hold different values.
  fileprivate static func difference(_ old: [Entry], new: [Entry]) -> [Register] {
    var values: [Register: RegisterValue] = [:]
    // A cleared field has no value, like one that was never written.
    for entry in old where entry.value != .field(nil) { values[entry.register] = entry.value }
    var registers: [Register] = []
    for entry in new where entry.value != .field(nil) {
      guard values.removeValue(forKey: entry.register) != entry.value else { continue }
      registers.append(entry.register)
    }
    registers += values.keys
    return registers.filter { $0 != .life && $0 != .position }.sorted()
  }
}

extension ReplicatedList: Equatable {
  /// Whether two lists have the same id and the same entries; their versions do not count.
  ///
  /// - Complexity: O(*n*); O(1) if neither was written since one was copied from the other, and else
  ///   O(*n* / 64) and the pages that were
  public static func == (left: ReplicatedList, right: ReplicatedList) -> Bool {
    guard left.id == right.id else { return false }
    if left.sharesItems(with: right) { return true }
    guard left.count == right.count, left.entryCount == right.entryCount else { return false }
    for page in 0..<left.pageCount where !left.sharesPage(page, with: right) {
      Cost.count(.pageVisit)
      let start = page * Slot.fanOut
      for number in start..<Swift.min(start + Slot.fanOut, left.store.count) {
        let slot = Slot(number)
        let entries = ListItem(left, at: slot).entries
        if !entries.isEmpty, right[id: left.store.id(slot)]?.entries != entries { return false }
      }
    }
    return true
  }
}

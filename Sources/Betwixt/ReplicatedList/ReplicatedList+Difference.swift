extension ReplicatedList {
  /// What would change for someone who sees this list and is shown another.
  ///
  ///     var rows = old.map(\.id)
  ///     old.difference(to: new).apply(to: &rows) { $0 }  // rows == new.map(\.id)
  ///
  /// - Parameter other: Any list; items are told apart by id.
  /// - Returns: The changes, without conflicts. An item has moved if its section or key differs.
  /// - Complexity: O(*n* log *n*)
  public func difference(to other: ReplicatedList) -> ListChanges {
    var changes = ListChanges()
    for (place, item) in enumerated() {
      guard let newPlace = other.index(id: item.id), let new = other[id: item.id] else {
        changes.removed.append(.init(id: item.id, oldIndex: place))
        continue
      }
      if item.section != new.section || item.key != new.key {
        changes.moved.append(.init(id: item.id, oldIndex: place, newIndex: newPlace))
      }
      let registers = ReplicatedList.difference(item.entries, new: new.entries)
      if !registers.isEmpty {
        changes.updated.append(
          .init(id: item.id, oldIndex: place, newIndex: newPlace, registers: registers))
      }
    }
    for (place, item) in other.enumerated() where !contains(id: item.id) {
      changes.inserted.append(.init(id: item.id, newIndex: place))
    }
    changes.metadata = ReplicatedList.difference(
      self[id: .root]?.entries ?? [], new: other[id: .root]?.entries ?? [])
    changes.sort()
    return changes
  }

  /// The registers other than life and position that hold different values.
  private static func difference(_ old: [Entry], new: [Entry]) -> [Register] {
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
  /// - Complexity: O(*n*)
  public static func == (left: ReplicatedList, right: ReplicatedList) -> Bool {
    guard left.id == right.id, left.count == right.count, left.entryCount == right.entryCount
    else { return false }
    for number in 0..<left.store.count {
      let slot = Slot(number)
      let entries = ListItem(left, at: slot).entries
      if !entries.isEmpty, right[id: left.store.id(slot)]?.entries != entries { return false }
    }
    return true
  }
}

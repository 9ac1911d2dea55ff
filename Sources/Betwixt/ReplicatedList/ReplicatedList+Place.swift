// Placing by keys, for callers with rules of their own about where things may stand.

extension ReplicatedList {
  /// Inserts a new item between two keys of a section.
  ///
  /// The keys need not belong to items: a caller may clip a gap to a zone of its own.
  ///
  /// - Parameters:
  ///   - fields: What the item holds.
  ///   - left: What it will stand behind; `nil` for the start of the section.
  ///   - right: What it will stand before; `nil` for the end of the section.
  ///   - section: The section.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``EditFailure``: `noRoom` if the keys are not in order or the new one would be longer
  ///   than the format allows; nothing has changed then.
  /// - Complexity: O(log *n*)
  @discardableResult
  public mutating func insert(
    _ fields: Fields, between left: SortKey?, and right: SortKey?, inSection section: Int64,
    by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    try check(fields, within: replica.limits)
    return try edit(by: &replica, writes: fields.count + 2) { edit throws(EditFailure) in
      try edit.insert(fields, between: left, and: right, inSection: section)
    }
  }

  /// Moves an item between two keys of a section.
  ///
  /// - Parameters:
  ///   - item: An item of the list.
  ///   - left: What it will stand behind; `nil` for the start of the section.
  ///   - right: What it will stand before; `nil` for the end of the section.
  ///   - section: The section.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `unknownItem`, `stampExhausted`, or `noRoom` if the keys are not in
  ///   order or the new one would be longer than the format allows; nothing has changed then.
  /// - Complexity: O(log *n*)
  public mutating func place(
    _ item: ItemID, between left: SortKey?, and right: SortKey?, inSection section: Int64,
    by replica: inout Replica
  ) throws(EditFailure) {
    let slot = try slotToPlace(item)
    try edit(by: &replica) { edit throws(EditFailure) in
      try edit.makeKey(between: left, and: right, ahead: 1, for: item)
      try edit.putByKey(slot, inSection: section)
    }
  }

  /// Moves an item to a key that it had before, which takes a move back exactly.
  ///
  /// It stands where the key says among all items: hidden ones, removed ones that come back, and
  /// those of others that are not known here yet. Where it stands already, nothing is written.
  ///
  ///     let before = list[id: lunch]?.key
  ///     try list.move(lunch, toOffset: 5, by: &me)
  ///     if let before { try list.place(lunch, at: before, inSection: 0, by: &me) }
  ///
  /// - Parameters:
  ///   - item: An item of the list.
  ///   - key: A key that this item had. One of another item is taken too, but then the ids of the
  ///     two decide their order, and what is put between them makes the list spread neighbours.
  ///   - section: The section.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `unknownItem` or `stampExhausted`; nothing has changed then.
  /// - Complexity: O(log *n*)
  public mutating func place(
    _ item: ItemID, at key: SortKey, inSection section: Int64, by replica: inout Replica
  ) throws(EditFailure) {
    guard let slot = slot(item), item != .root else { throw EditFailure(.unknownItem, of: item) }
    try put(slot, at: key, inSection: section, by: &replica)
  }

  /// Moves an item to the number of an imported position: the anchor of a game.
  ///
  /// Where it stands already, nothing is written.
  ///
  /// - Parameters:
  ///   - item: An item of the list, or a new one, which is shown once it is created.
  ///   - sortOrder: The number.
  ///   - section: The section.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `stampExhausted`, or `invalidValue` for a number that is not finite.
  /// - Complexity: O(log *n*)
  public mutating func place(
    _ item: ItemID, atSortOrder sortOrder: Double, inSection section: Int64,
    by replica: inout Replica
  ) throws(EditFailure) {
    guard item != .root, let key = try? SortKey(importing: sortOrder, of: item) else {
      throw EditFailure(.invalidValue, of: item)
    }
    try Edit.check(replica)
    try put(slotMaking(item), at: key, inSection: section, by: &replica)
  }

  private mutating func put(
    _ slot: Slot, at key: SortKey, inSection section: Int64, by replica: inout Replica
  ) throws(EditFailure) {
    let position = store.position(slot)
    if position.isWritten, position.section == section,
      store.key(slot).elementsEqual(key.bytes)
    {
      return
    }
    guard position.time < Timestamp.max.rawValue else {
      throw EditFailure(.stampExhausted, of: store.id(slot))
    }
    try edit(by: &replica) { edit throws(EditFailure) in
      edit.replica.scratch.removeAll(keepingCapacity: true)
      edit.replica.scratch.append(contentsOf: key.bytes)
      try edit.putByKey(slot, inSection: section)
    }
  }

  private func slotToPlace(_ item: ItemID) throws(EditFailure) -> Slot {
    guard let slot = slot(item), item != .root else { throw EditFailure(.unknownItem, of: item) }
    guard store.position(slot).time < Timestamp.max.rawValue else {
      throw EditFailure(.stampExhausted, of: item)
    }
    return slot
  }
}

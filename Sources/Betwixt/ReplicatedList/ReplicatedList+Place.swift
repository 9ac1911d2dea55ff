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
    try check(fields, replica.limits)
    var session = try EditSession(&self, &replica, writes: fields.count + 2)
    while true {
      try makeKey(between: left, and: right, session, ahead: 2, &replica, nil)
      let place = lowerBound(section, replica.scratch, session.nextItem)
      if let slot = claimNext(session) {
        return try fill(slot, fields, at: place, section, &session, &replica)
      }
      try session.skip()
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
    var session = try EditSession(&self, &replica)
    try makeKey(between: left, and: right, session, ahead: 1, &replica, item)
    try putByKey(slot, section, &session, &replica)
    finish(session, &replica)
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
    guard let slot = slot(item), item != .root else { throw EditFailure(.unknownItem, item) }
    try put(slot, at: key, section, by: &replica)
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
    guard item != .root, let key = try? SortKey(importing: sortOrder, item) else {
      throw EditFailure(.invalidValue, item)
    }
    try EditSession.check(replica)
    try put(slotMaking(item), at: key, section, by: &replica)
  }

  private mutating func put(
    _ slot: Slot, at key: SortKey, _ section: Int64, by replica: inout Replica
  ) throws(EditFailure) {
    let record = store.record(slot)
    if record.position.isWritten, record.position.section == section,
      store.key(slot).elementsEqual(key.bytes)
    {
      return
    }
    guard record.position.time < Timestamp.max.rawValue else {
      throw EditFailure(.stampExhausted, record.id)
    }
    var session = try EditSession(&self, &replica)
    replica.scratch.removeAll(keepingCapacity: true)
    replica.scratch.append(contentsOf: key.bytes)
    try putByKey(slot, section, &session, &replica)
    finish(session, &replica)
  }

  private func slotToPlace(_ item: ItemID) throws(EditFailure) -> Slot {
    guard let slot = slot(item), item != .root else { throw EditFailure(.unknownItem, item) }
    guard store.record(slot).position.time < Timestamp.max.rawValue else {
      throw EditFailure(.stampExhausted, item)
    }
    return slot
  }

  private func makeKey(
    between left: SortKey?, and right: SortKey?, _ session: EditSession, ahead: Int64,
    _ replica: inout Replica, _ item: ItemID?
  ) throws(EditFailure) {
    let refusal = makeKey(
      between: left.map { $0.bytes[...] }, and: right.map { $0.bytes[...] }, session.sequence,
      ahead, &replica, SortKey.maximumByteCount)
    guard refusal == nil else { throw EditFailure(.noRoom, item) }
  }

  private func lowerBound(_ section: Int64, _ key: [UInt8], _ item: ItemID) -> Int {
    order.lowerBound(OrderKey(section: section, key: key[...], id: item), in: store)
  }

  /// Gives an item the key in the writer's scratch, and the place that the key means.
  private mutating func putByKey(
    _ slot: Slot, _ section: Int64, _ session: inout EditSession, _ replica: inout Replica
  ) throws(EditFailure) {
    let source = store.record(slot).isVisible ? place(of: slot) : nil
    let place = lowerBound(section, replica.scratch, store.id(slot))
    try put(slot, from: source, at: place, section, &session, &replica)
  }
}

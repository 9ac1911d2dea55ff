extension ReplicatedList {
  /// Writes a field of an item.
  ///
  /// The value it holds already is not written again.
  ///
  ///     try list.set("title", of: lunch, to: "Lunch at El Moro", by: &me)
  ///     try list.set("name", of: .root, to: "Follow Mexico", by: &me)
  ///
  /// - Parameters:
  ///   - name: The field.
  ///   - item: An item of the list, removed or not, or ``ItemID/root`` for the list's metadata.
  ///   - value: What it will hold.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``; nothing has changed then.
  /// - Complexity: O(log *n* + *f*) for the fields of the item
  public mutating func set(
    _ name: FieldName, of item: ItemID, to value: FieldValue, by replica: inout Replica
  ) throws(EditFailure) {
    try write(value, to: name, of: item, by: &replica)
  }

  /// Writes "no value" to a field of an item.
  ///
  /// A field that has no value is not written.
  ///
  /// - Parameters:
  ///   - name: The field.
  ///   - item: An item of the list, removed or not, or ``ItemID/root`` for the list's metadata.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``; nothing has changed then.
  /// - Complexity: O(log *n* + *f*) for the fields of the item
  public mutating func clear(
    _ name: FieldName, of item: ItemID, by replica: inout Replica
  ) throws(EditFailure) {
    try write(nil, to: name, of: item, by: &replica)
  }

  /// Makes an item's fields what they are given to be, in one edit that writes only what differs.
  ///
  /// - Parameters:
  ///   - changes: Fields and what they will hold; `nil` clears. Of a name given twice the last
  ///     value counts.
  ///   - item: An item of the list, or ``ItemID/root``.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``; nothing has changed then.
  public mutating func set(
    _ changes: [(name: FieldName, value: FieldValue?)], of item: ItemID,
    by replica: inout Replica
  ) throws(EditFailure) {
    let slot = try slotToWrite(item)
    var writes: [(name: FieldName, value: FieldValue?)] = []
    var names: Set<FieldName> = []
    for (name, value) in changes.reversed()
    where names.insert(name).inserted && !holds(slot, name, value) {
      try check(name, value, replica.limits, item)
      try checkTime(slot, name, item)
      writes.append((name, value))
    }
    writes.reverse()
    guard !writes.isEmpty else { return }
    var session = try EditSession(&self, &replica, writes: writes.count)
    for (name, value) in writes {
      try write(value, to: name, of: slot ?? slotMaking(item), &session, &replica)
    }
    finish(session, &replica)
  }

  private mutating func write(
    _ value: FieldValue?, to name: FieldName, of item: ItemID, by replica: inout Replica
  ) throws(EditFailure) {
    let slot = try slotToWrite(item)
    guard !holds(slot, name, value) else { return }
    try check(name, value, replica.limits, item)
    try checkTime(slot, name, item)
    var session = try EditSession(&self, &replica)
    try write(value, to: name, of: slot ?? slotMaking(item), &session, &replica)
    finish(session, &replica)
  }

  /// The slot of an item, or `nil` for a root that was never written.
  private func slotToWrite(_ item: ItemID) throws(EditFailure) -> Slot? {
    let slot = slot(item)
    guard slot != nil || item == .root else { throw EditFailure(.unknownItem, item) }
    return slot
  }

  private func field(_ slot: Slot?, _ name: FieldName) -> (page: Page, index: Int32)? {
    guard let slot, let register = registers.index(of: name) else { return nil }
    let page = store.page(slot)
    return page.field(slot.place, register).map { (page, $0) }
  }

  private func holds(_ slot: Slot?, _ name: FieldName, _ value: FieldValue?) -> Bool {
    let present = field(slot, name).flatMap { FieldValue(canonicalBytes: $0.page.value($0.index)) }
    return present == value
  }

  private func checkTime(
    _ slot: Slot?, _ name: FieldName, _ item: ItemID
  ) throws(EditFailure) {
    guard let (page, index) = field(slot, name) else { return }
    guard page.fields[Int(index)].time < Timestamp.max.rawValue else {
      throw EditFailure(.stampExhausted, item)
    }
  }
}

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
    where names.insert(name).inserted && !holds(value, as: name, in: slot) {
      try check(name, value: value, within: replica.limits, of: item)
      try checkTime(of: name, in: slot, item: item)
      writes.append((name, value))
    }
    writes.reverse()
    guard !writes.isEmpty else { return }
    try edit(by: &replica, writes: writes.count) { edit throws(EditFailure) in
      let slot = slot ?? edit.list.slotMaking(item)
      for (name, value) in writes { try edit.write(value, to: name, of: slot) }
    }
  }

  private mutating func write(
    _ value: FieldValue?, to name: FieldName, of item: ItemID, by replica: inout Replica
  ) throws(EditFailure) {
    let slot = try slotToWrite(item)
    guard !holds(value, as: name, in: slot) else { return }
    try check(name, value: value, within: replica.limits, of: item)
    try checkTime(of: name, in: slot, item: item)
    try edit(by: &replica) { edit throws(EditFailure) in
      try edit.write(value, to: name, of: slot ?? edit.list.slotMaking(item))
    }
  }

  /// The slot of an item, or `nil` for a root that was never written.
  private func slotToWrite(_ item: ItemID) throws(EditFailure) -> Slot? {
    let slot = slot(item)
    guard slot != nil || item == .root else { throw EditFailure(.unknownItem, of: item) }
    return slot
  }

  private func field(_ name: FieldName, of slot: Slot?) -> (page: Page, index: Int32)? {
    guard let slot, let register = registers.index(of: name) else { return nil }
    let page = store.page(slot)
    return page.field(slot.place, named: register).map { (page, $0) }
  }

  private func holds(_ value: FieldValue?, as name: FieldName, in slot: Slot?) -> Bool {
    let present = field(name, of: slot).flatMap {
      FieldValue(canonicalBytes: $0.page.value($0.index))
    }
    return present == value
  }

  private func checkTime(
    of name: FieldName, in slot: Slot?, item: ItemID
  ) throws(EditFailure) {
    guard let (page, index) = field(name, of: slot) else { return }
    guard page.field(index).time < Timestamp.max.rawValue else {
      throw EditFailure(.stampExhausted, of: item)
    }
  }

  // MARK: Limits

  func check(_ fields: Fields, within limits: EditLimits) throws(EditFailure) {
    for field in fields { try check(field.name, value: field.value, within: limits, of: nil) }
  }

  private func check(
    _ name: FieldName, value: FieldValue?, within limits: EditLimits, of item: ItemID?
  ) throws(EditFailure) {
    // A name that others have brought can be written, however long it is.
    let nameLimit = Swift.min(limits.nameByteCount, FieldName.maximumByteCount)
    guard name.text.utf8.count <= nameLimit || registers.index(of: name) != nil else {
      throw EditFailure(.nameTooLong, of: item, field: name)
    }
    guard let value else { return }
    let valueLimit = Swift.min(limits.valueByteCount, FieldValue.maximumByteCount)
    guard value.canonicalByteCount <= valueLimit else {
      throw EditFailure(.valueTooLarge, of: item, field: name)
    }
    if case .unknown(let tag, _) = value,
      tag < FieldValue.Tag.firstUnknown || tag >= FieldValue.Tag.firstCritical
    {
      throw EditFailure(.invalidValue, of: item, field: name)
    }
  }
}

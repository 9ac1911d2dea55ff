// The single writes that all edits are made of.

extension Edit {
  mutating func write(life length: UInt64, of slot: Slot, time: UInt64) throws(EditFailure) {
    list.store.setLife(
      slot, life: LifeRecord(time: time, sequence: try next(), length: length, replica: writer))
  }

  /// Writes the key in the scratch, whose counter is the number of the next write.
  private mutating func writePosition(
    of slot: Slot, inSection section: Int64
  ) throws(EditFailure) {
    let old = list.store.position(slot)
    let time =
      old.isWritten ? try time(after: old.time, of: list.store.id(slot)) : now.rawValue
    let sequence = try next()
    let key = replica.scratch[...]
    list.store.setPosition(
      slot,
      position: PositionRecord(time: time, sequence: sequence, section: section, replica: writer),
      key: key.span)
  }

  /// Writes a field; `nil` clears it.
  mutating func write(
    _ value: FieldValue?, to name: FieldName, of slot: Slot
  ) throws(EditFailure) {
    let register = list.registers.insert(name)
    var time = now.rawValue
    if let field = list.store.field(slot, named: register) {
      time = try self.time(after: field.time, of: list.store.id(slot))
    }
    let sequence = try next()
    replica.scratch.removeAll(keepingCapacity: true)
    if let value {
      value.appendCanonicalBytes(to: &replica.scratch)
    } else {
      replica.scratch.append(FieldValue.Tag.cleared)
    }
    let bytes = replica.scratch[...]
    list.setField(
      of: slot,
      to: FieldRecord(
        time: time, sequence: sequence, value: ByteArena.Reference(), replica: writer,
        name: register, next: FieldRecord.none),
      value: bytes.span)
  }

  // MARK: Placing

  /// Gives an item the key in the scratch, and its place in the order: from `source`, if it is
  /// visible, to before the item that now has `index`.
  mutating func put(
    _ slot: Slot, from source: Int?, to index: Int, inSection section: Int64
  ) throws(EditFailure) {
    var index = index
    if let source {
      list.order.remove(at: source)
      if source < index { index -= 1 }
    }
    try writePosition(of: slot, inSection: section)
    // What was in the order stays visible.
    if source != nil || list.store.record(slot).isVisible {
      // Its key is still in the scratch, and so nearer than in the store.
      let code = OrderCode(
        section: section, key: replica.scratch[...], authors: list.store.authors)
      list.enter(OrderEntry(prefix: OrderPrefix(code), slot: slot), at: index)
    }
  }

  /// Gives an item the key in the scratch, and the place that the key means.
  mutating func putByKey(_ slot: Slot, inSection section: Int64) throws(EditFailure) {
    let source = list.store.record(slot).isVisible ? list.index(of: slot) : nil
    let index = indexOfKey(inSection: section, for: list.store.id(slot))
    try put(slot, from: source, to: index, inSection: section)
  }

  /// Before which visible item the key in the scratch stands.
  private func indexOfKey(inSection section: Int64, for item: ItemID) -> Int {
    list.order.lowerBound(
      OrderKey(section: section, key: replica.scratch[...], id: item, in: list.store),
      in: list.store)
  }

  // MARK: New items

  /// Inserts a new item into a gap.
  mutating func insert(_ fields: Fields, into gap: Gap) throws(EditFailure) -> ItemID {
    while true {
      let index = try makeKey(in: gap, ahead: 2)
      if let slot = list.claim(nextItem) {
        return try fill(slot, with: fields, at: index, inSection: gap.section)
      }
      // The number is that of an item that is there, under this replica's id but not by it.
      _ = try next()
    }
  }

  /// Inserts a new item between two keys.
  mutating func insert(
    _ fields: Fields, between left: SortKey?, and right: SortKey?, inSection section: Int64
  ) throws(EditFailure) -> ItemID {
    while true {
      try makeKey(between: left, and: right, ahead: 2, for: nil)
      let index = indexOfKey(inSection: section, for: nextItem)
      if let slot = list.claim(nextItem) {
        return try fill(slot, with: fields, at: index, inSection: section)
      }
      _ = try next()
    }
  }

  /// Writes the registers of a new item, whose key is in the scratch.
  private mutating func fill(
    _ slot: Slot, with fields: Fields, at index: Int, inSection section: Int64
  ) throws(EditFailure) -> ItemID {
    let id = nextItem
    try write(life: 1, of: slot, time: now.rawValue)
    try put(slot, from: nil, to: index, inSection: section)
    for field in fields { try write(field.value, to: field.name, of: slot) }
    return id
  }
}

// Several parts of a list at once, of which one is changed: here none of them is copied for that.
extension ReplicatedList {
  /// The slot of a new item; `nil` if its id is taken.
  fileprivate mutating func claim(_ item: ItemID) -> Slot? {
    index.claim(item, at: Slot(store.count), in: store) ? store.append(item) : nil
  }

  mutating func setField(of slot: Slot, to record: FieldRecord, value: Span<UInt8>) {
    store.setField(slot, field: record, value: value, names: registers)
  }
}

// The single writes that all edits are made of.

extension ReplicatedList {
  mutating func write(
    life length: UInt64, of slot: Slot, number: Int64, time: UInt64, _ session: EditSession
  ) {
    store.setLife(
      slot, LifeRecord(time: time, sequence: number, length: length, replica: session.replica))
  }

  /// Writes the key in the writer's scratch, whose counter is the number of the next write.
  mutating func writePosition(
    of slot: Slot, section: Int64, _ session: inout EditSession, _ replica: inout Replica
  ) throws(EditFailure) {
    let old = store.record(slot)
    let time =
      old.position.isWritten
      ? try session.time(after: old.position.time, old.id) : session.now.rawValue
    let sequence = try session.next()
    let key = replica.scratch[...]
    store.setPosition(
      slot,
      PositionRecord(
        time: time, sequence: sequence, section: section, replica: session.replica),
      key: key.span)
  }

  /// Writes a field; `nil` clears it.
  mutating func write(
    _ value: FieldValue?, to name: FieldName, of slot: Slot, _ session: inout EditSession,
    _ replica: inout Replica
  ) throws(EditFailure) {
    let register = registers.insert(name)
    var time = session.now.rawValue
    if let field = store.field(slot, register) {
      time = try session.time(after: field.time, store.id(slot))
    }
    let sequence = try session.next()
    replica.scratch.removeAll(keepingCapacity: true)
    if let value {
      value.appendCanonicalBytes(to: &replica.scratch)
    } else {
      replica.scratch.append(FieldValue.Tag.cleared)
    }
    let bytes = replica.scratch[...]
    store.setField(
      slot,
      FieldRecord(
        time: time, sequence: sequence, value: ByteArena.Reference(), replica: session.replica,
        name: register, next: FieldRecord.none),
      value: bytes.span, names: registers)
  }

  // MARK: Limits

  func check(_ fields: Fields, _ limits: EditLimits) throws(EditFailure) {
    for field in fields { try check(field.name, field.value, limits, nil) }
  }

  func check(
    _ name: FieldName, _ value: FieldValue?, _ limits: EditLimits, _ item: ItemID?
  ) throws(EditFailure) {
    // A name that others have brought can be written, however long it is.
    let nameLimit = Swift.min(limits.nameByteCount, FieldName.maximumByteCount)
    guard name.text.utf8.count <= nameLimit || registers.index(of: name) != nil else {
      throw EditFailure(.nameTooLong, item)
    }
    guard let value else { return }
    let valueLimit = Swift.min(limits.valueByteCount, FieldValue.maximumByteCount)
    guard value.canonicalByteCount <= valueLimit else { throw EditFailure(.valueTooLarge, item) }
    if case .unknown(let tag, _) = value,
      tag < FieldValue.Tag.firstUnknown || tag >= FieldValue.Tag.firstCritical
    {
      throw EditFailure(.invalidValue, item)
    }
  }
}

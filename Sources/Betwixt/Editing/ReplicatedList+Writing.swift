// The single writes that all edits are made of.

extension ReplicatedList {
  /// Notes what a write is about to replace, if the writer records.
  func note(_ register: Register, of slot: Slot, _ sequence: Int64, _ replica: inout Replica) {
    guard replica.isRecording else { return }
    let previous = ListItem(self, slot).entries.first { $0.register == register }
    let dot = Dot(replica: replica.id, sequence: sequence)
    replica.record(
      Write(item: store.id(slot), register: register, dot: dot, previous: previous?.value))
  }

  mutating func write(
    life length: UInt32, of slot: Slot, number: Int64, time: UInt64, _ session: EditSession,
    _ replica: inout Replica
  ) {
    note(.life, of: slot, number, &replica)
    store.setLife(
      slot, LifeRecord(time: time, sequence: number, replica: session.replica, length: length))
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
    note(.position, of: slot, sequence, &replica)
    store.setPosition(
      slot,
      PositionRecord(
        time: time, sequence: sequence, section: section, replica: session.replica),
      key: replica.scratch.span)
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
    note(.field(name), of: slot, sequence, &replica)
    replica.scratch.removeAll(keepingCapacity: true)
    if let value {
      value.appendCanonicalBytes(to: &replica.scratch)
    } else {
      replica.scratch.append(FieldValue.Tag.cleared)
    }
    store.setField(
      slot,
      FieldRecord(
        time: time, sequence: sequence, value: ByteArena.Reference(), replica: session.replica,
        name: register, next: FieldRecord.none),
      value: replica.scratch.span, names: registers)
  }

  // MARK: Limits

  func check(_ fields: Fields, _ limits: EditLimits) throws(EditFailure) {
    for field in fields { try check(field.name, field.value, limits, nil) }
  }

  func check(
    _ name: FieldName, _ value: FieldValue?, _ limits: EditLimits, _ item: ItemID?
  ) throws(EditFailure) {
    let nameLimit = Swift.min(limits.nameByteCount, FieldName.maximumByteCount)
    guard name.text.utf8.count <= nameLimit else { throw EditFailure(.nameTooLong, item) }
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

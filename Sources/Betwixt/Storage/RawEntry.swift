/// One entry as storage holds it, its value still canonical bytes.
struct RawEntry {
  let item: ItemID
  let register: Register
  let time: Timestamp
  let replica: ReplicaID
  let sequence: Int64
  let value: ArraySlice<UInt8>

  /// The bytes that are hashed.
  func appendCanonicalBytes(to bytes: inout [UInt8]) {
    item.appendCanonicalHead(
      register, at: time.rawValue, by: replica, sequence: sequence, valueByteCount: value.count,
      to: &bytes)
    bytes.append(contentsOf: value)
  }

  /// The entry as callers see it.
  var entry: Entry {
    Entry(
      item: item, register: register, value: RegisterValue(register, canonicalBytes: value),
      stamp: Stamp(time: time, replica: replica), sequence: sequence)
  }
}

extension ItemID {
  /// The bytes of an entry before its value.
  func appendCanonicalHead(
    _ register: Register, at time: UInt64, by replica: ReplicaID, sequence: Int64,
    valueByteCount: Int, to bytes: inout [UInt8]
  ) {
    bytes.appendBigEndian(high)
    bytes.appendBigEndian(low)
    bytes.append(register.kind)
    switch register {
    case .life, .position:
      bytes.append(0)
    case .field(let name):
      bytes.append(UInt8(truncatingIfNeeded: name.text.utf8.count))
      bytes.append(contentsOf: name.text.utf8)
    case .other(_, let name):
      bytes.append(UInt8(truncatingIfNeeded: name.count))
      bytes.append(contentsOf: name)
    }
    bytes.appendBigEndian(time)
    bytes.appendBigEndian(replica.rawValue)
    bytes.appendBigEndian(UInt64(bitPattern: sequence))
    bytes.appendBigEndian(UInt32(truncatingIfNeeded: valueByteCount))
  }
}

extension RegisterValue {
  /// Reads canonical bytes that were checked when they came in.
  init(_ register: Register, canonicalBytes bytes: ArraySlice<UInt8>) {
    switch register {
    case .life:
      self = .life(UInt64(bigEndianBytes: bytes))
    case .position:
      let section = UInt64(bigEndianBytes: bytes.prefix(8)) ^ 1 << 63
      self = .position(
        section: Int64(bitPattern: section), key: SortKey(validBytes: Array(bytes.dropFirst(8))))
    case .field:
      self = .field(FieldValue(canonicalBytes: bytes))
    case .other:
      self = .other(Array(bytes))
    }
  }
}

extension RawEntry {
  /// Whether another one of the same register is the same write.
  func isSameWrite(as other: RawEntry) -> Bool {
    time == other.time && replica == other.replica && sequence == other.sequence
      && value.elementsEqual(other.value)
  }

  /// Whether another one of the same register wins.
  func isLess(than other: RawEntry) -> Bool {
    writeOrder(
      (time.rawValue, replica, sequence), (other.time.rawValue, other.replica, other.sequence),
      isLife: register == .life
    ) {
      compareBytes(value, other.value)
    } < 0
  }
}

extension Page {
  /// Calls `body` with each entry of an item, rising by register.
  func forEachEntry(
    of place: Int, registers: RegisterTable, replicas: ReplicaTable,
    _ body: (RawEntry) -> Void
  ) {
    if let life = lifeEntry(of: place, replicas: replicas) { body(life) }
    if let position = positionEntry(of: place, replicas: replicas) { body(position) }
    let id = id(place)
    var index = firstField(place)
    while index != FieldRecord.none {
      Cost.count(.entryVisit)
      let field = field(index)
      body(entry(field, of: id, registers: registers, replicas: replicas))
      index = field.next
    }
  }

  /// The entry that a register of an item holds.
  ///
  /// - Complexity: O(*f*) for *f* fields, without reading those before it
  func entry(
    of place: Int, at register: Register, registers: RegisterTable, replicas: ReplicaTable
  ) -> RawEntry? {
    switch register {
    case .life: return lifeEntry(of: place, replicas: replicas)
    case .position: return positionEntry(of: place, replicas: replicas)
    default:
      guard let name = registers.index(of: register), let index = field(place, named: name) else {
        return nil
      }
      return entry(field(index), of: id(place), registers: registers, replicas: replicas)
    }
  }

  private func lifeEntry(of place: Int, replicas: ReplicaTable) -> RawEntry? {
    let record = item(place)
    guard record.life.isWritten else { return nil }
    Cost.count(.entryVisit)
    var value: [UInt8] = []
    value.appendBigEndian(record.life.length)
    return RawEntry(
      item: record.id, register: .life, time: Timestamp(unchecked: record.life.time),
      replica: replicas[record.life.replica], sequence: record.life.sequence, value: value[...])
  }

  private func positionEntry(of place: Int, replicas: ReplicaTable) -> RawEntry? {
    let position = position(place)
    guard position.isWritten else { return nil }
    Cost.count(.entryVisit)
    return RawEntry(
      item: id(place), register: .position, time: Timestamp(unchecked: position.time),
      replica: replicas[position.replica], sequence: position.sequence,
      value: positionValue(place)[...])
  }

  private func entry(
    _ field: FieldRecord, of item: ItemID, registers: RegisterTable, replicas: ReplicaTable
  ) -> RawEntry {
    RawEntry(
      item: item, register: registers[field.name], time: Timestamp(unchecked: field.time),
      replica: replicas[field.replica], sequence: field.sequence, value: arena[field.value])
  }

  /// The canonical value of an item's position: the section, its sign bit flipped, and the key.
  func positionValue(_ place: Int) -> [UInt8] {
    let position = position(place)
    var value: [UInt8] = []
    value.reserveCapacity(8 + position.key.length)
    value.appendBigEndian(UInt64(bitPattern: position.section) ^ 1 << 63)
    arena.append(position.key, to: &value)
    return value
  }
}

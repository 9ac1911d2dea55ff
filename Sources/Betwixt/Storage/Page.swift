/// Up to 64 items with all their registers: the unit that an edit after a copy copies.
struct Page: Sendable {
  private(set) var items: [ItemRecord] = []
  private(set) var fields: [FieldRecord] = []
  private(set) var arena = ByteArena()
  private(set) var newest = Frontier()
  /// The sum over the page's entries when they were settled last.
  private(set) var sum = EntrySum()

  init() { items.reserveCapacity(Slot.fanOut) }

  // MARK: Reading

  func key(_ place: Int) -> ArraySlice<UInt8> { arena[items[place].position.key] }

  func value(_ field: Int32) -> ArraySlice<UInt8> { arena[fields[Int(field)].value] }

  /// The field of an item with a register name, if it was ever written.
  func field(_ place: Int, _ name: UInt32) -> Int32? {
    var index = items[place].firstField
    while index != FieldRecord.none {
      if fields[Int(index)].name == name { return index }
      index = fields[Int(index)].next
    }
    return nil
  }

  // Up to here looking at every field beats comparing names.
  private static let scanLimit = 32

  /// A field at `start` or behind it; `start` moves on, never beyond where a later register stands.
  func field(_ name: UInt32, from start: inout Int32, _ names: RegisterTable) -> FieldRecord? {
    var index = start
    var steps = 0
    while index != FieldRecord.none, steps < Page.scanLimit {
      let field = fields[Int(index)]
      if field.name == name {
        start = index
        return field
      }
      steps += 1
      index = field.next
    }
    guard index != FieldRecord.none else { return nil }
    while start != FieldRecord.none, names.precedes(fields[Int(start)].name, name) {
      start = fields[Int(start)].next
    }
    guard start != FieldRecord.none, fields[Int(start)].name == name else { return nil }
    return fields[Int(start)]
  }

  /// Where a field stands behind another one, or, if it is not there, what it belongs behind.
  func place(
    ofField name: UInt32, of place: Int, after start: Int32, _ names: RegisterTable
  ) -> (field: Int32?, previous: Int32) {
    let first = start == FieldRecord.none ? items[place].firstField : fields[Int(start)].next
    var index = first
    var steps = 0
    while index != FieldRecord.none, steps < Page.scanLimit {
      if fields[Int(index)].name == name { return (index, start) }
      steps += 1
      index = fields[Int(index)].next
    }
    var previous = start
    index = first
    while index != FieldRecord.none, names.precedes(fields[Int(index)].name, name) {
      previous = index
      index = fields[Int(index)].next
    }
    let isFound = index != FieldRecord.none && fields[Int(index)].name == name
    return (isFound ? index : nil, previous)
  }

  func fieldRecord(_ place: Int, _ name: UInt32) -> FieldRecord? {
    field(place, name).map { fields[Int($0)] }
  }

  // MARK: Writing

  /// Makes room for what rows bring.
  mutating func reserve(_ rows: ArraySlice<Delta.Row>) {
    var fieldCount = 0
    var byteCount = 0
    for row in rows {
      switch row.register {
      case .life: break
      case .position: byteCount += ByteArena.byteCount(toHold: row.count - 8)
      default:
        fieldCount += 1
        byteCount += ByteArena.byteCount(toHold: row.count)
      }
    }
    fields.reserveCapacity(fieldCount)
    arena.reserve(byteCount)
  }

  mutating func append(_ id: ItemID) {
    items.append(ItemRecord(id: id))
  }

  mutating func note(_ replica: UInt32, _ sequence: Int64) { newest.note(replica, sequence) }

  mutating func setLife(_ place: Int, _ life: LifeRecord) {
    items[place].life = life
    note(life.replica, life.sequence)
  }

  /// Replaces the position; the record's own key reference does not count.
  mutating func setPosition(_ place: Int, _ position: PositionRecord, key: Span<UInt8>) {
    let old = items[place].position
    var new = position
    new.key = old.isWritten ? arena.replace(old.key, with: key) : arena.store(key)
    items[place].position = new
    note(new.replica, new.sequence)
    compactIfWasteful()
  }

  /// Replaces a field that is there; the record's own value reference does not count.
  mutating func replaceField(_ index: Int32, _ field: FieldRecord, value: Span<UInt8>) {
    let old = fields[Int(index)]
    var new = field
    new.value = arena.replace(old.value, with: value)
    new.next = old.next
    fields[Int(index)] = new
    note(new.replica, new.sequence)
    compactIfWasteful()
  }

  /// Adds a field that is not there yet, behind `previous` in the item's order of registers.
  ///
  /// - Returns: Where it stands.
  @discardableResult
  mutating func addField(
    _ place: Int, after previous: Int32, _ field: FieldRecord, value: Span<UInt8>
  ) -> Int32 {
    var new = field
    new.value = arena.store(value)
    let index = Int32(truncatingIfNeeded: fields.count)
    if previous == FieldRecord.none {
      new.next = items[place].firstField
      items[place].firstField = index
    } else {
      new.next = fields[Int(previous)].next
      fields[Int(previous)].next = index
    }
    fields.append(new)
    note(new.replica, new.sequence)
    return index
  }

  mutating func settle(_ sum: EntrySum) { self.sum = sum }

  mutating func setForgotten(_ place: Int, _ isForgotten: Bool) {
    items[place].isForgotten = isForgotten
  }

  /// Whether an item's position or a field is one of those that `isBelow` names.
  func holds(_ place: Int, _ isBelow: (UInt32, Int64) -> Bool) -> Bool {
    let position = items[place].position
    if position.isWritten, isBelow(position.replica, position.sequence) { return true }
    var index = items[place].firstField
    while index != FieldRecord.none {
      let field = fields[Int(index)]
      if isBelow(field.replica, field.sequence) { return true }
      index = field.next
    }
    return false
  }

  /// Drops what `isBelow` names of the positions and fields of some items, and closes the gaps.
  ///
  /// - Parameters:
  ///   - places: The items, a bit for each.
  ///   - isBelow: Which writes go, by replica and number.
  /// - Returns: How many registers went.
  mutating func forget(_ places: UInt64, _ isBelow: (UInt32, Int64) -> Bool) -> Int {
    var kept: [FieldRecord] = []
    var compact = ByteArena()
    var count = 0
    for place in items.indices {
      let isLosing = places & 1 << UInt64(place) != 0
      let position = items[place].position
      if position.isWritten {
        if isLosing, isBelow(position.replica, position.sequence) {
          items[place].position = PositionRecord()
          count += 1
        } else {
          items[place].position.key = compact.store(arena[position.key].span)
        }
      }
      var index = items[place].firstField
      var last = FieldRecord.none
      items[place].firstField = FieldRecord.none
      while index != FieldRecord.none {
        var field = fields[Int(index)]
        index = field.next
        if isLosing, isBelow(field.replica, field.sequence) {
          count += 1
          continue
        }
        field.value = compact.store(arena[field.value].span)
        field.next = FieldRecord.none
        let new = Int32(truncatingIfNeeded: kept.count)
        if last == FieldRecord.none {
          items[place].firstField = new
        } else {
          kept[Int(last)].next = new
        }
        kept.append(field)
        last = new
      }
    }
    // What grew by doubling would stay twice as large as what is left.
    fields = Array(kept[...])
    arena = compact
    return count
  }

  private mutating func compactIfWasteful() {
    guard arena.isWasteful else { return }
    var compact = ByteArena()
    compact.reserve(arena.liveByteCount)
    for place in items.indices where items[place].position.isWritten {
      items[place].position.key = compact.store(arena[items[place].position.key].span)
    }
    for index in fields.indices {
      fields[index].value = compact.store(arena[fields[index].value].span)
    }
    arena = compact
  }
}

/// Up to 64 items with all their registers: the unit that an edit after a copy copies.
struct Page: Sendable {
  // What a look at a key needs comes first and together: 32 bytes of 96.

  /// What those items hold that hold anything, in the order in which they began to.
  private(set) var contents: [ContentRecord] = []
  private(set) var arena = ByteArena()
  /// Whether that is the order of the items: then a content is found without a look at its item.
  private(set) var isAligned = true
  private(set) var items: [ItemRecord] = []
  private(set) var fields: [FieldRecord] = []
  private(set) var newest = Frontier()
  /// The sum over the page's entries when they were settled last.
  private(set) var sum = EntrySum()

  init() { items.reserveCapacity(Slot.fanOut) }

  // MARK: Reading

  // Inlined, because a call would hand out a copied record where the caller looks at one number.

  /// The index of what an item holds beside its life, if it holds anything.
  @inline(__always)
  private func contentIndex(_ place: Int) -> Int? {
    if isAligned { return place < contents.count ? place : nil }
    let index = items[place].content
    return index == ItemRecord.noContent ? nil : Int(index)
  }

  /// What an item holds beside its life; an empty record if that is nothing.
  @inline(__always)
  func content(_ place: Int) -> ContentRecord {
    guard let index = contentIndex(place) else { return ContentRecord() }
    return contents[index]
  }

  /// The position of an item; one that is not written if it has none.
  @inline(__always)
  func position(_ place: Int) -> PositionRecord { content(place).position }

  /// The first field of an item, or ``FieldRecord/none``.
  @inline(__always)
  func firstField(_ place: Int) -> Int32 {
    guard let index = contentIndex(place) else { return FieldRecord.none }
    return contents[index].firstField
  }

  @inline(__always)
  func key(_ place: Int) -> ArraySlice<UInt8> { arena[position(place).key] }

  func value(_ field: Int32) -> ArraySlice<UInt8> { arena[fields[Int(field)].value] }

  /// The field of an item with a register name, if it was ever written.
  func field(_ place: Int, named name: UInt32) -> Int32? {
    var index = firstField(place)
    while index != FieldRecord.none {
      if fields[Int(index)].name == name { return index }
      index = fields[Int(index)].next
    }
    return nil
  }

  // Up to here looking at every field beats comparing names.
  private static let scanLimit = 32

  /// A field at `start` or behind it; `start` moves on, never beyond where a later register stands.
  func field(_ name: UInt32, from start: inout Int32, in names: RegisterTable) -> FieldRecord? {
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
  private func place(
    ofField name: UInt32, of place: Int, after start: Int32, in names: RegisterTable
  ) -> (field: Int32?, previous: Int32) {
    let first = start == FieldRecord.none ? firstField(place) : fields[Int(start)].next
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

  func fieldRecord(_ place: Int, named name: UInt32) -> FieldRecord? {
    field(place, named: name).map { fields[Int($0)] }
  }

  // MARK: Writing

  /// Makes room for what rows bring.
  mutating func reserve(_ rows: ArraySlice<Delta.Row>) {
    var positionCount = 0
    var fieldCount = 0
    var byteCount = 0
    for row in rows {
      switch row.register {
      case .life: break
      case .position:
        positionCount += 1
        byteCount += ByteArena.byteCount(toHold: row.count - 8)
      default:
        fieldCount += 1
        byteCount += ByteArena.byteCount(toHold: row.count)
      }
    }
    contents.reserveCapacity(positionCount)
    fields.reserveCapacity(fieldCount)
    arena.reserve(byteCount)
  }

  mutating func append(_ id: ItemID) {
    items.append(ItemRecord(id: id))
  }

  mutating func note(_ replica: UInt32, sequence: Int64) {
    newest.note(replica, sequence: sequence)
  }

  mutating func setLife(_ place: Int, life: LifeRecord) {
    items[place].life = life
    note(life.replica, sequence: life.sequence)
  }

  /// Replaces the position; the record's own key reference does not count.
  mutating func setPosition(_ place: Int, position: PositionRecord, key: Span<UInt8>) {
    var new = position
    if let index = contentIndex(place) {
      let old = contents[index].position
      new.key = old.isWritten ? arena.replace(old.key, with: key) : arena.store(key)
      contents[index].position = new
      // Asked first, so that moving an item of a copy leaves the records shared.
      if !old.isWritten { items[place].hasPosition = true }
    } else {
      new.key = arena.store(key)
      add(ContentRecord(position: new), to: place)
    }
    note(new.replica, sequence: new.sequence)
    compactIfWasteful()
  }

  /// Gives an item that holds nothing yet what it will hold.
  private mutating func add(_ content: ContentRecord, to place: Int) {
    // Where the first item holds something, most others do. A page of forgotten items in which one
    // is restored needs no room for all.
    if place == 0, contents.capacity == 0 { contents.reserveCapacity(Slot.fanOut) }
    if contents.count != place { isAligned = false }
    items[place].hold(content, at: contents.count)
    contents.append(content)
  }

  /// Writes a field, whether it was there or not, from `previous` on; returns where it stands.
  mutating func setField(
    _ place: Int, field: FieldRecord, value: Span<UInt8>, names: RegisterTable,
    after previous: Int32
  ) -> Int32 {
    let found = self.place(ofField: field.name, of: place, after: previous, in: names)
    if let index = found.field {
      replaceField(index, field: field, value: value)
      return index
    }
    return addField(place, after: found.previous, field: field, value: value)
  }

  /// Replaces a field that is there; the record's own value reference does not count.
  private mutating func replaceField(_ index: Int32, field: FieldRecord, value: Span<UInt8>) {
    let old = fields[Int(index)]
    var new = field
    new.value = arena.replace(old.value, with: value)
    new.next = old.next
    fields[Int(index)] = new
    note(new.replica, sequence: new.sequence)
    compactIfWasteful()
  }

  /// Adds a field that is not there yet, behind `previous` in the item's order of registers.
  ///
  /// - Returns: Where it stands.
  @discardableResult
  mutating func addField(
    _ place: Int, after previous: Int32, field: FieldRecord, value: Span<UInt8>
  ) -> Int32 {
    var new = field
    new.value = arena.store(value)
    let index = Int32(truncatingIfNeeded: fields.count)
    if previous == FieldRecord.none {
      if let content = contentIndex(place) {
        new.next = contents[content].firstField
        contents[content].firstField = index
      } else {
        new.next = FieldRecord.none
        add(ContentRecord(firstField: index), to: place)
      }
    } else {
      new.next = fields[Int(previous)].next
      fields[Int(previous)].next = index
    }
    fields.append(new)
    note(new.replica, sequence: new.sequence)
    return index
  }

  mutating func settle(_ sum: EntrySum) { self.sum = sum }

  mutating func setForgotten(_ place: Int, isForgotten: Bool) {
    items[place].isForgotten = isForgotten
  }

  /// Whether an item's position or a field is one of those that `isBelow` names.
  func holds(_ place: Int, _ isBelow: (UInt32, Int64) -> Bool) -> Bool {
    let content = content(place)
    let position = content.position
    if position.isWritten, isBelow(position.replica, position.sequence) { return true }
    var index = content.firstField
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
    var rest = PageRest()
    // What stays moves as well: it would stand alone in the memory that gets free around it.
    var records = items.moved(withRoomFor: Slot.fanOut)
    for place in items.indices where items[place].content != ItemRecord.noContent {
      let isLosing = places & 1 << UInt64(place) != 0
      let content = rest.take(content(place), of: self) { isLosing && isBelow($0, $1) }
      records[place].hold(content, at: rest.add(content))
    }
    isAligned = records.indices.allSatisfy { records[$0].holdsNothing(but: $0) }
    items = records
    contents = rest.contents.moved()
    fields = rest.fields.moved()
    arena = rest.arena
    return rest.lossCount
  }

  private mutating func compactIfWasteful() {
    guard arena.isWasteful else { return }
    var compact = ByteArena()
    compact.reserve(arena.liveByteCount)
    for index in contents.indices where contents[index].position.isWritten {
      contents[index].position.key = compact.store(arena[contents[index].position.key].span)
    }
    for index in fields.indices {
      fields[index].value = compact.store(arena[fields[index].value].span)
    }
    arena = compact
  }
}

/// Up to 64 items with all their registers: the unit that an edit after a copy copies.
///
/// 64 bytes, one line of the processor's cache: every look at a key goes through one.
struct Page: Sendable {
  // What a look at a key needs comes first and together.

  /// What those items hold that hold anything, in the order in which they began to; none while packed.
  private(set) var contents: [ContentRecord] = []
  private(set) var arena = ByteArena()
  /// Whether that is the order of the items: then a content is found without a look at its item.
  private(set) var isAligned = true
  private(set) var items: [ItemRecord] = []
  private(set) var fields: [FieldRecord] = []
  private(set) var newest = Frontier()
  /// All records, while nobody writes them; then those above are empty.
  private(set) var packed: PackedPage?

  init() { items.reserveCapacity(Slot.fanOut) }

  /// A page of items that are all there.
  init(_ draft: PageDraft) {
    packed = PackedPage(
      items: PackedRows(draft.items), contents: PackedRows(draft.contents),
      fields: PackedRows(draft.fields))
    arena = draft.arena.fitting
    newest = draft.newest
    isAligned = draft.isAligned
  }

  /// A page as a packed one was once.
  init(_ packed: PackedPage, arena: ByteArena, isAligned: Bool, newest: Frontier) {
    self.packed = packed
    self.arena = arena
    self.isAligned = isAligned
    self.newest = newest
  }

  // MARK: Packing

  /// Keeps the records in less memory until the next write.
  ///
  /// - Complexity: O(the records)
  mutating func pack() {
    guard packed == nil, !items.isEmpty else { return }
    packed = PackedPage(
      items: PackedRows(items), contents: PackedRows(contents), fields: PackedRows(fields))
    items = []
    contents = []
    fields = []
    arena = arena.fitting
  }

  @inline(__always)
  private mutating func unpack() {
    if items.isEmpty { takeOut() }
  }

  @inline(never)
  private mutating func takeOut() {
    guard let page = packed else { return }
    packed = nil
    items = page.items.records
    contents = page.contents.records
    fields = page.fields.records
  }

  /// The same page with its records as they are, for who looks at all of them.
  ///
  /// - Complexity: O(the records), O(1) if it is not packed
  var unpacked: Page {
    var page = self
    page.unpack()
    return page
  }

  /// Whether this is the same page as another: neither was written since one was copied.
  func isShared(with other: Page) -> Bool {
    // Every write unpacks first.
    if let packed, let others = other.packed { return packed === others }
    guard packed == nil, other.packed == nil else { return false }
    return items.isSameArray(as: other.items) && contents.isSameArray(as: other.contents)
      && fields.isSameArray(as: other.fields) && arena.isSameArena(as: other.arena)
  }

  /// Whether both are packed, in the same way: then they hold the same, if their lists name replicas
  /// and registers by the same numbers.
  ///
  /// - Complexity: O(the bytes)
  func isPacked(as other: Page) -> Bool {
    guard let packed, let others = other.packed else { return false }
    return packed.isSame(as: others) && arena.isSame(as: other.arena)
  }

  // MARK: Counts

  var itemCount: Int { packed?.items.count ?? items.count }

  /// How many items hold anything beside their life.
  var contentCount: Int { packed?.contents.count ?? contents.count }

  var fieldCount: Int { packed?.fields.count ?? fields.count }

  // MARK: Reading

  // Inlined, because a call would hand out a copied record where the caller looks at one number.
  // Whoever finds a record here does not ask whether the page is packed: then there are none, and
  // a call looks for it there.

  @inline(__always)
  func item(_ place: Int) -> ItemRecord {
    place < items.count ? items[place] : packedItem(place)
  }

  @inline(__always)
  func id(_ place: Int) -> ItemID {
    place < items.count ? items[place].id : packedID(place)
  }

  /// Names all items, in their order.
  func forEachID(_ body: (ItemID) -> Void) {
    if let packed { return packed.forEachID(body) }
    for item in items { body(item.id) }
  }

  /// What an item holds, by its index among those that hold anything.
  @inline(__always)
  func content(at index: Int) -> ContentRecord {
    index < contents.count ? contents[index] : packedContent(index)
  }

  @inline(__always)
  func field(_ index: Int32) -> FieldRecord {
    Int(index) < fields.count ? fields[Int(index)] : packedField(index)
  }

  @inline(__always)
  private func name(_ index: Int32) -> UInt32 {
    Int(index) < fields.count ? fields[Int(index)].name : packedName(index)
  }

  /// The next field of an item, or ``FieldRecord/none``.
  @inline(__always)
  private func next(_ index: Int32) -> Int32 {
    Int(index) < fields.count ? fields[Int(index)].next : packedNext(index)
  }

  /// What an item holds beside its life; an empty record if that is nothing.
  @inline(__always)
  func content(_ place: Int) -> ContentRecord {
    isAligned && place < contents.count ? contents[place] : searchedContent(place)
  }

  /// The position of an item; one that is not written if it has none.
  @inline(__always)
  func position(_ place: Int) -> PositionRecord { content(place).position }

  /// The first field of an item, or ``FieldRecord/none``.
  @inline(__always)
  func firstField(_ place: Int) -> Int32 {
    isAligned && place < contents.count
      ? contents[place].firstField : searchedFirstField(place)
  }

  @inline(__always)
  func key(_ place: Int) -> ArraySlice<UInt8> {
    isAligned && place < contents.count
      ? arena[contents[place].position.key] : arena[searchedKey(place)]
  }

  func value(_ field: Int32) -> ArraySlice<UInt8> { arena[self.field(field).value] }

  /// The field of an item with a register name, if it was ever written.
  func field(_ place: Int, named name: UInt32) -> Int32? {
    var index = firstField(place)
    var count = 0
    defer { Cost.count(.entryVisit, times: count) }
    while index != FieldRecord.none {
      count += 1
      if self.name(index) == name { return index }
      index = next(index)
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
      if self.name(index) == name {
        start = index
        return field(index)
      }
      steps += 1
      index = next(index)
    }
    guard index != FieldRecord.none else { return nil }
    while start != FieldRecord.none, names.precedes(self.name(start), name) {
      start = next(start)
    }
    guard start != FieldRecord.none, self.name(start) == name else { return nil }
    return field(start)
  }

  /// Where a field stands behind another one, or, if it is not there, what it belongs behind.
  private func place(
    ofField name: UInt32, of place: Int, after start: Int32, in names: RegisterTable
  ) -> (field: Int32?, previous: Int32) {
    let first = start == FieldRecord.none ? firstField(place) : next(start)
    var index = first
    var steps = 0
    while index != FieldRecord.none, steps < Page.scanLimit {
      if self.name(index) == name { return (index, start) }
      steps += 1
      index = next(index)
    }
    var previous = start
    index = first
    while index != FieldRecord.none, names.precedes(self.name(index), name) {
      previous = index
      index = next(index)
    }
    let isFound = index != FieldRecord.none && self.name(index) == name
    return (isFound ? index : nil, previous)
  }

  func fieldRecord(_ place: Int, named name: UInt32) -> FieldRecord? {
    field(place, named: name).map { field($0) }
  }

  // MARK: Reading what is packed, or not where it is looked for first

  // Calls, so that those who find the records as they are stay small.

  @inline(never)
  private func packedItem(_ place: Int) -> ItemRecord { packed?.items[place] ?? items[place] }

  @inline(never)
  private func packedID(_ place: Int) -> ItemID { packed?.id(place) ?? items[place].id }

  @inline(never)
  private func packedContent(_ index: Int) -> ContentRecord {
    packed?.contents[index] ?? contents[index]
  }

  @inline(never)
  private func packedField(_ index: Int32) -> FieldRecord {
    packed?.fields[Int(index)] ?? fields[Int(index)]
  }

  @inline(never)
  private func packedName(_ index: Int32) -> UInt32 {
    packed?.name(Int(index)) ?? fields[Int(index)].name
  }

  @inline(never)
  private func packedNext(_ index: Int32) -> Int32 {
    packed?.next(Int(index)) ?? fields[Int(index)].next
  }

  /// The index of what an item holds beside its life, if it holds anything.
  @inline(__always)
  func contentIndex(_ place: Int) -> Int? {
    if isAligned { return place < contentCount ? place : nil }
    let index = item(place).content
    return index == ItemRecord.noContent ? nil : Int(index)
  }

  @inline(never)
  private func searchedContent(_ place: Int) -> ContentRecord {
    guard let index = contentIndex(place) else { return ContentRecord() }
    return content(at: index)
  }

  @inline(never)
  private func searchedFirstField(_ place: Int) -> Int32 {
    guard let index = contentIndex(place) else { return FieldRecord.none }
    return packed?.firstField(index) ?? contents[index].firstField
  }

  @inline(never)
  private func searchedKey(_ place: Int) -> ByteArena.Reference {
    guard let index = contentIndex(place) else { return ByteArena.Reference() }
    return packed?.key(index) ?? contents[index].position.key
  }

  // MARK: Writing

  mutating func append(_ id: ItemID) {
    unpack()
    items.append(ItemRecord(id: id))
  }

  mutating func note(_ replica: UInt32, sequence: Int64) {
    newest.note(replica, sequence: sequence)
  }

  mutating func setLife(_ place: Int, life: LifeRecord) {
    unpack()
    items[place].life = life
    note(life.replica, sequence: life.sequence)
  }

  /// Replaces the position; the record's own key reference does not count.
  mutating func setPosition(_ place: Int, position: PositionRecord, key: Span<UInt8>) {
    unpack()
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
    unpack()
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
  private mutating func addField(
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

  /// Whether an item's position or a field is one of those that `isBelow` names.
  func holds(_ place: Int, _ isBelow: (UInt32, Int64) -> Bool) -> Bool {
    let content = content(place)
    let position = content.position
    if position.isWritten, isBelow(position.replica, position.sequence) { return true }
    var index = content.firstField
    while index != FieldRecord.none {
      let field = field(index)
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
  mutating func forget(
    _ places: UInt64, _ isBelow: (UInt32, Int64) -> Bool
  ) -> Int {
    var draft = PageDraft()
    var lossCount = 0
    for place in 0..<itemCount {
      let bit = UInt64(1) << UInt64(place)
      lossCount += draft.append(place, of: self) { places & bit != 0 && isBelow($0, $1) }
      draft.end()
    }
    draft.finish()
    let newest = newest
    self = Page(draft)
    self.newest = newest
    return lossCount
  }

  // Of records that are not packed.
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

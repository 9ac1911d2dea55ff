/// A page that is being made of whole items, one after the other, its records not packed yet.
///
/// Packed at the end, each column is as narrow as it can be, and nothing is written twice.
struct PageDraft {
  private(set) var items = NumberTable()
  private(set) var contents = NumberTable()
  private(set) var fields = NumberTable()
  private(set) var arena = ByteArena()
  private(set) var newest = Frontier()
  /// How many items are complete.
  private(set) var completeCount = 0
  /// Whether what items hold lies in the order of the items.
  private(set) var isAligned = true

  // The item that is being made, and its last field: a field says whether another one follows.
  private var item: ItemRecord?
  private var content = ContentRecord()
  private var field: FieldRecord?
  // The newest write of the replica that wrote last.
  private var writer: UInt32 = 0
  private var newestOfWriter: Int64 = 0

  /// How many items there are, with the one that is being made.
  var itemCount: Int { items.rowCount + (item == nil ? 0 : 1) }

  /// Begins with nothing, in the same memory.
  mutating func removeAll() {
    items.removeAll()
    contents.removeAll()
    fields.removeAll()
    arena.removeAll()
    newest = Frontier()
    newestOfWriter = 0
    completeCount = 0
    isAligned = true
    item = nil
    field = nil
  }

  // MARK: Items

  /// Begins an item, to which belongs what is set until it ends.
  mutating func begin(_ id: ItemID) {
    item = ItemRecord(id: id)
    content = ContentRecord()
  }

  /// Whether the item that is being made is shown.
  var isVisible: Bool { item?.isVisible ?? false }

  /// Ends the item, if there is one.
  mutating func end() {
    guard var item else { return }
    if let field { fields.append(field.numbers) }
    field = nil
    item.hold(content, at: contents.rowCount)
    if !item.holdsNothing(but: items.rowCount) { isAligned = false }
    if !content.isEmpty { contents.append(content.numbers) }
    if item.isComplete { completeCount += 1 }
    items.append(item.numbers)
    self.item = nil
  }

  /// Ends the page, of which nothing is to be added any more.
  mutating func finish() {
    end()
    if newestOfWriter > 0 { newest.note(writer, sequence: newestOfWriter) }
    newestOfWriter = 0
  }

  // MARK: Registers

  mutating func setLife(_ life: LifeRecord) {
    item?.life = life
    note(life.replica, sequence: life.sequence)
  }

  /// Sets the position; the record's own key reference does not count.
  mutating func setPosition(_ position: PositionRecord, key: Span<UInt8>) {
    content.position = position
    content.position.key = arena.store(key)
    item?.hasPosition = position.isWritten
    note(position.replica, sequence: position.sequence)
  }

  /// Adds a field, whose register follows those of the item's last one.
  ///
  /// Its own value reference does not count; the value may be in two parts.
  mutating func addField(_ new: FieldRecord, tag: UInt8? = nil, value: Span<UInt8>) {
    if var last = field {
      last.next = Int32(truncatingIfNeeded: fields.rowCount + 1)
      fields.append(last.numbers)
    } else {
      content.firstField = Int32(truncatingIfNeeded: fields.rowCount)
    }
    var new = new
    if let tag { new.value = arena.store(tag, value) } else { new.value = arena.store(value) }
    new.next = FieldRecord.none
    field = new
    note(new.replica, sequence: new.sequence)
  }

  @inline(__always)
  private mutating func note(_ replica: UInt32, sequence: Int64) {
    if replica != writer {
      if newestOfWriter > 0 { newest.note(writer, sequence: newestOfWriter) }
      writer = replica
      newestOfWriter = sequence
    } else if sequence > newestOfWriter {
      newestOfWriter = sequence
    }
  }
}

extension PageDraft {
  /// Adds what is left of an item of a page when some of its writes go.
  ///
  /// - Parameters:
  ///   - place: The item.
  ///   - page: The page.
  ///   - goes: Whether a write of its position or of a field goes, by replica and number.
  /// - Returns: How many went.
  mutating func append(
    _ place: Int, of page: Page, _ goes: (UInt32, Int64) -> Bool
  ) -> Int {
    var lossCount = 0
    let item = page.item(place)
    begin(item.id)
    if item.life.isWritten { setLife(item.life) }
    let content = page.content(place)
    let position = content.position
    if position.isWritten {
      if goes(position.replica, position.sequence) {
        lossCount += 1
      } else {
        setPosition(position, key: page.arena[position.key].span)
      }
    }
    var index = content.firstField
    while index != FieldRecord.none {
      let field = page.field(index)
      index = field.next
      if goes(field.replica, field.sequence) {
        lossCount += 1
      } else {
        addField(field, value: page.arena[field.value].span)
      }
    }
    return lossCount
  }
}

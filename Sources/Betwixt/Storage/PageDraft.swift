/// A page that is being made of whole items, one after the other, its records not packed yet.
///
/// Packed at the end, each column is as narrow as it can be, and nothing is written twice.
struct PageDraft {
  private(set) var items: [ItemRecord] = []
  private(set) var contents: [ContentRecord] = []
  private(set) var fields: [FieldRecord] = []
  private(set) var arena = ByteArena()
  private(set) var newest = Frontier()
  // Of the last item, or `none`.
  private var lastField = FieldRecord.none

  /// Begins with nothing, and with room for so many bytes.
  mutating func start(byteCount: Int) {
    items.removeAll(keepingCapacity: true)
    contents.removeAll(keepingCapacity: true)
    fields.removeAll(keepingCapacity: true)
    arena = ByteArena()
    arena.reserve(byteCount)
    newest = Frontier()
  }

  /// Begins an item, to which belongs what is set until the next one.
  mutating func append(_ id: ItemID) {
    items.append(ItemRecord(id: id))
    lastField = FieldRecord.none
  }

  /// Notes that the item was removed at or below the floor and has no place.
  mutating func setForgotten() { items[items.count - 1].isForgotten = true }

  mutating func setLife(_ life: LifeRecord) {
    items[items.count - 1].life = life
    newest.note(life.replica, sequence: life.sequence)
  }

  /// Sets the position; the record's own key reference does not count.
  mutating func setPosition(_ position: PositionRecord, key: Span<UInt8>) {
    var new = position
    new.key = arena.store(key)
    add(ContentRecord(position: new))
    newest.note(new.replica, sequence: new.sequence)
  }

  /// Adds a field, whose register follows those of the item's last one; its own value reference does
  /// not count.
  mutating func addField(_ field: FieldRecord, value: Span<UInt8>) {
    var new = field
    new.value = arena.store(value)
    new.next = FieldRecord.none
    let index = Int32(truncatingIfNeeded: fields.count)
    if lastField != FieldRecord.none {
      fields[Int(lastField)].next = index
    } else if items[items.count - 1].content != ItemRecord.noContent {
      contents[contents.count - 1].firstField = index
    } else {
      add(ContentRecord(firstField: index))
    }
    fields.append(new)
    lastField = index
    newest.note(new.replica, sequence: new.sequence)
  }

  private mutating func add(_ content: ContentRecord) {
    items[items.count - 1].hold(content, at: contents.count)
    contents.append(content)
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
    append(item.id)
    if item.isForgotten { setForgotten() }
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

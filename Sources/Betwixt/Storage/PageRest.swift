/// What is left of a page's contents while it forgets, without gaps.
struct PageRest {
  private(set) var contents: [ContentRecord] = []
  private(set) var fields: [FieldRecord] = []
  private(set) var arena = ByteArena()
  /// How many registers went.
  private(set) var lossCount = 0

  /// Takes over what one item of a page holds, but for what goes.
  ///
  /// - Parameters:
  ///   - content: What the item holds there.
  ///   - page: The page.
  ///   - goes: Whether a write goes, by replica and number.
  /// - Returns: What is left of it, as it lies here.
  mutating func take(
    _ content: ContentRecord, of page: Page, _ goes: (UInt32, Int64) -> Bool
  ) -> ContentRecord {
    var rest = ContentRecord()
    let position = content.position
    if position.isWritten {
      if goes(position.replica, position.sequence) {
        lossCount += 1
      } else {
        rest.position = position
        rest.position.key = arena.store(page.arena[position.key].span)
      }
    }
    var index = content.firstField
    var last = FieldRecord.none
    while index != FieldRecord.none {
      var field = page.fields[Int(index)]
      index = field.next
      if goes(field.replica, field.sequence) {
        lossCount += 1
        continue
      }
      field.value = arena.store(page.arena[field.value].span)
      field.next = FieldRecord.none
      let new = Int32(truncatingIfNeeded: fields.count)
      if last == FieldRecord.none {
        rest.firstField = new
      } else {
        fields[Int(last)].next = new
      }
      fields.append(field)
      last = new
    }
    return rest
  }

  /// Keeps what is left of an item, if that is anything.
  ///
  /// - Returns: The index under which it is found.
  mutating func add(_ content: ContentRecord) -> Int {
    if !content.isEmpty { contents.append(content) }
    return contents.count - 1
  }
}

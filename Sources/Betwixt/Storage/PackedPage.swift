/// The records of a page that nobody writes, in a third of the memory or less.
///
/// A page is packed when it is loaded, filled by a merge, or settled, and unpacked by its next write:
/// reading packed records takes somewhat longer, and writing them where they lie was measured at a
/// fifth of the time of an edit.
final class PackedPage: Sendable {
  let items: PackedRows<ItemRecord>
  let contents: PackedRows<ContentRecord>
  let fields: PackedRows<FieldRecord>

  init(
    items: PackedRows<ItemRecord>, contents: PackedRows<ContentRecord>,
    fields: PackedRows<FieldRecord>
  ) {
    self.items = items
    self.contents = contents
    self.fields = fields
  }

  /// Whether the same records are packed in the same way.
  func isSame(as other: PackedPage) -> Bool {
    self === other
      || items.isSame(as: other.items) && contents.isSame(as: other.contents)
        && fields.isSame(as: other.fields)
  }

  // What is looked at alone, without a copy of the record.

  func id(_ place: Int) -> ItemID {
    ItemID(
      high: items.number(place, ItemRecord.Column.high),
      low: items.number(place, ItemRecord.Column.low))
  }

  func forEachID(_ body: (ItemID) -> Void) {
    guard !items.isEmpty else { return }
    let (high, low) = (items.column(ItemRecord.Column.high), items.column(ItemRecord.Column.low))
    for row in 0..<items.count { body(ItemID(high: high[row], low: low[row])) }
  }

  func firstField(_ index: Int) -> Int32 {
    ContentRecord.firstField(contents.number(index, ContentRecord.Column.rest))
  }

  /// The key of a position; an empty one if it is not written.
  func key(_ index: Int) -> ByteArena.Reference {
    guard ContentRecord.hasPosition(contents.number(index, ContentRecord.Column.rest)) else {
      return ByteArena.Reference()
    }
    return ByteArena.Reference(
      start: contents.number(index, ContentRecord.Column.start),
      packedLength: contents.number(index, ContentRecord.Column.length))
  }

  func name(_ field: Int) -> UInt32 {
    UInt32(truncatingIfNeeded: fields.number(field, FieldRecord.Column.name))
  }

  func next(_ field: Int) -> Int32 {
    FieldRecord.next(fields.number(field, FieldRecord.Column.next))
  }
}

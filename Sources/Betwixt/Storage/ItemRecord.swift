/// What a page keeps of each item, forgotten ones as well: its id and its life.
///
/// 48 bytes, because of most items nothing else may be left. All other registers hang on a
/// ``ContentRecord``.
struct ItemRecord: Sendable {
  var id: ItemID
  var life = LifeRecord()
  /// The index of its ``ContentRecord`` in the page, or ``noContent``.
  var content = ItemRecord.noContent
  /// Whether its position was ever written: most who ask want to know no more.
  var hasPosition = false

  /// Marks an item without position and fields.
  static let noContent = UInt8.max

  init(id: ItemID) { self.id = id }

  /// Notes what the item holds, and under which index of the page that is found.
  mutating func hold(_ content: ContentRecord, at index: Int) {
    self.content = content.isEmpty ? ItemRecord.noContent : UInt8(truncatingIfNeeded: index)
    hasPosition = content.position.isWritten
  }

  /// Whether what it holds, if anything, has this index.
  func holdsNothing(but index: Int) -> Bool {
    content == ItemRecord.noContent || Int(content) == index
  }

  /// The causal length is odd.
  var isAlive: Bool { life.length & 1 == 1 }

  /// Whether a life is there and, of one that is alive, a place: every item gets both when it is made,
  /// and of a removed one the place may be forgotten, here or elsewhere.
  var isComplete: Bool { life.isWritten && (hasPosition || !isAlive) }

  /// An item is shown iff it is alive and somewhere.
  ///
  /// The root never is.
  var isVisible: Bool { isAlive && hasPosition && id != .root }
}

/// The `life` register of an item.
struct LifeRecord: Sendable {
  var time: UInt64 = 0
  var sequence: Int64 = 0
  /// 0 stands for a register that was never written.
  var length: UInt64 = 0
  var replica: UInt32 = 0

  var isWritten: Bool { length > 0 }

  /// Whether the item was removed at some time before: what it held may be forgotten elsewhere.
  var isLaterThanRemoval: Bool { length > 2 }
}

/// The `position` register of an item.
struct PositionRecord: Sendable {
  var time: UInt64 = 0
  /// 0 stands for a register that was never written.
  var sequence: Int64 = 0
  var section: Int64 = 0
  var key = ByteArena.Reference()
  var replica: UInt32 = 0

  var isWritten: Bool { sequence > 0 }
}

/// What an item holds beside its life, replicas and names as table indices.
struct ContentRecord: Sendable {
  var position = PositionRecord()
  /// Its first field in the page, or ``FieldRecord/none``.
  var firstField = FieldRecord.none

  /// Whether nothing hangs on it.
  var isEmpty: Bool { !position.isWritten && firstField == FieldRecord.none }
}

/// A field, or a register of a newer version: all that is neither `life` nor `position`.
struct FieldRecord: Sendable {
  var time: UInt64
  var sequence: Int64
  var value: ByteArena.Reference
  var replica: UInt32
  /// Its register, as an index into the list's table of names.
  var name: UInt32
  /// The next field of the item in the page, by register.
  var next: Int32

  /// Marks the end of an item's fields.
  static let none: Int32 = -1
}

// A record holds what a row of a delta says, with the tables of its list. Where the key or value
// lies is decided when it is stored.

extension LifeRecord {
  init(_ row: Delta.Row, by replica: UInt32, value: Span<UInt8>) {
    self.init(
      time: row.time, sequence: row.sequence, length: value.bigEndian(), replica: replica)
  }
}

extension PositionRecord {
  init(_ row: Delta.Row, by replica: UInt32, value: Span<UInt8>) {
    self.init(
      time: row.time, sequence: row.sequence,
      section: Int64(bitPattern: value.extracting(first: 8).bigEndian() ^ 1 << 63),
      replica: replica)
  }
}

extension FieldRecord {
  init(_ row: Delta.Row, by replica: UInt32, named name: UInt32) {
    self.init(
      time: row.time, sequence: row.sequence, value: ByteArena.Reference(), replica: replica,
      name: name, next: FieldRecord.none)
  }
}

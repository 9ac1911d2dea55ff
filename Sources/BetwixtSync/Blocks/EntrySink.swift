import Betwixt

/// What a ``BlockDecoder`` hands the entries of a block to, each of them checked.
///
/// A delta keeps rows that anything may be done with; a list that is loaded needs none, which saves
/// half of the time and most of the memory.
protocol EntrySink {
  /// Begins with the tables that entries name replicas and fields by.
  mutating func begin(of list: ListID, replicas: [ReplicaID], registers: [Register])

  /// Makes room for as many items and entries, with values in at most so many bytes.
  mutating func reserve(itemCount: Int, entryCount: Int, byteCount: Int)

  /// Begins an item, to which belongs what comes until the next one.
  mutating func append(_ item: ItemID)

  mutating func setLife(_ stamp: EntryStamp, length: UInt64)

  mutating func setPosition(_ stamp: EntryStamp, section: Int64, key: Span<UInt8>)

  /// Adds a field by the row of its register, and its canonical value in one or two parts.
  mutating func addField(_ stamp: EntryStamp, register: Int, tag: UInt8?, value: Span<UInt8>)
}

/// Collects the rows of a delta.
struct RowSink: EntrySink {
  private(set) var rows: [Delta.Row] = []
  private(set) var bytes: [UInt8] = []
  private var item = ItemID(high: 0, low: 0)

  mutating func begin(of list: ListID, replicas: [ReplicaID], registers: [Register]) {}

  mutating func reserve(itemCount: Int, entryCount: Int, byteCount: Int) {
    rows.reserveCapacity(entryCount)
    bytes.reserveCapacity(byteCount)
  }

  mutating func append(_ item: ItemID) { self.item = item }

  mutating func setLife(_ stamp: EntryStamp, length: UInt64) {
    let start = bytes.count
    bytes.appendBigEndian(length)
    append(stamp, register: .life, from: start)
  }

  mutating func setPosition(_ stamp: EntryStamp, section: Int64, key: Span<UInt8>) {
    let start = bytes.count
    bytes.appendBigEndian(UInt64(bitPattern: section) ^ 1 << 63)
    bytes.append(key)
    append(stamp, register: .position, from: start)
  }

  mutating func addField(
    _ stamp: EntryStamp, register: Int, tag: UInt8?, value: Span<UInt8>
  ) {
    let start = bytes.count
    if let tag { bytes.append(tag) }
    bytes.append(value)
    let code = UInt32(truncatingIfNeeded: register + 2)
    append(stamp, register: Delta.RegisterCode(rawValue: code), from: start)
  }

  private mutating func append(
    _ stamp: EntryStamp, register: Delta.RegisterCode, from start: Int
  ) {
    rows.append(
      Delta.Row(
        item: item, time: stamp.time, sequence: stamp.sequence,
        replica: UInt32(truncatingIfNeeded: stamp.replica), register: register, start: start,
        count: bytes.count - start))
  }
}

/// Makes a list of what comes.
struct ListSink: EntrySink {
  // There is none before the tables are read.
  private(set) var loader = ListLoader(of: ListID(high: 0, low: 0), replicas: [], registers: [])

  mutating func begin(of list: ListID, replicas: [ReplicaID], registers: [Register]) {
    loader = ListLoader(of: list, replicas: replicas, registers: registers)
  }

  mutating func reserve(itemCount: Int, entryCount: Int, byteCount: Int) {
    loader.reserve(itemCount: itemCount)
  }

  mutating func append(_ item: ItemID) { loader.append(item) }

  mutating func setLife(_ stamp: EntryStamp, length: UInt64) {
    loader.setLife(stamp, length: length)
  }

  mutating func setPosition(_ stamp: EntryStamp, section: Int64, key: Span<UInt8>) {
    loader.setPosition(stamp, section: section, key: key)
  }

  mutating func addField(
    _ stamp: EntryStamp, register: Int, tag: UInt8?, value: Span<UInt8>
  ) {
    loader.addField(stamp, register: register, tag: tag, value: value)
  }
}

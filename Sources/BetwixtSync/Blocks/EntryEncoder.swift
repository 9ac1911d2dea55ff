import Betwixt

/// Writes the items of a block, each with its entries.
///
/// A list has some entries per item, so this decides what saving it costs: values are read through
/// spans, which count no references.
struct EntryEncoder {
  private let tables: BlockTables
  private var names: BlockNames

  // What the next entry is written as a difference to.
  private var time: UInt64 = 0
  private var replica = 0
  private var section: Int64 = 0
  // The last numbers of the replica's entries, by the codes of heads; those of others are laid aside.
  private var sequences = SIMD8<Int64>()
  private var laidAside: [SIMD8<Int64>]
  private var lastItem: ItemID?
  // The entry that made the item, whose time and number those of its other registers are near.
  private var birth: (replica: Int, sequence: Int64)?

  /// How many items and entries were written.
  private(set) var itemCount = 0
  private(set) var entryCount = 0

  // Kept from key to key for its memory.
  private var steps: [SortKeyStep] = []

  init(_ tables: BlockTables) {
    self.tables = tables
    names = tables.names
    laidAside = [SIMD8<Int64>](repeating: SIMD8(), count: max(1, names.replicas.count))
  }

  // MARK: Entries of a delta

  /// Appends rows, which rise by item and register, with their values among `bytes`.
  mutating func write(
    _ rows: [Delta.Row], bytes: Span<UInt8>, to output: inout ByteWriter
  ) {
    for index in rows.indices {
      let row = rows[index]
      let next = index + 1
      let isLast = next == rows.count || rows[next].item != row.item
      let stamp = EntryStamp(
        time: row.time, sequence: row.sequence, replica: Int(row.replica))
      let value = bytes.extracting(row.extent)
      var number: UInt64 = 0
      var start = 0
      // By their numbers: codes are compared through the table of their protocol's functions.
      switch row.register.rawValue {
      case Delta.RegisterCode.life.rawValue: number = value.bigEndian()
      case Delta.RegisterCode.position.rawValue:
        number = value.extracting(first: 8).bigEndian() ^ 1 << 63
        start = 8
      default: break
      }
      let entry = ListEntry(
        item: row.item, stamp: stamp, register: row.register, isLast: isLast, number: number)
      write(entry, value: value.extracting(droppingFirst: start), to: &output)
    }
  }

  // MARK: Any entry

  /// Appends an entry, which follows those before by item and register.
  ///
  /// - Parameters:
  ///   - entry: The entry.
  ///   - value: The key of a position, or the canonical value of a field.
  ///   - output: What it is appended to.
  mutating func write(_ entry: ListEntry, value: Span<UInt8>, to output: inout ByteWriter) {
    if entry.item != lastItem { begin(entry.item, in: &output) }
    entryCount += 1
    let code = tables.code(of: entry.register)
    let isField = code >= 2 && tables.isField[code - 2]
    let isPlain =
      code == 1
      ? Int64(bitPattern: entry.number) == section : isField && EntryEncoder.isText(value)
    let newReplica = tables.replicaIndices[entry.stamp.replica]
    let head = EntryHead(
      register: code, isLast: entry.isLast, hasSameReplica: newReplica == replica,
      hasSameTime: entry.stamp.time == time, isPlain: isPlain)
    output.append(head.rawValue)
    if head.code == EntryHead.longCode { output.appendVarint(code - EntryHead.longCode) }
    if !head.hasSameReplica {
      output.appendVarint(newReplica)
      start(with: newReplica)
    }
    if !head.hasSameTime { EntryTime.append(entry.stamp.time, after: time, to: &output) }
    let before =
      code == 0
      ? entry.item.number.map { $0 - 1 } : birth?.replica == replica ? birth?.sequence : nil
    output.appendZigzag(entry.stamp.sequence - 1 - (before ?? sequences[head.code]))
    sequences[head.code] = entry.stamp.sequence
    if code == 0 { birth = (replica, entry.stamp.sequence) }
    if code == 0 || birth == nil { time = entry.stamp.time }
    switch code {
    case 0: output.appendVarint(entry.number)
    case 1: writePosition(entry, head: head, key: value, to: &output)
    default: EntryEncoder.writeField(value, head: head, isField: isField, to: &output)
    }
  }

  /// Goes on with the entries of a replica: the numbers of the one before are laid aside.
  private mutating func start(with newReplica: Int) {
    laidAside[replica] = sequences
    sequences = laidAside[newReplica]
    replica = newReplica
  }

  /// Begins an item, to which belongs what comes until the next one.
  private mutating func begin(_ item: ItemID, in output: inout ByteWriter) {
    defer { lastItem = item }
    birth = nil
    itemCount += 1
    if let lastItem, let difference = ItemForm.difference(item, after: lastItem) {
      return output.appendVarint(ItemForm.near(difference).code)
    }
    let form = ItemForm(item, after: lastItem, in: names)
    output.appendVarint(form.code)
    switch form {
    case .near: break
    case .replica: output.appendVarint(item.low)
    case .family:
      output.appendBigEndian(item.high)
      output.appendVarint(item.low)
    case .whole:
      output.appendBigEndian(item.high)
      output.appendBigEndian(item.low)
    }
  }

  /// Whether a value of a field is text that is not empty.
  ///
  /// Static, as ``writeField(_:head:isField:to:)`` is, because a call on the encoder would copy it.
  private static func isText(_ value: Span<UInt8>) -> Bool {
    value.count > 1 && value[0] == FieldValue.Tag.string
  }

  private mutating func writePosition(
    _ entry: ListEntry, head: EntryHead, key: Span<UInt8>, to output: inout ByteWriter
  ) {
    section = Int64(bitPattern: entry.number)
    if !head.isPlain { output.appendZigzag(section) }
    let dot = Dot(replica: names.replicas[replica], sequence: entry.stamp.sequence)
    if output.appendPacked(key, names: names.replicas, dot: dot, item: entry.item) { return }
    // A list holds only keys, so there is a tie.
    let tie = SortKey.readSteps(of: key, into: &steps)
    let form = tie?.form(dot: dot, item: entry.item) ?? .dot
    var stem: [UInt8] = []
    PackedStem.append(steps, of: key, form: form, in: &names, to: &stem)
    let bytes = stem[...]
    output.append(bytes.span)
  }

  private static func writeField(
    _ value: Span<UInt8>, head: EntryHead, isField: Bool, to output: inout ByteWriter
  ) {
    if head.isPlain {
      output.appendVarint(value.count - 1)
      output.append(value.extracting(droppingFirst: 1))
    } else if isField, value.count > 0, value[0] == FieldValue.Tag.int64 {
      let number = Int64(bitPattern: value.extracting(droppingFirst: 1).bigEndian() ^ 1 << 63)
      let code = UInt64(bitPattern: number << 1 ^ number >> 63)
      let digits = max(1, (64 - code.leadingZeroBitCount + 6) / 7)
      output.appendVarint(digits + 1)
      output.append(FieldValue.Tag.int64)
      output.appendVarint(code)
    } else {
      output.appendVarint(value.count)
      output.append(value)
    }
  }
}

extension ByteWriter {
  /// Appends the packed stem of a valid key behind its head, if it can be packed in one walk.
  ///
  /// - Returns: Whether it was.
  @inline(__always)
  mutating func appendPacked(
    _ key: Span<UInt8>, names: [ReplicaID], dot: Dot, item: ItemID
  ) -> Bool {
    SortKey.withPackedStem(of: key, names: names, dot: dot, item: item) { head, stem in
      appendVarint(head.rawValue)
      // Any other head tells how many bytes follow.
      if head.isNode, !head.isShort { appendVarint(stem.count) }
      append(stem)
    }
  }
}

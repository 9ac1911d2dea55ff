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
  // The last numbers of each replica's entries, by the codes of heads: eight to a replica.
  private var sequences: [Int64]
  // The item whose entries are written, once there is one.
  private var item = ItemID(high: 0, low: 0)
  // The entry that made the item, whose time and number those of its other registers are near; there
  // is no such replica where it was not written.
  private var birth: (replica: Int, sequence: Int64) = (-1, 0)

  // What entries have named of the tables.
  private var usesReplica: [Bool]
  private var usesRegister: [Bool]

  /// How many items and entries were written.
  private(set) var itemCount = 0
  private(set) var entryCount = 0

  // The node that a key began with last.
  private var node: ShortStem.Node?
  // Kept from key to key for its memory.
  private var steps: [SortKeyStep] = []

  init(_ tables: BlockTables) {
    self.tables = tables
    names = tables.names
    sequences = [Int64](repeating: 0, count: 8 * max(1, names.replicas.count))
    usesReplica = [Bool](repeating: false, count: max(1, names.replicas.count))
    usesRegister = [Bool](repeating: false, count: tables.registers.count)
  }

  /// Which rows of the tables of what was written its entries have named.
  func usage(replicas: [ReplicaID], registers: [Register]) -> TableUsage {
    TableUsage(
      replicas: replicas, registers: registers,
      usesReplica: tables.replicaIndices.map { usesReplica[$0] },
      usesRegister: tables.registerIndices.map { usesRegister[$0] })
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
    if entry.item != item || itemCount == 0 { begin(entry.item, in: &output) }
    // Who writes first may be whom the tables begin with, which is not named then.
    if entryCount == 0 { usesReplica[tables.replicaIndices[entry.stamp.replica]] = true }
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
      replica = newReplica
      usesReplica[newReplica] = true
    }
    if code >= 2, !usesRegister[code - 2] { usesRegister[code - 2] = true }
    if !head.hasSameTime { EntryTime.append(entry.stamp.time, after: time, to: &output) }
    let last = 8 * replica + head.code
    output.appendZigzag(entry.stamp.sequence - 1 - (near(entry, code: code) ?? sequences[last]))
    sequences[last] = entry.stamp.sequence
    if code == 0 { birth = (replica, entry.stamp.sequence) }
    if code == 0 || birth.replica < 0 { time = entry.stamp.time }
    switch code {
    case 0: output.appendVarint(entry.number)
    case 1: writePosition(entry, head: head, key: value, to: &output)
    default: EntryEncoder.writeField(value, head: head, isField: isField, to: &output)
    }
  }

  /// The number that an entry's is written as a difference to, if its item tells one; one lower.
  @inline(__always)
  private func near(_ entry: ListEntry, code: Int) -> Int64? {
    if code == 0 { return entry.item.number.map { $0 - 1 } }
    return birth.replica == replica ? birth.sequence : nil
  }

  /// Begins an item, to which belongs what comes until the next one.
  private mutating func begin(_ item: ItemID, in output: inout ByteWriter) {
    let last = itemCount > 0 ? self.item : nil
    self.item = item
    birth.replica = -1
    itemCount += 1
    if let last, let difference = ItemForm.difference(item, after: last) {
      return output.appendVarint(ItemForm.near(difference).code)
    }
    let form = ItemForm(item, after: last, in: names)
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
    if output.appendShort(
      key, names: names.replicas, node: &node, dot: dot, item: entry.item)
    {
      return
    }
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
  /// Appends the packed stem of a valid key behind its head, if both are short.
  ///
  /// - Returns: Whether they are, as of nearly all keys.
  @inline(__always)
  mutating func appendShort(
    _ key: Span<UInt8>, names: [ReplicaID], node: inout ShortStem.Node?, dot: Dot, item: ItemID
  ) -> Bool {
    guard
      let stem = SortKey.shortStem(of: key, names: names, node: &node, dot: dot, item: item)
    else { return false }
    appendVarint(stem.head.rawValue)
    if stem.saysCount { appendVarint(stem.byteCount) }
    appendFirst(stem.byteCount, of: stem.bytes)
    return true
  }

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

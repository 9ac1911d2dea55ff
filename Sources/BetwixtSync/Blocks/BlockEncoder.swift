import Betwixt

/// Writes the bytes of one block.
struct BlockEncoder {
  private let block: Block
  private let tables: BlockTables
  private let itemCount: Int

  // What the next entry is written as a difference to.
  private var time: UInt64 = 0
  private var replica = 0
  private var section: Int64 = 0
  private var sequences: [Int64]
  private var lastItem: ItemID?
  // The entry that made the item, whose time and number those of its other registers are near.
  private var birth: Delta.Row?
  private var stem: [UInt8] = []

  init(_ block: Block, limits: FormatLimits) throws(LimitExceeded) {
    self.block = block
    tables = BlockTables(block)
    let replicaCount = tables.names.replicas.count
    sequences = [Int64](repeating: 0, count: replicaCount * EntryHead.codeCount)
    guard replicaCount <= limits.replicas else { throw LimitExceeded(.replicas, replicaCount) }
    var items = 0
    var fields = 0
    var last: ItemID?
    for row in block.delta.rows {
      if row.item != last {
        items += 1
        fields = 0
        last = row.item
      }
      if row.register.rawValue >= 2 { fields += 1 }
      guard fields <= limits.fieldsPerItem else { throw LimitExceeded(.fieldsPerItem, fields) }
    }
    guard items <= limits.items else { throw LimitExceeded(.items, items) }
    itemCount = items
  }

  mutating func write(to output: inout [UInt8]) {
    output.reserveCapacity(output.count + 64 + block.delta.rows.count * 24)
    output.append(Block.version)
    output.append(block.kind.rawValue)
    output.appendBigEndian(UInt16(0))
    output.appendBigEndian(block.list.high)
    output.appendBigEndian(block.list.low)
    writeTables(to: &output)
    output.appendVarint(itemCount)
    output.appendVarint(block.delta.rows.count)
    let rows = block.delta.rows
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].item == rows[start].item { end += 1 }
      write(rows[start].item, to: &output)
      birth = nil
      for place in start..<end { write(rows[place], isLast: place == end - 1, to: &output) }
      start = end
    }
  }

  private func writeTables(to output: inout [UInt8]) {
    write(tables.names.replicas, to: &output)
    write(tables.names.families, to: &output)
    output.appendVarint(tables.ranges.count)
    for range in tables.ranges {
      output.appendVarint(tables.names.row(of: range.replica) ?? 0)
      output.appendVarint(UInt64(bitPattern: range.after))
      output.appendVarint(UInt64(bitPattern: range.through - range.after))
    }
    if block.kind.saysWhatIsKnown {
      output.appendVarint(tables.knowledge.count)
      for row in tables.knowledge {
        output.appendVarint(tables.names.row(of: row.replica) ?? 0)
        output.appendVarint(UInt64(bitPattern: row.needed))
        output.appendVarint(UInt64(bitPattern: row.further))
      }
    }
    if let heads = block.heads { write(heads, to: &output) }
    output.appendVarint(tables.registers.count)
    for register in tables.registers {
      let name = register.nameBytes
      output.append(register.kind)
      output.append(UInt8(truncatingIfNeeded: name.count))
      output.append(contentsOf: name)
    }
  }

  private func write(_ names: [ReplicaID], to output: inout [UInt8]) {
    output.appendVarint(names.count)
    for name in names { output.appendBigEndian(name.rawValue) }
  }

  private func write(_ heads: FolderHeads, to output: inout [UInt8]) {
    output.appendBigEndian(heads.directory.rawValue)
    output.appendVarint(UInt64(bitPattern: heads.ordinal))
    output.appendVarint(heads.heads.count)
    for head in heads.heads {
      output.appendBigEndian(head.directory.rawValue)
      output.appendVarint(UInt64(bitPattern: head.ordinal))
      output.append(contentsOf: head.hash)
    }
  }

  /// An id whose first half is that of the item before is written as a difference to that item's;
  /// one whose first half has a name takes its row; any other takes all its bytes.
  private mutating func write(_ item: ItemID, to output: inout [UInt8]) {
    defer { lastItem = item }
    if let lastItem, lastItem.high == item.high,
      item.low - lastItem.low < BlockEncoder.farAway
    {
      output.appendVarint((item.low - lastItem.low) << 1 | 1)
    } else if let row = tables.names.row(of: ReplicaID(rawValue: item.high)) {
      output.appendVarint(UInt64(row + 1) << 1)
      output.appendVarint(item.low)
    } else {
      output.append(0)
      output.appendBigEndian(item.high)
      output.appendBigEndian(item.low)
    }
  }

  /// From this difference on an id is no longer written as one.
  static let farAway: UInt64 = 1 << 62

  private mutating func write(_ row: Delta.Row, isLast: Bool, to output: inout [UInt8]) {
    let isField = row.register.rawValue >= 2
    let code =
      isField
      ? tables.registerIndices[Int(row.register.index)] + 2 : Int(row.register.rawValue)
    let newReplica = tables.replicaIndices[Int(row.replica)]
    var head = EntryHead(register: code)
    head.isLast = isLast
    head.hasSameReplica = newReplica == replica
    head.hasSameTime = row.time == time
    head.isPlain = isPlain(row, code)
    output.append(head.rawValue)
    if head.code == EntryHead.longCode { output.appendVarint(code - EntryHead.longCode) }
    if !head.hasSameReplica { output.appendVarint(newReplica) }
    replica = newReplica
    if !head.hasSameTime { EntryTime.append(row.time, after: time, to: &output) }
    let place = newReplica * EntryHead.codeCount + head.code
    let before = birth?.replica == row.replica ? birth?.sequence : nil
    output.appendZigzag(row.sequence - 1 - (before ?? sequences[place]))
    sequences[place] = row.sequence
    if row.register == .life { birth = row }
    if row.register == .life || birth == nil { time = row.time }
    switch row.register {
    case .life: output.appendVarint(number(at: row.start, byteCount: row.count))
    case .position: writePosition(row, head, to: &output)
    default: writeField(row, head, tables.isField[code - 2], to: &output)
    }
  }

  private func isPlain(_ row: Delta.Row, _ code: Int) -> Bool {
    switch row.register {
    case .life: false
    case .position: self.section(of: row) == section
    default:
      tables.isField[code - 2] && row.count > 1
        && block.delta.bytes[row.start] == FieldValue.Tag.string
    }
  }

  private func section(of row: Delta.Row) -> Int64 {
    Int64(bitPattern: number(at: row.start, byteCount: 8) ^ 1 << 63)
  }

  private mutating func writePosition(
    _ row: Delta.Row, _ head: EntryHead, to output: inout [UInt8]
  ) {
    section = section(of: row)
    if !head.isPlain { output.appendZigzag(section) }
    let key = block.delta.bytes[row.start + 8..<row.start + row.count]
    let dot = Dot(replica: tables.names.replicas[replica], sequence: row.sequence)
    // A delta holds only keys that end in their dot or item, so there is a tie and it has a form.
    let tie = SortKey.lastTie(of: key)
    let form = tie?.form(dot: dot, item: row.item)
    stem.removeAll(keepingCapacity: true)
    PackedStem.append(key.prefix(tie?.stemCount ?? 0), tables.names, to: &stem)
    output.appendVarint(stem.count << 2 | Int(form?.rawValue ?? 0))
    output.append(contentsOf: stem)
  }

  /// A big-endian number among the delta's bytes.
  private func number(at start: Int, byteCount: Int) -> UInt64 {
    var number: UInt64 = 0
    for place in start..<start + byteCount {
      number = number << 8 | UInt64(block.delta.bytes[place])
    }
    return number
  }

  private func writeField(
    _ row: Delta.Row, _ head: EntryHead, _ isField: Bool, to output: inout [UInt8]
  ) {
    let value = block.delta.bytes[row.start..<row.start + row.count]
    if head.isPlain {
      output.appendVarint(row.count - 1)
      output.append(contentsOf: value.dropFirst())
    } else if isField, value.first == FieldValue.Tag.int64 {
      let number = Int64(bitPattern: number(at: row.start + 1, byteCount: 8) ^ 1 << 63)
      let code = UInt64(bitPattern: number << 1 ^ number >> 63)
      let digits = max(1, (64 - code.leadingZeroBitCount + 6) / 7)
      output.appendVarint(digits + 1)
      output.append(FieldValue.Tag.int64)
      output.appendVarint(code)
    } else {
      output.appendVarint(row.count)
      output.append(contentsOf: value)
    }
  }
}

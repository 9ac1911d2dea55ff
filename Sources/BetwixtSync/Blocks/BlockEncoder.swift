import Betwixt

/// Writes the bytes of one block.
struct BlockEncoder {
  private let block: Block
  private let tables: BlockTables
  private let itemCount: Int

  // What the next entry is written as a difference to.
  private var milliseconds: Int64 = 0
  private var sequences: [Int64]
  private var lastItem: ItemID?

  init(_ block: Block, limits: FormatLimits) throws(LimitExceeded) {
    self.block = block
    tables = BlockTables(block)
    sequences = [Int64](repeating: 0, count: tables.replicas.count)
    guard tables.replicas.count <= limits.replicas else {
      throw LimitExceeded(.replicas, tables.replicas.count)
    }
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
      output.appendVarint(end - start)
      for place in start..<end { write(rows[place], to: &output) }
      start = end
    }
  }

  private func writeTables(to output: inout [UInt8]) {
    output.appendVarint(tables.replicas.count)
    for replica in tables.replicas { output.appendBigEndian(replica.rawValue) }
    output.appendVarint(tables.ranges.count)
    for range in tables.ranges {
      output.appendVarint(tables.index(of: range.replica) ?? 0)
      output.appendVarint(UInt64(bitPattern: range.after))
      output.appendVarint(UInt64(bitPattern: range.through - range.after))
    }
    if block.kind.saysWhatIsKnown {
      output.appendVarint(tables.knowledge.count)
      for row in tables.knowledge {
        output.appendVarint(tables.index(of: row.replica) ?? 0)
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

  /// An id by a replica of the table takes its index and a counter, from the id before if that has
  /// the same replica; any other takes 0 and all its bytes.
  private mutating func write(_ item: ItemID, to output: inout [UInt8]) {
    defer { lastItem = item }
    guard let replica = tables.index(of: ReplicaID(rawValue: item.high)) else {
      output.append(0)
      output.appendBigEndian(item.high)
      output.appendBigEndian(item.low)
      return
    }
    output.appendVarint(replica + 1)
    if let lastItem, lastItem.high == item.high {
      output.appendVarint(item.low - lastItem.low)
    } else {
      output.appendVarint(item.low)
    }
  }

  private mutating func write(_ row: Delta.Row, to output: inout [UInt8]) {
    let isField = row.register.rawValue >= 2
    output.appendVarint(
      isField
        ? tables.registerIndices[Int(row.register.index)] + 2 : Int(row.register.rawValue))
    let now = Int64(bitPattern: row.time >> 16)
    output.appendZigzag(now - milliseconds)
    milliseconds = now
    output.appendVarint(row.time & 0xffff)
    let replica = tables.replicaIndices[Int(row.replica)]
    output.appendVarint(replica)
    output.appendZigzag(row.sequence - 1 - sequences[replica])
    sequences[replica] = row.sequence
    let value = block.delta.bytes[row.start..<row.start + row.count]
    switch row.register {
    case .life: output.appendVarint(number(at: row.start, byteCount: row.count))
    case .position: writePosition(value, row, tables.replicas[replica], to: &output)
    default: writeField(value, row, to: &output)
    }
  }

  private func writePosition(
    _ value: ArraySlice<UInt8>, _ row: Delta.Row, _ replica: ReplicaID, to output: inout [UInt8]
  ) {
    output.appendZigzag(Int64(bitPattern: number(at: row.start, byteCount: 8) ^ 1 << 63))
    let key = value.dropFirst(8)
    let dot = Dot(replica: replica, sequence: row.sequence)
    // A delta holds only keys that end in their dot or item, so there is a tie and it has a form.
    let tie = SortKey.lastTie(of: key)
    let form = tie?.form(dot: dot, item: row.item)
    let stemCount = tie?.stemCount ?? 0
    output.appendVarint(stemCount << 2 | Int(form?.rawValue ?? 0))
    output.append(contentsOf: key.prefix(stemCount))
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
    _ value: ArraySlice<UInt8>, _ row: Delta.Row, to output: inout [UInt8]
  ) {
    let index = tables.registerIndices[Int(row.register.index)]
    guard tables.isField[index], value.first == FieldValue.Tag.int64 else {
      output.appendVarint(value.count)
      output.append(contentsOf: value)
      return
    }
    let number = Int64(bitPattern: number(at: row.start + 1, byteCount: 8) ^ 1 << 63)
    let code = UInt64(bitPattern: number << 1 ^ number >> 63)
    let digits = max(1, (64 - code.leadingZeroBitCount + 6) / 7)
    output.appendVarint(digits + 1)
    output.append(FieldValue.Tag.int64)
    output.appendVarint(code)
  }
}

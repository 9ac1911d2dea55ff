import Betwixt

/// Writes the bytes of one block.
struct BlockEncoder {
  private let block: Block
  private let tables: BlockTables
  private let itemCount: Int

  init(_ block: Block) {
    self.block = block
    tables = BlockTables(block)
    var items = 0
    var last: ItemID?
    for row in block.delta.rows where row.item != last {
      items += 1
      last = row.item
    }
    itemCount = items
  }

  func write(to output: inout [UInt8]) {
    output.reserveCapacity(output.count + 64 + block.delta.rows.count * 24)
    output.append(Block.version)
    output.append(block.kind.rawValue)
    output.appendBigEndian(block.delta.floor.isEmpty ? UInt16(0) : Block.floorFlag)
    output.appendBigEndian(block.list.high)
    output.appendBigEndian(block.list.low)
    writeTables(to: &output)
    output.appendVarint(itemCount)
    output.appendVarint(block.delta.rows.count)
    var entries = EntryEncoder(tables)
    let bytes = block.delta.bytes[...]
    entries.write(block.delta.rows, bytes: bytes.span, to: &output)
  }

  private func writeTables(to output: inout [UInt8]) {
    output.appendVarint(tables.names.replicas.count)
    for name in tables.names.replicas { output.appendBigEndian(name.rawValue) }
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
    if !block.delta.floor.isEmpty { write(floor: block.delta.floor, to: &output) }
    if let heads = block.heads { write(heads, to: &output) }
    output.appendVarint(tables.registers.count)
    for register in tables.registers {
      let name = register.nameBytes
      output.append(register.kind)
      output.append(UInt8(truncatingIfNeeded: name.count))
      output.append(contentsOf: name)
    }
  }

  private func write(floor: VersionVector, to output: inout [UInt8]) {
    output.appendVarint(floor.count)
    for component in floor {
      output.appendVarint(tables.names.row(of: component.replica) ?? 0)
      output.appendVarint(UInt64(bitPattern: component.sequence))
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
}

import Betwixt

/// Writes the bytes of one block.
struct BlockEncoder {
  private let kind: Block.Kind
  private let list: ListID
  private let floor: VersionVector
  private let heads: FolderHeads?
  private let tables: BlockTables

  // MARK: A block

  static func write(_ block: Block, to output: inout [UInt8]) {
    let encoder = BlockEncoder(
      kind: block.kind, list: block.list, floor: block.delta.floor, heads: block.heads,
      tables: BlockTables(block))
    let delta = block.delta
    var entries = EntryEncoder(encoder.tables)
    var items: [UInt8] = []
    items.reserveCapacity(delta.rows.count * 24)
    let bytes = delta.bytes[...]
    entries.write(delta.rows, bytes: bytes.span, to: &items)
    encoder.write(items, of: entries, to: &output)
  }

  // MARK: A whole list

  /// Writes a list as a block of all its entries, without making rows of them.
  static func write(_ list: ReplicatedList, as kind: Block.Kind, to output: inout [UInt8]) {
    let (replicas, registers) = (list.replicaRows, list.registerRows)
    // Nearly every list uses all that its tables have: what is left of one that does not is found by
    // writing it.
    let all = TableUsage(replicas: replicas, registers: registers, isUsed: true)
    var used = TableUsage(replicas: replicas, registers: registers)
    var encoder = BlockEncoder(list, as: kind, using: all)
    var (items, entries) = encoder.items(of: list, noting: &used)
    let exact = BlockEncoder(list, as: kind, using: used)
    if !exact.tables.areSame(as: encoder.tables) {
      encoder = exact
      (items, entries) = encoder.items(of: list, noting: &used)
    }
    encoder.write(items, of: entries, to: &output)
  }

  private init(_ list: ReplicatedList, as kind: Block.Kind, using usage: TableUsage) {
    self.init(
      kind: kind, list: list.id, floor: list.floor, heads: nil,
      tables: BlockTables(list, using: usage))
  }

  private init(
    kind: Block.Kind, list: ListID, floor: VersionVector, heads: FolderHeads?,
    tables: BlockTables
  ) {
    self.kind = kind
    self.list = list
    self.floor = floor
    self.heads = heads
    self.tables = tables
  }

  private func items(
    of list: ReplicatedList, noting usage: inout TableUsage
  ) -> ([UInt8], EntryEncoder) {
    var entries = EntryEncoder(tables)
    var items: [UInt8] = []
    items.reserveCapacity(list.entryCapacity * 16)
    list.forEachEntry { entry, value in
      usage.note(entry.stamp.replica, register: entry.register)
      entries.write(entry, value: value, to: &items)
    }
    return (items, entries)
  }

  // MARK: Parts

  private func write(_ items: [UInt8], of entries: EntryEncoder, to output: inout [UInt8]) {
    output.reserveCapacity(output.count + items.count + 1_024)
    output.append(Block.version)
    output.append(kind.rawValue)
    output.appendBigEndian(floor.isEmpty ? UInt16(0) : Block.floorFlag)
    output.appendBigEndian(list.high)
    output.appendBigEndian(list.low)
    writeTables(to: &output)
    output.appendVarint(entries.itemCount)
    output.appendVarint(entries.entryCount)
    output.append(contentsOf: items)
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
    if kind.saysWhatIsKnown {
      output.appendVarint(tables.knowledge.count)
      for row in tables.knowledge {
        output.appendVarint(tables.names.row(of: row.replica) ?? 0)
        output.appendVarint(UInt64(bitPattern: row.needed))
        output.appendVarint(UInt64(bitPattern: row.further))
      }
    }
    if !floor.isEmpty { writeFloor(to: &output) }
    if let heads { write(heads, to: &output) }
    output.appendVarint(tables.registers.count)
    for register in tables.registers {
      let name = register.nameBytes
      output.append(register.kind)
      output.append(UInt8(truncatingIfNeeded: name.count))
      output.append(contentsOf: name)
    }
  }

  private func writeFloor(to output: inout [UInt8]) {
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

extension BlockTables {
  /// Whether entries that name rows of one name those of the other.
  fileprivate func areSame(as other: BlockTables) -> Bool {
    names.replicas == other.names.replicas && registers == other.registers
  }
}

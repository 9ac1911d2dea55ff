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
    let bytes = delta.bytes[...]
    let expected = EntryCounts(of: delta.rows)
    _ = encoder.write(expected, to: &output) { entries, writer in
      entries.write(delta.rows, bytes: bytes.span, to: &writer)
    }
  }

  // MARK: A whole list

  /// Writes a list as a block of all its entries, without making rows of them.
  static func write(_ list: ReplicatedList, as kind: Block.Kind, to output: inout [UInt8]) {
    let (replicas, registers) = (list.replicaRows, list.registerRows)
    // Nearly every list uses all that its tables have: what is left of one that does not is found by
    // writing it.
    let all = TableUsage(replicas: replicas, registers: registers, isUsed: true)
    let encoder = BlockEncoder(list, as: kind, using: all)
    let start = output.count
    let used = encoder.write(list, to: &output).usage(replicas: replicas, registers: registers)
    let exact = BlockEncoder(list, as: kind, using: used)
    guard !exact.tables.areSame(as: encoder.tables) else { return }
    output.removeSubrange(start...)
    _ = exact.write(list, to: &output)
  }

  private func write(_ list: ReplicatedList, to output: inout [UInt8]) -> EntryEncoder {
    let (itemCount, entryCount) = list.capacities
    output.reserveCapacity(output.count + entryCount * 16)
    let expected = EntryCounts(items: itemCount, entries: entryCount)
    return write(expected, to: &output) { entries, writer in
      list.forEachEntry { entry, value in entries.write(entry, value: value, to: &writer) }
    }
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

  // MARK: Parts

  /// Writes all of the block, the entries by a closure.
  ///
  /// Their counts stand before them: mostly they are as expected, and else they are put right.
  ///
  /// - Returns: What has written the entries.
  private func write(
    _ expected: EntryCounts, to output: inout [UInt8],
    _ body: (inout EntryEncoder, inout ByteWriter) -> Void
  ) -> EntryEncoder {
    writeHead(to: &output)
    let start = output.count
    expected.append(to: &output)
    let end = output.count
    var entries = EntryEncoder(tables)
    var writer = ByteWriter(behind: output)
    // So that the writer's is the only one, and is not copied.
    output = []
    body(&entries, &writer)
    output = writer.finish()
    let counts = EntryCounts(items: entries.itemCount, entries: entries.entryCount)
    guard counts != expected else { return entries }
    var bytes: [UInt8] = []
    counts.append(to: &bytes)
    output.replaceSubrange(start..<end, with: bytes)
    return entries
  }

  private func writeHead(to output: inout [UInt8]) {
    output.append(Block.version)
    output.append(kind.rawValue)
    output.appendBigEndian(floor.isEmpty ? UInt16(0) : Block.floorFlag)
    output.appendBigEndian(list.high)
    output.appendBigEndian(list.low)
    writeTables(to: &output)
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

/// How many items and entries a block has.
private struct EntryCounts: Equatable {
  let items: Int
  let entries: Int

  func append(to output: inout [UInt8]) {
    output.appendVarint(items)
    output.appendVarint(entries)
  }
}

extension EntryCounts {
  /// The counts of rows that rise by item.
  fileprivate init(of rows: [Delta.Row]) {
    let items = rows.indices.count { $0 == 0 || rows[$0].item != rows[$0 - 1].item }
    self.init(items: items, entries: rows.count)
  }
}

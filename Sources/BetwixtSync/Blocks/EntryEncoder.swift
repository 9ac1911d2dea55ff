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
  private var sequences: [Int64]
  private var lastItem: ItemID?
  // The entry that made the item, whose time and number those of its other registers are near.
  private var birth: (replica: Int, sequence: Int64)?

  // Kept from key to key for their memory.
  private var steps: [SortKeyStep] = []
  private var stem: [UInt8] = []

  init(_ tables: BlockTables) {
    self.tables = tables
    names = tables.names
    sequences = [Int64](repeating: 0, count: names.replicas.count * EntryHead.codeCount)
  }

  /// Appends rows, which rise by item and register, with their values among `bytes`.
  mutating func write(
    _ rows: [Delta.Row], bytes: Span<UInt8>, to output: inout [UInt8]
  ) {
    for index in rows.indices {
      let item = rows[index].item
      if item != lastItem {
        write(item, to: &output)
        lastItem = item
        birth = nil
      }
      let next = index + 1
      let isLast = next == rows.count || rows[next].item != item
      write(rows[index], isLast: isLast, bytes: bytes, to: &output)
    }
  }

  private func write(_ item: ItemID, to output: inout [UInt8]) {
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

  private mutating func write(
    _ row: Delta.Row, isLast: Bool, bytes: Span<UInt8>, to output: inout [UInt8]
  ) {
    let value = bytes.extracting(row.extent)
    let code = tables.code(of: row.register)
    let newReplica = tables.replicaIndices[Int(row.replica)]
    var head = EntryHead(register: code)
    head.isLast = isLast
    head.hasSameReplica = newReplica == replica
    head.hasSameTime = row.time == time
    head.isPlain = isPlain(value, code: code)
    output.append(head.rawValue)
    if head.code == EntryHead.longCode { output.appendVarint(code - EntryHead.longCode) }
    if !head.hasSameReplica { output.appendVarint(newReplica) }
    replica = newReplica
    if !head.hasSameTime { EntryTime.append(row.time, after: time, to: &output) }
    let place = newReplica * EntryHead.codeCount + head.code
    let before =
      code == 0
      ? row.item.number.map { $0 - 1 } : birth?.replica == replica ? birth?.sequence : nil
    output.appendZigzag(row.sequence - 1 - (before ?? sequences[place]))
    sequences[place] = row.sequence
    if code == 0 { birth = (replica, row.sequence) }
    if code == 0 || birth == nil { time = row.time }
    switch code {
    case 0: output.appendVarint(value.bigEndian())
    case 1: writePosition(row, head: head, value: value, to: &output)
    default: writeField(value, head: head, isField: tables.isField[code - 2], to: &output)
    }
  }

  private func isPlain(_ value: Span<UInt8>, code: Int) -> Bool {
    switch code {
    case 0: false
    case 1: section(of: value) == section
    default: tables.isField[code - 2] && value.count > 1 && value[0] == FieldValue.Tag.string
    }
  }

  private func section(of value: Span<UInt8>) -> Int64 {
    Int64(bitPattern: value.extracting(first: 8).bigEndian() ^ 1 << 63)
  }

  private mutating func writePosition(
    _ row: Delta.Row, head: EntryHead, value: Span<UInt8>, to output: inout [UInt8]
  ) {
    section = section(of: value)
    if !head.isPlain { output.appendZigzag(section) }
    let key = value.extracting(droppingFirst: 8)
    let dot = Dot(replica: names.replicas[replica], sequence: row.sequence)
    // A delta holds only keys, so there is a tie.
    let tie = SortKey.readSteps(of: key, into: &steps)
    let form = tie?.form(dot: dot, item: row.item) ?? .dot
    stem.removeAll(keepingCapacity: true)
    PackedStem.append(steps, of: key, in: &names, isWhole: form == .written, to: &stem)
    output.appendVarint(stem.count << 2 | Int(form.rawValue))
    output.append(contentsOf: stem)
  }

  private func writeField(
    _ value: Span<UInt8>, head: EntryHead, isField: Bool, to output: inout [UInt8]
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

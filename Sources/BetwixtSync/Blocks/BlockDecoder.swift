import Betwixt

/// Reads one block: all of it is checked before any of it is handed out.
struct BlockDecoder {
  private let limits: FormatLimits

  private var kind = Block.Kind.delta
  private var replicas: [ReplicaID] = []
  private var registers: [Register] = []
  private var ranges: [CoveredRange] = []
  private var premise: [VersionVector.Component] = []
  private var known: [VersionVector.Component] = []
  private var rows: [Delta.Row] = []
  private var bytes: [UInt8] = []

  // What the next entry is written as a difference to.
  private var milliseconds: Int64 = 0
  private var sequences: [Int64] = []
  private var lastItem: ItemID?

  private var usesReplica: [Bool] = []
  private var usesRegister: [Bool] = []
  // Looking at a register itself would count references to its name.
  private var isField: [Bool] = []

  // The fewest bytes that these things take.
  private static let leastEntry = 6
  private static let leastItem = 9
  private static let leastHead = 41

  init(_ limits: FormatLimits) {
    self.limits = limits
  }

  /// Reads a block; what follows it is left to the caller.
  consuming func block(_ reader: inout Reader) throws(DecodeFailure) -> Block {
    guard reader.remaining <= limits.byteCount else { throw reader.failure(.tooManyBytes) }
    let list = try readHeader(&reader)
    let tables = reader.offset
    try readReplicas(&reader)
    try readRanges(&reader)
    if kind.saysWhatIsKnown { try readKnowledge(&reader) }
    let heads = kind.isFolder ? try readHeads(&reader) : nil
    try readRegisters(&reader)
    try readItems(&reader)
    guard usesReplica.allSatisfy({ $0 }), usesRegister.allSatisfy({ $0 }) else {
      throw reader.failure(.unusedRow, at: tables)
    }
    let delta = Delta(
      rows: rows, bytes: bytes, registers: registers, replicas: replicas, ranges: ranges,
      premise: VersionVector(premise), known: VersionVector(known))
    return Block(kind, of: list, delta, heads: heads)
  }

  private mutating func readHeader(_ reader: inout Reader) throws(DecodeFailure) -> ListID {
    let start = reader.offset
    let version = try reader.byte()
    guard version > 0 else { throw reader.failure(.reserved, at: start) }
    guard version <= Block.version else { throw reader.failure(.newerVersion, at: start) }
    let kind = Block.Kind(rawValue: try reader.byte())
    let flags = try reader.uint16()
    guard flags & 0xff00 == 0 else { throw reader.failure(.criticalContent, at: start + 2) }
    guard flags == 0 else { throw reader.failure(.reserved, at: start + 2) }
    guard let kind else { throw reader.failure(.criticalContent, at: start + 1) }
    self.kind = kind
    return ListID(high: try reader.uint64(), low: try reader.uint64())
  }

  // MARK: Tables

  private mutating func readReplicas(_ reader: inout Reader) throws(DecodeFailure) {
    let start = reader.offset
    let count = try reader.count(ofAtLeast: 8)
    guard count <= limits.replicas else { throw reader.failure(.tooManyReplicas, at: start) }
    for _ in 0..<count {
      let place = reader.offset
      let replica = ReplicaID(rawValue: try reader.uint64())
      if let last = replicas.last, replica <= last { throw reader.failure(.badOrder, at: place) }
      replicas.append(replica)
    }
    usesReplica = [Bool](repeating: false, count: count)
    sequences = [Int64](repeating: 0, count: count)
  }

  private mutating func readRanges(_ reader: inout Reader) throws(DecodeFailure) {
    let count = try reader.count(ofAtLeast: 3)
    ranges.reserveCapacity(count)
    for _ in 0..<count {
      let place = reader.offset
      let index = try reader.index(below: replicas.count)
      let after = try reader.positive()
      let (through, overflow) = after.addingReportingOverflow(try reader.positive())
      guard !overflow, through > after, kind == .delta || after == 0 else {
        throw reader.failure(.badNumber, at: place)
      }
      let replica = replicas[index]
      if let last = ranges.last,
        replica < last.replica || replica == last.replica && after <= last.through
      {
        throw reader.failure(.badOrder, at: place)
      }
      usesReplica[index] = true
      ranges.append(CoveredRange(replica: replica, after: after, through: through))
    }
  }

  private mutating func readKnowledge(_ reader: inout Reader) throws(DecodeFailure) {
    let count = try reader.count(ofAtLeast: 3)
    var claimed: [Int64] = [Int64](repeating: 0, count: replicas.count)
    for range in ranges {
      if let index = replicas.sortedIndex(of: range.replica) { claimed[index] = range.through }
    }
    var last = -1
    for _ in 0..<count {
      let place = reader.offset
      let index = try reader.index(below: replicas.count)
      guard index > last else { throw reader.failure(.badOrder, at: place) }
      last = index
      usesReplica[index] = true
      let needed = try reader.positive()
      let further = try reader.positive()
      let (through, overflow) = claimed[index].addingReportingOverflow(further)
      guard !overflow, needed > 0 || further > 0 else {
        throw reader.failure(.badNumber, at: place)
      }
      let replica = replicas[index]
      if needed > 0 { premise.append(.init(replica: replica, sequence: needed)) }
      if further > 0 { known.append(.init(replica: replica, sequence: through)) }
    }
  }

  private func readHeads(_ reader: inout Reader) throws(DecodeFailure) -> FolderHeads {
    let directory = ReplicaID(rawValue: try reader.uint64())
    let ordinal = try reader.positive()
    var heads: [FolderHeads.Head] = []
    for _ in 0..<(try reader.count(ofAtLeast: BlockDecoder.leastHead)) {
      let place = reader.offset
      let head = FolderHeads.Head(
        directory: ReplicaID(rawValue: try reader.uint64()), ordinal: try reader.positive(),
        hash: Array(try reader.take(32)))
      if let last = heads.last, head.directory <= last.directory {
        throw reader.failure(.badOrder, at: place)
      }
      heads.append(head)
    }
    return FolderHeads(checked: directory, ordinal, heads)
  }

  private mutating func readRegisters(_ reader: inout Reader) throws(DecodeFailure) {
    // Each is used by an entry of its own.
    let count = try reader.count(ofAtLeast: 2 + BlockDecoder.leastEntry)
    var last: (kind: UInt8, name: ArraySlice<UInt8>)?
    for _ in 0..<count {
      let place = reader.offset
      let kind = try reader.byte()
      let name = try reader.take(Int(try reader.byte()))
      guard kind < Register.Kind.firstCritical else {
        throw reader.failure(.criticalContent, at: place)
      }
      if let last,
        kind != last.kind ? kind < last.kind : !last.name.lexicographicallyPrecedes(name)
      {
        throw reader.failure(.badOrder, at: place)
      }
      last = (kind, name)
      registers.append(try register(kind, name, reader, place))
    }
    usesRegister = [Bool](repeating: false, count: count)
    isField = registers.map { $0.kind == Register.Kind.field }
  }

  private func register(
    _ kind: UInt8, _ name: ArraySlice<UInt8>, _ reader: Reader, _ place: Int
  ) throws(DecodeFailure) -> Register {
    guard isUTF8(name) else { throw reader.failure(.badText, at: place) }
    guard kind != Register.Kind.field else {
      guard let name = FieldName(String(decoding: name, as: UTF8.self)) else {
        throw reader.failure(.badName, at: place)
      }
      return .field(name)
    }
    guard kind >= Register.Kind.firstOther else { throw reader.failure(.badName, at: place) }
    return .other(kind: kind, name: Array(name))
  }

  // MARK: Items

  private mutating func readItems(_ reader: inout Reader) throws(DecodeFailure) {
    let start = reader.offset
    let itemCount = try reader.count(ofAtLeast: BlockDecoder.leastItem)
    guard itemCount <= limits.items else { throw reader.failure(.tooManyItems, at: start) }
    let place = reader.offset
    let entryCount = try reader.count(ofAtLeast: BlockDecoder.leastEntry)
    // Both are bounded by what is left to read: a row takes 56 bytes for at least 6, and keys and
    // numbers grow by less than the bytes reserved here.
    rows.reserveCapacity(entryCount)
    bytes.reserveCapacity(reader.remaining + itemCount * 24)
    for _ in 0..<itemCount {
      let item = try readID(&reader)
      try readEntries(of: item, &reader)
    }
    guard rows.count == entryCount else { throw reader.failure(.badNumber, at: place) }
  }

  private mutating func readID(_ reader: inout Reader) throws(DecodeFailure) -> ItemID {
    let place = reader.offset
    let code = try reader.index(below: replicas.count + 1)
    let item: ItemID
    if code == 0 {
      item = ItemID(high: try reader.uint64(), low: try reader.uint64())
      guard replicas.sortedIndex(of: ReplicaID(rawValue: item.high)) == nil else {
        throw reader.failure(.longID, at: place)
      }
    } else {
      let high = replicas[code - 1].rawValue
      let low = try reader.varint()
      if let lastItem, lastItem.high == high {
        let (sum, overflow) = lastItem.low.addingReportingOverflow(low)
        guard !overflow else { throw reader.failure(.badNumber, at: place) }
        item = ItemID(high: high, low: sum)
      } else {
        item = ItemID(high: high, low: low)
      }
    }
    if let lastItem, item <= lastItem { throw reader.failure(.badOrder, at: place) }
    lastItem = item
    return item
  }

  private mutating func readEntries(
    of item: ItemID, _ reader: inout Reader
  ) throws(DecodeFailure) {
    let start = reader.offset
    let count = try reader.count(ofAtLeast: BlockDecoder.leastEntry)
    guard count > 0 else { throw reader.failure(.badNumber, at: start) }
    var last = -1
    var fields = 0
    for _ in 0..<count {
      let place = reader.offset
      let code = try reader.index(below: registers.count + 2)
      guard code > last else { throw reader.failure(.badOrder, at: place) }
      last = code
      if code >= 2 { fields += 1 }
      guard fields <= limits.fieldsPerItem else {
        throw reader.failure(.tooManyFields, at: place)
      }
      try readEntry(of: item, code, &reader)
    }
  }

  private mutating func readEntry(
    of item: ItemID, _ code: Int, _ reader: inout Reader
  ) throws(DecodeFailure) {
    let place = reader.offset
    let (now, overflow) = milliseconds.addingReportingOverflow(try reader.zigzag())
    guard !overflow, now >= 0, now < 1 << 47 else { throw reader.failure(.badNumber, at: place) }
    milliseconds = now
    let counter = try reader.varint()
    guard counter <= 0xffff else { throw reader.failure(.badNumber, at: place) }
    let replica = try reader.index(below: replicas.count)
    usesReplica[replica] = true
    let sequence = try readSequence(after: sequences[replica], &reader)
    sequences[replica] = sequence
    let start = bytes.count
    switch code {
    case 0: try readLife(&reader)
    case 1: try readPosition(Dot(replica: replicas[replica], sequence: sequence), item, &reader)
    default: try readField(code - 2, &reader)
    }
    rows.append(
      Delta.Row(
        item: item, time: UInt64(bitPattern: now) << 16 | counter, sequence: sequence,
        replica: UInt32(truncatingIfNeeded: replica),
        register: Delta.RegisterCode(rawValue: UInt32(truncatingIfNeeded: code)), start: start,
        count: bytes.count - start))
  }

  /// A number that is written as a difference to the one that follows the last.
  private func readSequence(
    after last: Int64, _ reader: inout Reader
  ) throws(DecodeFailure) -> Int64 {
    let place = reader.offset
    let (sum, overflow) = last.addingReportingOverflow(try reader.zigzag())
    let (sequence, tooFar) = sum.addingReportingOverflow(1)
    guard !overflow, !tooFar, sequence > 0 else { throw reader.failure(.badNumber, at: place) }
    return sequence
  }

  // MARK: Values

  private mutating func readLife(_ reader: inout Reader) throws(DecodeFailure) {
    let place = reader.offset
    guard let length = UInt32(exactly: try reader.varint()), length > 0 else {
      throw reader.failure(.badNumber, at: place)
    }
    bytes.appendBigEndian(length)
  }

  private mutating func readPosition(
    _ dot: Dot, _ item: ItemID, _ reader: inout Reader
  ) throws(DecodeFailure) {
    bytes.appendBigEndian(UInt64(bitPattern: try reader.zigzag()) ^ 1 << 63)
    let place = reader.offset
    let head = try reader.varint()
    guard head >> 2 <= UInt64(SortKey.maximumByteCount) else {
      throw reader.failure(.tooLong, at: place)
    }
    guard let form = SortKeyTie.Form(rawValue: UInt8(truncatingIfNeeded: head & 3)) else {
      throw reader.failure(.reserved, at: place)
    }
    let stem = try reader.take(Int(truncatingIfNeeded: head >> 2))
    let tie = form.tie(dot: dot, item: item)
    if form != .dot {
      for earlier in SortKeyTie.Form.allCases.prefix(Int(form.rawValue))
      where earlier.tie(dot: dot, item: item) == tie {
        throw reader.failure(.badKey, at: place)
      }
    }
    do throws(MalformedSortKey) {
      try SortKey.append(stem: stem, author: tie.author, counter: tie.counter, to: &bytes)
    } catch {
      throw reader.failure(error.reason == .tooLong ? .tooLong : .badKey, at: place)
    }
  }

  private mutating func readField(_ index: Int, _ reader: inout Reader) throws(DecodeFailure) {
    usesRegister[index] = true
    let place = reader.offset
    let count = try reader.varint()
    // A whole number grows when it is read: its canonical form always has nine bytes.
    guard count <= UInt64(FieldValue.maximumByteCount) else {
      throw reader.failure(.tooLong, at: place)
    }
    let value = try reader.take(Int(truncatingIfNeeded: count))
    guard isField[index] else {
      bytes.append(contentsOf: value)
      return
    }
    guard let tag = value.first else { throw reader.failure(.badValue, at: place) }
    switch tag {
    case FieldValue.Tag.cleared, FieldValue.Tag.false, FieldValue.Tag.true:
      guard value.count == 1 else { throw reader.failure(.badValue, at: place) }
    case FieldValue.Tag.int64:
      try readNumber(value.count, &reader)
      return
    case FieldValue.Tag.double:
      guard value.count == 9, isCanonicalDouble(value.dropFirst()) else {
        throw reader.failure(.badValue, at: place)
      }
    case FieldValue.Tag.string:
      guard isUTF8(value.dropFirst()) else { throw reader.failure(.badText, at: place) }
    case FieldValue.Tag.firstCritical...:
      throw reader.failure(.criticalContent, at: place)
    default: break
    }
    bytes.append(contentsOf: value)
  }

  /// Reads once more, as a number, a value that was taken.
  private mutating func readNumber(
    _ count: Int, _ reader: inout Reader
  ) throws(DecodeFailure) {
    var inner = reader.last(count - 1)
    let number = try inner.zigzag()
    guard inner.remaining == 0 else { throw inner.failure(.badValue) }
    bytes.append(FieldValue.Tag.int64)
    bytes.appendBigEndian(UInt64(bitPattern: number) ^ 1 << 63)
  }

  private func isCanonicalDouble(_ payload: ArraySlice<UInt8>) -> Bool {
    let bits = UInt64(bigEndianBytes: payload)
    return !Double(bitPattern: bits).isNaN || bits == 0x7ff8_0000_0000_0000
  }
}

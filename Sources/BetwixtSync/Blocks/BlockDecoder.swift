import Betwixt

/// Reads one block: all of it is checked before any of it is handed out.
struct BlockDecoder<Sink: EntrySink> {
  let limits: FormatLimits
  var sink: Sink

  private var kind = Block.Kind.delta
  var names = BlockNames()
  private(set) var registers: [Register] = []
  private var ranges: [CoveredRange] = []
  private var premise: [VersionVector.Component] = []
  private var known: [VersionVector.Component] = []
  private var hasFloor = false
  private var floor: [VersionVector.Component] = []
  var entryCount = 0

  // What the next entry is written as a difference to.
  var time: UInt64 = 0
  var replica = 0
  var section: Int64 = 0
  /// The last numbers of each replica's entries, by the codes of heads: eight to a replica.
  var sequences: [Int64] = []
  /// Where they begin for each replica; -1 before its first entry.
  var sequenceStarts: [Int32] = []
  /// Where they begin for the one that wrote last.
  var firstSequence = 0
  /// Whether there was an entry yet.
  var hasReplica = false
  var lastItem: ItemID?
  // Replica and number of the entry that made the item.
  var birth: (replica: Int, sequence: Int64)?
  // Kept from entry to entry for their memory.
  var stem: [UInt8] = []
  var scratch: [UInt8] = []

  var usesReplica: [Bool] = []
  var usesRegister: [Bool] = []
  // Looking at a register itself would count references to its name.
  private(set) var isField: [Bool] = []

  init(_ limits: FormatLimits, into sink: Sink) {
    self.limits = limits
    self.sink = sink
  }

  /// What stands before the entries of a block.
  struct Head {
    let kind: Block.Kind
    let list: ListID
    let heads: FolderHeads?
  }

  /// Reads a block; what follows it is left to the caller.
  private mutating func read(_ reader: inout Reader) throws(DecodeFailure) -> Head {
    guard reader.remaining <= limits.byteCount else { throw reader.failure(.tooManyBytes) }
    let list = try readHeader(&reader)
    let tables = reader.offset
    try readNames(&reader)
    try readRanges(&reader)
    if kind.saysWhatIsKnown { try readKnowledge(&reader) }
    if hasFloor { try readFloor(&reader) }
    let heads = kind.isFolder ? try readHeads(&reader) : nil
    try readRegisters(&reader)
    sink.begin(of: list, replicas: names.replicas, registers: registers)
    try readItems(&reader)
    guard usesReplica.allSatisfy({ $0 }), usesRegister.allSatisfy({ $0 }) else {
      throw reader.failure(.unusedRow, at: tables)
    }
    return Head(kind: kind, list: list, heads: heads)
  }

  private mutating func readHeader(_ reader: inout Reader) throws(DecodeFailure) -> ListID {
    let start = reader.offset
    let version = try reader.byte()
    guard version > 0 else { throw reader.failure(.reserved, at: start) }
    guard version <= Block.version else { throw reader.failure(.newerVersion, at: start) }
    let kind = Block.Kind(rawValue: try reader.byte())
    let flags = try reader.uint16()
    guard flags & 0xff00 & ~Block.floorFlag == 0 else {
      throw reader.failure(.criticalContent, at: start + 2)
    }
    guard flags & 0xff == 0 else { throw reader.failure(.reserved, at: start + 2) }
    hasFloor = flags & Block.floorFlag != 0
    guard let kind else { throw reader.failure(.criticalContent, at: start + 1) }
    self.kind = kind
    return ListID(high: try reader.uint64(), low: try reader.uint64())
  }

  // MARK: Tables

  private mutating func readNames(_ reader: inout Reader) throws(DecodeFailure) {
    let start = reader.offset
    let replicas = try readNumbers(&reader)
    guard replicas.count <= limits.replicas else {
      throw reader.failure(.tooManyReplicas, at: start)
    }
    names = BlockNames(replicas: replicas)
    usesReplica = [Bool](repeating: false, count: replicas.count)
    sequenceStarts = [Int32](repeating: -1, count: replicas.count)
  }

  private func readNumbers(_ reader: inout Reader) throws(DecodeFailure) -> [ReplicaID] {
    var numbers: [ReplicaID] = []
    for _ in 0..<(try reader.count(ofAtLeast: 8)) {
      let offset = reader.offset
      let number = ReplicaID(rawValue: try reader.uint64())
      if let last = numbers.last, number <= last { throw reader.failure(.badOrder, at: offset) }
      numbers.append(number)
    }
    return numbers
  }

  private mutating func readRanges(_ reader: inout Reader) throws(DecodeFailure) {
    let count = try reader.count(ofAtLeast: 3)
    ranges.reserveCapacity(count)
    for _ in 0..<count {
      let offset = reader.offset
      let index = try reader.index(below: names.replicas.count)
      let after = try reader.positive()
      let (through, overflow) = after.addingReportingOverflow(try reader.positive())
      guard !overflow, through > after, kind == .delta || after == 0 else {
        throw reader.failure(.badNumber, at: offset)
      }
      let replica = names.replicas[index]
      if let last = ranges.last,
        replica < last.replica || replica == last.replica && after <= last.through
      {
        throw reader.failure(.badOrder, at: offset)
      }
      usesReplica[index] = true
      ranges.append(CoveredRange(replica: replica, after: after, through: through))
    }
  }

  private mutating func readKnowledge(_ reader: inout Reader) throws(DecodeFailure) {
    let count = try reader.count(ofAtLeast: 3)
    var claimed: [Int64] = [Int64](repeating: 0, count: names.replicas.count)
    for range in ranges {
      if let index = names.replicas.sortedIndex(of: range.replica) {
        claimed[index] = range.through
      }
    }
    var last = -1
    for _ in 0..<count {
      let offset = reader.offset
      let index = try reader.index(below: names.replicas.count)
      guard index > last else { throw reader.failure(.badOrder, at: offset) }
      last = index
      usesReplica[index] = true
      let needed = try reader.positive()
      let further = try reader.positive()
      let (through, overflow) = claimed[index].addingReportingOverflow(further)
      guard !overflow, needed > 0 || further > 0 else {
        throw reader.failure(.badNumber, at: offset)
      }
      let replica = names.replicas[index]
      if needed > 0 { premise.append(.init(replica: replica, sequence: needed)) }
      if further > 0 { known.append(.init(replica: replica, sequence: through)) }
    }
  }

  private mutating func readFloor(_ reader: inout Reader) throws(DecodeFailure) {
    let start = reader.offset
    let count = try reader.count(ofAtLeast: 2)
    guard count > 0 else { throw reader.failure(.badNumber, at: start) }
    floor.reserveCapacity(count)
    var last = -1
    for _ in 0..<count {
      let offset = reader.offset
      let index = try reader.index(below: names.replicas.count)
      guard index > last else { throw reader.failure(.badOrder, at: offset) }
      last = index
      let sequence = try reader.positive()
      guard sequence > 0 else { throw reader.failure(.badNumber, at: offset) }
      usesReplica[index] = true
      floor.append(.init(replica: names.replicas[index], sequence: sequence))
    }
  }

  private func readHeads(_ reader: inout Reader) throws(DecodeFailure) -> FolderHeads {
    let directory = ReplicaID(rawValue: try reader.uint64())
    let ordinal = try reader.positive()
    var heads: [FolderHeads.Head] = []
    for _ in 0..<(try reader.count(ofAtLeast: LeastSize.head)) {
      let offset = reader.offset
      let head = FolderHeads.Head(
        directory: ReplicaID(rawValue: try reader.uint64()), ordinal: try reader.positive(),
        hash: Array(try reader.take(32)))
      if let last = heads.last, head.directory <= last.directory {
        throw reader.failure(.badOrder, at: offset)
      }
      heads.append(head)
    }
    return FolderHeads(checked: directory, ordinal: ordinal, heads: heads)
  }

  private mutating func readRegisters(_ reader: inout Reader) throws(DecodeFailure) {
    // Each is used by an entry of its own.
    let count = try reader.count(ofAtLeast: 2 + LeastSize.entry)
    var last: (kind: UInt8, name: ArraySlice<UInt8>)?
    for _ in 0..<count {
      let offset = reader.offset
      let kind = try reader.byte()
      let name = try reader.take(Int(try reader.byte()))
      guard kind < Register.Kind.firstCritical else {
        throw reader.failure(.criticalContent, at: offset)
      }
      if let last,
        kind != last.kind ? kind < last.kind : !last.name.lexicographicallyPrecedes(name)
      {
        throw reader.failure(.badOrder, at: offset)
      }
      last = (kind, name)
      registers.append(try register(kind, named: name, from: reader, at: offset))
    }
    usesRegister = [Bool](repeating: false, count: count)
    isField = registers.map { $0.kind == Register.Kind.field }
  }

  private func register(
    _ kind: UInt8, named name: ArraySlice<UInt8>, from reader: Reader, at offset: Int
  ) throws(DecodeFailure) -> Register {
    guard isUTF8(name) else { throw reader.failure(.badText, at: offset) }
    guard kind != Register.Kind.field else {
      guard let name = FieldName(String(decoding: name, as: UTF8.self)) else {
        throw reader.failure(.badName, at: offset)
      }
      return .field(name)
    }
    guard kind >= Register.Kind.firstOther else { throw reader.failure(.badName, at: offset) }
    return .other(kind: kind, name: Array(name))
  }
}

/// The fewest bytes that parts of a block take.
enum LeastSize {
  static let entry = 3
  static let item = 4
  static let head = 41
}

extension BlockDecoder where Sink == RowSink {
  init(_ limits: FormatLimits) { self.init(limits, into: RowSink()) }

  /// Reads a block; what follows it is left to the caller.
  consuming func block(_ reader: inout Reader) throws(DecodeFailure) -> Block {
    let head = try read(&reader)
    let delta = Delta(
      rows: sink.rows, bytes: sink.bytes, registers: registers, replicas: names.replicas,
      ranges: ranges, premise: VersionVector(premise), known: VersionVector(known),
      floor: VersionVector(floor))
    return Block(head.kind, of: head.list, holding: delta, heads: head.heads)
  }
}

#if hasFeature(Embedded)
extension BlockDecoder where Sink == RowSink {
  /// Reads a block that holds a whole list; what follows it is left to the caller.
  ///
  /// A decoder for each sink is more than a page has room for: the one that it has makes rows.
  static func list(
    _ reader: inout Reader, kinds: [Block.Kind], limits: FormatLimits
  ) throws(DecodeFailure) -> ReplicatedList {
    let start = reader.offset
    let block = try BlockDecoder(limits).block(&reader)
    guard kinds.contains(block.kind) else { throw DecodeFailure(.otherKind, at: start + 1) }
    var list = ReplicatedList(id: block.list)
    list.join(block.delta)
    return list
  }
}
#else
extension BlockDecoder where Sink == ListSink {
  /// Reads a block that holds a whole list; what follows it is left to the caller.
  static func list(
    _ reader: inout Reader, kinds: [Block.Kind], limits: FormatLimits
  ) throws(DecodeFailure) -> ReplicatedList {
    let start = reader.offset
    var decoder = BlockDecoder(limits, into: ListSink())
    let head = try decoder.read(&reader)
    guard kinds.contains(head.kind) else { throw DecodeFailure(.otherKind, at: start + 1) }
    return decoder.finish()
  }

  private consuming func finish() -> ReplicatedList {
    sink.loader.finish(ranges: ranges, floor: VersionVector(floor))
  }
}
#endif

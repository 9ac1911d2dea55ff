import Betwixt

/// Which replicas and registers of some tables are used by entries.
struct TableUsage {
  let replicas: [ReplicaID]
  let registers: [Register]
  private var usesReplica: [Bool]
  private var usesRegister: [Bool]

  init(
    replicas: [ReplicaID], registers: [Register], usesReplica: [Bool], usesRegister: [Bool]
  ) {
    self.replicas = replicas
    self.registers = registers
    self.usesReplica = usesReplica
    self.usesRegister = usesRegister
  }

  /// Begins with nothing used, or with everything.
  init(replicas: [ReplicaID], registers: [Register], isUsed: Bool = false) {
    self.replicas = replicas
    self.registers = registers
    usesReplica = [Bool](repeating: isUsed, count: replicas.count)
    usesRegister = [Bool](repeating: isUsed, count: registers.count)
  }

  @inline(__always)
  mutating func note(_ replica: Int, register: Delta.RegisterCode) {
    if !usesReplica[replica] { usesReplica[replica] = true }
    // By its number: codes are compared through the table of their protocol's functions.
    guard register.rawValue >= 2 else { return }
    if !usesRegister[Int(register.index)] { usesRegister[Int(register.index)] = true }
  }

  var usedReplicas: [ReplicaID] { replicas.indices.filter { usesReplica[$0] }.map { replicas[$0] } }

  var usedRegisters: [Register] {
    registers.indices.filter { usesRegister[$0] }.map { registers[$0] }
  }
}

/// The tables of a block: what its entries use, in rising order, and where each row of the delta's
/// own tables went.
struct BlockTables {
  private(set) var names = BlockNames()
  private(set) var registers: [Register] = []
  private(set) var ranges: [CoveredRange] = []

  /// What the delta was made for, and what its sender knew beyond the ranges.
  private(set) var knowledge: [Knowledge] = []

  /// For each of ``registers``, whether it is a field and no register of a newer version.
  private(set) var isField: [Bool]

  /// For each replica of the delta, its row in ``names``.
  private(set) var replicaIndices: [Int]

  /// For each register of the delta, its index in ``registers``.
  private(set) var registerIndices: [Int]

  init(_ block: Block) {
    let delta = block.delta
    var usage = TableUsage(
      replicas: delta.replicaTable, registers: delta.registerTable)
    for row in delta.rows { usage.note(Int(row.replica), register: row.register) }
    let ranges = BlockTables.joined(
      block.kind == .delta ? delta.ranges : delta.ranges.filter { $0.after == 0 })
    let knowledge =
      block.kind.saysWhatIsKnown ? BlockTables.knowledge(of: delta, ranges: ranges) : []
    let others =
      ranges.map { $0.replica } + knowledge.map { $0.replica } + delta.floor.map { $0.replica }
    self.init(usage, besides: others, ranges: ranges, knowledge: knowledge)
  }

  /// The tables of a whole list.
  init(_ list: ReplicatedList, using usage: TableUsage) {
    let ranges = list.ranges
    self.init(
      usage, besides: ranges.map { $0.replica } + list.floor.map { $0.replica }, ranges: ranges,
      knowledge: [])
  }

  private init(
    _ usage: TableUsage, besides others: [ReplicaID], ranges: [CoveredRange],
    knowledge: [Knowledge]
  ) {
    self.ranges = ranges
    self.knowledge = knowledge
    names = BlockNames(replicas: usage.usedReplicas + others)
    registers = usage.usedRegisters.sorted()
    isField = registers.map { $0.kind == Register.Kind.field }
    var rows: [Register: UInt32] = [:]
    for (row, register) in registers.enumerated() {
      rows[register] = UInt32(truncatingIfNeeded: row)
    }
    registerIndices = usage.registers.map { Int(rows[$0] ?? 0) }
    replicaIndices = []
    replicaIndices = usage.replicas.map { self.names.row(of: $0) ?? 0 }
  }

  /// How an entry names a register of the delta: 0 for `life`, 1 for `position`, and then the rows
  /// of ``registers``.
  func code(of register: Delta.RegisterCode) -> Int {
    let code = Int(register.rawValue)
    return code < 2 ? code : registerIndices[code - 2] + 2
  }

  /// What a delta says of one replica beside its ranges.
  struct Knowledge {
    let replica: ReplicaID
    /// What the receiver must know before it may claim the ranges.
    let needed: Int64
    /// How far beyond the ranges the sender knew.
    let further: Int64
  }

  private static func knowledge(of delta: Delta, ranges: [CoveredRange]) -> [Knowledge] {
    var claimed = VersionVector()
    for range in ranges { claimed[range.replica] = range.through }
    return delta.premise.union(delta.context).compactMap { component in
      let replica = component.replica
      let needed = delta.premise[replica]
      let further = max(0, delta.context[replica] - claimed[replica])
      guard needed > 0 || further > 0 else { return nil }
      return Knowledge(replica: replica, needed: needed, further: further)
    }
  }

  /// Ranges of one replica that overlap or touch claim together what their union claims.
  private static func joined(_ ranges: [CoveredRange]) -> [CoveredRange] {
    var joined: [CoveredRange] = []
    let sorted = ranges.sorted {
      $0.replica != $1.replica ? $0.replica < $1.replica : $0.after < $1.after
    }
    for range in sorted {
      if let last = joined.last, last.replica == range.replica, range.after <= last.through {
        joined[joined.count - 1] = CoveredRange(
          replica: last.replica, after: last.after, through: max(last.through, range.through))
      } else {
        joined.append(range)
      }
    }
    return joined
  }
}

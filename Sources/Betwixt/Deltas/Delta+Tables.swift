// What a codec needs to write and read a delta without making an entry of each row.

extension Delta {
  /// The registers that rows name by ``RegisterCode``, from code 2 on; perhaps more than they use.
  package var registerTable: [Register] { registers.registers }

  /// The replicas that rows name by index; perhaps more than they use.
  package var replicaTable: [ReplicaID] { replicas.rows.map { $0.id } }

  /// Makes a delta from rows that rise by item and register and whose every part was checked.
  ///
  /// - Parameters:
  ///   - rows: Its rows.
  ///   - bytes: Their values.
  ///   - registers: The table that they name registers by.
  ///   - replicas: The table that they name replicas by.
  ///   - ranges: What merging it lets a receiver claim.
  ///   - premise: What the receiver must know before.
  ///   - known: What else the sender knew than the ranges say.
  ///   - floor: What it has forgotten.
  package init(
    rows: [Row], bytes: [UInt8], registers: [Register], replicas: [ReplicaID],
    ranges: [CoveredRange], premise: VersionVector = [:], known: VersionVector = [:],
    floor: VersionVector = [:]
  ) {
    self.init()
    self.rows = rows
    self.bytes = bytes
    self.premise = premise
    self.floor = floor
    claim(ranges)
    know(known)
    self.registers = RegisterTable(registers)
    for replica in replicas { _ = self.replicas.insert(replica) }
  }

  /// Says what else the sender knew: it only serves to tell concurrent writes.
  package mutating func know(_ version: VersionVector) { context.formUnion(version) }

  /// A delta of some of the rows, in any order, that claims the ranges and nothing else.
  ///
  /// It says neither what it was made for nor what else the sender knew or has forgotten. Whoever
  /// cuts a delta into parts pays for each what that holds: tables that are longer are not kept.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows
  package func selecting(_ rows: [Row], ranges: [CoveredRange] = []) -> Delta {
    var delta = self
    delta.rows = rows
    if max(registers.registers.count, replicas.rows.count) > rows.count { delta.keepUsedNames() }
    delta.premise = [:]
    delta.context = [:]
    delta.floor = [:]
    delta.claim(ranges)
    delta.sort()
    return delta
  }

  private mutating func keepUsedNames() {
    let (everyName, everyone) = (registers, replicas)
    registers = RegisterTable()
    replicas = ReplicaTable()
    for index in rows.indices {
      let row = rows[index]
      rows[index].replica = replicas.insert(everyone[row.replica])
      guard row.register.rawValue >= 2 else { continue }
      let register = everyName[row.register.index]
      rows[index].register = RegisterCode(index: registers.insert(register))
    }
  }

  /// The same with another floor.
  package func forgetting(below floor: VersionVector) -> Delta {
    var delta = self
    delta.floor = floor
    return delta
  }

  /// Whether a row is the life of an item that is later than a removal: what the item held may be
  /// forgotten elsewhere.
  package func isRestored(_ row: Row) -> Bool {
    row.register == .life && UInt64(bigEndianBytes: value(row)) > 2
  }

  /// The same with all that a list holds of the items that the rows restore.
  ///
  /// - Complexity: O(*k*) for *k* rows, and O(*k* log *k*) if there are such items
  package func restoringWhole(in list: ReplicatedList) -> Delta {
    let items = rows.filter { isRestored($0) }.map { $0.item }
    guard !items.isEmpty else { return self }
    var whole = Builder()
    for item in items {
      for entry in list[id: item]?.entries ?? [] { try? whole.add(entry) }
    }
    var delta = self
    delta.append(whole.build())
    delta.sort()
    return delta
  }

  /// Claims these ranges in place of those before.
  mutating func claim(_ ranges: [CoveredRange]) {
    self.ranges = ranges
    for range in ranges { context[range.replica] = max(context[range.replica], range.through) }
  }

  /// The register of a row.
  package func register(of row: Row) -> Register { register(row.register) }

  /// The SHA-256 of a row's canonical bytes.
  package func entryDigest(_ row: Row) -> [UInt8] {
    var bytes: [UInt8] = []
    raw(row).appendCanonicalBytes(to: &bytes)
    return SHA256.hash(bytes)
  }
}

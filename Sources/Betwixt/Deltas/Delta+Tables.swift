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
  package init(
    rows: [Row], bytes: [UInt8], registers: [Register], replicas: [ReplicaID],
    ranges: [CoveredRange], premise: VersionVector = [:], known: VersionVector = [:]
  ) {
    self.init()
    self.rows = rows
    self.bytes = bytes
    self.premise = premise
    claim(ranges)
    know(known)
    self.registers = RegisterTable(registers)
    for replica in replicas { _ = self.replicas.insert(replica) }
  }

  /// Says what else the sender knew: it only serves to tell concurrent writes.
  package mutating func know(_ version: VersionVector) { context.formUnion(version) }

  /// A delta of some of the rows, in any order, that claims the ranges and nothing else.
  ///
  /// It says neither what it was made for nor what else the sender knew.
  ///
  /// - Complexity: O(*k* log *k*) for *k* rows
  package func selecting(_ rows: [Row], ranges: [CoveredRange] = []) -> Delta {
    var delta = self
    delta.rows = rows
    delta.premise = [:]
    delta.context = [:]
    delta.claim(ranges)
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

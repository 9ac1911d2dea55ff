extension Delta {
  /// What several deltas bring together, whatever their order.
  ///
  /// Merged one by one, a delta that came before the one that it continues brings its entries and
  /// claims nothing. Here each counts as though it came after those that it builds on:
  ///
  ///     list.merge(Delta(joining: rows.map(\.delta), for: list.version))
  ///
  /// - Parameters:
  ///   - deltas: In any order, and any of them more than once.
  ///   - version: What the receiver knows, or less than that.
  /// - Complexity: O(*k* log *k*) for *k* entries, ranges and components of premises
  public init(joining deltas: [Delta], for version: VersionVector) {
    self.init()
    var claims = JoinedClaims(version)
    for delta in deltas {
      append(delta)
      context.formUnion(delta.context)
      floor.formUnion(delta.floor)
      claims.add(delta)
    }
    sort()
    claim(claims.ranges)
    premise = claims.premise
  }

  mutating func append(_ delta: Delta) {
    var names = [UInt32?](repeating: nil, count: delta.registers.registers.count)
    var writers = [UInt32?](repeating: nil, count: delta.replicas.rows.count)
    for var row in delta.rows {
      if row.register.rawValue >= 2 {
        let old = Int(row.register.index)
        let new = names[old] ?? registers.insert(delta.register(row.register))
        names[old] = new
        row.register = RegisterCode(index: new)
      }
      let old = Int(row.replica)
      let new = writers[old] ?? replicas.insert(delta.replicas[row.replica])
      writers[old] = new
      let start = bytes.count
      bytes.append(contentsOf: delta.value(row))
      rows.append(
        Row(
          item: row.item, time: row.time, sequence: row.sequence, replica: new,
          register: row.register, start: start, count: bytes.count - start))
    }
  }
}

/// What somebody may claim who merges several deltas: each range as soon as all is known that its
/// delta was made for and that it continues.
private struct JoinedClaims {
  private enum Claim {
    /// The ranges of a delta, of whose premise this component is looked at next.
    case delta(Delta, next: Int)
    case range(CoveredRange)
  }

  private let version: VersionVector
  private var known: [ReplicaID: Int64] = [:]
  // By the replica that they wait for, falling by the number that has to be known of it.
  private var waiting: [ReplicaID: [(number: Int64, claim: Claim)]] = [:]
  private(set) var premise = VersionVector()

  init(_ version: VersionVector) {
    self.version = version
    for component in version { known[component.replica] = component.sequence }
  }

  var ranges: [CoveredRange] {
    known.compactMap { replica, through in
      let after = version[replica]
      return through > after
        ? CoveredRange(replica: replica, after: after, through: through) : nil
    }.sorted { $0.replica < $1.replica }
  }

  mutating func add(_ delta: Delta) {
    guard !delta.ranges.isEmpty else { return }
    var ready = [Claim.delta(delta, next: 0)]
    while let claim = ready.popLast() {
      switch claim {
      case .delta(let delta, let next): look(at: delta, start: next, ready: &ready)
      case .range(let range): take(range, ready: &ready)
      }
    }
  }

  private mutating func look(at delta: Delta, start: Int, ready: inout [Claim]) {
    for place in start..<delta.premise.count {
      let needed = delta.premise[place]
      guard known[needed.replica, default: 0] >= needed.sequence else {
        wait(for: needed.replica, number: needed.sequence, claim: .delta(delta, next: place))
        return
      }
    }
    require(delta.premise)
    for range in delta.ranges { ready.append(.range(range)) }
  }

  /// What goes beyond the version is among what is joined.
  private mutating func require(_ needed: VersionVector) {
    for component in needed where version[component.replica] > premise[component.replica] {
      premise[component.replica] = max(
        premise[component.replica], min(component.sequence, version[component.replica]))
    }
  }

  private mutating func take(_ range: CoveredRange, ready: inout [Claim]) {
    let before = known[range.replica, default: 0]
    guard before >= range.after else {
      wait(for: range.replica, number: range.after, claim: .range(range))
      return
    }
    guard range.through > before else { return }
    known[range.replica] = range.through
    while let next = waiting[range.replica]?.last, next.number <= range.through {
      waiting[range.replica]?.removeLast()
      ready.append(next.claim)
    }
  }

  private mutating func wait(for replica: ReplicaID, number: Int64, claim: Claim) {
    let others = waiting[replica] ?? []
    var low = 0
    var high = others.count
    while low < high {
      let middle = (low + high) / 2
      if others[middle].number > number { low = middle + 1 } else { high = middle }
    }
    waiting[replica, default: []].insert((number, claim), at: low)
  }
}

extension Delta {
  /// What several deltas bring together, whatever their order.
  ///
  /// Merged one by one, a delta that came before the one that it continues brings its entries and
  /// claims nothing. Here each counts as though it came after those that it builds on. Otherwise it is
  /// no equal of merging them one by one:
  ///
  /// * Of several writes of one register the greatest is left, so no conflict between them is told. One
  ///   with what the list holds is told unless all who bring entries knew of that.
  /// * The floors join before all entries. Whoever takes a floor completes by itself what an item holds
  ///   that another delta restores: a list lets go what it holds before the item is there again.
  ///
  /// - Parameters:
  ///   - deltas: In any order, and any of them more than once.
  ///   - version: What the receiver knows, or less than that.
  /// - Complexity: O(*k* log *k*) for *k* entries, ranges and components of premises
  package init(joining deltas: [Delta], for version: VersionVector) {
    self.init()
    var claims = JoinedClaims(version)
    var floors = VersionUnion()
    var context: VersionVector?
    for delta in deltas {
      append(delta)
      floors.add(delta.floor)
      claims.add(delta)
      if !delta.rows.isEmpty {
        context = context.map { $0.intersection(delta.context) } ?? delta.context
      }
    }
    floor = floors.whole
    sort()
    ranges = claims.ranges
    premise = claims.premise
    // Not the ranges too: who wrote one of the entries may not have known what they cover.
    self.context = context ?? VersionVector()
  }

  mutating func append(_ delta: Delta) {
    // Tables of a whole list are not copied for a few rows.
    func places(_ count: Int) -> [UInt32?] {
      [UInt32?](repeating: nil, count: count > delta.rows.count ? 0 : count)
    }
    var names = places(delta.registers.registers.count)
    var writers = places(delta.replicas.rows.count)
    for var row in delta.rows {
      if row.register.rawValue >= 2 {
        let old = Int(row.register.index)
        let known = old < names.count ? names[old] : nil
        let new = known ?? registers.insert(delta.register(row.register))
        if old < names.count { names[old] = new }
        row.register = RegisterCode(index: new)
      }
      let old = Int(row.replica)
      let known = old < writers.count ? writers[old] : nil
      let new = known ?? replicas.insert(delta.replicas[row.replica])
      if old < writers.count { writers[old] = new }
      let start = bytes.count
      bytes.append(contentsOf: delta.value(row))
      rows.append(
        Row(
          item: row.item, time: row.time, sequence: row.sequence, replica: new,
          register: row.register, start: start, count: bytes.count - start))
    }
  }
}

/// The union of many vectors, in the time that sorting all of their components takes.
private struct VersionUnion {
  // Each of twice as many vectors as the one behind it, or more.
  private var parts: [(count: Int, vector: VersionVector)] = []

  mutating func add(_ vector: VersionVector) {
    guard !vector.isEmpty else { return }
    var part = (count: 1, vector: vector)
    while let last = parts.last, last.count == part.count {
      parts.removeLast()
      part = (2 * part.count, last.vector.union(part.vector))
    }
    parts.append(part)
  }

  var whole: VersionVector {
    parts.reversed().reduce(into: VersionVector()) { $0.formUnion($1.vector) }
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
  // What is known beyond the version.
  private var known: [ReplicaID: Int64] = [:]
  private var required: [ReplicaID: Int64] = [:]
  private var claims: [Claim] = []
  // By the replica that they wait for.
  private var waiting: [ReplicaID: WaitingClaims] = [:]

  init(_ version: VersionVector) { self.version = version }

  var ranges: [CoveredRange] {
    known.map { replica, through in
      CoveredRange(replica: replica, after: version[replica], through: through)
    }.sorted { $0.replica < $1.replica }
  }

  var premise: VersionVector {
    VersionVector(
      required.map { VersionVector.Component(replica: $0.key, sequence: $0.value) })
  }

  private func isKnown(_ number: Int64, of replica: ReplicaID) -> Bool {
    number <= known[replica] ?? version[replica]
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
      guard isKnown(needed.sequence, of: needed.replica) else {
        wait(for: needed.replica, number: needed.sequence, claim: .delta(delta, next: place))
        return
      }
    }
    require(delta.premise)
    for range in delta.ranges { ready.append(.range(range)) }
  }

  /// What goes beyond the version is among what is joined.
  private mutating func require(_ needed: VersionVector) {
    for component in needed {
      let number = min(component.sequence, version[component.replica])
      if number > required[component.replica] ?? 0 { required[component.replica] = number }
    }
  }

  private mutating func take(_ range: CoveredRange, ready: inout [Claim]) {
    guard isKnown(range.after, of: range.replica) else {
      wait(for: range.replica, number: range.after, claim: .range(range))
      return
    }
    guard !isKnown(range.through, of: range.replica) else { return }
    known[range.replica] = range.through
    while let next = waiting[range.replica]?.next(upTo: range.through) {
      ready.append(claims[next])
    }
  }

  private mutating func wait(for replica: ReplicaID, number: Int64, claim: Claim) {
    waiting[replica, default: WaitingClaims()].insert(claims.count, number: number)
    claims.append(claim)
  }
}

/// Claims that wait for a number of one replica, the least first: a binary heap.
private struct WaitingClaims {
  private var entries: [(number: Int64, claim: Int)] = []

  mutating func insert(_ claim: Int, number: Int64) {
    var child = entries.count
    entries.append((number, claim))
    while child > 0, entries[child].number < entries[(child - 1) / 2].number {
      entries.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out the claim that waits for least, if that is known.
  mutating func next(upTo number: Int64) -> Int? {
    guard let first = entries.first, first.number <= number, let last = entries.popLast() else {
      return nil
    }
    guard !entries.isEmpty else { return first.claim }
    entries[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < entries.count && entries[child].number < entries[least].number {
        least = child
      }
      guard least != parent else { return first.claim }
      entries.swapAt(parent, least)
      parent = least
    }
  }
}

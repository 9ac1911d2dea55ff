extension Delta {
  /// The same entries without a claim that nothing else is missing.
  ///
  /// For entries that came through a gap: what is missing there may be what a range covers.
  package var withoutRanges: Delta {
    var delta = self
    delta.ranges = []
    return delta
  }

  /// The same entries and ranges as they are stored, in a log or as rows of a database: without what
  /// else the sender knew, and, where the entries prove the ranges, without what the receiver must
  /// know before.
  ///
  ///     let before = list.version
  ///     try list.move(fromOffset: 0, toOffset: 3, by: &me)
  ///     let row = try Block(.delta, of: list.id, holding: list.delta(since: before).forStorage).encoded()
  ///
  /// Both name every replica that ever wrote; without them one move takes some sixty bytes however
  /// many there are. Merging it claims nothing that is not held, and what the delta itself lets a
  /// list claim. Only conflicts cannot be told: which write was an answer to which is what was left
  /// out.
  ///
  /// - Complexity: O(*k* log *k*) for *k* entries, O(*r*) for *r* ranges
  public var forStorage: Delta {
    var delta = self
    delta.context = [:]
    delta.claim(ranges)
    if isDense { delta.premise = [:] }
    return delta
  }

  /// Whether each number that the ranges cover is that of an entry.
  ///
  /// Such a delta proves its claims to everyone who knows what was before its ranges: no write that
  /// they cover was replaced by one that was left out.
  ///
  /// - Complexity: O(*k* log *k*) for *k* entries, O(*r*) for *r* ranges of more numbers than that
  var isDense: Bool {
    var missing = 0
    for range in ranges {
      let (length, _) = range.through.subtractingReportingOverflow(range.after)
      guard length <= Int64(rows.count - missing) else { return false }
      missing += Int(length)
    }
    var covering: [ReplicaID: UInt32] = [:]
    for (index, range) in ranges.enumerated() {
      guard covering[range.replica] == nil else { return false }
      covering[range.replica] = UInt32(truncatingIfNeeded: index)
    }
    var numbers: [(replica: UInt32, sequence: Int64)] = []
    for row in rows {
      guard let index = covering[replicas[row.replica]] else { continue }
      let range = ranges[Int(index)]
      guard row.sequence > range.after, row.sequence <= range.through else { continue }
      numbers.append((row.replica, row.sequence))
    }
    numbers.sort { $0 < $1 }
    // A number that was used twice, after a replica was cloned, counts once.
    for index in numbers.indices where index == 0 || numbers[index - 1] != numbers[index] {
      missing -= 1
    }
    return missing == 0
  }

  /// The same entries and ranges, for a receiver that knows by other means what they were made for.
  package var withoutKnowledge: Delta {
    var delta = self
    delta.premise = [:]
    delta.context = [:]
    delta.claim(ranges)
    return delta
  }
}

// Claims of a receiver that has not taken everything.

extension Delta {
  /// Those who wrote the entries.
  var writers: ReplicaTable {
    var isWriter = [Bool](repeating: false, count: replicas.rows.count)
    for row in rows { isWriter[Int(row.replica)] = true }
    var writers = ReplicaTable()
    for (row, isWriter) in zip(replicas.rows, isWriter) where isWriter {
      _ = writers.insert(row.id)
    }
    return writers
  }

  /// The end of the rows from `start` on that are of one item.
  func endOfItem(from start: Int) -> Int {
    var end = start + 1
    while end < rows.count, rows[end].item == rows[start].item { end += 1 }
    return end
  }

  /// The same entries with other ranges.
  package func keeping(_ ranges: [CoveredRange]) -> Delta {
    var delta = self
    delta.ranges = ranges
    return delta
  }

  /// The same ranges without some rows, which rise.
  package func leavingOut(_ places: some Sequence<Int>) -> Delta {
    var delta = self
    var next = 0
    delta.rows = []
    delta.rows.reserveCapacity(rows.count)
    for place in places {
      delta.rows.append(contentsOf: rows[next..<place])
      next = place + 1
    }
    delta.rows.append(contentsOf: rows[next...])
    return delta
  }

  /// The same entries with claims that they prove: of each range as much as has an entry for each
  /// number, here or, not claimed yet, in a list.
  ///
  /// A number without an entry stands for a write that was replaced. Who left something out may
  /// have left out what replaced it, and would claim a write without holding anything of it.
  ///
  /// - Parameter list: The list that takes the delta.
  /// - Returns: The delta.
  /// - Complexity: O(*k* log *k*) for *k* entries, here and not claimed in the list
  package func claimingDensely(besides list: ReplicatedList) -> Delta {
    guard !ranges.isEmpty else { return self }
    let held = dots + list.delta(since: list.version).dots
    let order = stableOrder(held.count) { !held[$1].isUp(to: held[$0]) }
    let version = list.version
    var kept: [CoveredRange] = []
    for range in ranges {
      var through = Swift.max(range.after, Swift.min(version[range.replica], range.through))
      var next = 0
      var end = order.count
      while next < end {
        let middle = (next + end) / 2
        let isBefore = held[order[middle]].isUp(to: Dot(replica: range.replica, sequence: through))
        if isBefore { next = middle + 1 } else { end = middle }
      }
      while through < range.through, next < order.count {
        let dot = held[order[next]]
        guard dot.replica == range.replica, dot.sequence <= through + 1 else { break }
        through = dot.sequence
        next += 1
      }
      guard through > range.after else { continue }
      kept.append(CoveredRange(replica: range.replica, after: range.after, through: through))
    }
    return keeping(kept)
  }
}

extension Delta {
  /// Who wrote each entry, and the numbers of the entries.
  private var dots: [Dot] {
    rows.map { Dot(replica: replicas[$0.replica], sequence: $0.sequence) }
  }
}

extension Dot {
  /// Whether this stands before another by replica and number, or is the same.
  fileprivate func isUp(to other: Dot) -> Bool {
    replica == other.replica ? sequence <= other.sequence : replica < other.replica
  }
}

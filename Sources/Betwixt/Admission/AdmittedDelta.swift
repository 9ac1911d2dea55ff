/// What of a delta may be merged, and what may not.
public struct AdmittedDelta: Sendable {
  /// What may be merged.
  ///
  /// Where something was withheld, it claims a range only as far as each of its numbers is an entry
  /// that was taken: what a number without an entry stands for may have been replaced by what was
  /// withheld.
  public let delta: Delta

  /// What may not, rising by item and register.
  public let withheld: WithheldWrites

  /// How many replicas the ranges name of which nothing was known.
  public let newReplicaCount: Int
}

/// The writes of a delta that were not taken in, rising by item and register.
public struct WithheldWrites: RandomAccessCollection, Sendable {
  private let delta: Delta
  // A refused file may consist of such writes: a number for each, and no entry.
  private let rows: [(row: UInt32, reason: WithheldWrite.Reason)]

  init(_ delta: Delta, rows: [(row: UInt32, reason: WithheldWrite.Reason)]) {
    self.delta = delta
    self.rows = rows
  }

  /// The place of the first one.
  public var startIndex: Int { 0 }

  /// The place behind the last one.
  public var endIndex: Int { rows.count }

  /// The write at a place.
  public subscript(position: Int) -> WithheldWrite {
    let (row, reason) = rows[position]
    return WithheldWrite(delta.entry(delta.rows[Int(row)]), because: reason)
  }
}

extension AdmissionPolicy {
  /// Sorts out what of a delta may be merged into a list.
  ///
  /// - Parameters:
  ///   - delta: What came from elsewhere.
  ///   - list: The list as it is.
  ///   - introduced: How many new replicas the exchange has named before.
  /// - Returns: What may be merged and what may not.
  /// - Complexity: O(*k* log *n*) for *k* entries, and O(*f*) for each item with *f* fields of which one
  ///   is withheld
  public func admit(
    _ delta: Delta, to list: ReplicatedList, introduced: Int = 0
  ) -> AdmittedDelta {
    var incomplete = incompleteItems(delta, in: list)
    let (ranges, count) = admittedRanges(delta, in: list, introduced: introduced)
    let delta = delta.forgetting(below: admittedFloor(delta, claiming: ranges, in: list))
    var withheld: [(row: UInt32, reason: WithheldWrite.Reason)] = []
    var start = 0
    while start < delta.rows.count {
      let end = delta.endOfItem(from: start)
      while let first = incomplete.first, first < start { incomplete.removeFirst() }
      let isIncomplete = incomplete.first == start
      var objections: [(row: UInt32, reason: WithheldWrite.Reason)] = []
      for index in start..<end {
        guard let reason = isIncomplete ? .incomplete : reason(delta.rows[index], in: delta) else {
          continue
        }
        objections.append((UInt32(truncatingIfNeeded: index), reason))
      }
      withheld += list.withoutBeaten(objections, of: delta)
      start = end
    }
    guard !withheld.isEmpty || ranges.count < delta.ranges.count else {
      return AdmittedDelta(
        delta: delta, withheld: WithheldWrites(delta, rows: []), newReplicaCount: count)
    }
    var admitted = delta.keeping(ranges)
    if !withheld.isEmpty {
      admitted = admitted.leavingOut(withheld.lazy.map { Int($0.row) })
        .claimingDensely(besides: list)
    }
    return AdmittedDelta(
      delta: admitted, withheld: WithheldWrites(delta, rows: withheld), newReplicaCount: count)
  }

  /// As much of a floor as is about writes that are known with those ranges that are taken: no more
  /// new replicas are named by it than by them.
  private func admittedFloor(
    _ delta: Delta, claiming ranges: [CoveredRange], in list: ReplicatedList
  ) -> VersionVector {
    guard !delta.floor.isEmpty else { return VersionVector() }
    return delta.floor.intersection(list.version.union(VersionVector(through: ranges)))
  }

  private func reason(_ row: Delta.Row, in delta: Delta) -> WithheldWrite.Reason? {
    if let horizon, row.time >= horizon.rawValue { return .timeAhead }
    guard row.register == .life else { return nil }
    let length = UInt64(bigEndianBytes: delta.value(row))
    return allows(length, at: row.time) ? nil : .lifeAhead
  }

  /// The first rows, which rise, of those items that stay out because there are too many without life or
  /// position: the last ones by id.
  private func incompleteItems(_ delta: Delta, in list: ReplicatedList) -> ArraySlice<Int> {
    var complete = list.completeItemCount
    var incomplete = list.knownItemCount - complete
    // Most deltas are small, and need no second look.
    guard incomplete + 2 * delta.rows.count - complete > incompleteItemCount else { return [] }
    let floor = list.floor.union(delta.floor.believable)
    // What an item that becomes incomplete takes of the room: one that was complete gave some.
    var new: [(start: Int, room: Int)] = []
    var start = 0
    while start < delta.rows.count {
      let end = delta.endOfItem(from: start)
      let slot = list.slot(delta.rows[start].item)
      var held = slot.map { list.store.record($0) }
      let wasComplete = held?.isComplete ?? false
      // Floors join first: whoever restores the item has to bring another place for it.
      if let slot, list.isPositionTaken(slot, by: floor) { held?.hasPosition = false }
      if completes(start..<end, of: delta, held: held) {
        if !wasComplete {
          complete += 1
          if held != nil { incomplete -= 1 }
        }
      } else if held == nil || wasComplete, delta.rows[start].item != .root,
        delta.rows[start..<end].contains(where: { reason($0, in: delta) == nil })
      {
        new.append((start, wasComplete ? 2 : 1))
      }
      start = end
    }
    let (sum, overflow) = incompleteItemCount.addingReportingOverflow(complete - incomplete)
    var room = overflow ? Int.max : sum
    let taken = new.prefix { item in
      guard room >= item.room else { return false }
      room -= item.room
      return true
    }
    return new.dropFirst(taken.count).map { $0.start }[...]
  }

  /// Whether an item is complete with those of its rows that may be merged, whatever of it is held.
  private func completes(_ rows: Range<Int>, of delta: Delta, held: ItemRecord?) -> Bool {
    var item = held ?? ItemRecord(id: delta.rows[rows.lowerBound].item)
    // Both are the first registers.
    for row in delta.rows[rows.prefix(2)] where reason(row, in: delta) == nil {
      switch row.register {
      case .life:
        item.life.length = Swift.max(item.life.length, delta.value(row).span.bigEndian())
      case .position: item.hasPosition = true
      default: break
      }
    }
    return item.isComplete
  }

  /// The ranges without those that name too many replicas of which nothing is known.
  private func admittedRanges(
    _ delta: Delta, in list: ReplicatedList, introduced: Int
  ) -> (ranges: [CoveredRange], newReplicaCount: Int) {
    var hasEntry: ReplicaTable?
    var new = ReplicaTable()
    var ranges: [CoveredRange] = []
    ranges.reserveCapacity(delta.ranges.count)
    for range in delta.ranges {
      if !list.knows(range.replica), new.index(of: range.replica) == nil {
        let written = hasEntry ?? delta.writers
        hasEntry = written
        if written.index(of: range.replica) == nil {
          guard new.rows.count < newReplicaCount - introduced else { continue }
          _ = new.insert(range.replica)
        }
      }
      ranges.append(range)
    }
    return (ranges, new.rows.count)
  }
}

extension ReplicatedList {
  /// Whether a floor takes the position of an item.
  fileprivate func isPositionTaken(_ slot: Slot, by floor: VersionVector) -> Bool {
    guard !floor.isEmpty else { return false }
    let record = store.record(slot)
    guard record.hasPosition, record.life.isWritten, !record.isAlive, record.id != .root else {
      return false
    }
    let (life, position) = (record.life, store.position(slot))
    return floor.covers(Dot(replica: replicas[life.replica], sequence: life.sequence))
      && floor.covers(Dot(replica: replicas[position.replica], sequence: position.sequence))
  }

  /// Those of some rows of one item that would change something: their registers hold neither the very
  /// write nor a greater one.
  fileprivate func withoutBeaten(
    _ rows: [(row: UInt32, reason: WithheldWrite.Reason)], of delta: Delta
  ) -> [(row: UInt32, reason: WithheldWrite.Reason)] {
    guard let first = rows.first else { return [] }
    let item = delta.rows[Int(first.row)].item
    guard knows(item) else { return rows }
    let isNews = lacks(rows.map { delta.rows[Int($0.row)] }, of: delta)
    return zip(rows, isNews).compactMap { row, isNews in isNews ? row : nil }
  }
}

extension VersionVector {
  /// The ends of ranges.
  init(through ranges: [CoveredRange]) {
    self.init()
    for range in ranges { self[range.replica] = Swift.max(self[range.replica], range.through) }
  }
}

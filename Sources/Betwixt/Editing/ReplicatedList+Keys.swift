// Making keys: between two neighbours, and where there is no room between them.

extension ReplicatedList {
  /// Makes a key in a gap, into the writer's scratch; `ahead` writes come first.
  ///
  /// Where the key would get too long, or equal keys leave no room, the nearest items are spread
  /// by ordinary moves first.
  ///
  /// - Returns: The place in the list that belongs to the key.
  mutating func makeKey(
    in gap: Gap, ahead: Int64, _ session: inout EditSession, _ replica: inout Replica
  ) throws(EditFailure) -> Int {
    if tryKey(in: gap, session.sequence, ahead, &replica, replica.limits.keyByteCount) {
      return gap.place
    }
    if spread(around: gap, ahead: ahead, &session, &replica) {
      let wider = self.gap(gap.place, gap.section)
      if tryKey(in: wider, session.sequence, ahead, &replica, replica.limits.keyByteCount) {
        return gap.place
      }
    }
    return try makeNearestKey(to: gap, ahead: ahead, session, &replica)
  }

  private func tryKey(
    in gap: Gap, _ sequence: Int64, _ ahead: Int64, _ replica: inout Replica, _ limit: Int
  ) -> Bool {
    makeKey(
      between: gap.left.map { store.key($0) }, and: gap.right.map { store.key($0) },
      sequence, ahead, &replica, limit) == nil
  }

  /// Makes a key between two keys, into the writer's scratch; returns why it could not.
  func makeKey(
    between left: ArraySlice<UInt8>?, and right: ArraySlice<UInt8>?, _ sequence: Int64,
    _ ahead: Int64, _ replica: inout Replica, _ limit: Int
  ) -> SortKeyRefusal? {
    let (counter, overflow) = sequence.addingReportingOverflow(ahead)
    guard !overflow else { return .exhausted }
    replica.scratch.removeAll(keepingCapacity: true)
    do throws(SortKeyRefusal) {
      try SortKey.append(
        between: left, and: right, replica: replica.id, counter: counter, to: &replica.scratch)
    } catch {
      return error
    }
    return replica.scratch.count <= limit ? nil : .exhausted
  }

  // MARK: Spreading

  /// Most items that make room.
  private static let spreadCount = 32

  /// Gives the nearest items new keys in the same order, with room in the gap for one more.
  ///
  /// - Returns: Whether that was possible; if not, nothing has changed.
  private mutating func spread(
    around gap: Gap, ahead: Int64, _ session: inout EditSession, _ replica: inout Replica
  ) -> Bool {
    let half = ReplicatedList.spreadCount / 2
    let start = edge(from: gap, step: -1, most: half, replica)
    let end = edge(from: gap, step: 1, most: half, replica)
    guard start < end else { return false }
    let outer = (
      left: self.gap(start, gap.section).left, right: self.gap(end, gap.section).right
    )
    let keys = spreadKeys(end - start, between: outer, session, &replica)
    guard let keys,
      hasRoom(gap.place - start, among: keys, between: outer, ahead: ahead, session, &replica)
    else { return false }
    for (offset, key) in keys.enumerated() {
      let place = start + offset
      let slot = order[place].slot
      let item = store.id(slot)
      guard let sequence = try? session.next(),
        let time = try? session.time(after: store.record(slot).position.time, item)
      else { return false }
      note(.position, of: slot, sequence, &replica)
      order.remove(at: place)
      store.setPosition(
        slot,
        PositionRecord(
          time: time, sequence: sequence, section: gap.section, replica: session.replica),
        key: key[...])
      order.insert(store.orderEntry(slot), at: place)
    }
    return true
  }

  /// How far from a gap the items may be spread: the place of the first, or behind the last.
  private func edge(from gap: Gap, step: Int, most: Int, _ replica: borrowing Replica) -> Int {
    var place = gap.place
    for _ in 0..<most {
      let next = step < 0 ? place - 1 : place
      guard next >= 0, next < count, section(at: next) == gap.section else { break }
      let slot = order[next].slot
      // One of the items may be the one that is to be moved, which takes another write then.
      if store.record(slot).position.time >= Timestamp.max.rawValue - 1 { break }
      if replica.keepsInPlace(ListItem(self, slot)) { break }
      place += step
    }
    return place
  }

  /// Keys for so many items in a row, all of them short enough; `nil` if there are none.
  private func spreadKeys(
    _ count: Int, between outer: (left: Slot?, right: Slot?), _ session: EditSession,
    _ replica: inout Replica
  ) -> [[UInt8]]? {
    let right = outer.right.map { store.key($0) }
    var left = outer.left.map { store.key($0) }
    var keys: [[UInt8]] = []
    for number in 1...Int64(count) {
      let refusal = makeKey(
        between: left, and: right, session.sequence, number, &replica,
        replica.limits.keyByteCount)
      guard refusal == nil else { return nil }
      keys.append(replica.scratch)
      left = keys[keys.count - 1][...]
    }
    return keys
  }

  /// Whether a short key fits before one of the new keys: or all would move for nothing.
  private func hasRoom(
    _ offset: Int, among keys: [[UInt8]], between outer: (left: Slot?, right: Slot?),
    ahead: Int64, _ session: EditSession, _ replica: inout Replica
  ) -> Bool {
    let left = offset > 0 ? keys[offset - 1][...] : outer.left.map { store.key($0) }
    let right = offset < keys.count ? keys[offset][...] : outer.right.map { store.key($0) }
    return makeKey(
      between: left, and: right, session.sequence, Int64(keys.count) + ahead, &replica,
      replica.limits.keyByteCount) == nil
  }

  // MARK: Where nothing helps

  /// Makes a key where there is room, as near to the gap as that can be: first in the gap with all
  /// the length the format allows, then behind it, then before it.
  private func makeNearestKey(
    to gap: Gap, ahead: Int64, _ session: EditSession, _ replica: inout Replica
  ) throws(EditFailure) -> Int {
    let limit = SortKey.maximumByteCount
    if tryKey(in: gap, session.sequence, ahead, &replica, limit) { return gap.place }
    let places = indices(inSection: gap.section)
    for step in 1...Swift.max(places.count, 1) {
      for place in [gap.place + step, gap.place - step]
      where place >= places.lowerBound && place <= places.upperBound {
        let other = self.gap(place, gap.section)
        if tryKey(in: other, session.sequence, ahead, &replica, limit) { return place }
      }
    }
    throw EditFailure(.noRoom)
  }
}

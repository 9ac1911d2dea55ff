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

  func tryKey(
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
    // No edit starts without more numbers in reserve than it looks ahead.
    let counter = sequence + ahead
    replica.scratch.removeAll(keepingCapacity: true)
    do throws(SortKeyRefusal) {
      try SortKey.append(
        between: left, and: right, replica: replica.id, counter: counter, to: &replica.scratch)
    } catch {
      return error
    }
    return replica.scratch.count <= limit ? nil : .exhausted
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

// Making keys: between two neighbours, and where there is no room between them.

extension Edit {
  /// Makes a key in a gap, into the scratch; `ahead` writes come first.
  ///
  /// Where the key would get too long, or equal keys leave no room, the nearest items are spread
  /// by ordinary moves first.
  ///
  /// - Returns: The index in the list that belongs to the key.
  mutating func makeKey(in gap: Gap, ahead: Int64) throws(EditFailure) -> Int {
    let limit = replica.limits.keyByteCount
    if tryKey(in: gap, ahead: ahead, limit: limit) { return gap.index }
    if spread(around: gap, ahead: ahead) {
      let wider = list.gap(at: gap.index, inSection: gap.section)
      if tryKey(in: wider, ahead: ahead, limit: limit) { return gap.index }
    }
    return try makeNearestKey(to: gap, ahead: ahead)
  }

  /// Makes a key between two keys of any length that the format allows, into the scratch.
  mutating func makeKey(
    between left: SortKey?, and right: SortKey?, ahead: Int64, for item: ItemID?
  ) throws(EditFailure) {
    let refusal = makeKey(
      between: left.map { $0.bytes[...] }, and: right.map { $0.bytes[...] }, ahead: ahead,
      limit: SortKey.maximumByteCount)
    guard refusal == nil else { throw EditFailure(.noRoom, of: item) }
  }

  private mutating func tryKey(in gap: Gap, ahead: Int64, limit: Int) -> Bool {
    makeKey(
      between: gap.left.map { list.store.key($0) }, and: gap.right.map { list.store.key($0) },
      ahead: ahead, limit: limit) == nil
  }

  /// Makes a key between two keys, into the scratch; returns why it could not.
  mutating func makeKey(
    between left: ArraySlice<UInt8>?, and right: ArraySlice<UInt8>?, ahead: Int64, limit: Int
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
  private mutating func makeNearestKey(to gap: Gap, ahead: Int64) throws(EditFailure) -> Int {
    let limit = SortKey.maximumByteCount
    if tryKey(in: gap, ahead: ahead, limit: limit) { return gap.index }
    let indices = list.indices(inSection: gap.section)
    for step in 1...Swift.max(indices.count, 1) {
      for index in [gap.index + step, gap.index - step]
      where index >= indices.lowerBound && index <= indices.upperBound {
        let other = list.gap(at: index, inSection: gap.section)
        if tryKey(in: other, ahead: ahead, limit: limit) { return index }
      }
    }
    throw EditFailure(.noRoom)
  }
}

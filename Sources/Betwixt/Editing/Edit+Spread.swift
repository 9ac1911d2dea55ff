// Making room: neighbours of a gap get new keys in the same order, by ordinary moves.

extension Edit {
  /// Gives the nearest items of a gap new keys in the same order, with room for one more.
  ///
  /// Thirty-two items are enough, unless very many were squeezed into one gap: then their
  /// neighbours have long keys too, and more have to move. As many insertions as a sixteenth of the
  /// room that was made are paid for by it, so the moves stay within a small factor of those.
  ///
  /// - Returns: Whether the neighbours have moved. Where no keys are found nothing has changed; numbers
  ///   and times for the moves are there, for an edit starts with enough of the former, and only what
  ///   can be written again moves.
  mutating func spread(around gap: Gap, ahead: Int64) -> Bool {
    guard let spread = makeSpread(around: gap, ahead: ahead) else { return false }
    for (index, key) in spread {
      let slot = list.order[index].slot
      let item = list.store.id(slot)
      guard let sequence = try? next(),
        let time = try? time(after: list.store.position(slot).time, of: item)
      else { return false }
      list.order.remove(at: index)
      let bytes = key[...]
      list.store.setPosition(
        slot,
        position: PositionRecord(
          time: time, sequence: sequence, section: gap.section, replica: writer),
        key: bytes.span)
      list.enter(slot, at: index)
    }
    return true
  }

  /// The new keys and whose they are, in the order in which they are written.
  private typealias Spread = [(index: Int, key: [UInt8])]

  /// How many items may move, the fewest first.
  private static let spreadCounts = [32, 128, 512, 2_048]

  /// The fewest items whose moves leave room for many insertions; else the nearest 32, if theirs
  /// leave any.
  private mutating func makeSpread(around gap: Gap, ahead: Int64) -> Spread? {
    let limit = replica.limits.keyByteCount
    var indices = gap.index..<gap.index
    var nearest: Range<Int>?
    for most in Edit.spreadCounts {
      let wider = widened(indices, around: gap, most: most / 2)
      if wider == indices { break }
      indices = wider
      if nearest == nil { nearest = indices }
      let wanted = limit - indices.count / 16
      let spread = makeSpread(of: indices, around: gap, ahead: ahead, wanted: wanted)
      if let spread { return spread }
    }
    guard let nearest else { return nil }
    return makeSpread(of: nearest, around: gap, ahead: ahead, wanted: limit)
  }

  /// New keys for the items at some indices, if they leave room in the gap for a key of so many
  /// bytes.
  private mutating func makeSpread(
    of indices: Range<Int>, around gap: Gap, ahead: Int64, wanted: Int
  ) -> Spread? {
    let left = list.gap(at: indices.lowerBound, inSection: gap.section).left
    let right = list.gap(at: indices.upperBound, inSection: gap.section).right
    // A single key costs little: where that gets too long, all of them would.
    let refusal = makeKey(
      between: left.map { list.store.key($0) }, and: right.map { list.store.key($0) }, ahead: 1,
      limit: wanted)
    guard refusal == nil else { return nil }
    // The keys from the left neighbour to the right one, and where there is room between them.
    var keys = [[UInt8]?](repeating: nil, count: indices.count + 2)
    keys[0] = left.map { Array(list.store.key($0)) }
    keys[indices.count + 1] = right.map { Array(list.store.key($0)) }
    guard let spread = halve(indices, keys: &keys) else { return nil }
    let offset = gap.index - indices.lowerBound
    let last = makeKey(
      between: keys[offset]?[...], and: keys[offset + 1]?[...],
      ahead: Int64(spread.count) + ahead, limit: wanted)
    return last == nil ? spread : nil
  }

  /// Halves what is free again and again, because keys made one beside the other get longer.
  private mutating func halve(_ indices: Range<Int>, keys: inout [[UInt8]?]) -> Spread? {
    let limit = replica.limits.keyByteCount
    var spread: Spread = []
    var free = [0..<indices.count + 1]
    var next = 0
    while next < free.count {
      let (low, high) = (free[next].lowerBound, free[next].upperBound)
      let middle = (low + high) / 2
      next += 1
      if middle == low { continue }
      let refusal = makeKey(
        between: keys[low]?[...], and: keys[high]?[...], ahead: Int64(spread.count) + 1,
        limit: limit)
      guard refusal == nil else { return nil }
      keys[middle] = replica.scratch
      spread.append((indices.lowerBound + middle - 1, replica.scratch))
      free.append(low..<middle)
      free.append(middle..<high)
    }
    return spread
  }

  /// The indices around a gap up to so many on each side, going on from those that were reached.
  private func widened(_ indices: Range<Int>, around gap: Gap, most: Int) -> Range<Int> {
    var start = indices.lowerBound
    while gap.index - start < most, start > 0, mayMove(start - 1, within: gap) { start -= 1 }
    var end = indices.upperBound
    while end - gap.index < most, end < list.count, mayMove(end, within: gap) { end += 1 }
    return start..<end
  }

  private func mayMove(_ index: Int, within gap: Gap) -> Bool {
    let slot = list.order[index].slot
    let position = list.store.position(slot)
    // One of the items may be the one that is to be moved, which takes another write then.
    return position.section == gap.section && position.time < Timestamp.max.rawValue - 1
      && !replica.keepsInPlace(ListItem(list, at: slot))
  }
}

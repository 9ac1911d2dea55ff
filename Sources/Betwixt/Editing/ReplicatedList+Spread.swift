// Making room: neighbours of a gap get new keys in the same order, by ordinary moves.

extension ReplicatedList {
  /// Gives the nearest items of a gap new keys in the same order, with room for one more.
  ///
  /// Thirty-two items are enough, unless very many were squeezed into one gap: then their
  /// neighbours have long keys too, and more have to move. As many insertions as a sixteenth of the
  /// room that was made are paid for by it, so the moves stay within a small factor of those.
  ///
  /// - Returns: Whether that was possible; if not, nothing has changed.
  mutating func spread(
    around gap: Gap, ahead: Int64, _ session: inout EditSession, _ replica: inout Replica
  ) -> Bool {
    guard let spread = makeSpread(around: gap, ahead: ahead, session, &replica) else {
      return false
    }
    for (place, key) in spread {
      let slot = order[place].slot
      let item = store.id(slot)
      guard let sequence = try? session.next(),
        let time = try? session.time(after: store.record(slot).position.time, item)
      else { return false }
      order.remove(at: place)
      let bytes = key[...]
      store.setPosition(
        slot,
        PositionRecord(
          time: time, sequence: sequence, section: gap.section, replica: session.replica),
        key: bytes.span)
      order.insert(store.orderEntry(slot), at: place)
    }
    return true
  }

  /// The new keys and whose they are, in the order in which they are written.
  private typealias Spread = [(place: Int, key: [UInt8])]

  /// How many items may move, the fewest first.
  private static let spreadCounts = [32, 128, 512, 2_048]

  /// The fewest items whose moves leave room for many insertions; else the nearest 32, if theirs
  /// leave any.
  private func makeSpread(
    around gap: Gap, ahead: Int64, _ session: EditSession, _ replica: inout Replica
  ) -> Spread? {
    var places = gap.place..<gap.place
    var nearest: Range<Int>?
    for most in ReplicatedList.spreadCounts {
      let wider = widened(places, around: gap, most: most / 2, replica)
      if wider == places { break }
      places = wider
      if nearest == nil { nearest = places }
      let wanted = replica.limits.keyByteCount - places.count / 16
      let spread = makeSpread(of: places, around: gap, ahead, session, &replica, wanted)
      if let spread { return spread }
    }
    guard let nearest else { return nil }
    return makeSpread(
      of: nearest, around: gap, ahead, session, &replica, replica.limits.keyByteCount)
  }

  /// New keys for the items at some places, if they leave room in the gap for a key of so many
  /// bytes.
  private func makeSpread(
    of places: Range<Int>, around gap: Gap, _ ahead: Int64, _ session: EditSession,
    _ replica: inout Replica, _ wanted: Int
  ) -> Spread? {
    let left = self.gap(places.lowerBound, gap.section).left
    let right = self.gap(places.upperBound, gap.section).right
    // A single key costs little: where that gets too long, all of them would.
    let refusal = makeKey(
      between: left.map { store.key($0) }, and: right.map { store.key($0) }, session.sequence, 1,
      &replica, wanted)
    guard refusal == nil else { return nil }
    return halve(places, between: left, and: right, around: gap, ahead, session, &replica, wanted)
  }

  /// Halves what is free again and again, because keys made one beside the other get longer.
  private func halve(
    _ places: Range<Int>, between left: Slot?, and right: Slot?, around gap: Gap, _ ahead: Int64,
    _ session: EditSession, _ replica: inout Replica, _ wanted: Int
  ) -> Spread? {
    let limit = replica.limits.keyByteCount
    var spread: Spread = []
    // The keys from the left neighbour to the right one, and where there is room between them.
    var keys = [[UInt8]?](repeating: nil, count: places.count + 2)
    keys[0] = left.map { Array(store.key($0)) }
    keys[places.count + 1] = right.map { Array(store.key($0)) }
    var free = [0..<places.count + 1]
    var next = 0
    while next < free.count {
      let (low, high) = (free[next].lowerBound, free[next].upperBound)
      let middle = (low + high) / 2
      next += 1
      if middle == low { continue }
      let refusal = makeKey(
        between: keys[low]?[...], and: keys[high]?[...], session.sequence,
        Int64(spread.count) + 1, &replica, limit)
      guard refusal == nil else { return nil }
      keys[middle] = replica.scratch
      spread.append((places.lowerBound + middle - 1, replica.scratch))
      free.append(low..<middle)
      free.append(middle..<high)
    }
    let offset = gap.place - places.lowerBound
    let refusal = makeKey(
      between: keys[offset]?[...], and: keys[offset + 1]?[...], session.sequence,
      Int64(spread.count) + ahead, &replica, wanted)
    return refusal == nil ? spread : nil
  }

  /// The places around a gap up to so many on each side, going on from those that were reached.
  private func widened(
    _ places: Range<Int>, around gap: Gap, most: Int, _ replica: borrowing Replica
  ) -> Range<Int> {
    var start = places.lowerBound
    while gap.place - start < most, start > 0, mayMove(start - 1, gap, replica) { start -= 1 }
    var end = places.upperBound
    while end - gap.place < most, end < count, mayMove(end, gap, replica) { end += 1 }
    return start..<end
  }

  private func mayMove(_ place: Int, _ gap: Gap, _ replica: borrowing Replica) -> Bool {
    let slot = order[place].slot
    let position = store.record(slot).position
    // One of the items may be the one that is to be moved, which takes another write then.
    return position.section == gap.section && position.time < Timestamp.max.rawValue - 1
      && !replica.keepsInPlace(ListItem(self, slot))
  }
}

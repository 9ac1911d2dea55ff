extension SortKey {
  /// Appends the bytes of a new key strictly between two neighbours; `nil` is an end of the list.
  ///
  /// The neighbours are valid keys. `output` must not share its memory with them, or appending
  /// copies all of it. On a refusal it is left as it was.
  ///
  /// - Complexity: O(*b*) for *b* bytes of both neighbours; only `output` allocates
  package static func append(
    between left: ArraySlice<UInt8>?, and right: ArraySlice<UInt8>?, replica: ReplicaID,
    counter: Int64, to output: inout [UInt8]
  ) throws(SortKeyRefusal) {
    guard let gap = try? SortKeyGap(left ?? [], right ?? []), gap.isInOrder else { throw .order }
    let start = output.count
    let maker = SortKeyMaker(gap: gap, replica: replica.rawValue, counter: counter)
    guard maker.appendBesideMine(to: &output) || maker.appendAtParting(to: &output) else {
      throw .order
    }
    if output.count - start > maximumByteCount {
      output.removeLast(output.count - start)
      throw .exhausted
    }
  }
}

/// The rules by which a replica makes a key in a gap.
///
/// Whoever starts a run between two keys gets a place of their own: a number with their name, a
/// private zone, or a place beside their own neighbour. Rule 1 keeps the rest of the run there,
/// because an end of the run is newer than the neighbours it was put between.
private struct SortKeyMaker {
  let gap: SortKeyGap
  let replica: UInt64
  let counter: Int64

  /// Rule 1: a key beside my own neighbour, of two the newer one; false if rule 2 has to decide.
  func appendBesideMine(to output: inout [UInt8]) -> Bool {
    let left = gap.leftPath.last(of: replica)
    let right = gap.rightPath.last(of: replica)
    if let left, left.counter.magnitude >= right?.counter.magnitude ?? 0 {
      return appendNumberAfter(left, to: &output) || appendCounterAfter(left, to: &output)
    }
    if let right {
      return appendNumberBefore(right, to: &output) || appendCounterBefore(right, to: &output)
    }
    return false
  }

  /// Rule 1a at the left neighbour: a number above its last one, in a zone that is mine alone.
  private func appendNumberAfter(_ home: SortKeyStep, to output: inout [UInt8]) -> Bool {
    guard home.zone == SortKeyLink.after, gap.leftPath.first != nil else { return false }
    let peer = gap.peer(of: gap.leftPath, in: gap.rightPath)
    if let peer, gap.haveSameNumber(home, peer) { return false }
    let start = output.count
    output.append(contentsOf: gap.left.prefix(home.number.start))
    output.appendNumber(between: home.number, in: gap.left, and: peer?.number, in: gap.right)
    return finish(start, numberStart: home.number.start, gap.leftPath, to: &output)
  }

  /// Rule 1a at the right neighbour, the mirror image.
  private func appendNumberBefore(_ home: SortKeyStep, to output: inout [UInt8]) -> Bool {
    guard home.zone == SortKeyLink.after, gap.rightPath.first != nil else { return false }
    let peer = gap.peer(of: gap.rightPath, in: gap.leftPath)
    if let peer, gap.haveSameNumber(peer, home) { return false }
    let start = output.count
    output.append(contentsOf: gap.right.prefix(home.number.start))
    output.appendNumber(between: peer?.number, in: gap.left, and: home.number, in: gap.right)
    return finish(start, numberStart: home.number.start, gap.rightPath, to: &output)
  }

  /// Appends counter and end, or takes a number back that is too long for its depth.
  ///
  /// Digits cost one bit per key, steps several bytes; the deeper the zone, the more digits are
  /// still cheaper than another step.
  private func finish(
    _ start: Int, numberStart: Int, _ home: SortKeyPath, to output: inout [UInt8]
  ) -> Bool {
    let digitCount = output.count - start - numberStart
    guard home.afterCount >= 7 || digitCount <= Self.powersOfThree[home.afterCount] else {
      output.removeLast(output.count - start)
      return false
    }
    output.appendCounter(counter)
    output.append(SortKeyLink.end)
    return true
  }

  /// Rule 1b at the left neighbour: the same step with my new counter, if that is in the gap.
  private func appendCounterAfter(_ home: SortKeyStep, to output: inout [UInt8]) -> Bool {
    guard counter > home.counter, gap.leftPath.first != nil else { return false }
    if let peer = gap.peer(of: gap.leftPath, in: gap.rightPath), gap.haveSamePlace(home, peer) {
      let isBelow =
        counter < peer.counter
        || counter == peer.counter && gap.rightLink(behind: peer) == SortKeyLink.after
      guard isBelow else { return false }
    }
    output.append(contentsOf: gap.left.prefix(home.counterStart))
    output.appendCounter(counter)
    output.append(SortKeyLink.end)
    return true
  }

  /// Rule 1b at the right neighbour: counters fall there, so that a run backwards stays short.
  private func appendCounterBefore(_ home: SortKeyStep, to output: inout [UInt8]) -> Bool {
    let counter = 0 &- counter
    guard counter < home.counter, gap.rightPath.first != nil else { return false }
    if let peer = gap.peer(of: gap.rightPath, in: gap.leftPath), gap.haveSamePlace(peer, home) {
      let isAbove =
        counter > peer.counter
        || counter == peer.counter && gap.leftLink(behind: peer) == SortKeyLink.before
      guard isAbove else { return false }
    }
    output.append(contentsOf: gap.right.prefix(home.counterStart))
    output.appendCounter(counter)
    output.append(SortKeyLink.end)
    return true
  }

  /// Rule 2: a key where the neighbours part.
  func appendAtParting(to output: inout [UInt8]) -> Bool {
    let low = gap.leftPath.first
    var high = gap.rightPath.first
    // Before and after a node that is gone: stay before it.
    if let low, low.zone != high?.zone { high = nil }
    let zone = low?.zone ?? high?.zone
    let author = gap.shared.last?.author
    let isOpen = zone != SortKeyLink.after || author == replica
    if isOpen, !gap.haveSameNumber(low, high) {
      if let low {
        output.append(contentsOf: gap.left.prefix(low.number.start))
      } else if let high {
        output.append(contentsOf: gap.right.prefix(high.number.start))
      }
      output.appendNumber(between: low?.number, in: gap.left, and: high?.number, in: gap.right)
      appendAuthor(in: zone, of: author, to: &output)
    } else if let low, low.author == replica {
      let above = gap.leftPath.second.flatMap { $0.zone == SortKeyLink.after ? $0.number : nil }
      output.append(contentsOf: gap.left.prefix(low.end))
      output.append(SortKeyLink.after)
      output.appendNumber(between: above, in: gap.left, and: nil, in: gap.right)
    } else if let high {
      let below = gap.rightPath.second.flatMap { $0.zone == SortKeyLink.before ? $0.number : nil }
      output.append(contentsOf: gap.right.prefix(high.end))
      output.append(SortKeyLink.before)
      output.appendNumber(between: nil, in: gap.left, and: below, in: gap.right)
      appendAuthor(in: SortKeyLink.before, of: high.author, to: &output)
    } else {
      return false
    }
    output.appendCounter(counter)
    output.append(SortKeyLink.end)
    return true
  }

  private func appendAuthor(in zone: UInt8?, of above: UInt64?, to output: inout [UInt8]) {
    output.appendSortKeyAuthor(replica, in: zone, of: above)
  }

  private static let powersOfThree = [1, 3, 9, 27, 81, 243, 729]
}

extension SortKeyPath {
  /// The last step, if it is the replica's and not deep in the zones before nodes.
  ///
  /// Those nodes are gone from the gap, and keys that cling to them would only get longer.
  fileprivate func last(of replica: UInt64) -> SortKeyStep? {
    guard let last, last.author == replica, !hasDeepBefore else { return nil }
    return last
  }
}

extension SortKeyGap {
  /// The other neighbour's step in the zone of home's last step, where they part in that zone.
  fileprivate func peer(of home: SortKeyPath, in other: SortKeyPath) -> SortKeyStep? {
    guard shared.count == home.count - 1, let step = other.first, step.zone == home.last?.zone
    else { return nil }
    return step
  }

  /// Whether a step of the left and one of the right neighbour have the same number.
  fileprivate func haveSameNumber(_ low: SortKeyStep?, _ high: SortKeyStep?) -> Bool {
    guard let low, let high else { return false }
    return low.number.equals(high.number, in: left, right)
  }

  /// Whether a step of the left and one of the right neighbour differ in nothing but the counter.
  fileprivate func haveSamePlace(_ low: SortKeyStep, _ high: SortKeyStep) -> Bool {
    low.author == high.author && haveSameNumber(low, high)
  }

  fileprivate func leftLink(behind step: SortKeyStep) -> UInt8 {
    left[left.startIndex + step.end]
  }

  fileprivate func rightLink(behind step: SortKeyStep) -> UInt8 {
    right[right.startIndex + step.end]
  }
}

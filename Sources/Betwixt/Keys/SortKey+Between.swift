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
    let refusal = SortKeyWriter.append(to: &output) { writer in
      SortKeyBytes.with(left) { left in
        SortKeyBytes.with(right) { right in
          write(between: left, and: right, by: replica.rawValue, counter: counter, to: &writer)
        }
      }
    }
    if let refusal { throw refusal }
  }

  private static func write(
    between left: SortKeyBytes, and right: SortKeyBytes, by replica: UInt64, counter: Int64,
    to writer: inout SortKeyWriter
  ) -> SortKeyRefusal? {
    let sharedBytes = left.commonPrefixCount(with: right)
    // No key is the start of another, so the first byte that differs decides.
    guard left.count == 0 || right.count == 0 || left[sharedBytes] < right[sharedBytes] else {
      return .order
    }
    let maker = SortKeyMaker(
      left: SortKeyPath(left, sharedBytes: sharedBytes),
      right: SortKeyPath(right, sharedBytes: sharedBytes), replica: replica, counter: counter)
    if !maker.appendBesideMine(to: &writer) { maker.appendAtParting(to: &writer) }
    return writer.isTooLong ? .exhausted : nil
  }
}

/// The rules by which a replica makes a key between two neighbours.
///
/// Whoever starts a run between two keys gets a place of their own: a number with their name, a
/// private zone, or a place beside their own neighbour. Rule 1 keeps the rest of the run there,
/// because an end of the run is newer than the neighbours it was put between.
private struct SortKeyMaker {
  let left: SortKeyPath
  let right: SortKeyPath
  let replica: UInt64
  let counter: Int64

  /// Rule 1: a key beside my own neighbour, of two the newer one; false if rule 2 has to decide.
  func appendBesideMine(to writer: inout SortKeyWriter) -> Bool {
    let leftHome = left.last(of: replica)
    let rightHome = right.last(of: replica)
    let leftAge = leftHome.map { left.counter(of: $0) }
    let rightAge = rightHome.map { right.counter(of: $0) }
    if let leftHome, let leftAge, leftAge.magnitude >= rightAge?.magnitude ?? 0 {
      return appendNumber(above: leftHome, to: &writer)
        || append(counter, above: leftHome, age: leftAge, to: &writer)
    }
    if let rightHome, let rightAge {
      return appendNumber(below: rightHome, to: &writer)
        || append(0 &- counter, below: rightHome, age: rightAge, to: &writer)
    }
    return false
  }

  /// Rule 1a at the left neighbour: a number above its last one, in a zone that is mine alone.
  private func appendNumber(above home: SortKeyStep, to writer: inout SortKeyWriter) -> Bool {
    guard home.zone == .after, left.count > left.sharedCount else { return false }
    let low = left.number(of: home)
    let high = right.peer(ofLastIn: left).map { right.number(of: $0) }
    guard low != high else { return false }
    writer.append(left.bytes, prefix: home.start)
    writer.appendNumber(between: low, and: high)
    return finish(home, afterCount: left.afterCount, to: &writer)
  }

  /// Rule 1a at the right neighbour, the mirror image.
  private func appendNumber(below home: SortKeyStep, to writer: inout SortKeyWriter) -> Bool {
    guard home.zone == .after, right.count > right.sharedCount else { return false }
    let low = left.peer(ofLastIn: right).map { left.number(of: $0) }
    let high = right.number(of: home)
    guard low != high else { return false }
    writer.append(right.bytes, prefix: home.start)
    writer.appendNumber(between: low, and: high)
    return finish(home, afterCount: right.afterCount, to: &writer)
  }

  /// Appends counter and end, or takes all back if the number is too long for its depth.
  ///
  /// Digits cost one bit per key, steps several bytes; the deeper the zone, the more digits are
  /// still cheaper than another step.
  private func finish(
    _ home: SortKeyStep, afterCount: Int, to writer: inout SortKeyWriter
  ) -> Bool {
    let digitCount = writer.count - home.start
    guard afterCount >= 7 || digitCount <= powerOfThree(afterCount) else {
      writer.remove(from: 0)
      return false
    }
    appendEnd(counter, to: &writer)
    return true
  }

  /// Rule 1b at the left neighbour: the same step with a greater counter, if that is in the gap.
  private func append(
    _ counter: Int64, above home: SortKeyStep, age: Int64, to writer: inout SortKeyWriter
  ) -> Bool {
    guard counter > age, left.count > left.sharedCount else { return false }
    if let peer = right.peer(ofLastIn: left), peer.author == home.author,
      right.number(of: peer) == left.number(of: home)
    {
      let limit = right.counter(of: peer)
      let isBelow =
        counter < limit || counter == limit && right.link(behind: peer) == SortKeyLink.after
      guard isBelow else { return false }
    }
    writer.append(left.bytes, prefix: home.counterStart)
    appendEnd(counter, to: &writer)
    return true
  }

  /// Rule 1b at the right neighbour, the mirror image with a falling counter.
  private func append(
    _ counter: Int64, below home: SortKeyStep, age: Int64, to writer: inout SortKeyWriter
  ) -> Bool {
    guard counter < age, right.count > right.sharedCount else { return false }
    if let peer = left.peer(ofLastIn: right), peer.author == home.author,
      left.number(of: peer) == right.number(of: home)
    {
      let limit = left.counter(of: peer)
      let isAbove =
        counter > limit || counter == limit && left.link(behind: peer) == SortKeyLink.before
      guard isAbove else { return false }
    }
    writer.append(right.bytes, prefix: home.counterStart)
    appendEnd(counter, to: &writer)
    return true
  }

  /// Rule 2: a key where the neighbours part.
  func appendAtParting(to writer: inout SortKeyWriter) {
    let x = left.first
    var y = right.first
    // Before and after a node that is gone: stay before it.
    if let x, x.zone != y?.zone { y = nil }
    if appendNumber(between: x, and: y, to: &writer) { return appendEnd(counter, to: &writer) }
    if let x, x.author == replica {
      writer.append(left.bytes, prefix: x.end)
      writer.append(SortKeyLink.after)
      writer.appendNumber(between: left.secondNumber(in: .after), and: nil)
    } else if let y {
      writer.append(right.bytes, prefix: y.end)
      writer.append(SortKeyLink.before)
      writer.appendNumber(between: nil, and: right.secondNumber(in: .before))
      writer.appendAuthor(replica, in: .before, of: y.author)
    }
    appendEnd(counter, to: &writer)
  }

  /// From so many digits on, of which a Double never has more than ten, a step is shorter in the end.
  ///
  /// Between two numbers without a Double in between each insertion takes one more bit, so that a
  /// thousand by several people in turns took 150 bytes. Beside one of the two nodes there is room
  /// again.
  private static let longNumber = 16

  /// Rule 2a: a number of the zone in which the neighbours part, if it is open to me and the number
  /// is not too long.
  private func appendNumber(
    between x: SortKeyStep?, and y: SortKeyStep?, to writer: inout SortKeyWriter
  ) -> Bool {
    let zone = x?.zone ?? y?.zone ?? .top
    let low = x.map { left.number(of: $0) }
    let high = y.map { right.number(of: $0) }
    guard zone != .after || left.parting.author == replica, low == nil || low != high else {
      return false
    }
    if let x {
      writer.append(left.bytes, prefix: x.start)
    } else if let y {
      writer.append(right.bytes, prefix: y.start)
    }
    let start = writer.count
    writer.appendNumber(between: low, and: high)
    if zone != .after, let low, let high, writer.count - start > SortKeyMaker.longNumber {
      // Of a node whose number is as long already nothing is won.
      let beside = x?.author == replica ? low : high
      if beside.count <= SortKeyMaker.longNumber {
        writer.remove(from: 0)
        return false
      }
    }
    writer.appendAuthor(replica, in: zone, of: left.parting.author)
    return true
  }

  private func appendEnd(_ counter: Int64, to writer: inout SortKeyWriter) {
    writer.appendCounter(counter)
    writer.append(SortKeyLink.end)
  }

  private func powerOfThree(_ exponent: Int) -> Int {
    (0..<exponent).reduce(1) { power, _ in power * 3 }
  }
}

extension SortKeyPath {
  /// The last step, if it is the replica's and not deep in the zones before nodes.
  ///
  /// Those nodes are gone from the gap, and keys that cling to them would only get longer.
  fileprivate func last(of replica: UInt64) -> SortKeyStep? {
    guard let last, last.author == replica, !hasDeepBefore else { return nil }
    return last
  }

  /// This key's step in the zone of the other's last step, if the two part there.
  fileprivate func peer(ofLastIn home: SortKeyPath) -> SortKeyStep? {
    guard home.sharedCount == home.count - 1, let first, first.zone == home.last?.zone else {
      return nil
    }
    return first
  }
}

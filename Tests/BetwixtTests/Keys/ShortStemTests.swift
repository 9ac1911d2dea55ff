import Betwixt
import Testing

/// Short stems are found by words, all others step by step: both say the same of every key that both
/// take.
@Suite("Short stems")
struct ShortStemTests {
  /// A stem with its head, and the count between both where that is told.
  private struct Stem: Equatable {
    var head: UInt64
    var bytes: [UInt8]
  }

  private func stepByStep(
    _ key: SortKey, _ names: [ReplicaID], _ dot: Dot, _ item: ItemID
  ) -> Stem? {
    var stem: Stem?
    let bytes = key.bytes[...]
    _ = SortKey.withPackedStem(of: bytes.span, names: names, dot: dot, item: item) { head, span in
      var copy: [UInt8] = []
      copy.append(span)
      stem = Stem(head: head.rawValue, bytes: copy)
    }
    return stem
  }

  private func byWords(
    _ key: SortKey, _ names: [ReplicaID], _ node: inout ShortStem.Node?, _ dot: Dot,
    _ item: ItemID
  ) -> Stem? {
    let bytes = key.bytes[...]
    guard
      let stem = SortKey.shortStem(
        of: bytes.span, names: names, node: &node, dot: dot, item: item)
    else { return nil }
    #expect(stem.saysCount == (stem.head.isNode && !stem.head.isShort))
    let word = (0..<stem.byteCount).map {
      UInt8(truncatingIfNeeded: stem.bytes >> UInt64(56 - 8 * $0))
    }
    return Stem(head: stem.head.rawValue, bytes: word)
  }

  /// Whether a stem has more steps or bytes than a short one.
  private func isLong(_ key: SortKey, _ stem: Stem) -> Bool {
    var steps: [SortKeyStep] = []
    let bytes = key.bytes[...]
    _ = SortKey.readSteps(of: bytes.span, into: &steps)
    let head = PackedStemHead(rawValue: stem.head)
    let byteCount = stem.bytes.count + (head.isNode && head.isShort ? 1 : 0)
    return byteCount > 8 || steps.count > (head.isNode ? 2 : 1)
  }

  @Test("They are what a walk from step to step finds", arguments: 0..<6 as Range<UInt64>)
  func alike(seed: UInt64) throws {
    var history = SortKeyHistory(seed: seed, replicaCount: 4)
    if seed % 2 == 1 { history.counter = 1 << (7 * Int64(seed) + 3) }
    try history.edit(turns: 50, size: 30)
    var entries: [(key: SortKey, item: ItemID)] = []
    for key in history.made { entries.append((key, history.itemID())) }
    for _ in 0..<200 {
      let id = history.itemID()
      entries.append((try SortKey(importing: history.double(), of: id), id))
    }
    // Of one author the rows know nothing.
    let names = history.replicas.dropLast().sorted()
    var node: ShortStem.Node?
    var (shorts, nodes, longs) = (0, 0, 0)
    for (key, item) in entries {
      let tie = try SortKey.validate(key.bytes[...])
      let isOwn = history.choices.chance(9, in: 10)
      let dot = Dot(
        replica: isOwn ? tie.author : history.replicas[0],
        sequence: isOwn ? max(1, tie.counter.magnitude == 0 ? 1 : abs(max(tie.counter, -.max))) : 4)
      let walked = stepByStep(key, names, dot, item)
      guard let short = byWords(key, names, &node, dot, item) else {
        if let walked { #expect(isLong(key, walked)) }
        longs += 1
        continue
      }
      #expect(short == walked)
      shorts += 1
      if PackedStemHead(rawValue: short.head).isNode { nodes += 1 }
    }
    #expect(shorts > 100 && nodes > 0 && longs > 0)
  }

  /// A key between two that were made where nothing was yet begins with a node of one of them, whose
  /// counter may have any number of bytes.
  @Test("Counters of nodes have any length", arguments: 0..<63 as Range<Int64>)
  func counters(bit: Int64) throws {
    let names = [1, 2, 3].map { ReplicaID(rawValue: $0) }
    var node: ShortStem.Node?
    var shorts = 0
    for counter in [1 << bit, max(1, (1 << bit) - 1)] as [Int64] {
      let ends = try names[..<2].map {
        try SortKey.between(nil, nil, replica: $0, counter: counter)
      }.sorted()
      for own in [1, 300] as [Int64] {
        let key = try SortKey.between(ends[0], ends[1], replica: names[2], counter: own)
        let dot = Dot(replica: names[2], sequence: own)
        let item = ItemID(high: 9, low: 9)
        let walked = try #require(stepByStep(key, names, dot, item))
        if let short = byWords(key, names, &node, dot, item) {
          #expect(short == walked)
          shorts += 1
        } else {
          #expect(isLong(key, walked))
        }
      }
    }
    #expect(bit > 40 || shorts == 4)
  }
}

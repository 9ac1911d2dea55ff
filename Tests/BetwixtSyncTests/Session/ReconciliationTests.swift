import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// Comparing contents: what it finds, in how many frames, and what equal versions of a cloned
/// replica cannot hide.
@Suite struct ReconciliationTests {
  /// The RANGES frames that both sides sent, the greatest one, and all bytes of them and of WANT.
  private struct Count {
    var ranges = 0
    var greatest = 0
    var bytes = 0

    mutating func add(_ stream: inout FrameStream, _ bytes: [UInt8]) {
      stream.append(bytes)
      while let frame = try? stream.next() {
        guard frame.type == .ranges || frame.type == .want else { continue }
        if frame.type == .ranges {
          ranges += 1
          greatest = max(greatest, frame.payload.count)
        }
        self.bytes += frame.payload.count + Frame.overhead
      }
    }
  }

  private static func run(_ pair: inout SyncPair) -> Count {
    var count = Count()
    var (fromA, fromB) = (FrameStream(), FrameStream())
    while !(pair.a.sent.isEmpty && pair.b.sent.isEmpty) {
      let there = pair.a.sent
      pair.a.sent = []
      count.add(&fromA, there)
      pair.b.receive(there)
      let back = pair.b.sent
      pair.b.sent = []
      count.add(&fromB, back)
      pair.a.receive(back)
    }
    return count
  }

  /// The bound of the design: twice the depth of the tree of ranges, and two.
  static func frameBound(_ entries: Int) -> Int {
    var depth = 0
    var rest = (entries + 31) / 32
    while rest > 1 {
      rest = (rest + 15) / 16
      depth += 1
    }
    return 2 * depth + 2
  }

  /// Two lists whose versions claim the same and which differ in some writes of a cloned replica.
  static func clones(
    _ items: Int, differing: Int, _ random: inout SplitMix64
  ) throws -> (ReplicatedList, ReplicatedList) {
    let base = try GreatListTests.list(items)
    var (left, right) = (base, base)
    var one = Replica(id: ReplicaID(rawValue: 0xc)) { 1_777_100_000_000 }
    var two = Replica(id: ReplicaID(rawValue: 0xc)) { 1_777_100_000_007 }
    for number in 0..<differing {
      let id = base[random.next(below: items)].id
      let other = base[random.next(below: items)].id
      try left.set("n", of: id, to: .int64(Int64(-number - 1)), by: &one)
      try right.set("m", of: other, to: .int64(Int64(number)), by: &two)
    }
    left.settleDigest()
    right.settleDigest()
    return (left, right)
  }

  @Test func versionsOfAClonedReplicaHideNothing() throws {
    var random = SplitMix64(seed: 19)
    var worst = 0
    for _ in 0..<(runsLong ? 60 : 6) {
      let items = 20 + random.next(below: runsLong ? 1_500 : 400)
      let (left, right) = try Self.clones(
        items, differing: 1 + random.next(below: 20), &random)
      #expect(left.version == right.version && left.digest != right.digest)
      var pair = SyncPair(left, right)
      let count = Self.run(&pair)
      SyncSessionTests.expectSynced(pair, left.merging(right))
      #expect(pair.a.reconciled && pair.b.reconciled)
      // One round and one comparison: no third exchange is ever needed.
      for peer in [pair.a, pair.b] {
        let rounds = peer.events.filter { if case .synced = $0 { true } else { false } }
        #expect(rounds.count == 1)
        #expect(peer.events.contains { if case .unequal = $0 { true } else { false } })
      }
      let entries = max(left.entryCount, right.entryCount)
      #expect(count.ranges <= Self.frameBound(entries), "\(entries) entries")
      worst = max(worst, count.ranges)
    }
    print("cloned replicas: all equal after one comparison, at most \(worst) RANGES frames")
  }

  @Test func aListThatLacksEverythingIsFoundInThreeFrames() throws {
    let list = try GreatListTests.list(800)
    var builder = Delta.Builder()
    for entry in list.delta(since: VersionVector()).entries.prefix(600) { try builder.add(entry) }
    var few = ReplicatedList(id: list.id)
    few.merge(builder.build())
    var pair = SyncPair(few, list)
    let count = Self.run(&pair)
    SyncSessionTests.expectSynced(pair, list)
    #expect(pair.a.reconciled)
    #expect(count.ranges <= Self.frameBound(list.entryCount))
  }

  @Test func manyOpenRangesAreJoinedAtTheEnd() throws {
    // Every range differs, so that an answer would pass the greatest plain frame.
    var random = SplitMix64(seed: 20)
    let size = runsLong ? 20_000 : 4_000
    let base = try GreatListTests.list(size)
    var builder = Delta.Builder()
    for entry in base.delta(since: VersionVector()).entries where random.next(below: 8) != 0 {
      try builder.add(entry)
    }
    var holes = ReplicatedList(id: base.id)
    holes.merge(builder.build())
    holes.settleDigest()
    var pair = SyncPair(holes, base)
    let count = Self.run(&pair)
    #expect(pair.a.end == .finished && pair.b.end == .finished)
    #expect(pair.a.list.digest == base.digest)
    #expect(pair.b.list.digest == base.digest)
    #expect(count.greatest <= SyncSetup.plainFrame)
    print("\(base.entryCount) entries, one in eight missing: \(count.ranges) RANGES frames")
  }

  @Test(arguments: [RangeList.listLimit, RangeList.listLimit + 1])
  func aRangeListsSoManyEntriesAndNoMore(count: Int) throws {
    var list = RangeList()
    let names = (0..<count).map { EntryName(high: 1, low: UInt64($0)) }
    list.append(.init(upper: nil, content: .list(names)))
    let ranges = try? RangeList(decoding: list.payload).ranges
    #expect(ranges == (count > RangeList.listLimit ? nil : list.ranges))
  }

  /// A download that was cut: what is behind its end was listed, and is opened again by the rest of a
  /// full frame.
  @Test(arguments: [true, false]) func aPartOfTheFirstHalfEnds(isWholeFirst: Bool) throws {
    var whole = ReplicatedList(id: ListID(high: 1, low: 2))
    var me = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    for number in 0..<10_000 as Range<Int64> {
      try whole.append(["number": .int64(number)], by: &me)
    }
    var bits: UInt64 = 7
    var builder = Delta.Builder()
    for entry in whole.delta(since: VersionVector()).entries where entry.sequence <= 10_000 {
      bits = bits &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      if bits >> 33 % 5 != 0 { try builder.add(entry) }
    }
    var part = ReplicatedList(id: whole.id)
    part.merge(builder.build())
    let (first, second) = isWholeFirst ? (whole, part) : (part, whole)
    var sides = [first, second].map { Reconciliation(EntrySet($0, leavingOut: [])) }
    var (message, turn) = (sides[0].opening(), 1)
    while let answer = try sides[turn].answer(RangeList(decoding: message.payload)) {
      (message, turn) = (answer, 1 - turn)
    }
    // Each is found by one side or, where it was opened again, by both.
    let (mine, theirs) = isWholeFirst ? (sides[0], sides[1]) : (sides[1], sides[0])
    let found = mine.missingThere.count + theirs.missingHere.count
    #expect(found >= whole.entryCount - part.entryCount)
    #expect(theirs.missingThere.isEmpty && mine.missingHere.isEmpty)
  }
}

import Betwixt
import BetwixtSync
import TestSupport
import Testing

@Suite struct SyncSessionTests {
  /// A list and a copy that both sides went on editing.
  static func fork(seed: UInt64, edits: Int = 30) -> (ReplicatedList, ReplicatedList) {
    var base = Sample.list(seed: seed, edits: edits)
    base.settleDigest()
    var (left, right) = (base, base)
    var random = SplitMix64(seed: seed + 1000)
    var me = Replica(id: ReplicaID(rawValue: 0xa)) { 1_777_000_500_000 }
    var you = Replica(id: ReplicaID(rawValue: 0xb)) { 1_777_000_400_000 }
    for _ in 0..<random.next(below: 12) { try? Sample.edit(&left, by: &me, &random) }
    for _ in 0..<random.next(below: 12) { try? Sample.edit(&right, by: &you, &random) }
    return (left, right)
  }

  static func expectSynced(
    _ pair: SyncPair, _ expected: ReplicatedList, location: SourceLocation = #_sourceLocation
  ) {
    #expect(pair.a.end == .finished, sourceLocation: location)
    #expect(pair.b.end == .finished, sourceLocation: location)
    #expect(pair.a.list == expected, sourceLocation: location)
    #expect(pair.b.list == expected, sourceLocation: location)
  }

  @Test func equalListsCostLittle() {
    let list = Sample.list(seed: 3, edits: 40)
    var pair = SyncPair(list, list)
    pair.run()
    Self.expectSynced(pair, list)
    #expect(pair.byteCount < 600)
    print("equal lists of three replicas: \(pair.byteCount) bytes both ways")
  }

  @Test func forksConverge() {
    for seed in 0..<20 {
      let (left, right) = Self.fork(seed: UInt64(seed))
      var pair = SyncPair(left, right)
      pair.run()
      Self.expectSynced(pair, left.merging(right))
      #expect(pair.a.list.version == pair.b.list.version)
      #expect(!pair.a.reconciled)
    }
  }

  /// Both learn what the other holds, and as whom it writes.
  @Test func aSessionTellsWhoHoldsWhat() {
    let (left, right) = Self.fork(seed: 6)
    var pair = SyncPair(
      left, right, SyncSetup(replica: ReplicaID(rawValue: 0xa)),
      SyncSetup(replica: ReplicaID(rawValue: 0xb)))
    pair.run()
    let all = left.version.union(right.version)
    for (side, peer) in [(pair.a, 0xb as UInt64), (pair.b, 0xa)] {
      var told: [ReplicaID: VersionVector] = [:]
      for case .met(let replica, let version) in side.events { told[replica] = version }
      #expect(told == [ReplicaID(rawValue: peer): all])
    }
  }

  @Test func whatComesBeforeTheStartWaitsForIt() {
    let (left, right) = Self.fork(seed: 4)
    var whole = SyncPair(left, right)
    whole.run()
    var early = SyncPair(left, right)
    var session = SyncSession(
      SyncSetup(), list: left, nonce: SessionNonce(high: 1, low: 1), now: 0)
    #expect(session.receive(early.b.sent, now: 0).isEmpty)
    early.b.sent = []
    early.a.sent = []
    early.a.session = session
    early.a.take(early.a.session.start(now: 0))
    early.run()
    Self.expectSynced(early, left.merging(right))
    #expect(early.a.trace == whole.a.trace && early.b.trace == whole.b.trace)
  }

  /// What the host changes while lists are compared goes into a round of its own.
  @Test func whatChangesInARoundStartsAnother() throws {
    let (left, right) = Self.fork(seed: 4)
    // A peer that is not live would end behind the first round.
    var pair = SyncPair(left, right, SyncSetup(), SyncSetup(isLive: true))
    var me = Replica(id: ReplicaID(rawValue: 0xd)) { 1_777_000_600_000 }
    try pair.a.list.append(["title": "Late"], by: &me)
    pair.a.take(pair.a.session.listChanged(pair.a.list, now: 0))
    pair.run()
    Self.expectSynced(pair, pair.a.list)
    #expect(pair.a.list.version[me.id] == me.sequence)
    let rounds = pair.a.events.filter { if case .synced = $0 { true } else { false } }
    #expect(rounds.count == 2)
  }

  @Test func anEmptySideGetsEverything() {
    let list = Sample.list(seed: 5, edits: 300)
    var pair = SyncPair(list, ReplicatedList(id: list.id))
    pair.run(piece: 1000)
    Self.expectSynced(pair, list)
    #expect(pair.b.list.version == list.version)
  }

  @Test(arguments: [1, 3, 17, 64, 1000]) func anySplitGivesTheSameOutputs(piece: Int) {
    let (left, right) = Self.fork(seed: 9)
    var whole = SyncPair(left, right)
    whole.run()
    var split = SyncPair(left, right)
    split.run(piece: piece)
    #expect(split.a.trace == whole.a.trace)
    #expect(split.b.trace == whole.b.trace)
    #expect(split.byteCount == whole.byteCount)
    Self.expectSynced(split, left.merging(right))
  }

  @Test func aCutAtAnyByteIsHealedByTheNextSession() {
    let (left, right) = Self.fork(seed: 21, edits: 6)
    let expected = left.merging(right)
    var whole = SyncPair(left, right)
    whole.run(piece: 50)
    var count = 0
    for limit in 0..<whole.byteCount where runsLong || limit % 13 == 0 {
      count += 1
      var cut = SyncPair(left, right)
      cut.run(piece: 50, limit: limit)
      cut.a.take(cut.a.session.inputEnded(now: 0))
      cut.b.take(cut.b.session.inputEnded(now: 0))
      #expect(cut.a.list.claimsTruly(about: expected) && cut.b.list.claimsTruly(about: expected))
      var next = SyncPair(cut.a.list, cut.b.list)
      next.run()
      Self.expectSynced(next, expected)
      #expect(!next.a.reconciled)
    }
    print("sessions: \(count) cuts, all healed")
  }

  @Test func tenWritesIntoAGreatListCostLittle() throws {
    var me = Replica(id: ReplicaID(rawValue: 0xa)) { 1_777_000_000_000 }
    var you = Replica(id: ReplicaID(rawValue: 0xb)) { 1_777_000_600_000 }
    var left = ReplicatedList(id: Sample.listID)
    var ids: [ItemID] = []
    for number in 0..<3000 { ids.append(try left.append(["n": .int64(Int64(number))], by: &me)) }
    left.settleDigest()
    var right = left
    for number in 0..<5 {
      try left.set("n", of: ids[number * 500], to: 7, by: &me)
      try right.move(ids[number * 500 + 250], toOffset: 0, by: &you)
    }
    var pair = SyncPair(left, right)
    pair.run()
    Self.expectSynced(pair, left.merging(right))
    #expect(pair.byteCount < 1500)
    print("ten writes into 3,000 items: \(pair.byteCount) bytes both ways")
  }

  @Test func contentIsComparedWhereAReplicaWasCloned() throws {
    for seed in 0..<6 {
      let base = Sample.list(seed: UInt64(seed), edits: 40)
      var (left, right) = (base, base)
      var random = SplitMix64(seed: UInt64(seed))
      var one = Replica(id: ReplicaID(rawValue: 0xc)) { 1_777_000_500_000 }
      var two = Replica(id: ReplicaID(rawValue: 0xc)) { 1_777_000_500_007 }
      for _ in 0..<9 { try? Sample.edit(&left, by: &one, &random) }
      for _ in 0..<7 { try? Sample.edit(&right, by: &two, &random) }
      var pair = SyncPair(left, right)
      pair.run()
      Self.expectSynced(pair, left.merging(right))
    }
  }

  @Test func aLostVersionIsMadeGoodByContent() throws {
    let list = Sample.list(seed: 4, edits: 900)
    var builder = Delta.Builder()
    for entry in list.delta(since: VersionVector()).entries.dropLast(40) { try builder.add(entry) }
    var uncovered = ReplicatedList(id: list.id)
    uncovered.merge(builder.build())
    var pair = SyncPair(list, uncovered)
    pair.run()
    Self.expectSynced(pair, list)
    #expect(pair.a.reconciled)
    #expect(pair.b.list.version == list.version)
    print("40 of \(list.entryCount) entries found and sent in \(pair.byteCount) bytes")
  }

  @Test func liveSessionsPassEditsOn() throws {
    let list = Sample.list(seed: 8, edits: 20)
    let setup = SyncSetup(isLive: true)
    var pair = SyncPair(list, list, setup, setup)
    pair.run()
    var random = SplitMix64(seed: 1)
    var me = Replica(id: ReplicaID(rawValue: 0xa)) { 1_777_000_500_000 }
    var you = Replica(id: ReplicaID(rawValue: 0xb)) { 1_777_000_400_000 }
    for step in 0..<40 {
      if step % 3 != 1 {
        try? Sample.edit(&pair.a.list, by: &me, &random)
        pair.a.take(pair.a.session.listChanged(pair.a.list, now: 0))
      }
      if step % 3 != 0 {
        try? Sample.edit(&pair.b.list, by: &you, &random)
        pair.b.take(pair.b.session.listChanged(pair.b.list, now: 0))
      }
      if step % 5 == 0 { pair.run(piece: 40) }
    }
    pair.run()
    #expect(pair.a.list == pair.b.list)
    #expect(pair.a.end == nil && pair.a.session.isIdle && pair.b.session.isIdle)
    pair.a.take(pair.a.session.end(now: 0))
    pair.run()
    #expect(pair.a.end == .finished && pair.b.end == .finished)
  }

  @Test func refusedWritesAreLeftOutOnBothSides() throws {
    let (left, right) = Self.fork(seed: 33)
    var pair = SyncPair(left, right)
    pair.b.admits = { $0.register != .field("title") || $0.stamp.replica.rawValue != 0xa }
    pair.run()
    #expect(pair.a.end == .finished)
    #expect(pair.b.end == .finished)
    let mine = left.delta(since: right.version).entries.filter { !pair.b.admits($0) }
    #expect(!mine.isEmpty)
    for entry in mine {
      let held = pair.b.list[id: entry.item]?.entries.first { $0.register == entry.register }
      #expect(held != entry)
    }
    let lowest = try #require(mine.map(\.sequence).min())
    #expect(pair.b.list.version[ReplicaID(rawValue: 0xa)] < lowest)
    #expect(pair.a.events.contains { if case .refused = $0 { true } else { false } })
  }

  @Test func ownWritesLeaveOnlyOnceTheyAreDurable() throws {
    var me = Replica(id: ReplicaID(rawValue: 0xa)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Sample.listID)
    try list.append(["title": "Secret"], by: &me)
    var pair = SyncPair(list, ReplicatedList(id: list.id), SyncSetup(replica: me.id))
    pair.a.isEager = false
    pair.run()
    #expect(pair.a.pending.count == 1)
    #expect(pair.b.list.count == 0)
    pair.a.settle()
    pair.a.isEager = true
    pair.run()
    Self.expectSynced(pair, list)
  }
}

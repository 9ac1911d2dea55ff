import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// A delta that was written and read says as much as the delta itself.
@Suite struct BlockKnowledgeTests {
  private static let me = ReplicaID(rawValue: 1)
  private static let you = ReplicaID(rawValue: 2)

  private static func replica(_ id: ReplicaID) -> Replica { Replica(id: id) { 1_777_000_000_000 } }

  private static func passedOn(_ delta: Delta) throws -> Delta {
    let bytes = try Block(.delta, of: Sample.listID, holding: delta).encoded()
    let block = try Block(decoding: bytes)
    #expect(try block.encoded() == bytes)
    return block.delta
  }

  @Test func conflictsAreTheSameAsWithoutBytes() throws {
    for seed in 0..<20 {
      let start = Sample.list(seed: UInt64(seed), edits: 40)
      var random = SplitMix64(seed: UInt64(seed) + 1000)
      var mine = start
      var yours = start
      var me = Self.replica(Self.me)
      var you = Self.replica(Self.you)
      for _ in 0..<30 {
        try? Sample.edit(&mine, by: &me, &random)
        try? Sample.edit(&yours, by: &you, &random)
      }
      let delta = yours.delta(since: start.version)
      let copy = try Self.passedOn(delta)
      #expect(copy.context == delta.context)
      var other = mine
      let changes = mine.merge(delta)
      let copied = other.merge(copy)
      #expect(copied.conflicts.count == changes.conflicts.count, "seed \(seed)")
      #expect(other == mine && other.version == mine.version)
    }
  }

  @Test func aDeltaForSomebodyElseBringsNoClaims() throws {
    var me = Self.replica(Self.me)
    var you = Self.replica(Self.you)
    var first = ReplicatedList(id: Sample.listID)
    let item = try first.append(["title": "mine"], by: &me)
    var both = first
    try both.set("title", of: item, to: "yours", by: &you)
    let delta = try Self.passedOn(both.delta(since: [Self.you: 1]))
    var stranger = ReplicatedList(id: Sample.listID)
    stranger.merge(delta)
    #expect(stranger.version.isEmpty)
    stranger.merge(first.delta(since: stranger.version))
    stranger.merge(try Self.passedOn(both.delta(since: stranger.version)))
    #expect(stranger == both && stranger.version == both.version)
  }

  @Test func rowsThatSayNothingOrStandTwiceAreRefused() throws {
    var me = Self.replica(Self.me)
    var list = ReplicatedList(id: Sample.listID)
    try list.append(by: &me)
    let known = list.version
    try list.append(by: &me)
    let bytes = try Block(.delta, of: list.id, holding: list.delta(since: known)).encoded()
    // Header 20, one replica 9, one range 4; then a row of knowledge: index 0, needed 2,
    // further 0.
    #expect(Array(bytes[33...36]) == [1, 0, 2, 0])
    var silent = bytes
    silent[35] = 0
    #expect(throws: DecodeFailure(.badNumber, at: 34)) { try Block(decoding: silent) }
    var twice = bytes
    twice[33] = 2
    twice.insert(contentsOf: [0, 2, 0], at: 37)
    #expect(throws: DecodeFailure(.badOrder, at: 37)) { try Block(decoding: twice) }
    var endless = bytes
    endless.replaceSubrange(36...36, with: [255, 255, 255, 255, 255, 255, 255, 255, 127])
    #expect(throws: DecodeFailure(.badNumber, at: 34)) { try Block(decoding: endless) }
  }

  /// What is stored of a delta makes a list hold the same and claim as much, and nobody claims what
  /// he does not hold.
  @Test func whatIsStoredClaimsTheSame() throws {
    var shorter = 0
    for seed in 0..<200 as Range<UInt64> {
      var random = SplitMix64(seed: seed &+ 5_000)
      let start = Sample.list(seed: seed, edits: 15)
      var me = Self.replica(Self.me)
      var list = start
      for _ in 0..<random.next(below: 8) { try? Sample.edit(&list, by: &me, &random) }
      let delta = list.delta(since: start.version)
      let row = try Block(.delta, of: list.id, holding: delta.forStorage).encoded()
      let whole = try Block(.delta, of: list.id, holding: delta).encoded()
      #expect(row.count <= whole.count)
      if row.count < whole.count { shorter += 1 }
      let stored = try Block(decoding: row).delta
      // Who knows what was before, and two who do not.
      for receiver in [start, Sample.list(seed: seed, edits: 5), ReplicatedList(id: list.id)] {
        var first = receiver
        first.merge(delta)
        var second = receiver
        second.merge(stored)
        #expect(second == first, "seed \(seed)")
        #expect(second.version.covers(first.version), "seed \(seed)")
        #expect(second.claimsTruly(about: list.merging(receiver)), "seed \(seed)")
      }
      var same = start
      same.merge(stored)
      #expect(same == list && same.version == list.version, "seed \(seed)")
    }
    #expect(shorter > 100)
  }

  @Test func aRowDoesNotGrowWithTheReplicas() throws {
    var sizes: Set<Int> = []
    for count in [1, 100, 10_000] as [UInt64] {
      var builder = Delta.Builder()
      for number in 1..<count {
        builder.cover(ReplicaID(rawValue: 1_000_000 + number), after: 0, through: 1)
      }
      var list = ReplicatedList(id: Sample.listID)
      list.merge(builder.build())
      var me = Self.replica(Self.me)
      for _ in 0..<3 { try list.append(by: &me) }
      let before = list.version
      try list.move(fromOffset: 0, toOffset: 3, by: &me)
      let delta = list.delta(since: before)
      sizes.insert(try Block(.delta, of: list.id, holding: delta.forStorage).encoded().count)
      // What a client brings to a hub is stored like that.
      var pair = HubTests.Room(SyncHub(list: list.merging(ReplicatedList(id: list.id))))
      var client = list
      try client.move(fromOffset: 2, toOffset: 0, by: &me)
      pair.join(client, as: "ann", replica: 1)
      pair.run()
      let stored = try #require(pair.server.stored.first)
      #expect(pair.server.hub.list == client)
      #expect(try stored.encoded().count < 80, "\(count) replicas")
    }
    #expect(sizes.count == 1 && sizes.allSatisfy { $0 < 80 })
  }
}

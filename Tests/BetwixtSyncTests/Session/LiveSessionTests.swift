import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// Changes of live sessions: what they cost, what they claim, and how a fault is found.
@Suite struct LiveSessionTests {
  private static let live = SyncSetup(isLive: true)

  private static func replica(_ number: UInt64, _ time: Int64 = 1_777_000_500_000) -> Replica {
    Replica(id: ReplicaID(rawValue: number)) { time }
  }

  private static func rounds(_ peer: SyncPeer) -> Int {
    peer.events.filter { if case .synced = $0 { true } else { false } }.count
  }

  private static func tell(_ peer: inout SyncPeer, now: Int64 = 0) {
    peer.take(peer.session.listChanged(peer.list, now: now))
  }

  private static func expectEqual(
    _ pair: SyncPair, _ comment: Comment = "", location: SourceLocation = #_sourceLocation
  ) {
    #expect(pair.a.list == pair.b.list, comment, sourceLocation: location)
    #expect(pair.a.list.version == pair.b.list.version, comment, sourceLocation: location)
    #expect(pair.a.end == nil && pair.b.end == nil, comment, sourceLocation: location)
    #expect(pair.a.session.isIdle && pair.b.session.isIdle, comment, sourceLocation: location)
  }

  // MARK: What it costs

  /// A list that so many replicas have written.
  private static func list(replicas: UInt64) throws -> ReplicatedList {
    var list = ReplicatedList(id: Sample.listID)
    var me = replica(100)
    for _ in 0..<3 { try list.append(["title": "An item"], by: &me) }
    var builder = Delta.Builder()
    for number in 1..<replicas {
      builder.cover(ReplicaID(rawValue: 1_000 + number), after: 0, through: 1)
    }
    list.merge(builder.build())
    list.settleDigest()
    return list
  }

  /// One edit, from its writer through a hub to a reader, is at most 150 bytes on each way, answers
  /// included, however many replicas there are.
  @Test func anEditIsAsSmallHoweverManyReplicasThereAre() throws {
    let edits: [(String, (inout ReplicatedList, inout Replica) throws -> Void)] = [
      ("move", { try $0.move(fromOffset: 0, toOffset: 3, by: &$1) }),
      ("field", { try $0.set("title", of: $0[1].id, to: "Dinner with Ann", by: &$1) }),
      ("removal", { try $0.remove($0[2].id, by: &$1) }),
    ]
    var counts: [[Int]] = []
    for replicas in [1, 100, 10_000] as [UInt64] {
      let list = try Self.list(replicas: replicas)
      var room = HubTests.Room(SyncHub(list: list, relay: .allow))
      room.join(list, as: "writer", replica: 1)
      room.join(list, as: "reader", replica: 2)
      room.run()
      var me = Self.replica(1)
      // The first edit of a replica makes it known.
      try room.edit(0) { try $0.move(fromOffset: 1, toOffset: 0, by: &me) }
      room.run()
      counts.append([])
      for (name, edit) in edits {
        room.traffic = [:]
        try room.edit(0) { try edit(&$0, &me) }
        room.run()
        #expect(room.clients[1].list == room.clients[0].list)
        #expect(room.clients[1].list.version == room.server.hub.list.version)
        for client in 0...1 {
          let bytes = room.traffic[client] ?? 0
          #expect(bytes > 0 && bytes <= 150, "\(name), \(replicas) replicas, client \(client)")
          counts[counts.count - 1].append(bytes)
        }
      }
      #expect(room.clients.allSatisfy { Self.rounds($0) == 1 })
    }
    // How much a position takes depends on its neighbours.
    for (first, others) in zip(counts[0].indices, counts[0]) {
      #expect(counts.allSatisfy { abs($0[first] - others) <= 2 })
    }
    print("bytes of a move, a field and a removal, to the hub and to a reader: \(counts)")
  }

  // MARK: That both hold the same

  /// Edits on both sides, in any order with pieces of what is under way.
  @Test func editsThatCrossEndEqualWithoutARound() throws {
    for seed in 0..<(runsLong ? 2_000 : 60) as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let list = Sample.list(seed: seed % 7, edits: 10)
      var pair = SyncPair(list, list, Self.live, Self.live)
      // Or the edits begin while lists are still compared.
      if seed % 2 == 0 { pair.run() }
      var me = Self.replica(0xa)
      var you = Self.replica(0xb, 1_777_000_400_000)
      for _ in 0..<30 {
        switch random.next(below: 5) {
        case 0:
          try? Sample.edit(&pair.a.list, by: &me, &random)
          Self.tell(&pair.a)
        case 1:
          try? Sample.edit(&pair.b.list, by: &you, &random)
          Self.tell(&pair.b)
        case 2: pair.a.isEager.toggle()
        default:
          pair.run(
            piece: 1 + random.next(below: 60), limit: pair.byteCount + random.next(below: 300))
        }
        if pair.a.isEager { pair.a.settle() }
      }
      pair.a.isEager = true
      pair.a.settle()
      pair.run()
      #expect(pair.wait(2_000) <= 60, "seed \(seed)")
      Self.expectEqual(pair, "seed \(seed)")
      #expect(Self.rounds(pair.a) == 1 && Self.rounds(pair.b) == 1, "seed \(seed)")
    }
  }

  /// A host that loses an entry of what it says it has stored is found out, by an answer or after
  /// quiet, and a round heals it.
  @Test func aHostThatLosesSomethingIsFoundOut() throws {
    var (found, afterQuiet) = (0, 0)
    for seed in 0..<60 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let list = Sample.list(seed: seed % 5, edits: 10)
      var pair = SyncPair(list, list, Self.live, Self.live)
      pair.run()
      var me = Self.replica(0xa)
      var you = Self.replica(0xb, 1_777_000_400_000)
      let crosses = seed % 2 == 0
      pair.b.loses = { $0.sequence % 2 == 1 }
      for _ in 0..<3 {
        try? Sample.edit(&pair.a.list, by: &me, &random)
        Self.tell(&pair.a)
        if crosses {
          try? Sample.edit(&pair.b.list, by: &you, &random)
          Self.tell(&pair.b)
        }
      }
      pair.run()
      pair.b.loses = { _ in false }
      let isEqual = pair.a.list == pair.b.list
      let waits = pair.wait(2_000)
      if !isEqual { found += 1 }
      if !isEqual, waits > 0, crosses { afterQuiet += 1 }
      #expect(pair.a.list == pair.b.list, "seed \(seed)")
      #expect(pair.a.end == nil && pair.b.end == nil, "seed \(seed)")
    }
    #expect(found > 20)
  }

  /// A loss that an answer shows is known at once, and what an answer has compared needs no check.
  @Test(arguments: [false, true]) func anAnswerComparesBothLists(isLost: Bool) throws {
    let list = Sample.list(seed: 3, edits: 10)
    var pair = SyncPair(list, list, Self.live, Self.live)
    pair.run()
    pair.b.loses = { _ in isLost }
    var me = Self.replica(0xa)
    for number in 0..<3 {
      try pair.a.list.append(["n": .int64(Int64(number))], by: &me)
      Self.tell(&pair.a)
      pair.run()
    }
    pair.b.loses = { _ in false }
    #expect(pair.a.session.isIdle != isLost)
    let bytes = pair.wait(3_000)
    #expect(isLost ? bytes > 200 : bytes == 0)
    Self.expectEqual(pair)
  }

  /// A change that a host made and did not tell of is sent with what it stores next.
  @Test func whatTheHostDidWithoutAWordIsSent() throws {
    let list = Sample.list(seed: 3, edits: 10)
    var pair = SyncPair(list, list, Self.live, Self.live)
    pair.run()
    var me = Self.replica(0xa)
    var you = Self.replica(0xb)
    try pair.b.list.append(["title": "Silent"], by: &you)
    try pair.a.list.append(["title": "Told"], by: &me)
    Self.tell(&pair.a)
    pair.run()
    Self.expectEqual(pair)
    #expect(Self.rounds(pair.a) == 1)
  }

  // MARK: Where a round has to help

  /// Of edits that were made while lists were compared no answer is compared.
  @Test func whatNoAnswerHasComparedIsCheckedAfterQuiet() throws {
    let list = Sample.list(seed: 3, edits: 10)
    for isLost in [false, true] {
      var pair = SyncPair(list, list, Self.live, Self.live)
      var me = Self.replica(0xa)
      try pair.a.list.append(["title": "Early"], by: &me)
      Self.tell(&pair.a)
      pair.b.loses = { _ in isLost }
      pair.run()
      pair.b.loses = { _ in false }
      #expect((pair.a.list == pair.b.list) != isLost)
      #expect(pair.a.session.nextDeadline == 1_000)
      #expect(pair.wait(900) == 0)
      let bytes = pair.wait(3_000)
      #expect(isLost ? bytes > 200 : bytes == 30)
      Self.expectEqual(pair)
    }
  }

  @Test func whoHasFallenBehindTheLogComparesLists() throws {
    let list = Sample.list(seed: 3, edits: 10)
    var room = HubTests.Room(SyncHub(list: list, relay: .allow))
    room.server.opened(0, user: "slow", nonce: SessionNonce(high: 7, low: 1), now: 0)
    let setup = SyncSetup(replica: ReplicaID(rawValue: 1), isLive: true, window: 128 << 10)
    room.clients.append(SyncPeer(list, setup, nonce: 1))
    room.run()
    var other = Self.replica(9)
    var theirs = list
    let text = FieldValue.string(String(repeating: "w", count: 40_000))
    // More than its window while it reads nothing, and more than the log keeps.
    for _ in 0..<30 {
      try theirs.append(["note": text], by: &other)
      let delta = theirs.delta(since: room.server.hub.list.version)
      room.server.perform(room.server.hub.merge(delta, now: room.now), room.now)
    }
    #expect(try #require(room.server.mailboxes[.init(0)]).count < 200_000)
    #expect(room.server.hub.log.first > 0)
    room.run()
    #expect(room.clients[0].list == theirs)
    #expect(room.clients[0].list.version == theirs.version)
    #expect(Self.rounds(room.clients[0]) == 2 && room.clients[0].end == nil)
    #expect(!room.clients[0].reconciled)
  }

  @Test func aChangeThatIsTooGreatIsBroughtByARound() throws {
    let list = Sample.list(seed: 3, edits: 10)
    var pair = SyncPair(list, list, Self.live, Self.live)
    pair.run()
    var me = Self.replica(0xa)
    let text = FieldValue.string(String(repeating: "w", count: 9_000))
    for _ in 0..<20 { try pair.a.list.append(["note": text], by: &me) }
    Self.tell(&pair.a)
    pair.run()
    Self.expectEqual(pair)
    #expect(Self.rounds(pair.a) == 2)
    try pair.a.list.append(["note": "small"], by: &me)
    Self.tell(&pair.a)
    pair.run()
    Self.expectEqual(pair)
    #expect(Self.rounds(pair.a) == 2)
  }

  @Test func aVersionOfAnySizeIsSaidAndNoContentsAreCompared() throws {
    for replicas in [1, 1_000, 20_000] as [UInt64] {
      let list = try Self.list(replicas: replicas)
      var (left, right) = (list, list)
      var me = Self.replica(0xa)
      var you = Self.replica(0xb)
      try left.append(["title": "Left"], by: &me)
      try right.append(["title": "Right"], by: &you)
      var pair = SyncPair(left, right)
      pair.run(piece: 10_000)
      SyncSessionTests.expectSynced(pair, left.merging(right))
      #expect(!pair.a.reconciled && !pair.b.reconciled, "\(replicas) replicas")
      #expect(pair.a.list.version == pair.b.list.version)
      #expect(pair.a.list.version.count == Int(replicas) + 2)
    }
  }

  // MARK: What is told

  @Test func ownWritesAreAcknowledgedWhenThePeerHoldsThem() throws {
    let list = Sample.list(seed: 3, edits: 10)
    var pair = SyncPair(
      list, list, SyncSetup(replica: ReplicaID(rawValue: 0xa), isLive: true), Self.live)
    pair.run()
    var me = Self.replica(0xa)
    var told: [Int64] = []
    for number in 0..<3 {
      pair.a.events = []
      try pair.a.list.append(["n": .int64(Int64(number))], by: &me)
      Self.tell(&pair.a)
      pair.b.isEager = false
      pair.run()
      // It is there, and not stored yet.
      #expect(pair.a.events.isEmpty)
      pair.b.isEager = true
      pair.b.settle()
      pair.run()
      for case .acknowledged(let number) in pair.a.events { told.append(number) }
      #expect(told.last == me.sequence)
    }
    #expect(told.count == 3)
  }

  /// A later edit of somebody who has seen the earlier one is no conflict; one of somebody who has
  /// not is.
  @Test func conflictsAreThoseOfEditsThatCross() throws {
    for crosses in [false, true] {
      var list = ReplicatedList(id: Sample.listID)
      var me = Self.replica(0xa)
      var you = Self.replica(0xb, 1_777_000_600_000)
      let item = try list.append(["title": "Lunch"], by: &me)
      var pair = SyncPair(list, list, Self.live, Self.live)
      pair.run()
      try pair.a.list.set("title", of: item, to: "Brunch", by: &me)
      Self.tell(&pair.a)
      if !crosses { pair.run() }
      try pair.b.list.set("title", of: item, to: "Dinner", by: &you)
      Self.tell(&pair.b)
      pair.run()
      Self.expectEqual(pair)
      #expect(pair.a.conflicts.count == (crosses ? 1 : 0))
      #expect(pair.b.conflicts.count == (crosses ? 1 : 0))
      #expect(pair.a.list[id: item]?["title"] == "Dinner")
    }
  }

  // MARK: Peers that say what cannot be

  /// What a peer says that cannot be, once it has greeted.
  enum Impossible: CaseIterable {
    case pushBeforeARound
    case pushInItsOwnRound
    case pushOfNothing
    case pushWithKnowledge
    case pushOfAnotherList
    case pushOfAnotherKind
    case answerToNothing
    case answerBehindNothing
    case checkWithoutADigest
    case versionThatNobodyAnnounced

    func say(
      _ list: ReplicatedList, _ more: ReplicatedList, by script: inout ScriptedPeer
    ) throws {
      let news = more.delta(since: list.version)
      if self != .pushBeforeARound { script.open(self == .pushInItsOwnRound ? more : list) }
      switch self {
      case .pushBeforeARound, .pushInItsOwnRound: try script.push(list.id, news)
      case .pushOfNothing: try script.push(list.id, Delta(checked: []))
      case .pushWithKnowledge:
        script.say(.push, try Block(.delta, of: list.id, holding: news).encoded())
      case .pushOfAnotherList: try script.push(ListID(high: 4, low: 4), news)
      case .pushOfAnotherKind:
        let said = news.selecting(news.rows, ranges: news.ranges)
        script.say(.push, try Block(.snapshot, of: list.id, holding: said).encoded())
      case .answerToNothing: script.done(1, sent: 0, list)
      case .answerBehindNothing: script.done(0, sent: 1, list)
      case .checkWithoutADigest: script.say(.check, [0, 0])
      case .versionThatNobodyAnnounced: script.say(.version, [0], isLast: true)
      }
    }
  }

  @Test(arguments: Impossible.allCases)
  func changesAndAnswersOutOfTurnEndTheSession(what: Impossible) throws {
    let list = Sample.list(seed: 3, edits: 10)
    var me = Self.replica(0xa)
    var more = list
    try more.append(["title": "More"], by: &me)
    var peer = SyncPeer(list, Self.live, nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    try what.say(list, more, by: &script)
    peer.receive(script.take())
    guard case .failed(let failure) = peer.end else {
      Issue.record("it goes on")
      return
    }
    #expect(failure.code == .malformed)
    #expect(peer.list == list)
  }

  /// A peer whose digests never fit gets a round from time to time, and not for ever.
  @Test func digestsThatNeverFitEndTheSession() throws {
    let list = Sample.list(seed: 3, edits: 10)
    let other = Sample.list(seed: 4, edits: 10)
    var peer = SyncPeer(list, Self.live, nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    script.open(list)
    peer.receive(script.take())
    var rounds: UInt32 = 0
    var now: Int64 = 0
    while peer.end == nil, now < 60_000 {
      now += 100
      script.say(.check, Done(taken: 0, sent: 0, digest: other.digest.start).payload)
      peer.sent = []
      peer.receive(script.take(), now: now)
      peer.take(peer.session.tick(now: now))
      if peer.sent.count > 60 {
        rounds += 1
        script.open(list, round: rounds)
        peer.receive(script.take(), now: now)
      }
    }
    #expect(rounds == 2)
    guard case .failed(let failure) = peer.end else {
      Issue.record("it goes on")
      return
    }
    #expect(failure.code == .notConverged)
  }
}

import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// One peer makes a hub do so much and no more, and loses nothing by it.
@Suite struct HubShareTests {
  private static let empty = ReplicatedList(id: Sample.listID)

  /// A peer that says hello, finds both lists empty, and pushes one field again and again.
  private static func flood(
    _ count: Int, readers: Int, _ limits: HubLimits
  ) throws -> (room: HubTests.Room, script: ScriptedPeer, list: ReplicatedList) {
    var room = HubTests.Room(SyncHub(list: empty, relay: .allow, limits: limits))
    for number in 0..<readers {
      room.join(empty, as: "user\(number)", replica: UInt64(number + 1))
    }
    room.run()
    var script = ScriptedPeer()
    script.hello(empty.id)
    script.open(empty, replica: ReplicaID(rawValue: 900))
    room.server.opened(900, user: "flood", nonce: SessionNonce(high: 9, low: 9), now: room.now)
    room.server.received(script.take(), on: 900, now: room.now)
    var me = Replica(id: ReplicaID(rawValue: 900)) { 1_777_000_000_000 }
    var list = empty
    let item = try list.append(["n": 0], by: &me)
    try script.push(empty.id, list.delta(since: empty.version))
    for number in 1..<count {
      let before = list.version
      try list.set("n", of: item, to: .int64(Int64(number)), by: &me)
      try script.push(empty.id, list.delta(since: before))
    }
    return (room, script, list)
  }

  @Test func smallFramesWithoutEndAreStoredAndSentInGroups() throws {
    var (room, script, list) = try Self.flood(5_000, readers: 20, HubLimits())
    let before = room.server.stored.count
    room.server.received(script.take(), on: 900, now: room.now)
    // Half a second may be used at once, and one more begun.
    let atOnce = room.server.stored.count - before
    #expect(atOnce <= 50 + 1, "\(atOnce) stores at once")
    #expect(room.server.hub.list.version != list.version)
    for second in 1...10 {
      let start = room.server.stored.count
      for _ in 0..<100 {
        room.now += 10
        room.server.timerFired(now: room.now)
      }
      #expect(room.server.stored.count - start <= 100, "second \(second)")
    }
    room.run()
    // Nothing is lost, nobody is sent away, and all that was pushed is answered.
    #expect(room.server.closed.isEmpty)
    #expect(room.server.hub.list == list && room.server.hub.list.version == list.version)
    for client in room.clients { #expect(client.list == list && client.end == nil) }
    let answers = try frames(of: room.server.mailboxes[.init(900)] ?? [])
      .filter { $0.type == .done }.map { try Done(decoding: $0.payload).taken }
    #expect(answers.last == 5_000)
    #expect(answers == answers.sorted() && answers.count < 1_000)
  }

  /// What a round brings goes to all the others as well.
  @Test func aRoundInManyPiecesIsHeldBack() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty, relay: .allow))
    for number in 1...20 as ClosedRange<UInt64> {
      room.join(Self.empty, as: "user\(number)", replica: number)
    }
    room.run()
    var me = Replica(id: ReplicaID(rawValue: 900)) { 1_777_000_000_000 }
    var list = Self.empty
    for number in 0..<100 { try list.append(["n": .int64(Int64(number))], by: &me) }
    let entries = list.delta(since: Self.empty.version).entries
    var script = ScriptedPeer()
    script.hello(list.id)
    script.open(list, replica: me.id)
    for (number, entry) in entries.enumerated() {
      try script.delta(
        list.id, Delta(checked: [entry]), isLast: number == entries.count - 1)
    }
    room.server.opened(900, user: "flood", nonce: SessionNonce(high: 9, low: 9), now: room.now)
    room.server.received(script.take(), on: 900, now: room.now)
    #expect(!room.server.stored.isEmpty && room.server.stored.count <= 50 + 1)
    for _ in 0..<100 {
      room.now += 100
      room.server.timerFired(now: room.now)
    }
    #expect(room.server.hub.list == list && room.server.closed.isEmpty)
  }

  @Test func anotherPeersEditGoesOutAtOnceBesideAFlood() throws {
    var (room, script, _) = try Self.flood(2_000, readers: 3, HubLimits())
    room.server.received(script.take(), on: 900, now: room.now)
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_900_000 }
    try room.edit(0) { try $0.append(["title": "Mine"], by: &me) }
    let item = try #require(room.clients[0].list.last?.id)
    // One exchange with each, and no time for the flood to go on.
    for index in room.clients.indices {
      let bytes = room.clients[index].sent
      room.clients[index].sent = []
      room.server.received(bytes, on: UInt64(index), now: room.now)
    }
    for index in room.clients.indices {
      let mail = room.server.mailboxes.removeValue(forKey: .init(UInt64(index))) ?? []
      room.clients[index].receive(mail, now: room.now)
      #expect(room.clients[index].list.contains(id: item))
    }
  }

  @Test func withoutABoundAllIsTakenAtOnce() throws {
    var (room, script, list) = try Self.flood(
      3_000, readers: 2, HubLimits(messagesPerSecond: nil))
    room.server.received(script.take(), on: 900, now: room.now)
    #expect(room.server.hub.list == list)
  }

  @Test func whatWaitsIsBounded() throws {
    var (room, script, _) = try Self.flood(40_000, readers: 1, HubLimits(messagesPerSecond: 1))
    // Honest peers stop at the window; this one does not.
    room.server.received(script.take(), on: 900, now: room.now)
    guard case .failed(let failure)? = room.server.closed[.init(900)] else {
      Issue.record("more than the window is kept")
      return
    }
    #expect(failure.code == .limitExceeded)
  }

  /// Clients that edit in bursts, small and great, of each other's items, under a hub that holds
  /// them back and joins what waits: all end with everything, and nothing is compared again.
  @Test func burstsOfManyWritersEndEqual() throws {
    for seed in 0..<(runsLong ? 60 : 10) as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let rate = [1, 20, 400, 2_000][random.next(below: 4)]
      var room = HubTests.Room(
        SyncHub(list: Self.empty, relay: .allow, limits: HubLimits(messagesPerSecond: rate)))
      let count = 2 + random.next(below: 4)
      var writers: [Int64] = []
      for number in 0..<count {
        room.join(Self.empty, as: "user\(number)", replica: UInt64(number + 1))
        writers.append(0)
      }
      room.run()
      let rounds = room.server.hub.counters.rounds
      for _ in 0..<20 {
        let index = random.next(below: count)
        var me = Replica(
          id: ReplicaID(rawValue: UInt64(index + 1)), sequence: writers[index]
        ) { [now = room.now] in 1_777_000_000_000 + now }
        for _ in 0..<(1 + random.next(below: random.next(below: 3) == 0 ? 80 : 3)) {
          try room.edit(index) { try Sample.edit(&$0, by: &me, &random) }
        }
        writers[index] = me.sequence
        if random.next(below: 3) == 0 { Self.exchange(&room, &random) }
      }
      for _ in 0..<2_000 {
        Self.exchange(&room, &random)
        if room.clients.allSatisfy({ $0.list == room.server.hub.list && $0.session.isIdle }) {
          break
        }
      }
      var whole = Self.empty
      for client in room.clients { whole.merge(client.list) }
      #expect(room.server.hub.list == whole, "seed \(seed)")
      #expect(room.server.hub.list.version == whole.version, "seed \(seed)")
      for client in room.clients {
        #expect(client.list == whole && client.end == nil, "seed \(seed)")
        #expect(client.list.version == whole.version, "seed \(seed)")
        let acknowledged = client.events.compactMap { event in
          if case .acknowledged(let number) = event { number } else { nil }
        }
        let own = whole.known(of: client.session.setup.replica ?? ReplicaID(rawValue: 0))
        #expect(own == 0 || acknowledged.max() == own, "seed \(seed)")
      }
      #expect(room.server.hub.counters.rounds == rounds, "seed \(seed)")
    }
  }

  /// A little of what waits is carried to and fro, in any order.
  private static func exchange(_ room: inout HubTests.Room, _ random: inout SplitMix64) {
    room.now += Int64(random.next(below: 120))
    for index in room.clients.indices where random.next(below: 4) > 0 {
      let bytes = room.clients[index].sent
      room.clients[index].sent = []
      if !bytes.isEmpty { room.server.received(bytes, on: UInt64(index), now: room.now) }
      let mail = room.server.mailboxes.removeValue(forKey: .init(UInt64(index))) ?? []
      if !mail.isEmpty { room.clients[index].receive(mail, now: room.now) }
    }
    room.server.timerFired(now: room.now)
  }

  // MARK: The share itself

  @Test func aShareIsUsedUpAndComesBack() {
    var share = PeerShare(perSecond: 1_000, now: 0)
    share.readerCount = 10
    var count = 0
    while share.deadline(at: 0) == nil {
      share.takeChange(byteCount: 70, pieceCount: 0, at: 0)
      count += 1
    }
    // Half a second of a hundred changes each second, and the one that went beyond.
    #expect(count == 51)
    #expect(share.deadline(at: 0) == 10)
    #expect(share.deadline(at: 9) == 10 && share.deadline(at: 10) == nil)
    #expect(share.deadline(at: 600) == nil)
    // Times that go back count as no time.
    #expect(share.deadline(at: -5) != nil)
  }

  @Test func tenChangesASecondAreAlwaysTaken() {
    var share = PeerShare(perSecond: 1, now: 0)
    share.readerCount = .max
    for _ in 0..<6 { share.takeChange(byteCount: .max, pieceCount: 64, at: 0) }
    #expect(share.deadline(at: 0) == 100)
    share.takeFrame(Frame(.open), at: .max)
    #expect(share.deadline(at: .max) == nil)
    share = PeerShare(perSecond: 0, now: .min)
    share.takeFrame(Frame(.open), at: .max)
    #expect(share.deadline(at: .max) == nil)
    share.takeFrame(Frame(.done), at: .max)
    share.takeFrame(Frame(.ping), at: .max)
    #expect(share.deadline(at: .max) == nil)
  }
}

import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// What a host may decide about connections.
@Suite struct HubControlTests {
  private static let empty = ReplicatedList(id: Sample.listID)

  private static func failure(_ peer: SyncPeer) -> SyncFailure.Code? {
    if case .peerFailed(let failure) = peer.end { failure.code } else { nil }
  }

  @Test func whoMayNotOpenLearnsNothingOfTheList() throws {
    let hub = SyncHub(
      list: Sample.list(seed: 1, edits: 30), mayOpen: { principal, _ in principal != "mallory" })
    var room = HubTests.Room(hub)
    room.server.opened(0, user: "mallory", nonce: SessionNonce(high: 7, low: 1), now: 0)
    let told = try #require(room.server.mailboxes[.init(0)])
    #expect(frames(of: told).map(\.type) == [.error])
    #expect(room.server.closed[.init(0)] == .failed(SyncFailure(.notAuthorised, "this list")))
    #expect(room.server.hub.connected.isEmpty)
    #expect(room.server.hub.counters.turnedAway == 1)
  }

  @Test func connectionsAreBounded() {
    var room = HubTests.Room(
      SyncHub(list: Self.empty, limits: HubLimits(connections: 3, connectionsPerPrincipal: 2)))
    for (number, user) in ["ann", "ann", "ann", "bob", "cy"].enumerated() {
      room.join(Self.empty, as: user, replica: UInt64(number + 1))
      room.run()
    }
    #expect(room.clients.map(Self.failure) == [nil, nil, .unavailable, nil, .unavailable])
    // Who leaves makes room.
    room.server.closed(0, now: room.now)
    room.join(Self.empty, as: "cy", replica: 6)
    room.run()
    #expect(room.clients[5].end == nil)
    #expect(room.server.hub.counters.connected == 3)
    #expect(room.server.hub.counters.turnedAway == 2)
    #expect(room.server.hub.counters.connections == 4)
  }

  @Test func aKickedPeerIsToldWhy() {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    room.join(Self.empty, as: "ann", replica: 1)
    room.join(Self.empty, as: "bob", replica: 2)
    room.run()
    room.server.perform(
      room.server.hub.kick(
        .init(0), because: SyncFailure(.notAuthorised, "account closed"), now: room.now),
      room.now)
    room.run()
    #expect(room.clients[0].end == .peerFailed(SyncFailure(.notAuthorised, "account closed")))
    #expect(room.clients[1].end == nil)
    #expect(room.server.hub.connected == [.init(1)])
  }

  @Test func aShutdownTellsEverybodyAndTakesNobody() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    for number in 1...3 { room.join(Self.empty, as: "user\(number)", replica: UInt64(number)) }
    room.run()
    // One is in the middle of a round.
    var me = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_000 }
    try room.edit(1) { try $0.append(["title": "late"], by: &me) }
    room.server.perform(room.server.hub.shutDown(now: room.now), room.now)
    room.join(Self.empty, as: "late", replica: 9)
    room.run()
    #expect(room.clients[0].end == .finished && room.clients[2].end == .finished)
    #expect(room.clients[1].end != nil)
    #expect(Self.failure(room.clients[3]) == .unavailable)
    #expect(room.server.hub.connected.isEmpty)
    // Nobody was told that the late write was taken, and it was not.
    #expect(room.server.hub.list == Self.empty)
    let synced = room.clients[1].events.filter { event in
      if case .synced = event { true } else { false }
    }
    #expect(synced.count == 1)
  }

  @Test func whoDoesNotAnswerAShutdownIsDroppedLater() {
    var hub = SyncHub(list: Self.empty)
    var script = ScriptedPeer()
    script.hello(Self.empty.id)
    script.open(Self.empty)
    _ = hub.connect(.init(1), principal: "ann", nonce: SessionNonce(high: 7, low: 1), now: 0)
    _ = hub.receive(script.take(), from: .init(1), now: 0)
    _ = hub.shutDown(now: 0)
    #expect(hub.connected == [.init(1)])
    for now in stride(from: Int64(0), through: 130_000, by: 1_000) { _ = hub.tick(now: now) }
    #expect(hub.connected.isEmpty)
  }

  @Test func whoDoesNotReadIsCutOff() throws {
    var hub = SyncHub(list: Sample.list(seed: 1, edits: 30), limits: HubLimits(unsentBytes: 20_000))
    let list = hub.list
    _ = hub.connect(.init(1), principal: "ann", nonce: SessionNonce(high: 7, low: 1), now: 0)
    var script = ScriptedPeer()
    script.hello(list.id)
    var end: SyncEnd?
    var sent = 0
    // One that reads goes on for ever, with round after round, as often as it may.
    for round in 0..<2_000 as Range<UInt32> {
      script.open(list, round: round)
      for output in hub.receive(script.take(), from: .init(1), now: Int64(round) * 20) {
        switch output {
        case .send(let bytes, let peer):
          sent += bytes.count
          if round < 1_000 { hub.sent(bytes.count, to: peer) }
        case .close(_, let found): end = found
        default: break
        }
      }
      if round == 999 {
        #expect(end == nil && sent > 40_000)
        sent = 0
      }
    }
    #expect(end == .failed(SyncFailure(.limitExceeded, "what was sent is not read")))
    #expect(sent < 21_000)
  }

  @Test func theHostsOwnNewsGoOutAtTheirOwnCost() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty, relay: .allow))
    for number in 1...3 { room.join(Self.empty, as: "user\(number)", replica: UInt64(number)) }
    room.run()
    // Another process has stored something.
    var theirs = room.server.hub.list
    var other = Replica(id: ReplicaID(rawValue: 9)) { 1_777_000_000_000 }
    try theirs.append(["title": "from elsewhere"], by: &other)
    let delta = theirs.delta(since: room.server.hub.list.version)
    room.server.perform(room.server.hub.merge(delta, now: room.now), room.now)
    room.run()
    for client in room.clients { #expect(client.list == theirs) }
    let turns = room.server.hub.counters.turns
    // The same again is no news.
    #expect(room.server.hub.merge(delta, now: room.now).isEmpty)
    #expect(room.server.hub.counters.turns == turns)
  }

  @Test func theConnectionIsKnownWhenAnEntryAsks() throws {
    let hub = SyncHub(list: Self.empty) { _, context in
      context.peer == .init(1) ? .allow : .deny(reason: "a read-only key")
    }
    var room = HubTests.Room(hub)
    for number in 1...2 as ClosedRange<UInt64> {
      var me = Replica(id: ReplicaID(rawValue: number)) { 1_777_000_000_000 }
      var list = Self.empty
      try list.append(["title": .string("\(number)")], by: &me)
      room.join(list, as: "ann", replica: number)
    }
    room.run()
    #expect(room.server.hub.list.map { $0["title"] } == ["2"])
    #expect(room.server.hub.counters.refusedEntries == 3)
    #expect(room.server.hub.counters.storedEntries == 3)
  }
}

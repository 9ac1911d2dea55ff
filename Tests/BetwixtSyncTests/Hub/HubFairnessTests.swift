import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// Hubs with many, slow, leaving and dishonest peers.
@Suite struct HubFairnessTests {
  private static let empty = ReplicatedList(id: Sample.listID)

  private static func list(by replica: UInt64, items: Int = 1, text: Int = 5) throws
    -> ReplicatedList
  {
    var me = Replica(id: ReplicaID(rawValue: replica)) { 1_777_000_000_000 }
    var list = empty
    let title = FieldValue.string(String(repeating: "t", count: text))
    for _ in 0..<items { try list.append(["title": title], by: &me) }
    return list
  }

  @Test func peersThatKnowTheSameShareOneEncodedDelta() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    for number in 1...12 {
      room.join(Self.empty, as: "user\(number)", replica: UInt64(number))
    }
    room.run()
    let before = room.server.hub.counters.encodedDeltas
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    try room.edit(0) { try $0.append(["title": "For all"], by: &me) }
    room.run()
    for client in room.clients { #expect(client.list.count == 1) }
    // One for eleven that lack it, one for the peer that brought it.
    #expect(room.server.hub.counters.encodedDeltas - before <= 2)
  }

  /// What is encoded for one serves only those that know just the same.
  @Test func peersThatKnowOtherThingsGetOtherDeltas() throws {
    var me = Replica(id: ReplicaID(rawValue: 900)) { 1_777_000_000_000 }
    var lists = [Self.empty]
    for number in 0..<6 {
      var next = lists[number]
      try next.append(["n": .int64(Int64(number))], by: &me)
      lists.append(next)
    }
    var room = HubTests.Room(SyncHub(list: lists[6], relay: .allow))
    for (number, known) in [4, 0, 2, 5, 0].enumerated() {
      room.join(lists[known], as: "user\(number)", replica: UInt64(number + 1))
    }
    room.run()
    for client in room.clients { #expect(client.list == lists[6] && !client.reconciled) }
    #expect(room.server.hub.counters.encodedDeltas == 4)
  }

  @Test func anImpostorIsRefusedBeforeItsFirstEntry() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    room.join(try Self.list(by: 1), as: "one", replica: 1)
    room.run()
    let before = room.server.hub.list
    let stored = room.server.stored.count
    // Everything at once: hello, open and an entry under another's id.
    let forged = try Self.list(by: 1, items: 3)
    var script = ScriptedPeer()
    script.hello(Self.empty.id)
    script.open(forged, replica: ReplicaID(rawValue: 1))
    try script.delta(Self.empty.id, forged.delta(since: VersionVector()), isLast: true)
    room.server.opened(9, user: "two", nonce: SessionNonce(high: 7, low: 7), now: room.now)
    room.server.received(script.take(), on: 9, now: room.now)
    #expect(
      room.server.closed[.init(9)]
        == .failed(SyncFailure(.identityInUse, ReplicaID(rawValue: 1).description)))
    #expect(room.server.stored.count == stored)
    #expect(room.server.hub.list == before)
  }

  @Test func ownersOutliveTheHub() throws {
    var room = HubTests.Room(SyncHub(list: Self.empty))
    room.join(try Self.list(by: 1), as: "one", replica: 1)
    room.run()
    let owners = room.server.hub.owners
    #expect(owners == [ReplicaID(rawValue: 1): "one"])
    var later = HubTests.Room(SyncHub(list: Self.empty, owners: owners))
    later.join(Self.empty, as: "two", replica: 1)
    later.run()
    #expect(
      later.clients[0].end
        == .peerFailed(SyncFailure(.identityInUse, ReplicaID(rawValue: 1).description)))
  }

  @Test func whatIsStoredCountsAlsoWhenThePeerHasLeft() throws {
    var hub = SyncHub(list: Self.empty, relay: .allow)
    let brought = try Self.list(by: 1)
    var script = ScriptedPeer()
    script.hello(Self.empty.id)
    script.open(brought, replica: ReplicaID(rawValue: 1))
    try script.delta(Self.empty.id, brought.delta(since: VersionVector()), isLast: true)
    _ = hub.connect(.init(1), principal: "one", nonce: SessionNonce(high: 7, low: 7), now: 0)
    let outputs = hub.receive(script.take(), from: .init(1), now: 0)
    var ticket: SyncHub.StoreTicket?
    for case .store(_, let found) in outputs { ticket = found }
    _ = hub.disconnected(.init(1), now: 0)
    #expect(hub.list == Self.empty)
    _ = hub.stored(try #require(ticket), succeeded: true, now: 0)
    #expect(hub.list == brought)
    // Once only, and only what was asked for.
    #expect(hub.stored(try #require(ticket), succeeded: true, now: 0).isEmpty)
  }

  @Test func whatCannotBeStoredEndsThePeersSessionOnly() throws {
    var hub = SyncHub(list: Self.empty, relay: .allow)
    let brought = try Self.list(by: 1)
    var script = ScriptedPeer()
    script.hello(Self.empty.id)
    script.open(brought, replica: ReplicaID(rawValue: 1))
    try script.delta(Self.empty.id, brought.delta(since: VersionVector()), isLast: true)
    for peer in [UInt64(1), 2] {
      _ = hub.connect(
        .init(peer), principal: "\(peer)", nonce: SessionNonce(high: 7, low: peer), now: 0)
    }
    let outputs = hub.receive(script.take(), from: .init(1), now: 0)
    for case .store(_, let ticket) in outputs {
      let after = hub.stored(ticket, succeeded: false, now: 0)
      #expect(
        after.contains {
          if case .close(.init(1), .failed(let failure)) = $0 {
            failure.code == .storage
          } else {
            false
          }
        })
    }
    #expect(hub.list == Self.empty)
    #expect(hub.connected == [.init(2)])
  }

  @Test func aSlowPeerCostsItsWindowAndHoldsNobodyUp() throws {
    let great = try Self.list(by: 9, items: 16, text: 30_000)
    var room = HubTests.Room(SyncHub(list: great, relay: .allow))
    // The slow one says hello and never reads what it gets.
    var script = ScriptedPeer()
    script.hello(great.id, window: 128 << 10)
    script.open(Self.empty)
    room.server.opened(50, user: "slow", nonce: SessionNonce(high: 7, low: 7), now: 0)
    room.server.received(script.take(), on: 50, now: 0)
    room.join(great, as: "quick", replica: 1)
    room.run()
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_900_000 }
    for _ in 0..<4 {
      try room.edit(0) { try $0.append(["title": "More"], by: &me) }
      #expect(try #require(room.server.mailboxes[.init(50)]).count <= (128 << 10) + 2_000)
      room.run()
    }
    #expect(room.server.hub.list.count == 20)
    #expect(room.clients[0].end == nil)
    // It was sent what its window takes, and no more.
    let mailbox = try #require(room.server.mailboxes[.init(50)])
    #expect(mailbox.count >= 64 << 10 && mailbox.count <= (128 << 10) + 2_000)
    // The injected clock alone ends it.
    room.server.timerFired(now: room.now + 121_000)
    #expect(room.server.closed[.init(50)] == .failed(SyncFailure(.timeout)))
  }

  @Test func stampsFarAheadCanWait() throws {
    // The hub's own policy would do the same in words of its own.
    let hub = SyncHub(
      list: Self.empty,
      setup: SyncSetup(wallClock: 1_777_000_000_000, admission: AdmissionPolicy(now: nil))
    ) { entry, context in
      let ahead = entry.stamp.time.milliseconds - 1_777_000_000_000
      return ahead > 86_400_000 && (context.clockSkew ?? 0) > 86_400_000
        ? .postpone(reason: "your clock is \(ahead / 86_400_000) days ahead") : .allow
    }
    var room = HubTests.Room(hub)
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 + 9 * 86_400_000 }
    var early = Self.empty
    try early.append(["title": "From the future"], by: &me)
    let setup = SyncSetup(
      replica: me.id, isLive: true, wallClock: 1_777_000_000_000 + 9 * 86_400_000)
    room.server.opened(0, user: "one", nonce: SessionNonce(high: 7, low: 1), now: 0)
    room.clients.append(SyncPeer(early, setup, nonce: 3))
    room.run()
    #expect(room.server.hub.list == Self.empty)
    #expect(room.clients[0].end == nil)
    let refusals = room.clients[0].events.compactMap { event in
      if case .refused(let refusal) = event { refusal } else { nil }
    }
    #expect(refusals.map(\.isDeferred) == [true])
    #expect(refusals.first?.reason == "your clock is 9 days ahead")
    // The next session brings it again.
    room.clients[0].take(room.clients[0].session.end(now: room.now))
    room.run()
    #expect(room.clients[0].end == .finished)
  }

  @Test func whatWasTakenIsNotSentAgainBecauseSomethingWasRefused() throws {
    let hub = SyncHub(list: Self.empty) { entry, _ in
      entry.register == .field("locked") ? .deny(reason: "locked") : .allow
    }
    var room = HubTests.Room(hub)
    room.join(Self.empty, as: "one", replica: 1)
    room.run()
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_900_000 }
    try room.edit(0) { list in
      let item = try list.append(["title": "First"], by: &me)
      try list.set("locked", of: item, to: true, by: &me)
    }
    room.run()
    var counts: [Int] = []
    for step in 0..<6 {
      let before = room.server.stored.reduce(0) { $0 + $1.delta.count }
      try room.edit(0) { try $0.append(["n": .int64(Int64(step))], by: &me) }
      room.run()
      counts.append(room.server.stored.reduce(0) { $0 + $1.delta.count } - before)
    }
    #expect(counts == [3, 3, 3, 3, 3, 3])
    #expect(room.server.hub.list.count == 7)
    #expect(room.clients[0].end == nil)
    let refusals = room.clients[0].events.filter { if case .refused = $0 { true } else { false } }
    #expect(refusals.count == 1)
  }

  @Test func aClientWritesTheServersValueBackAndIsEqualAgain() throws {
    let hub = SyncHub(list: try Self.list(by: 9), relay: .allow) { entry, context in
      context.principal == "guest" && entry.register == .field("title")
        && entry.value != context.held?.value ? .deny(reason: "locked") : .allow
    }
    var room = HubTests.Room(hub)
    room.join(room.server.hub.list, as: "guest", replica: 2)
    room.run()
    var me = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_900_000 }
    let item = room.server.hub.list[0].id
    try room.edit(0) { try $0.set("title", of: item, to: "Mine", by: &me) }
    room.run()
    #expect(room.server.hub.list[0]["title"] == "ttttt")
    #expect(room.clients[0].list[0]["title"] == "Mine")
    var held: Entry?
    for case .refused(let refusal) in room.clients[0].events { held = refusal.held.first }
    guard case .field(let value?) = held?.value else {
      Issue.record("the server did not show its own value")
      return
    }
    try room.edit(0) { try $0.set("title", of: item, to: value, by: &me) }
    room.run()
    #expect(room.clients[0].list == room.server.hub.list)
    #expect(room.clients[0].end == nil)
  }

  /// One change of one field of the list, under any replica.
  private static func change(
    _ name: String, by replica: UInt64, number: Int64, time: UInt64 = 1 << 30, text: Int = 1
  ) throws -> Delta {
    var builder = Delta.Builder()
    let stamp = Stamp(
      time: try #require(Timestamp(rawValue: time)), replica: ReplicaID(rawValue: replica))
    try builder.add(
      Entry(
        item: .root, register: .field(try #require(FieldName(name))),
        value: .field(.string(String(repeating: "x", count: text))), stamp: stamp,
        sequence: number))
    builder.cover(stamp.replica, after: number - 1, through: number)
    return builder.build()
  }

  /// Each of them is answered before the next is looked at, and none of them inside of the one
  /// before.
  @Test func manyRefusedChangesAreRefusedOneAfterTheOther() throws {
    let count = 5_000
    var hub = SyncHub(list: Self.empty, limits: HubLimits(messagesPerSecond: nil))
    for (peer, replica) in [(1, 7), (2, 9)] as [(UInt64, UInt64)] {
      _ = hub.connect(
        .init(peer), principal: "\(peer)", nonce: SessionNonce(high: 1, low: peer), now: 0)
      var script = ScriptedPeer()
      script.hello(Self.empty.id, nonce: 90 + peer)
      script.open(hub.list, replica: ReplicaID(rawValue: replica))
      if peer == 1 {
        try script.push(Self.empty.id, try Self.change("a", by: 7, number: 1))
      } else {
        for number in 2..<Int64(2 + count) {
          try script.push(
            Self.empty.id, try Self.change("f\(number)", by: 7, number: number, time: 1 << 31))
        }
      }
      for output in hub.receive(script.take(), from: .init(peer), now: 0) {
        if case .store(_, let ticket) = output {
          _ = hub.stored(ticket, succeeded: true, now: 0)
        }
        if case .close(_, let end) = output { Issue.record("\(end)") }
      }
      if peer == 1 { _ = hub.disconnected(.init(1), now: 0) }
    }
    #expect(hub.list.entryCount == 1 && hub.counters.refusedEntries == count)
  }

  /// Who takes nothing, and says that it holds something else: what is refused waits for credit,
  /// and the round that is needed waits behind it.
  @Test func aPeerWithoutCreditIsNotLookedAtForEver() throws {
    let day: UInt64 = 86_400_000 << 16
    let start: UInt64 = 1_777_000_000_000 << 16
    var hub = SyncHub(list: Self.empty, relay: .allow)
    var scripts: [ScriptedPeer] = []
    for (peer, replica) in [(1, 9), (2, 8)] as [(UInt64, UInt64)] {
      _ = hub.connect(
        .init(peer), principal: "\(peer)", nonce: SessionNonce(high: 1, low: peer),
        wallClock: 1_777_000_000_000, now: 0)
      var script = ScriptedPeer()
      script.hello(Self.empty.id, nonce: 90 + peer, window: 128 << 10)
      script.open(Self.empty, replica: ReplicaID(rawValue: replica))
      _ = hub.receive(script.take(), from: .init(peer), now: 1)
      scripts.append(script)
    }
    for (number, size) in [60_000, 60_000, 10_770].enumerated() {
      let change = try Self.change(
        "n\(number)", by: 8, number: Int64(number) + 1, time: start + UInt64(number), text: size)
      try scripts[1].push(Self.empty.id, change)
      for output in hub.receive(scripts[1].take(), from: .init(2), now: 10) {
        guard case .store(_, let ticket) = output else { continue }
        _ = hub.stored(ticket, succeeded: true, now: 10)
      }
    }
    scripts[0].say(.done, Done(taken: 1, sent: 0, digest: 0xdead).payload)
    try scripts[0].push(
      Self.empty.id, try Self.change("later", by: 9, number: 1, time: start + 400 * day))
    _ = hub.receive(scripts[0].take(), from: .init(1), now: 30)
    #expect(hub.counters.refusedEntries == 0 && hub.connected.count == 2)
    _ = hub.tick(now: 2_000)
    let deadline = try #require(hub.nextDeadline)
    #expect(deadline > 2_000)
  }
}

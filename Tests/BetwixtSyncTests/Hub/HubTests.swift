import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// A server whose transport is a mailbox for each peer.
struct MailboxServer {
  var hub: SyncHub
  var stored: [Block] = []
  var mailboxes: [SyncHub.PeerID: [UInt8]] = [:]
  var closed: [SyncHub.PeerID: SyncEnd] = [:]
  var owned: [String] = []

  mutating func opened(_ connection: UInt64, user: String, nonce: SessionNonce, now: Int64) {
    perform(hub.connect(.init(connection), principal: user, nonce: nonce, now: now), now)
  }

  mutating func received(_ bytes: [UInt8], on connection: UInt64, now: Int64) {
    perform(hub.receive(bytes, from: .init(connection), now: now), now)
  }

  mutating func closed(_ connection: UInt64, now: Int64) {
    perform(hub.disconnected(.init(connection), now: now), now)
  }

  mutating func timerFired(now: Int64) { perform(hub.tick(now: now), now) }

  mutating func perform(_ outputs: [SyncHub.Output], _ now: Int64) {
    var outputs = outputs[...]
    while let output = outputs.popFirst() {
      switch output {
      case .send(let bytes, let peer): mailboxes[peer, default: []] += bytes
      case .store(let delta, let ticket):
        stored.append(Block(.delta, of: hub.list.id, holding: delta))
        outputs += hub.stored(ticket, succeeded: true, now: now)
      case .close(let peer, let end): closed[peer] = end
      case .own(let replica, let principal, _): owned.append("\(principal) \(replica.rawValue)")
      case .changed, .event: break
      }
    }
  }
}

@Suite struct HubTests {
  /// Clients of a hub, and a clock.
  struct Room {
    var server: MailboxServer
    var clients: [SyncPeer] = []
    var now: Int64 = 0
    /// How many bytes went to and fro for each client.
    var traffic: [Int: Int] = [:]

    init(_ hub: SyncHub) { server = MailboxServer(hub: hub) }

    mutating func join(
      _ list: ReplicatedList, as user: String, replica: UInt64, isLive: Bool = true,
      admission: AdmissionPolicy = SyncSetup().admission
    ) {
      let number = UInt64(clients.count)
      server.opened(
        number, user: user, nonce: SessionNonce(high: 7, low: number + 100), now: now)
      var setup = SyncSetup(replica: ReplicaID(rawValue: replica), isLive: isLive)
      setup.admission = admission
      clients.append(SyncPeer(list, setup, nonce: number + 1))
    }

    mutating func run() {
      for _ in 0..<200 {
        now += 60
        var isQuiet = true
        for index in clients.indices {
          let peer = SyncHub.PeerID(UInt64(index))
          let outgoing = clients[index].sent
          clients[index].sent = []
          if !outgoing.isEmpty { server.received(outgoing, on: UInt64(index), now: now) }
          let incoming = server.mailboxes.removeValue(forKey: peer) ?? []
          clients[index].receive(incoming, now: now)
          traffic[index, default: 0] += outgoing.count + incoming.count
          if !outgoing.isEmpty || !incoming.isEmpty { isQuiet = false }
        }
        server.timerFired(now: now)
        if isQuiet, server.mailboxes.isEmpty { return }
      }
    }

    mutating func edit(_ index: Int, _ body: (inout ReplicatedList) throws -> Void) rethrows {
      try body(&clients[index].list)
      clients[index].take(clients[index].session.listChanged(clients[index].list, now: now))
    }
  }

  static let empty = ReplicatedList(id: Sample.listID)

  @Test func whatOneBringsTheOthersGet() throws {
    var room = Room(SyncHub(list: Self.empty))
    for number in 1...3 { room.join(Self.empty, as: "user\(number)", replica: UInt64(number)) }
    room.run()
    var writers = [1, 2, 3].map { Int64($0) }
    for step in 0..<12 {
      let index = step % 3
      var me = Replica(
        id: ReplicaID(rawValue: UInt64(index + 1)), sequence: writers[index]
      ) { 1_777_000_000_000 + Int64(step) }
      try room.edit(index) { try $0.append(["n": .int64(Int64(step))], by: &me) }
      writers[index] = me.sequence
      if step % 2 == 1 { room.run() }
    }
    room.run()
    #expect(room.server.hub.list.count == 12)
    for client in room.clients { #expect(client.list == room.server.hub.list) }
    var replayed = Self.empty
    for block in room.server.stored { replayed.merge(block.delta) }
    #expect(replayed == room.server.hub.list)
  }

  @Test func guestsReadAndDoNotWrite() throws {
    let hub = SyncHub(list: Self.empty) { _, context in
      context.principal == "guest" ? .deny(reason: "read only") : .allow
    }
    var room = Room(hub)
    room.join(Self.empty, as: "owner", replica: 1)
    room.join(Self.empty, as: "guest", replica: 2)
    var owner = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var guest = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_000 }
    try room.edit(0) { try $0.append(["title": "Kept"], by: &owner) }
    room.run()
    try room.edit(1) { try $0.append(["title": "Refused"], by: &guest) }
    room.run()
    #expect(room.server.hub.list.map { $0["title"] } == ["Kept"])
    #expect(room.clients[0].list.count == 1)
    #expect(room.clients[1].list.count == 2)
    #expect(room.clients[1].end == nil)
    #expect(room.server.hub.list.version[ReplicaID(rawValue: 2)] == 0)
    let reasons = room.clients[1].events.compactMap { event in
      if case .refused(let refusal) = event { refusal.reason } else { nil }
    }
    #expect(reasons == ["read only"])
  }

  @Test func entriesOfOthersWaitForTheirWriter() throws {
    var other = Replica(id: ReplicaID(rawValue: 9)) { 1_777_000_000_000 }
    var list = Self.empty
    try list.append(["title": "By nine"], by: &other)
    var strict = Room(SyncHub(list: Self.empty, owners: [other.id: "nine"]))
    strict.join(list, as: "one", replica: 1)
    strict.run()
    #expect(strict.server.hub.list.count == 0)
    var open = Room(SyncHub(list: Self.empty, relay: .allow))
    open.join(list, as: "one", replica: 1)
    open.run()
    #expect(open.server.hub.list == list)
  }

  /// A writer whose connection broke before the end of its round has left writes that nobody claims.
  ///
  /// Who had heard of them brings them again. One of them was replaced meanwhile.
  @Test func whatWasReplacedNeedNotWaitForItsWriter() throws {
    func replica(_ number: UInt64) -> Replica {
      Replica(id: ReplicaID(rawValue: number)) { 1_777_000_000_000 + Int64(number) }
    }
    var gone = replica(1)
    var mover = replica(2)
    var writer = replica(3)
    var left = Self.empty
    try left.append(["title": "Left"], by: &gone)
    try left.append(["title": "Left, too"], by: &gone)
    var held = Self.empty
    held.merge(left.delta(since: [:]).withoutRanges)
    var list = held
    try held.move(fromOffset: 0, toOffset: 2, by: &mover)

    var room = Room(SyncHub(list: held))
    room.join(list, as: "writer", replica: 3)
    for offset in 0..<6 {
      if offset == 3 { room.run() }
      try room.edit(0) {
        if offset == 0 { try $0.append(["title": "Mine"], by: &writer) }
        let mine = try #require($0.firstIndex { $0["title"] == "Mine" })
        try $0.move(fromOffset: mine, toOffset: mine == 0 ? $0.count : 0, by: &writer)
      }
    }
    room.run()
    list = room.clients[0].list
    #expect(room.server.hub.list == list)
    #expect(room.server.hub.list.version[writer.id] == writer.sequence)
    #expect(list.version[mover.id] == mover.sequence)
    #expect(
      !room.clients[0].events.contains { if case .refused = $0 { true } else { false } })
  }

  @Test func silentPeersAreDropped() {
    var room = Room(SyncHub(list: Self.empty))
    room.join(Self.empty, as: "one", replica: 1)
    room.run()
    #expect(room.server.hub.connected.count == 1)
    room.server.timerFired(now: room.now + 61_000)
    #expect(room.server.hub.connected.count == 1)
    room.server.timerFired(now: room.now + 200_000)
    #expect(room.server.hub.connected.isEmpty)
    #expect(room.server.closed[.init(0)] == .failed(SyncFailure(.timeout)))
  }
}

import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// What a hub does, counted: an edit costs the peers that get it, and nothing costs the others.
@Suite struct HubWorkTests {
  private static let empty = ReplicatedList(id: Sample.listID)

  private static func room(_ count: Int) -> HubTests.Room {
    var room = HubTests.Room(SyncHub(list: empty))
    for number in 1...count {
      room.join(empty, as: "user\(number)", replica: UInt64(number))
    }
    room.run()
    return room
  }

  /// How often sessions were at work for one edit, and how many deltas were encoded.
  private static func work(_ room: inout HubTests.Room) throws -> (turns: Int64, encodings: Int64) {
    let before = room.server.hub.counters
    var me = Replica(
      id: ReplicaID(rawValue: 1), sequence: room.clients[0].list.version[ReplicaID(rawValue: 1)]
    ) { 1_777_000_000_000 }
    try room.edit(0) { try $0.append(["title": "For all"], by: &me) }
    room.run()
    for client in room.clients { #expect(client.list == room.server.hub.list) }
    let after = room.server.hub.counters
    return (after.turns - before.turns, after.encodedDeltas - before.encodedDeltas)
  }

  @Test func anEditCostsAFewTurnsForEachClientAndOneEncoding() throws {
    var counts: [Int64] = []
    for count in [10, 40, 160] {
      var room = Self.room(count)
      _ = try Self.work(&room)
      let (turns, encodings) = try Self.work(&room)
      #expect(encodings <= 2)
      #expect(turns <= Int64(5 * count + 10), "\(count) clients")
      counts.append(turns)
    }
    #expect(counts[2] <= 17 * counts[0])
  }

  @Test func nobodyIsAskedWhoIsNotConcerned() throws {
    var room = Self.room(50)
    let before = room.server.hub.counters.turns
    for step in 1...1_000 { room.server.timerFired(now: room.now + Int64(step)) }
    #expect(room.server.hub.counters.turns == before)
    // A sign of life of one of them is one turn.
    var script = ScriptedPeer()
    script.hello(Self.empty.id)
    script.open(Self.empty)
    room.server.opened(900, user: "x", nonce: SessionNonce(high: 7, low: 7), now: room.now)
    room.server.received(script.take(), on: 900, now: room.now)
    let between = room.server.hub.counters.turns
    script.say(.ping, isCritical: false)
    room.server.received(script.take(), on: 900, now: room.now)
    #expect(room.server.hub.counters.turns == between + 1)
  }

  /// Many edits while nobody reads: each client then catches up with all of them at once.
  @Test func aBurstIsOneRoundForEachClient() throws {
    var room = Self.room(20)
    var theirs = room.server.hub.list
    var other = Replica(id: ReplicaID(rawValue: 900)) { 1_777_000_000_000 }
    for _ in 0..<100 {
      try theirs.append(["title": "x"], by: &other)
      room.server.perform(
        room.server.hub.merge(theirs.delta(since: room.server.hub.list.version), now: room.now),
        room.now)
    }
    let rounds = room.server.hub.counters.rounds
    room.run()
    for client in room.clients { #expect(client.list == theirs) }
    #expect(room.server.hub.counters.rounds - rounds <= 3 * 20)
  }

  /// Each of those who write at once lacks something else, all but its own: what is encoded for one
  /// of them serves the others all the same.
  @Test func writersShareWhatIsEncoded() throws {
    for count in [16, 64] {
      var room = Self.room(count + 1)
      var tickets: [SyncHub.StoreTicket] = []
      for index in 0..<count {
        var me = Replica(id: ReplicaID(rawValue: UInt64(index + 1))) { 1_777_000_000_000 }
        try room.edit(index) { try $0.append(["title": "x"], by: &me) }
        let bytes = room.clients[index].sent
        room.clients[index].sent = []
        for output in room.server.hub.receive(bytes, from: .init(UInt64(index)), now: room.now) {
          if case .store(_, let ticket) = output {
            tickets.append(ticket)
          } else {
            room.server.perform([output], room.now)
          }
        }
      }
      #expect(tickets.count == count)
      let before = room.server.hub.counters.encodedDeltas
      let outputs = room.server.hub.stored(all: tickets, succeeded: true, now: room.now)
      room.server.perform(outputs, room.now)
      // Each change, and runs of 2, 4, 8 and so on of them.
      let encoded = room.server.hub.counters.encodedDeltas - before
      #expect(encoded >= count && encoded < 2 * count, "\(count) clients: \(encoded)")
      room.run()
      for client in room.clients { #expect(client.list == room.server.hub.list) }
      #expect(room.server.hub.list.count == count)
      // On each side of its own the runs grow and shrink again.
      let most = UInt64(2 * count.trailingZeroBitCount)
      for client in room.clients.prefix(count) { #expect(client.session.live.taken <= most) }
      // Who only reads gets all as one.
      #expect(room.clients[count].session.live.taken == 1)
    }
  }

  /// Ten thousand that come and go, and three that stay.
  @Test func whoHasLeftTakesNoRoom() throws {
    var room = Self.room(3)
    for number in 0..<10_000 as Range<UInt64> {
      var script = ScriptedPeer()
      script.hello(Self.empty.id)
      script.open(Self.empty, replica: ReplicaID(rawValue: 100 + number))
      room.server.opened(
        100 + number, user: "u\(number)", nonce: SessionNonce(high: 7, low: number), now: room.now)
      room.server.received(script.take(), on: 100 + number, now: room.now)
      room.server.closed(100 + number, now: room.now)
    }
    room.server.mailboxes = [:]
    let hub = room.server.hub
    #expect(hub.connected.count == 3 && hub.counters.connections == 10_003)
    #expect(hub.calm.count <= 71 && hub.timers.count <= 71)
    #expect(hub.holders.count == 3 && hub.principals.count == 3)
    // Those that stay get what comes, and are dropped when they fall silent.
    let (turns, _) = try Self.work(&room)
    #expect(turns <= 30)
    room.server.timerFired(now: room.now + 61_000)
    room.server.timerFired(now: room.now + 200_000)
    #expect(room.server.hub.connected.isEmpty)
  }

  /// One that sends many small pieces has one of them stored at a time, so that others, who are
  /// stored with it, wait for one group and not for all of them.
  @Test func aFloodWaitsForItsTurn() throws {
    var hub = SyncHub(list: Self.empty)
    var flood = ScriptedPeer()
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var theirs = Self.empty
    for _ in 0..<100 { try theirs.append(["title": "x"], by: &me) }
    let entries = theirs.delta(since: VersionVector()).entries
    flood.hello(Self.empty.id)
    flood.open(theirs, replica: me.id)
    for (number, entry) in entries.enumerated() {
      try flood.delta(
        Self.empty.id, Delta(checked: [entry]), isLast: number == entries.count - 1)
    }
    _ = hub.connect(.init(1), principal: "flood", nonce: SessionNonce(high: 7, low: 1), now: 0)
    var outputs = hub.receive(flood.take(), from: .init(1), now: 0)
    var honest = SyncPeer(
      Self.empty, SyncSetup(replica: ReplicaID(rawValue: 2), isLive: true), nonce: 5)
    var mine = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_000 }
    outputs += hub.connect(
      .init(2), principal: "ann", nonce: SessionNonce(high: 7, low: 2), now: 0)
    try honest.list.append(["title": "mine"], by: &mine)
    honest.take(honest.session.listChanged(honest.list, now: 0))
    // Each group is what the hub asked for since the last one.
    var groups = 0
    var turn: Int64 = 0
    while hub.list.version[mine.id] == 0, groups < 300 {
      var tickets: [SyncHub.StoreTicket] = []
      for output in outputs {
        switch output {
        case .store(_, let ticket): tickets.append(ticket)
        case .send(let bytes, .init(2)): honest.receive(bytes, now: turn)
        default: break
        }
      }
      groups += 1
      turn += 1
      outputs = hub.stored(all: tickets, succeeded: true, now: turn)
      #expect(tickets.count <= 2)
      let bytes = honest.sent
      honest.sent = []
      if !bytes.isEmpty { outputs += hub.receive(bytes, from: .init(2), now: turn) }
    }
    #expect(groups <= 5)
    #expect(hub.list.entryCount < 20)
  }
}

@Suite struct TimerQueueTests {
  @Test func theEarliestComesFirst() {
    for seed in 0..<50 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var queue = TimerQueue<SyncHub.PeerID>()
      var model: [(time: Int64, peer: SyncHub.PeerID)] = []
      for _ in 0..<300 {
        if random.next(below: 3) > 0 {
          let entry = (
            time: Int64(random.next(below: 40)), peer: SyncHub.PeerID(UInt64(random.next(below: 9)))
          )
          queue.insert(entry.peer, at: entry.time)
          model.append(entry)
          model.sort { ($0.time, $0.peer) < ($1.time, $1.peer) }
        } else {
          let now = Int64(random.next(below: 40))
          let found = queue.next(at: now)
          let wanted = model.first.flatMap { $0.time <= now ? $0 : nil }
          #expect(found?.time == wanted?.time && found?.name == wanted?.peer)
          if wanted != nil { model.removeFirst() }
        }
        #expect(queue.count == model.count && queue.earliest == model.first?.time)
      }
    }
  }
}

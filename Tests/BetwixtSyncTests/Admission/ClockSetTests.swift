import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// A clock that is set while connections last: they are judged by what it shows then.
@Suite struct ClockSetTests {
  private static let now: Int64 = 1_777_000_000_000
  private static let day: Int64 = 86_400_000
  private static let empty = ReplicatedList(id: Sample.listID)
  private static let peer = SyncHub.PeerID(1)

  /// A peer that said all that it has, and pushes one more write.
  private struct Visitor: ~Copyable {
    var script = ScriptedPeer()
    var list = ClockSetTests.empty
    var me: Replica
    var count = 0

    init(at time: Int64) {
      me = Replica(id: ReplicaID(rawValue: 2)) { time }
      script.hello(Sample.listID)
      script.open(list)
    }

    mutating func push() throws {
      count += 1
      let old = list.version
      try list.append(["title": .string("Dinner \(count)")], by: &me)
      try script.push(Sample.listID, list.delta(since: old))
    }
  }

  private static func storedCount(_ outputs: [SyncHub.Output]) -> Int {
    outputs.reduce(0) { sum, output in
      if case .store(let delta, _) = output { sum + delta.count } else { sum }
    }
  }

  private static func withheldCount(_ outputs: [SyncHub.Output]) -> Int {
    outputs.count { output in
      if case .event(.withheld, _) = output { true } else { false }
    }
  }

  private static func hub() -> SyncHub { SyncHub(list: empty) { _, _ in .allow } }

  private static func connect(_ hub: inout SyncHub, at wallClock: Int64?) {
    _ = hub.connect(
      peer, principal: "one", nonce: SessionNonce(high: 1, low: 1), wallClock: wallClock, now: 0)
  }

  @Test func aClockThatWasBehindIsSet() throws {
    var hub = Self.hub()
    var visitor = Visitor(at: Self.now)
    Self.connect(&hub, at: Self.now - 3 * Self.day)
    try visitor.push()
    let before = hub.receive(visitor.script.take(), from: Self.peer, now: 5)
    #expect(Self.withheldCount(before) == 1 && Self.storedCount(before) == 0)
    hub.clockWasSet(to: Self.now, now: 1_000)
    try visitor.push()
    let after = hub.receive(visitor.script.take(), from: Self.peer, now: 1_001)
    #expect(Self.withheldCount(after) == 0 && Self.storedCount(after) > 0)
  }

  @Test func aClockThatWasAheadIsSet() throws {
    var hub = Self.hub()
    var visitor = Visitor(at: Self.now + 2 * Self.day)
    Self.connect(&hub, at: Self.now + 2 * Self.day)
    try visitor.push()
    let before = hub.receive(visitor.script.take(), from: Self.peer, now: 5)
    #expect(Self.withheldCount(before) == 0 && Self.storedCount(before) > 0)
    for case .store(_, let ticket) in before {
      _ = hub.stored(ticket, succeeded: true, now: 6)
    }
    hub.clockWasSet(to: Self.now, now: 1_000)
    try visitor.push()
    let after = hub.receive(visitor.script.take(), from: Self.peer, now: 1_001)
    #expect(Self.withheldCount(after) == 1 && Self.storedCount(after) == 0)
  }

  /// It goes on from where it was set, and who came without a clock is judged by none.
  @Test func itGoesOn() throws {
    var hub = Self.hub()
    var visitor = Visitor(at: Self.now + 2 * Self.day)
    Self.connect(&hub, at: Self.now - 9 * Self.day)
    hub.clockWasSet(to: Self.now, now: 7)
    hub.clockWasSet(to: Self.now, now: 7)
    try visitor.push()
    let later = hub.receive(visitor.script.take(), from: Self.peer, now: 7 + Self.day + 1)
    #expect(Self.withheldCount(later) == 0 && Self.storedCount(later) > 0)

    var other = Self.hub()
    var early = Visitor(at: Self.now + 9 * Self.day)
    Self.connect(&other, at: nil)
    other.clockWasSet(to: Self.now, now: 7)
    try early.push()
    #expect(Self.withheldCount(other.receive(early.script.take(), from: Self.peer, now: 8)) == 0)
  }

  @Test(arguments: [Int64.min, .max, 0]) func anyClockIsNoTrap(_ wallClock: Int64) {
    var hub = Self.hub()
    Self.connect(&hub, at: Self.now)
    hub.clockWasSet(to: wallClock, now: 9)
    Self.connect(&hub, at: wallClock)
    hub.clockWasSet(to: Self.now, now: .max)
    #expect(hub.connected == [Self.peer])
  }

  /// A server tells the hubs of all its documents, and who has not said yet which one it means.
  @Test func aServerTellsAll() throws {
    var server = SyncServer()
    let early = SyncServer.ConnectionID(7)
    for id in [Self.connection, early] {
      _ = server.connect(
        id, principal: "one", nonce: SessionNonce(high: 1, low: 1),
        wallClock: Self.now - 3 * Self.day, now: 0)
    }
    var visitor = Visitor(at: Self.now)
    var other = Visitor(at: Self.now)
    _ = server.receive(visitor.script.take(), from: Self.connection, now: 1)
    _ = server.opened(Self.empty, now: 2)
    server.clockWasSet(to: Self.now, now: 3)
    try visitor.push()
    try other.push()
    let outputs = [
      server.receive(visitor.script.take(), from: Self.connection, now: 4),
      server.receive(other.script.take(), from: early, now: 4),
    ]
    for output in outputs {
      #expect(
        !output.contains { output in
          if case .event(.withheld, _) = output { true } else { false }
        })
    }
    #expect(
      outputs[0].contains { output in
        if case .store = output { true } else { false }
      })
  }

  private static let connection = SyncServer.ConnectionID(6)

  /// A client lasts for weeks: each connection goes on from the time that it was made with, or from that
  /// to which the clock was set.
  @Test(arguments: [false, true]) func aClientComesBackAfterDays(isSet: Bool) throws {
    var they = Replica(id: ReplicaID(rawValue: 2)) { Self.now + 3 * Self.day }
    var theirs = Self.empty
    try theirs.append(["title": "Dinner"], by: &they)
    for (wait, isTaken) in [(Int64(0), false), (3 * Self.day, true)] where wait > 0 || !isSet {
      let start = isSet ? Self.now - 9 * Self.day : Self.now
      var client = SyncClient(
        SyncSetup(replica: ReplicaID(rawValue: 1), wallClock: start), list: Self.empty, spread: 1)
      _ = client.start(now: 5)
      _ = client.connected(nonce: SessionNonce(high: 1, low: 1), now: 5)
      _ = client.stop(now: 6)
      if isSet { client.clockWasSet(to: Self.now + 3 * Self.day, now: 7) }
      let later = isSet ? 8 : 6 + wait
      _ = client.start(now: later)
      _ = client.connected(nonce: SessionNonce(high: 1, low: 2), now: later)
      var script = ScriptedPeer()
      script.hello(Sample.listID)
      script.open(theirs)
      try script.delta(Sample.listID, theirs.delta(since: VersionVector()), isLast: true)
      let outputs = client.receive(script.take(), now: later)
      let isMerged = outputs.contains { output in
        if case .merge = output { true } else { false }
      }
      #expect(isMerged == isTaken)
    }
  }
}

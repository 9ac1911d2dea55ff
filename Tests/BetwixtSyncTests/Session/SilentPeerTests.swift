import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// Peers that stop, trickle, or take nothing: every session ends, in bounded time and room.
@Suite struct SilentPeerTests {
  /// Ticks at each deadline until the session has ended; the time that took.
  static func wait(_ peer: inout SyncPeer, from start: Int64 = 0) -> Int64? {
    var now = start
    for _ in 0..<8 {
      guard let deadline = peer.session.nextDeadline else { return now }
      now = max(now, deadline)
      peer.take(peer.session.tick(now: now))
    }
    return nil
  }

  @Test func aPeerMayStopBehindAnyFrame() throws {
    let (left, right) = SyncSessionTests.fork(seed: 3)
    let setup = SyncSetup()
    var whole = SyncPair(left, right, setup, setup)
    var sent: [UInt8] = []
    while !(whole.a.sent.isEmpty && whole.b.sent.isEmpty) {
      let fromA = whole.a.sent
      whole.a.sent = []
      sent += fromA
      whole.b.receive(fromA)
      let fromB = whole.b.sent
      whole.b.sent = []
      whole.a.receive(fromB)
    }
    let all = frames(of: sent)
    #expect(all.count > 4)
    for count in 0...all.count {
      var peer = SyncPeer(right, setup, nonce: 2)
      peer.receive(stream(of: all.prefix(count)))
      let isOver = peer.end != nil
      let end = Self.wait(&peer)
      #expect(peer.end != nil)
      if !isOver { #expect((end ?? .max) <= 240_000, "stopped behind frame \(count)") }
    }
  }

  /// A host that slept, as a computer does whose lid is shut, asks first and ends later.
  @Test(arguments: [60_000, 121_000, 10_000_000] as [Int64])
  func aLateTickAsksFirst(time: Int64) {
    let list = Sample.list(seed: 2, edits: 12)
    var pair = SyncPair(list, list, SyncSetup(isLive: true), SyncSetup(isLive: true))
    pair.run()
    pair.a.take(pair.a.session.tick(now: time))
    #expect(pair.a.end == nil && pair.a.sent.count == Frame.overhead)
    #expect(pair.a.session.nextDeadline == time + 60_000)
    pair.a.take(pair.a.session.tick(now: time + 59_999))
    #expect(pair.a.end == nil)
    var deaf = pair.a
    deaf.take(deaf.session.tick(now: time + 60_000))
    #expect(deaf.end == .failed(SyncFailure(.timeout)))
    pair.run()
    #expect(pair.a.end == nil && pair.a.session.nextDeadline == time + 119_999)
  }

  /// The last times that there are.
  @Test func timeMayEnd() {
    for now in [Int64.max - 1, .max] {
      let list = Sample.list(seed: 2, edits: 12)
      var session = SyncSession(
        SyncSetup(isLive: true), list: list, nonce: SessionNonce(high: 1, low: 1), now: now)
      _ = session.start(now: now)
      #expect(session.nextDeadline == .max)
      var script = ScriptedPeer()
      script.hello(list.id)
      script.open(list)
      _ = session.receive(script.take(), now: now)
      #expect(session.nextDeadline == .max)
      _ = session.tick(now: .max)
      _ = session.tick(now: .max)
    }
  }

  @Test("The time of silence can be set", arguments: [nil, 5_000, 300_000, 1, 1 << 40])
  func silenceCanBeSet(_ silence: Int64?) throws {
    var setup = SyncSetup()
    setup.silence = silence
    let limit = silence.map { min(max($0, 1_000), 86_400_000) }
    let list = Sample.list(seed: 2, edits: 12)
    var peer = SyncPeer(list, setup, nonce: 1)
    #expect(Self.wait(&peer) == limit ?? 10_000)
    #expect(peer.end == .failed(SyncFailure(.timeout)))
    var greeted = SyncPeer(list, setup, nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    greeted.receive(script.take())
    #expect(greeted.session.nextDeadline == (limit ?? 120_000) / 2)
    #expect(Self.wait(&greeted) == limit ?? 120_000)
    #expect(greeted.end == .failed(SyncFailure(.timeout)))
  }

  @Test func pingsDoNotHoldARound() throws {
    // In the middle of a round, and after this side has said that it is done.
    for isEnding in [false, true] {
      let list = Sample.list(seed: 2, edits: 12)
      var peer = SyncPeer(list, SyncSetup(), nonce: 1)
      var script = ScriptedPeer()
      script.hello(list.id)
      script.open(isEnding ? list : ReplicatedList(id: list.id))
      peer.receive(script.take())
      #expect(peer.end == nil)
      var now: Int64 = 0
      while peer.end == nil, now < 400_000 {
        now += 5_000
        script.say(.ping)
        peer.receive(script.take(), now: now)
        peer.take(peer.session.tick(now: now))
      }
      #expect(peer.end == .failed(SyncFailure(.timeout)))
      #expect(now <= 125_000)
    }
  }

  @Test func aLiveSessionWithoutARoundLastsAsLongAsThePeerAnswers() throws {
    let list = Sample.list(seed: 2, edits: 12)
    let setup = SyncSetup(isLive: true)
    var pair = SyncPair(list, list, setup, setup)
    pair.run()
    for now in stride(from: Int64(30_000), through: 3_600_000, by: 30_000) {
      pair.a.take(pair.a.session.tick(now: now))
      pair.b.take(pair.b.session.tick(now: now))
      let (fromA, fromB) = (pair.a.sent, pair.b.sent)
      (pair.a.sent, pair.b.sent) = ([], [])
      pair.b.receive(fromA, now: now)
      pair.a.receive(fromB, now: now)
      let (moreA, moreB) = (pair.a.sent, pair.b.sent)
      (pair.a.sent, pair.b.sent) = ([], [])
      pair.b.receive(moreA, now: now)
      pair.a.receive(moreB, now: now)
    }
    #expect(pair.a.end == nil && pair.b.end == nil)
    // Who ends it then waits for the peer from then on.
    pair.a.take(pair.a.session.end(now: 3_600_000))
    pair.a.take(pair.a.session.tick(now: 3_600_000))
    #expect(pair.a.end == nil)
    pair.run()
    #expect(pair.a.end == .finished && pair.b.end == .finished)
  }

  /// What came before the start is looked at then, and was no silence of the peer.
  @Test func theTimeBeforeTheStartIsNobodysSilence() {
    let list = Sample.list(seed: 2, edits: 12)
    var session = SyncSession(
      SyncSetup(), list: list, nonce: SessionNonce(high: 1, low: 1), now: 0)
    var script = ScriptedPeer()
    script.hello(list.id)
    #expect(session.receive(script.take(), now: 0).isEmpty)
    _ = session.start(now: 50_000)
    #expect(session.nextDeadline == 110_000)
  }

  /// The time that a host takes to store a change is not its peer's.
  @Test func aSlowHostIsNoSilentPeer() throws {
    let list = Sample.list(seed: 2, edits: 12)
    var peer = SyncPeer(list, SyncSetup(isLive: true), nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    script.open(list)
    peer.receive(script.take())
    // What is too great for a push opens a round, and a push of the peer crosses that.
    var me = Replica(id: ReplicaID(rawValue: 0xa)) { 1_777_000_500_000 }
    let text = FieldValue.string(String(repeating: "w", count: 20_000))
    for _ in 0..<5 { try peer.list.append(["note": text], by: &me) }
    peer.take(peer.session.listChanged(peer.list, now: 0))
    var you = Replica(id: ReplicaID(rawValue: 0xb)) { 1_777_000_500_000 }
    var theirs = list
    try theirs.append(["title": "Crossing"], by: &you)
    try script.push(list.id, theirs.delta(since: list.version))
    peer.isEager = false
    peer.receive(script.take())
    guard case .merge(let delta, let ticket)? = peer.pending.popLast() else {
      Issue.record("nothing is to be stored")
      return
    }
    peer.list.merge(delta)
    peer.take(
      peer.session.settled(ticket, outcome: .done(), list: peer.list, now: 200_000))
    peer.take(peer.session.tick(now: 200_000))
    #expect(peer.end == nil && peer.list.count == theirs.count + 5)
  }

  /// Two that are in sync but for a change of the first one, which the host of the second is storing.
  private static func pairThatStores(_ setup: SyncSetup) throws -> SyncPair {
    let list = Sample.list(seed: 2, edits: 12)
    var pair = SyncPair(list, list, setup, setup)
    pair.run()
    pair.b.isEager = false
    var me = Replica(id: ReplicaID(rawValue: 0xa)) { 1_777_000_500_000 }
    try pair.a.list.append(["title": "Lunch"], by: &me)
    pair.a.take(pair.a.session.listChanged(pair.a.list, now: 0))
    pair.run()
    #expect(pair.b.pending.count == 1)
    return pair
  }

  /// While a host stores, for however long, neither side takes the other for one that has gone: what
  /// the peer answers is not looked at, and it hears unasked that somebody is here.
  @Test(arguments: [nil, 1_000] as [Int64?]) func aHostMayStoreForHours(silence: Int64?) throws {
    var setup = SyncSetup(isLive: true)
    setup.silence = silence
    var pair = try Self.pairThatStores(setup)
    var now: Int64 = 0
    let hours = 100 * (silence ?? 120_000)
    // A sign of life in each quarter of the silence, and no more than each side's look at it.
    var steps = 0
    while now < hours, steps < 1_000, let first = pair.a.session.nextDeadline,
      let second = pair.b.session.nextDeadline
    {
      steps += 1
      now = max(now, min(first, second))
      pair.a.take(pair.a.session.tick(now: now))
      pair.b.take(pair.b.session.tick(now: now))
      let (fromA, fromB) = (pair.a.sent, pair.b.sent)
      (pair.a.sent, pair.b.sent) = ([], [])
      pair.b.receive(fromA, now: now)
      pair.a.receive(fromB, now: now)
    }
    #expect(now >= hours && pair.a.end == nil && pair.b.end == nil)
    pair.b.settle()
    pair.run()
    #expect(pair.a.end == nil && pair.b.end == nil && pair.b.list == pair.a.list)
    // The silence of the peer counts from now.
    #expect((pair.b.session.nextDeadline ?? 0) > now)
  }

  /// The same for a host that has ended the session meanwhile: what the peer said to that is looked
  /// at afterwards.
  @Test func aHostMayEndWhileItStores() throws {
    var pair = try Self.pairThatStores(SyncSetup(isLive: true))
    pair.b.take(pair.b.session.end(now: 0))
    pair.run()
    for _ in 0..<50 {
      let deadline = try #require(pair.b.session.nextDeadline)
      pair.b.take(pair.b.session.tick(now: deadline))
    }
    #expect(pair.b.end == nil)
    pair.b.settle()
    #expect(pair.a.end == .finished && pair.b.end == .finished)
    #expect(pair.b.list == pair.a.list)
  }

  @Test func whoIsNeverGivenCreditStopsAtTheWindow() throws {
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Sample.listID)
    let text = FieldValue.string(String(repeating: "w", count: 20_000))
    for _ in 0..<40 { try list.append(["note": text], by: &me) }
    for window in [128 << 10, 256 << 10] {
      var peer = SyncPeer(list, SyncSetup(), nonce: 1)
      var script = ScriptedPeer()
      script.hello(list.id, window: window)
      script.open(ReplicatedList(id: list.id))
      peer.receive(script.take())
      #expect(peer.sent.count <= window + 1_000)
      #expect(peer.sent.count > window / 2)
      #expect(peer.session.heldByteCount <= 4 << 20)
      // Grants beyond the window are none.
      var payload: [UInt8] = []
      payload.appendVarint(window + 1)
      script.say(.credit, payload)
      var greedy = peer
      greedy.receive(script.take())
      guard case .failed = greedy.end else {
        Issue.record("it takes more credit than there is")
        continue
      }
      #expect(Self.wait(&peer) == 120_000)
      #expect(peer.end == .failed(SyncFailure(.timeout)))
      #expect(peer.list == list)
    }
  }

  /// A great value takes more than the window, and is still acknowledged: that takes no credit.
  @Test func anAcknowledgementNeedsNoCredit() throws {
    let photo = FieldValue.bytes([UInt8](repeating: 3, count: 200_000))
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    me.limits.valueByteCount = FieldValue.maximumByteCount
    var list = ReplicatedList(id: Sample.listID)
    try list.append(["photo": photo], by: &me)
    var peer = SyncPeer(list, SyncSetup(), nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id, window: 128 << 10)
    script.open(ReplicatedList(id: list.id))
    try script.delta(list.id, Delta.Builder().build(), isLast: true)
    peer.receive(script.take())
    let sent = frames(of: peer.sent)
    #expect(sent.reduce(0) { $0 + $1.payload.count } > 200_000)
    #expect(sent.contains { $0.type == .ack })
  }

  @Test func manyPingsAreNotAllAnswered() {
    let list = Sample.list(seed: 2, edits: 5)
    var peer = SyncPeer(list, SyncSetup(isLive: true), nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    script.open(list)
    for _ in 0..<5_000 { script.say(.ping) }
    peer.sent = []
    peer.receive(script.take())
    #expect(peer.end == nil)
    #expect(peer.sent.count <= Frame.overhead)
  }

  @Test func anEndInTheMiddleIsACut() throws {
    let (left, right) = SyncSessionTests.fork(seed: 4)
    var peer = SyncPeer(right, SyncSetup(), nonce: 1)
    var script = ScriptedPeer()
    script.hello(left.id)
    script.open(left)
    script.say(.end)
    peer.receive(script.take())
    #expect(peer.end == .cut)
    var early = SyncPeer(right, SyncSetup(), nonce: 1)
    var hasty = ScriptedPeer()
    hasty.say(.end)
    early.receive(hasty.take())
    #expect(early.end == .cut)
    // Also for who has ended there, and hears that the peer has.
    var pair = SyncPair(left, right, SyncSetup(isLive: true), SyncSetup(isLive: true))
    pair.b.receive(pair.a.sent)
    pair.a.sent = []
    pair.b.take(pair.b.session.end(now: 0))
    pair.run()
    #expect(pair.a.end == .cut && pair.b.end == .cut)
  }

  /// One side ends as the other begins a round: both hold what the last one ended with.
  @Test(arguments: [false, true]) func anEndThatCrossesAnOpenIsInOrder(isCrossing: Bool) throws {
    let list = Sample.list(seed: 2, edits: 12)
    var pair = SyncPair(list, list, SyncSetup(isLive: true), SyncSetup(isLive: true))
    pair.run()
    pair.a.take(pair.a.session.end(now: 0))
    if isCrossing {
      // Too great to be pushed.
      var me = Replica(id: ReplicaID(rawValue: 0xb)) { 1_777_000_500_000 }
      let text = FieldValue.string(String(repeating: "w", count: 20_000))
      for _ in 0..<5 { try pair.b.list.append(["note": text], by: &me) }
      pair.b.take(pair.b.session.listChanged(pair.b.list, now: 0))
    }
    pair.run()
    #expect(pair.a.end == .finished && pair.b.end == .finished)
    #expect((pair.a.list == pair.b.list) == !isCrossing)
  }

  /// Who does not live on has to come again with what its OPEN was about.
  @Test func whoIsLeftWithNewsIsCut() throws {
    let (left, right) = SyncSessionTests.fork(seed: 4)
    var pair = SyncPair(left, right)
    var me = Replica(id: ReplicaID(rawValue: 0xd)) { 1_777_000_600_000 }
    try pair.a.list.append(["title": "Late"], by: &me)
    pair.a.take(pair.a.session.listChanged(pair.a.list, now: 0))
    pair.run()
    #expect(pair.a.end == .cut && pair.b.end == .finished)
    #expect(pair.b.list == left.merging(right) && pair.a.list != pair.b.list)
    var next = SyncPair(pair.a.list, pair.b.list)
    next.run()
    #expect(next.a.end == .finished && next.a.list == next.b.list)
  }

  /// Lists that were seen to differ are not those of the last round.
  @Test func anEndThatCrossesADoubtIsACut() throws {
    let list = Sample.list(seed: 2, edits: 12)
    var peer = SyncPeer(list, SyncSetup(isLive: true), nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    script.open(list)
    let check = Done(taken: 0, sent: 0, digest: ~list.digest.start)
    script.say(.check, check.payload)
    peer.receive(script.take(), now: 5_000)
    peer.take(peer.session.tick(now: 10_000))
    script.say(.end, list.digest.bytes)
    peer.receive(script.take(), now: 10_000)
    #expect(peer.end == .cut)
  }

  /// A floor may have as many rows as the protocol says: they become frames one by one.
  @Test func theRowsOfAFloorNeedNoRoomInTheQueue() throws {
    let floor = VersionVector(
      (1...400_000).map { .init(replica: ReplicaID(rawValue: $0), sequence: .max) })
    var flow = SessionFlow(SyncSetup())
    flow.agree(
      with: Hello(
        maximumFrame: 1 << 20, window: 128 << 10, nonce: SessionNonce(high: 1, low: 1),
        list: Sample.listID))
    flow.enqueue(floor)
    var rows: [VersionVector.Component] = []
    var isLast = false
    while flow.hasQueued {
      #expect(flow.queuedByteCount == 0 && !isLast)
      guard let frame = flow.dequeue() else {
        Issue.record("it waits for more credit than there is")
        return
      }
      #expect(frame.payload.count <= SyncSetup.plainFrame)
      var reader = Reader(frame.payload)
      rows += try VersionVector.components(&reader, after: rows.last?.replica)
      isLast = frame.isLast
      let isTaken = flow.takeGrant(UInt64(SessionFlow.cost(of: frame)))
      #expect(isTaken)
    }
    #expect(isLast && rows.count == floor.count && VersionVector(rows) == floor)
  }
}

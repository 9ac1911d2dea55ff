import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// Peers that say what is not so, or the same for ever: the session ends, and keeps little.
@Suite struct LyingPeerTests {
  private static let list = Sample.list(seed: 12, edits: 10)
  private static let empty = ReplicatedList(id: Sample.listID)

  /// A session of a list behind the hello and open of a scripted peer with another.
  private static func meet(
    _ own: ReplicatedList, _ theirs: ReplicatedList, _ setup: SyncSetup = SyncSetup(),
    entryCount: Int64? = nil, asks: Bool = false
  ) -> (SyncPeer, ScriptedPeer) {
    var peer = SyncPeer(own, setup, nonce: 1)
    var script = ScriptedPeer()
    script.hello(own.id)
    script.open(theirs, entryCount: entryCount, asks: asks)
    peer.receive(script.take())
    return (peer, script)
  }

  private static func expectFailed(
    _ peer: SyncPeer, _ code: SyncFailure.Code, location: SourceLocation = #_sourceLocation
  ) {
    guard case .failed(let failure) = peer.end else {
      Issue.record("it goes on", sourceLocation: location)
      return
    }
    #expect(failure.code == code, sourceLocation: location)
    #expect(peer.session.heldByteCount <= 4 << 20, sourceLocation: location)
  }

  @Test func aPushedChangeThatClaimsMoreOfMe() throws {
    let own = ReplicaID(rawValue: 0xa)
    var me = Replica(id: own) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Sample.listID)
    for number in 0..<2 { try list.append(["title": .string("Stop \(number)")], by: &me) }
    var peer = SyncPeer(list, SyncSetup(replica: own, isLive: true), nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    script.open(list)
    var builder = Delta.Builder()
    builder.cover(own, after: list.version[own], through: 99)
    try script.push(list.id, builder.build())
    peer.receive(script.take())
    let doubts = peer.events.filter {
      if case .identityDoubtful(99, _) = $0 { true } else { false }
    }
    #expect(doubts.count == 1)
  }

  @Test func moreEntriesThanWereAnnouncedEndTheSession() throws {
    var (peer, script) = Self.meet(Self.empty, Self.list, entryCount: 5)
    let all = Self.list.delta(since: VersionVector()).withoutRanges
    try script.delta(Self.list.id, all)
    peer.receive(script.take())
    Self.expectFailed(peer, .malformed)
    #expect(peer.list == Self.empty)
  }

  @Test func announcingMoreThanAnyListHoldsEndsTheSession() {
    for count in [Int64(100_000 * 66 + 1), .max] {
      let setup = SyncSetup(limits: .suggested)
      let (peer, _) = Self.meet(Self.empty, Self.list, setup, entryCount: count)
      Self.expectFailed(peer, .limitExceeded)
    }
    let boundless = FormatLimits(
      items: .max, replicas: .max, fieldsPerItem: .max, byteCount: 1 << 30)
    let (peer, _) = Self.meet(
      Self.empty, Self.list, SyncSetup(limits: boundless), entryCount: .max)
    #expect(peer.end == nil)
  }

  /// The digest of the end is that of the last round, or nothing.
  @Test(arguments: [true, false]) func anEndWithAnotherDigestIsAnError(isLied: Bool) throws {
    var (peer, script) = Self.meet(Self.list, Self.list)
    script.say(
      .delta, try Block(.delta, of: Self.list.id, holding: Delta.Builder().build()).encoded(),
      isLast: true)
    script.ack(Self.list)
    script.say(.end, isLied ? Self.empty.digest.bytes : Self.list.digest.bytes)
    peer.receive(script.take())
    if isLied {
      Self.expectFailed(peer, .notConverged)
    } else {
      #expect(peer.end == .finished)
    }
  }

  @Test func framesOfNothingEndTheSession() throws {
    for type in [FrameType.delta, .want, .refused] {
      var (peer, script) = Self.meet(Self.list, Self.empty, asks: type == .want)
      switch type {
      case .delta: try script.delta(Self.list.id, Delta(checked: []))
      case .want: script.say(.want)
      default:
        let refusal = Refusal(entries: [], isDeferred: false, reason: "", held: [])
        script.say(.refused, try refusal.payload(of: Self.list.id, atMost: 1 << 16))
      }
      peer.receive(script.take())
      Self.expectFailed(peer, .malformed)
    }
  }

  @Test func aDeltaOfAnotherListOrKindEndsTheSession() throws {
    let all = Self.list.delta(since: VersionVector())
    let rows = all.selecting(all.rows)
    for block in [
      Block(.delta, of: ListID(high: 4, low: 4), holding: rows),
      Block(.snapshot, of: Self.list.id, holding: rows),
    ] {
      var (peer, script) = Self.meet(Self.empty, Self.list)
      script.say(.delta, try block.encoded(), isLast: true)
      peer.receive(script.take())
      Self.expectFailed(peer, .malformed)
      #expect(peer.list == Self.empty)
    }
  }

  @Test func whatWasNotSentCannotBeRefused() throws {
    var (peer, script) = Self.meet(Self.list, Self.empty)
    let entries = Self.list.delta(since: VersionVector()).entries
    let refusal = Refusal(entries: entries, isDeferred: false, reason: "no", held: [])
    script.say(.refused, try refusal.payload(of: Self.list.id, atMost: 1 << 16))
    peer.receive(script.take())
    #expect(peer.end == nil)
    script.say(.refused, try refusal.payload(of: Self.list.id, atMost: 1 << 16))
    peer.receive(script.take())
    Self.expectFailed(peer, .malformed)
  }

  @Test func aRefusalOfAnotherFormEndsTheSession() throws {
    let entries = Self.list.delta(since: VersionVector()).entries
    let refusal = Refusal(entries: entries, isDeferred: true, reason: "no", held: [])
    var payload = try refusal.payload(of: Self.list.id, atMost: 1 << 16)
    for flag in [UInt8(1), 2] {
      var (peer, script) = Self.meet(Self.list, Self.empty)
      payload[0] = flag
      script.say(.refused, payload)
      peer.receive(script.take())
      if flag == 1 { #expect(peer.end == nil) } else { Self.expectFailed(peer, .malformed) }
    }
  }

  /// Who refuses much may go on: what was said of it is dealt with, and granted again.
  @Test func refusalsMayComeToMoreThanTheWindow() throws {
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    let text = FieldValue.string(String(repeating: "w", count: 20_000))
    var list = Self.empty
    for _ in 0..<10 { try list.append(["note": text], by: &me) }
    var (peer, script) = Self.meet(list, Self.empty, SyncSetup(window: 128 << 10))
    var grant: [UInt8] = []
    grant.appendVarint(20_000)
    for entry in list.delta(since: VersionVector()).entries {
      let refusal = Refusal(entries: [entry], isDeferred: false, reason: "no", held: [])
      script.say(.refused, try refusal.payload(of: list.id, atMost: 1 << 16))
      // It grants again what it has dealt with itself.
      if entry.register == .field("note") { script.say(.credit, grant) }
      peer.receive(script.take())
    }
    #expect(peer.end == nil)
    let told = peer.events.filter { if case .refused = $0 { true } else { false } }
    #expect(told.count == list.entryCount)
  }

  @Test func askingForMoreThanThereIsEndsTheSession() {
    var (peer, script) = Self.meet(Self.list, Self.empty, asks: true)
    script.say(.want, [UInt8](repeating: 1, count: 16 * (Self.list.entryCount + 1)))
    peer.receive(script.take())
    Self.expectFailed(peer, .malformed)
  }

  @Test func rangesWithoutEndMakeNoProgress() {
    var (peer, script) = Self.meet(Self.list, Self.empty, asks: true)
    var fingerprints = RangeList()
    fingerprints.append(
      .init(upper: nil, content: .fingerprint(EntryName(high: 1, low: 2))))
    var count = 0
    while peer.end == nil, count < 1_000 {
      script.say(.ranges, fingerprints.payload)
      peer.receive(script.take())
      var credit: [UInt8] = []
      credit.appendVarint(0)
      script.say(.credit, credit)
      count += 1
    }
    Self.expectFailed(peer, .noProgress)
    #expect(count <= 64 + Self.list.entryCount)
  }

  @Test func refusedWritesFillNoMemory() throws {
    // Each frame holds writes under ids of their own, and the host refuses all.
    var (peer, script) = Self.meet(Self.empty, Self.empty, SyncSetup(isLive: true))
    peer.admits = { _ in false }
    script.open(Self.list, round: 1, entryCount: 1 << 30)
    var number: Int64 = 0
    while number < 15_000 {
      var builder = Delta.Builder()
      for _ in 0..<100 {
        number += 1
        let stamp = Stamp(
          time: .zero, replica: ReplicaID(rawValue: UInt64(bitPattern: number)))
        try builder.add(
          Entry(
            item: .root, register: .other(kind: 0x10, name: Array("\(number)".utf8)),
            value: .other([UInt8](repeating: 1, count: 200)), stamp: stamp, sequence: 1))
      }
      try script.delta(Self.list.id, builder.build())
      peer.receive(script.take())
      peer.sent = []
      #expect(peer.end == nil && peer.session.heldByteCount <= 4 << 20)
    }
    try script.delta(Self.list.id, Delta.Builder().build(), isLast: true)
    // It has not said all that it refuses, and waits for who has seen all that it said.
    script.ack(Self.empty)
    peer.receive(script.take())
    #expect(peer.end == nil)
    script.say(.ack, Ack(digest: Self.empty.digest, refusedFrameCount: .max).payload)
    peer.receive(script.take())
    Self.expectFailed(peer, .limitExceeded)
    #expect(peer.list == Self.empty)
  }

  @Test func totalsHoldExactly() throws {
    var first = Replica(id: ReplicaID(rawValue: 0x76)) { 1_777_000_900_000 }
    var own = Sample.list(seed: 12, edits: 10)
    let item = try own.append(["x1": 1, "x2": 2], by: &first)
    var me = Replica(id: ReplicaID(rawValue: 0x77)) { 1_777_000_900_000 }
    var theirs = own
    try theirs.set("x3", of: item, to: 3, by: &me)
    try theirs.append(by: &me)
    let totals = [
      (\FormatLimits.items, theirs.knownItemCount), (\.replicas, theirs.knownReplicaCount),
      (\.fieldsPerItem, 3),
    ]
    for (path, exact) in totals {
      for limit in exact - 1...exact + 1 {
        var limits = FormatLimits.ceiling
        limits[keyPath: path] = limit
        var pair = SyncPair(own, theirs, SyncSetup(limits: limits))
        pair.run()
        if limit >= exact {
          SyncSessionTests.expectSynced(pair, theirs)
        } else {
          Self.expectFailed(pair.a, .limitExceeded)
          #expect(pair.a.list == own)
          guard case .peerFailed(let failure) = pair.b.end else {
            Issue.record("the other side goes on")
            continue
          }
          // It says which write was one too many.
          #expect(failure.detail.contains(me.id.description), "\(failure)")
        }
      }
    }
    #expect(theirs.fieldRegisters(of: item).count == 3)
  }

  /// What came in earlier frames counts, too.
  @Test(arguments: [false, true]) func totalsHoldOverManyFrames(isLive: Bool) throws {
    var me = Replica(id: ReplicaID(rawValue: 0x77)) { 1_777_000_900_000 }
    var theirs = Self.empty
    for _ in 0..<5 { try theirs.append(by: &me) }
    var limits = FormatLimits.ceiling
    limits.items = 4
    var (peer, script) = Self.meet(
      Self.empty, theirs, SyncSetup(isLive: isLive, limits: limits))
    let entries = theirs.delta(since: VersionVector()).entries
    for (count, item) in theirs.map({ $0.id }).enumerated() {
      #expect(peer.end == nil && peer.list.count == count)
      try script.delta(theirs.id, Delta(checked: entries.filter { $0.item == item }))
      peer.receive(script.take())
    }
    Self.expectFailed(peer, .limitExceeded)
    #expect(peer.list.count == 4)
  }

  /// What follows an OPEN are rows of a version or a floor, and nothing behind them.
  @Test(arguments: [true, false]) func rowsWithSomethingBehindThemEndTheSession(isFloor: Bool) {
    let list = Self.list
    let open = Open(
      round: 0, digest: list.digest, entryCount: Int64(list.entryCount),
      version: isFloor ? list.version : nil, versionFollows: !isFloor, asksToReconcile: false,
      replica: nil, floorFollows: isFloor)
    for more in [[], [0]] as [[UInt8]] {
      var peer = SyncPeer(list, SyncSetup(), nonce: 1)
      var script = ScriptedPeer()
      script.hello(list.id)
      script.say(.open, open.payload)
      script.say(.version, VersionVector.encoded(list.version[...]) + more, isLast: true)
      peer.receive(script.take())
      if more.isEmpty { #expect(peer.end == nil) } else { Self.expectFailed(peer, .malformed) }
    }
  }

  @Test func claimsForWhichThereIsNoRoomAreLeft() {
    let list = Self.list
    var limits = FormatLimits.ceiling
    limits.replicas = list.version.count
    var peer = SyncPeer(list, SyncSetup(limits: limits), nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    var version = list.version
    for number in 1...100 { version[ReplicaID(rawValue: UInt64(number))] = 5 }
    let open = Open(
      round: 0, digest: list.digest, entryCount: Int64(list.entryCount), version: version,
      asksToReconcile: false, replica: nil)
    script.say(.open, open.payload)
    script.say(.end, list.digest.bytes)
    peer.receive(script.take())
    #expect(peer.end == .finished)
    #expect(peer.list.version == list.version)
  }
}

/// What ``HostilePeerTests`` does by hand, drawn: any frames in any order, for ever.
@Suite struct RandomPeerTests {
  @Test func anyFramesInAnyOrder() throws {
    var random = SplitMix64(seed: 77)
    let count = runsLong ? 10_000 : 150
    var (ended, merged) = (0, 0)
    for _ in 0..<count {
      let (left, right) = SyncSessionTests.fork(seed: UInt64(random.next(below: 5)), edits: 10)
      let corpus = Self.corpus[random.next(below: Self.corpus.count)]
      var peer = SyncPeer(left, SyncSetup(isLive: random.next(below: 2) == 0), nonce: 1)
      var script = ScriptedPeer()
      if random.next(below: 8) > 0 { script.hello(left.id) }
      if random.next(below: 8) > 0 { script.open(right, asks: random.next(below: 3) == 0) }
      for _ in 0..<random.next(below: 12) {
        var frame = corpus[random.next(below: corpus.count)]
        if random.next(below: 3) == 0 { frame = HostilePeerTests.damaged(frame, &random) }
        script.say(
          frame.type, frame.payload, isCritical: frame.isCritical,
          isLast: frame.isLast != (random.next(below: 6) == 0))
        if random.next(below: 2) == 0 { peer.receive(script.take()) }
        #expect(peer.session.heldByteCount <= 4 << 20)
      }
      peer.receive(script.take())
      #expect(SilentPeerTests.wait(&peer) != nil)
      if peer.end != nil { ended += 1 }
      if peer.list != left { merged += 1 }
    }
    #expect(ended == count && merged > 0)
    print("\(count) sessions with drawn frames: all ended, \(merged) after taking something")
  }

  /// All frames of some honest sessions, of rounds with and without comparing contents.
  private static let corpus: [[Frame]] = (0..<4).map { seed in
    let (left, right) = SyncSessionTests.fork(seed: UInt64(seed), edits: 10)
    var collected: [Frame] = []
    for asks in [false, true] {
      var peer = SyncPeer(right, SyncSetup(), nonce: 2)
      var script = ScriptedPeer()
      script.hello(left.id, nonce: asks ? 1 : 99)
      script.open(left, asks: asks)
      peer.receive(script.take())
      collected += frames(of: peer.sent)
    }
    return collected
  }
}

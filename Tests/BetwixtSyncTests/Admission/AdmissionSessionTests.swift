import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// What sessions and hubs let in.
@Suite struct AdmissionSessionTests {
  private static let now: Int64 = 1_777_000_000_000
  private static let day: Int64 = 86_400_000
  private static let empty = ReplicatedList(id: Sample.listID)

  private static func refusals(_ peer: SyncPeer) -> [Refusal] {
    peer.events.compactMap { if case .refused(let refusal) = $0 { refusal } else { nil } }
  }

  private static func withheld(_ peer: SyncPeer) -> [Refusal] {
    peer.events.compactMap { if case .withheld(let refusal) = $0 { refusal } else { nil } }
  }

  /// Why a session failed, at whichever end.
  private static func code(_ end: SyncEnd?) -> SyncFailure.Code? {
    switch end {
    case .failed(let failure), .peerFailed(let failure): failure.code
    default: nil
    }
  }

  @Test func writesOfTheFutureWaitAndTheRestIsTaken() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    var theirs = Self.empty
    let item = try theirs.append(["title": "Lunch"], by: &me)
    var early = Replica(id: ReplicaID(rawValue: 2)) { Self.now + 3 * Self.day }
    try theirs.set("title", of: item, to: "Dinner", by: &early)
    try theirs.set("note", of: item, to: "now", by: &me)
    var pair = SyncPair(Self.empty, theirs, SyncSetup(wallClock: Self.now))
    pair.run()
    #expect(pair.a.end == .finished && pair.b.end == .finished)
    #expect(pair.a.list[id: item]?["note"] == "now" && pair.a.list[id: item]?["title"] == nil)
    #expect(Self.withheld(pair.a).map(\.isDeferred) == [true])
    let told = try #require(Self.refusals(pair.b).first)
    #expect(told.isDeferred && told.entries.map(\.value) == [.field("Dinner")])
    #expect(told.reason == "its time is too far ahead of the clock")
    // The title that it replaced is not claimed either.
    #expect(pair.a.list.claimsTruly(about: theirs))
    #expect(pair.a.list.version[early.id] == 0)
    // Some days later it comes by itself.
    pair = SyncPair(pair.a.list, theirs, SyncSetup(wallClock: Self.now + 3 * Self.day))
    pair.run()
    SyncSessionTests.expectSynced(pair, theirs)
    #expect(pair.a.list.version == theirs.version)
  }

  @Test func theClockOfALongSessionGoesOn() throws {
    var early = Replica(id: ReplicaID(rawValue: 2)) { Self.now + 2 * Self.day }
    var theirs = Self.empty
    try theirs.append(["title": "Dinner"], by: &early)
    for (elapsed, isTaken) in [(Int64(0), false), (Self.day, true)] {
      var peer = SyncPeer(
        Self.empty, SyncSetup(isLive: true, wallClock: Self.now), nonce: 1)
      var script = ScriptedPeer()
      script.hello(Sample.listID)
      script.open(theirs)
      peer.receive(script.take(), now: elapsed)
      try script.delta(Sample.listID, theirs.delta(since: VersionVector()), isLast: true)
      peer.receive(script.take(), now: elapsed)
      #expect((peer.list == theirs) == isTaken)
      #expect(peer.end == nil && Self.withheld(peer).isEmpty == isTaken)
    }
  }

  /// What a clock that was ahead has written keeps nothing else from coming across, however much it is
  /// and whatever goes first.
  @Test func muchThatWaitsHoldsUpNothingElse() throws {
    var early = Replica(id: ReplicaID(rawValue: 2)) { Self.now + 3 * Self.day }
    var me = Replica(id: ReplicaID(rawValue: 9)) { Self.now }
    var theirs = Self.empty
    for number in 0..<5 as Range<Int64> { try theirs.append(["title": .int64(number)], by: &me) }
    let honest = theirs
    // Of each a life, a position and a title: more than 1 MiB to be remembered.
    for number in 0..<3_000 as Range<Int64> {
      try theirs.append(["title": .int64(number)], by: &early)
    }
    for isLive in [false, true] {
      let setup = SyncSetup(isLive: isLive, wallClock: Self.now)
      var pair = SyncPair(Self.empty, theirs, setup, SyncSetup(isLive: isLive))
      pair.run()
      #expect(pair.a.end == (isLive ? nil : .finished) && pair.b.end == pair.a.end)
      #expect(pair.a.list == honest && pair.b.list == theirs)
      #expect(Self.withheld(pair.a).reduce(0) { $0 + $1.entries.count } == 9_000)
      #expect(Self.refusals(pair.b).reduce(0) { $0 + $1.entries.count } == 9_000)
      #expect(pair.a.session.heldByteCount < 2 << 20)
    }
  }

  /// Where there is more than can be remembered, all the rest comes across, in both directions, and then
  /// the reason is said.
  @Test func moreThanCanBeRememberedIsSaidAtTheEnd() throws {
    let names = (0..<60).compactMap { FieldName("n\($0)") }
    var maker = Replica(id: ReplicaID(rawValue: 1)) { Self.now - Self.day }
    var base = Self.empty
    let item = try base.append(by: &maker)
    for name in names { try base.set(name, of: item, to: 0, by: &maker) }
    var early = Replica(id: ReplicaID(rawValue: 2)) { Self.now + 3 * Self.day }
    let text = FieldValue.string(String(repeating: "w", count: 20_000))
    var theirs = base
    for name in names { try theirs.set(name, of: item, to: text, by: &early) }
    var me = Replica(id: ReplicaID(rawValue: 9)) { Self.now }
    let honest = try theirs.append(["title": "Lunch"], by: &me)
    var you = Replica(id: ReplicaID(rawValue: 8)) { Self.now }
    let mine = try base.append(["title": "Dinner"], by: &you)
    var pair = SyncPair(base, theirs, SyncSetup(wallClock: Self.now))
    pair.run()
    guard case .failed(let failure) = pair.a.end else {
      Issue.record("it is \(String(describing: pair.a.end))")
      return
    }
    #expect(failure.code == .limitExceeded)
    #expect(failure.detail.contains("its time is too far ahead of the clock"))
    #expect(pair.b.end == .peerFailed(failure))
    #expect(pair.a.list[id: honest]?["title"] == "Lunch")
    #expect(pair.b.list[id: mine]?["title"] == "Dinner")
    #expect(pair.a.list[id: item]?["n0"] == 0)
    // Both may refuse so much of each other.
    var soon = Replica(id: ReplicaID(rawValue: 3)) { Self.now + 3 * Self.day }
    for name in names { try base.set(name, of: item, to: text, by: &soon) }
    let setup = SyncSetup(wallClock: Self.now)
    pair = SyncPair(base, theirs, setup, setup)
    pair.run()
    #expect([pair.a.end, pair.b.end].map(Self.code) == [.limitExceeded, .limitExceeded])
    #expect(pair.a.list[id: honest] != nil && pair.b.list[id: mine] != nil)
  }

  /// A host that gives a clock with each connection need not give one with the setup as well.
  @Test(arguments: [
    (SyncSetup(), true), (SyncSetup(wallClock: 1), true),
    (SyncSetup(wallClock: 1, admission: AdmissionPolicy(now: nil)), false),
  ])
  func theClockOfAConnectionJudges(setup: SyncSetup, isJudged: Bool) throws {
    var early = Replica(id: ReplicaID(rawValue: 2)) { Self.now + 2 * Self.day }
    var theirs = Self.empty
    try theirs.append(["title": "Dinner"], by: &early)
    var hub = SyncHub(list: Self.empty, setup: setup) { _, _ in .allow }
    let peer = SyncHub.PeerID(1)
    _ = hub.connect(
      peer, principal: "one", nonce: SessionNonce(high: 1, low: 1), wallClock: Self.now, now: 0)
    var script = ScriptedPeer()
    script.hello(Sample.listID)
    script.open(theirs)
    try script.delta(Sample.listID, theirs.delta(since: VersionVector()), isLast: true)
    let outputs = hub.receive(script.take(), from: peer, now: 0)
    let isWithheld = outputs.contains { output in
      if case .event(.withheld, _) = output { true } else { false }
    }
    #expect(isWithheld == isJudged)
  }

  @Test func aTableOfInventedReplicasIsNotTaken() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    var theirs = Self.empty
    try theirs.append(["title": "Lunch"], by: &me)
    var builder = Delta.Builder()
    for number in 0..<65_533 as Range<UInt64> {
      builder.cover(ReplicaID(rawValue: 1_000_000 + number), after: 0, through: 1)
    }
    theirs.merge(builder.build())
    var peer = SyncPeer(Self.empty, SyncSetup(isLive: true), nonce: 1)
    var script = ScriptedPeer()
    script.hello(Sample.listID)
    script.open(theirs)
    try script.delta(Sample.listID, theirs.delta(since: VersionVector()), isLast: true)
    script.ack(theirs)
    peer.receive(script.take())
    #expect(peer.end == nil)
    #expect(peer.list == theirs)
    #expect(peer.list.version.count == 4_096 + 1)
    // Nor by any other frame of the same session.
    var more = Delta.Builder()
    for number in 0..<4_000 as Range<UInt64> {
      more.cover(ReplicaID(rawValue: 2_000_000 + number), after: 0, through: 1)
    }
    try script.push(Sample.listID, more.build())
    peer.receive(script.take())
    #expect(peer.end == nil)
    #expect(peer.list.version.count == 4_096 + 1)
    // It can be saved, and met by anybody.
    let copy = try SealedBlock.decode(try SealedBlock.encode(peer.list))
    #expect(copy == peer.list && copy.version == peer.list.version)
    var pair = SyncPair(peer.list, Self.empty)
    pair.run()
    SyncSessionTests.expectSynced(pair, theirs)
  }

  /// A floor names no more replicas of which nothing is known than are let in.
  @Test(arguments: [false, true]) func aFloorNamesNobodyWhoIsMadeUp(isDelta: Bool) throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    var theirs = Self.empty
    try theirs.append(["title": "Lunch"], by: &me)
    let invented = (101...108).map {
      VersionVector.Component(replica: ReplicaID(rawValue: $0), sequence: 1)
    }
    func open(_ round: UInt32) -> Open {
      Open(
        round: round, digest: theirs.digest, entryCount: Int64(theirs.entryCount),
        version: theirs.version.union(VersionVector(invented)), asksToReconcile: false,
        replica: nil, floor: VersionVector(invented))
    }
    var setup = SyncSetup(isLive: true)
    setup.admission.newReplicaCount = 3
    var peer = SyncPeer(isDelta ? Self.empty : theirs, setup, nonce: 1)
    var script = ScriptedPeer()
    script.hello(Sample.listID)
    script.say(.open, open(0).payload)
    if isDelta {
      try script.delta(Sample.listID, theirs.delta(since: [:]), isLast: true)
      peer.receive(script.take())
      #expect(peer.list == theirs && peer.list.floor.isEmpty)
      script.ack(theirs)
    }
    peer.receive(script.take())
    #expect(peer.end == nil && peer.list == theirs)
    #expect(peer.list.version.count == 1 + 3 && peer.list.floor.count == 3)
    // Said once more, it is nothing to be stored.
    let before = peer.trace.count
    script.say(.open, open(1).payload)
    peer.receive(script.take())
    #expect(peer.end == nil && peer.list.floor.count == 3)
    let isStored = peer.trace.dropFirst(before).contains { $0.hasPrefix("merge") }
    #expect(peer.trace.count > before && !isStored)
  }

  /// More replicas than any frame has room for, taken over many sessions.
  @Test func aListOfVeryManyReplicasCanBeSaved() throws {
    var builder = Delta.Builder()
    for number in 0..<150_000 as Range<UInt64> {
      builder.cover(ReplicaID(rawValue: 1_000_000 + number), after: 0, through: 1)
    }
    var list = Sample.list(seed: 3, edits: 20)
    list.merge(builder.build())
    let copy = try SealedBlock.decode(try SealedBlock.encode(list))
    #expect(copy == list && copy.version == list.version)
    var pair = SyncPair(list, Self.empty)
    pair.run()
    SyncSessionTests.expectSynced(pair, list)
    // And edits go on, both ways.
    var me = Replica(id: ReplicaID(rawValue: 7)) { Self.now }
    var other = pair.b.list
    try other.append(["title": "More"], by: &me)
    pair = SyncPair(pair.a.list, other)
    pair.run()
    SyncSessionTests.expectSynced(pair, other)
  }

  /// Fields of one replica come before what others wrote, and still none before its item's place.
  @Test func anItemsPlaceComesWithItsFirstEntry() throws {
    var maker = Replica(id: ReplicaID(rawValue: 9)) { Self.now }
    var writer = Replica(id: ReplicaID(rawValue: 1)) { Self.now + 1 }
    var list = Self.empty
    let item = try list.append(by: &maker)
    try list.set("z", of: item, to: 1, by: &writer)
    // Several frames of fields, whose names stand before the one that was written first.
    let text = FieldValue.string(String(repeating: "w", count: 10_000))
    for number in 10..<30 {
      try list.set(try #require(FieldName("a\(number)")), of: item, to: text, by: &writer)
    }
    var setup = SyncSetup()
    setup.admission.incompleteItemCount = 0
    var pair = SyncPair(list, Self.empty, SyncSetup(), setup)
    pair.run()
    SyncSessionTests.expectSynced(pair, list)
    #expect(Self.withheld(pair.b).isEmpty)
  }

  // The invariant checks of the list count, too.
  #if DEBUG && !BETWIXT_CHECKS
  /// Each refused write of an item is not looked for by itself.
  @Test func whatIsLeftOutIsFoundInOnePass() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    var list = Self.empty
    let item = try list.append(by: &me)
    for number in 0..<300 {
      try list.set(try #require(FieldName("n\(number)")), of: item, to: 1, by: &me)
    }
    let entries = list[id: item]?.entries ?? []
    var refusals = SessionRefusals()
    for entry in entries where entry.register != .life { refusals.note(entry) }
    let (excluded, cost) = Cost.measure { refusals.excluded(in: list) }
    #expect(excluded == Set(entries.dropFirst().map { $0.address }))
    #expect(cost[.entryVisit] == entries.count)
  }

  /// Writes of all fields of an item, which come later by so many days.
  private static func writes(
    _ names: [FieldName], of item: ItemID, in days: Int64
  ) throws -> Delta {
    let stamp = Stamp(
      time: Timestamp(milliseconds: now + days * day), replica: ReplicaID(rawValue: 2))
    var builder = Delta.Builder()
    for (number, name) in names.enumerated() {
      try builder.add(
        Entry(
          item: item, register: .field(name), value: .field(2), stamp: stamp,
          sequence: Int64(number) + 1))
    }
    builder.cover(stamp.replica, after: 0, through: Int64(names.count))
    return builder.build()
  }

  /// What is held of many fields of one item is found in a few passes, whether the policy or the peer
  /// refuses what comes, or a host is asked.
  @Test func whatIsHeldOfManyFieldsIsFoundInAFewPasses() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    var list = Self.empty
    let item = try list.append(by: &me)
    let names = (0..<300).compactMap { FieldName("n\($0)") }
    for name in names { try list.set(name, of: item, to: 1, by: &me) }
    list.settleDigest()
    let most = 20 * names.count

    var peer = SyncPeer(list, SyncSetup(isLive: true, wallClock: Self.now), nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    script.open(list)
    peer.receive(script.take())
    try script.push(list.id, try Self.writes(names, of: item, in: 2))
    let ((), withholding) = Cost.measure { peer.receive(script.take()) }
    #expect(Self.withheld(peer).first?.held.count == 300)
    #expect(withholding[.entryVisit] <= most)

    peer = SyncPeer(list, SyncSetup(isLive: true), nonce: 1)
    script = ScriptedPeer()
    script.hello(list.id)
    script.open(Self.empty)
    peer.receive(script.take())
    let refused = (list[id: item]?.entries ?? []).filter { $0.register != .life }
    let refusal = Refusal(entries: refused, isDeferred: false, reason: "no", held: [])
    script.say(.refused, try refusal.payload(of: list.id, atMost: 1 << 20))
    let ((), leaving) = Cost.measure { peer.receive(script.take()) }
    #expect(Self.refusals(peer).first?.entries.count == 301)
    #expect(leaving[.entryVisit] <= most)

    var hub = SyncHub(list: list, relay: .allow) { _, context in
      context.held == nil ? .deny(reason: "nothing is held") : .allow
    }
    _ = hub.connect(
      SyncHub.PeerID(1), principal: "one", nonce: SessionNonce(high: 1, low: 1), now: 0)
    script = ScriptedPeer()
    script.hello(list.id)
    script.open(list)
    _ = hub.receive(script.take(), from: SyncHub.PeerID(1), now: 0)
    try script.push(list.id, try Self.writes(names, of: item, in: 0))
    let (outputs, asking) = Cost.measure {
      hub.receive(script.take(), from: SyncHub.PeerID(1), now: 0)
    }
    let stored = outputs.compactMap { output in
      if case .store(let delta, _) = output { delta.count } else { nil }
    }
    #expect(stored == [300] && asking[.entryVisit] <= most)
  }

  /// Registers for which there is no room are not looked for one by one.
  @Test func whatIsNotRememberedIsLookedForInOnePass() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    var list = Self.empty
    let items = [try list.append(by: &me), try list.append(by: &me)]
    for (item, letter) in zip(items, ["a", "b"]) {
      for number in 0..<300 {
        try list.set(
          try #require(FieldName("\(letter)\(number)")), of: item, to: 1, by: &me)
      }
    }
    let value = RegisterValue.field(.string(String(repeating: "w", count: 10_000)))
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 2))
    let entries = try (0..<300).map { number in
      Entry(
        item: items[0], register: .field(try #require(FieldName("b\(number)"))), value: value,
        stamp: stamp, sequence: Int64(number) + 1)
    }
    var refusals = SessionRefusals()
    let refusal = Refusal(entries: entries, isDeferred: false, reason: "no", held: [])
    let (isEnough, cost) = Cost.measure { refusals.noteOwn(refusal, on: list) }
    #expect(isEnough && refusals.forgotten == "no" && cost[.entryVisit] == 302)
  }
  #endif

  @Test func livesBeyondReasonAreRefused() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    var mine = Self.empty
    let item = try mine.append(["title": "Lunch"], by: &me)
    var builder = Delta.Builder()
    let stamp = Stamp(time: .zero, replica: ReplicaID(rawValue: 9))
    try builder.add(
      Entry(
        item: item, register: .life, value: .life(1 << 63 - 2), stamp: stamp, sequence: 1))
    builder.cover(ReplicaID(rawValue: 9), after: 0, through: 1)
    var theirs = mine
    theirs.merge(builder.build())
    var pair = SyncPair(mine, theirs)
    pair.run()
    #expect(pair.a.end == .finished && pair.b.end == .finished)
    #expect(pair.a.list.contains(id: item) && pair.a.list.version[stamp.replica] == 0)
    #expect(Self.refusals(pair.b).map(\.isDeferred) == [false])
    try mine.remove(item, by: &me)
    try mine.restore(item, by: &me)
  }

  /// Two honest copies with 600 fields each, and one with 1,200: any list can be written and met.
  @Test func anItemMayHaveAnyNumberOfFields() throws {
    var lists: [ReplicatedList] = []
    var first = Replica(id: ReplicaID(rawValue: 1)) { Self.now }
    var base = Self.empty
    let item = try base.append(["title": "Lunch"], by: &first)
    for writer in 2...3 as ClosedRange<UInt64> {
      var me = Replica(id: ReplicaID(rawValue: writer)) { Self.now }
      var copy = base
      for number in 0..<1_200 {
        let name = try #require(FieldName("f\(writer)-\(number)"))
        try copy.set(name, of: item, to: "x", by: &me)
      }
      lists.append(copy)
    }
    let union = lists[0].merging(lists[1])
    #expect(union[id: item]?.fields.count == 2_401)
    var pair = SyncPair(lists[0], lists[1])
    pair.run()
    SyncSessionTests.expectSynced(pair, union)
    #expect(try SealedBlock.decode(try SealedBlock.encode(union)) == union)
    pair = SyncPair(union, Self.empty)
    pair.run()
    SyncSessionTests.expectSynced(pair, union)
  }

  /// B writes d; A gets it directly and replaces it by e, which the hub denies: nothing is claimed of
  /// B's that the hub holds nothing of.
  @Test func aHubThatDeniedSomethingClaimsOnlyWhatItTook() throws {
    var bob = Replica(id: ReplicaID(rawValue: 2)) { Self.now }
    var ann = Replica(id: ReplicaID(rawValue: 1)) { Self.now + 1 }
    var start = Self.empty
    var maker = Replica(id: ReplicaID(rawValue: 9)) { Self.now - 1 }
    let item = try start.append(["t": 0], by: &maker)
    var mine = start
    try mine.set("t", of: item, to: 1, by: &bob)
    try mine.set("t", of: item, to: 2, by: &ann)
    let hub = SyncHub(list: start, relay: .allow) { entry, _ in
      entry.value == .field(2) ? .deny(reason: "no") : .allow
    }
    var room = HubTests.Room(hub)
    room.join(mine, as: "ann", replica: 1)
    room.run()
    #expect(room.server.hub.list[id: item]?["t"] == 0)
    #expect(room.server.hub.list.version[bob.id] == 0)
    #expect(room.server.hub.list.claimsTruly(about: mine))
    // The same write, denied again with news behind it.
    try room.edit(0) { try $0.set("u", of: item, to: 1, by: &bob) }
    room.run()
    #expect(room.server.hub.list[id: item]?["u"] == 1)
    #expect(room.server.hub.list.version[bob.id] == 0)
    #expect(room.server.hub.list.claimsTruly(about: room.clients[0].list))
    #expect(room.clients[0].end == nil)
  }

  /// B's write comes to A only after A's greater one was denied: A then claims it, as it has lost
  /// there, and the hub must not.
  @Test func aChangeThatLostAgainstADeniedWriteIsNotClaimed() throws {
    var bob = Replica(id: ReplicaID(rawValue: 2)) { Self.now }
    var ann = Replica(id: ReplicaID(rawValue: 1)) { Self.now + 1 }
    var maker = Replica(id: ReplicaID(rawValue: 9)) { Self.now - 1 }
    var start = Self.empty
    let item = try start.append(["t": 0], by: &maker)
    var bobs = start
    try bobs.set("t", of: item, to: 1, by: &bob)
    let hub = SyncHub(list: start, relay: .allow) { entry, _ in
      entry.value == .field(2) ? .deny(reason: "no") : .allow
    }
    var room = HubTests.Room(hub)
    room.join(start, as: "ann", replica: 1)
    room.run()
    try room.edit(0) { try $0.set("t", of: item, to: 2, by: &ann) }
    room.run()
    room.edit(0) { $0.merge(bobs) }
    room.run()
    #expect(room.clients[0].list.version[bob.id] == 1)
    #expect(room.server.hub.list[id: item]?["t"] == 0)
    #expect(room.server.hub.list.version[bob.id] == 0)
    #expect(room.server.hub.list.claimsTruly(about: room.clients[0].list))
    #expect(room.clients[0].end == nil)
  }
}

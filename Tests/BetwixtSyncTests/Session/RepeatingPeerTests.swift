import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// Peers that have this side do the same work again and again.
@Suite struct RepeatingPeerTests {
  private static let manyEntries = Sample.list(seed: 12, edits: 40)

  /// A peer that compares contents with one that holds nothing.
  private static func comparing() -> (peer: SyncPeer, script: ScriptedPeer) {
    var peer = SyncPeer(manyEntries, SyncSetup(), nonce: 1)
    var script = ScriptedPeer()
    script.hello(manyEntries.id)
    script.open(ReplicatedList(id: manyEntries.id), asks: true)
    peer.receive(script.take())
    return (peer, script)
  }

  /// A bound behind all entries.
  private static func bound(_ number: Int) -> EntryBound {
    EntryBound(
      replica: .max, sequence: .max, digest: EntryName(high: .max, low: UInt64(number)))
  }

  /// A list of all entries, so many ranges behind them, and the rest.
  private static func ranges(filler count: Int, rest: RangeList.Content) -> RangeList {
    var ranges = RangeList()
    ranges.append(.init(upper: bound(1), content: .list([EntryName(high: 1, low: 1)])))
    let other = RangeList.Content.fingerprint(EntryName(high: 2, low: 2))
    for number in 0..<count { ranges.append(.init(upper: bound(2 + number), content: other)) }
    ranges.append(.init(upper: nil, content: rest))
    return ranges
  }

  /// Whose range was listed is settled: the same range once more is no progress, however long the
  /// frame is that says it, as its last range does not open the first one again.
  @Test(arguments: [0, 700]) func aRangeIsListedOnce(filler: Int) throws {
    let other = RangeList.Content.fingerprint(EntryName(high: 2, low: 2))
    for rest in filler == 0 ? [other] : [other, .list([EntryName(high: 3, low: 3)])] {
      var (peer, script) = Self.comparing()
      let ranges = Self.ranges(filler: filler, rest: rest)
      for time in 1...2 {
        #expect(peer.end == nil)
        script.say(.ranges, ranges.payload)
        peer.receive(script.take())
        if time == 2 { #expect(peer.end == .failed(SyncFailure(.noProgress))) }
      }
    }
  }

  /// Ranges of which nothing is said are one: a short frame of many is no full one.
  @Test func rangesThatSayNothingAreOne() throws {
    var (peer, script) = Self.comparing()
    var payload: [UInt8] = []
    payload.appendVarint(1_002)
    Self.bound(1).append(to: &payload)
    payload += [2]
    for number in 2...1_001 {
      Self.bound(number).append(to: &payload)
      payload += [0]
    }
    payload += [0, 1] + [UInt8](repeating: 9, count: 16)
    script.say(.ranges, payload)
    peer.receive(script.take())
    guard case .failed(let failure) = peer.end else {
      Issue.record("it is \(String(describing: peer.end))")
      return
    }
    #expect(failure.code == .malformed)
  }

  /// What a frame takes is counted to the byte, whoever counts it.
  @Test func theBytesOfRangesAreCounted() throws {
    let bounds = [
      EntryBound(replica: 1 << 63, sequence: 0, digest: EntryName(high: 0, low: 0)),
      EntryBound(replica: 1 << 63, sequence: 256, digest: EntryName(high: 0, low: 0)),
      EntryBound(replica: .max, sequence: 1, digest: EntryName(high: 1 << 40, low: 0)),
      Self.bound(1),
    ]
    #expect(bounds.map { $0.byteCount } == [1, 15, 19, 32])
    let contents: [RangeList.Content] = [
      .list([]), .skip, .skip, .fingerprint(EntryName(high: 1, low: 2)),
    ]
    var ranges = RangeList()
    for (bound, content) in zip(bounds, contents) {
      ranges.append(.init(upper: bound, content: content))
    }
    ranges.append(
      .init(upper: nil, content: .list([EntryName(high: 1, low: 2), EntryName(high: 3, low: 4)])))
    let payload = ranges.payload
    #expect(ranges.ranges.count == 4 && ranges.byteCount == payload.count + 2)
    #expect(try RangeList(decoding: payload).byteCount == ranges.byteCount)
  }

  /// As many frames as there are rows say the same as a few.
  @Test(arguments: [false, true]) func rowsMayComeOneByOne(isFloor: Bool) {
    let list = Sample.list(seed: 12, edits: 10)
    let rows = VersionVector(
      (1...5_000).map { .init(replica: ReplicaID(rawValue: $0), sequence: 3) })
    let open = Open(
      round: 0, digest: list.digest, entryCount: Int64(list.entryCount),
      version: isFloor ? list.version : nil, versionFollows: !isFloor, asksToReconcile: false,
      replica: nil, floorFollows: isFloor)
    var peer = SyncPeer(list, SyncSetup(isLive: true), nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    script.say(.open, open.payload)
    for index in rows.indices {
      script.say(
        .version, VersionVector.encoded(rows[index...index]), isLast: index == rows.count - 1)
    }
    peer.receive(script.take())
    #expect(peer.end == nil && peer.session.isIdle)
    if isFloor {
      #expect(peer.session.peerFloor == rows)
    } else {
      #expect(peer.list.version.count == 4_096 + list.version.count)
    }
  }

  /// Each refusal has the acknowledgement sent again, with the digest of what is left.
  @Test func anAcknowledgementIsKeptAsRefusalsCome() throws {
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    let empty = ReplicatedList(id: Sample.listID)
    var list = empty
    for number in 0..<4 { try list.append(["n": .int64(Int64(number))], by: &me) }
    var peer = SyncPeer(list, SyncSetup(isLive: true), nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    script.open(empty)
    try script.delta(list.id, Delta.Builder().build(), isLast: true)
    // One of them was replaced meanwhile by a greater one, and is not left out.
    var refused = list.delta(since: [:]).entries.filter { $0.register == .field("n") }
    try list.set("n", of: refused[3].item, to: 9, by: &me)
    for entry in refused {
      let refusal = Refusal(entries: [entry], isDeferred: false, reason: "no", held: [])
      script.say(.refused, try refusal.payload(of: list.id, atMost: 1 << 20))
    }
    peer.receive(script.take())
    #expect(peer.end == nil)
    let digests = try frames(of: peer.sent).filter { $0.type == .ack }.map {
      try Ack(decoding: $0.payload).digest
    }
    let held = peer.list
    let expected = (0...4).map { count in
      held.digest(
        leavingOut: refused.prefix(count).map { RegisterAddress($0.item, register: $0.register) })
    }
    #expect(digests == expected)
    refused = []
  }
}

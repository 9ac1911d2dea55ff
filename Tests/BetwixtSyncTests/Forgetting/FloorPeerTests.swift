import Betwixt
import TestSupport
import Testing

@testable import BetwixtSync

/// Peers that have forgotten what nobody has written: they cost little, and are kept to a measure.
@Suite struct FloorPeerTests {
  /// As many names as nobody has, from a number on.
  private static func invented(_ count: Int, from first: Int = 1) -> VersionVector {
    VersionVector(
      (first..<first + count).map {
        VersionVector.Component(replica: ReplicaID(rawValue: 1 << 40 + UInt64($0)), sequence: 3)
      })
  }

  private static func sayOpen(
    _ list: ReplicatedList, round: UInt32, also names: VersionVector = [:], floor: VersionVector,
    in script: inout ScriptedPeer
  ) {
    let open = Open(
      round: round, digest: list.digest, entryCount: Int64(list.entryCount), version: nil,
      versionFollows: true, asksToReconcile: false, replica: nil, floorFollows: !floor.isEmpty)
    script.say(.open, open.payload)
    for part in [list.version.union(names), floor] where !part.isEmpty {
      for frame in VersionParts.frames(part) {
        script.say(.version, frame.payload, isLast: frame.isLast)
      }
    }
  }

  /// Of an honest floor the last one has all rows, so there is no more of all together than of one.
  @Test(arguments: [false, true]) func floorsHaveTogetherNoMoreRowsThanOne(
    isPushed: Bool
  ) throws {
    let list = Sample.list(seed: 12, edits: 10)
    var limits = FormatLimits.ceiling
    limits.replicas = 100
    var peer = SyncPeer(list, SyncSetup(isLive: true, limits: limits), nonce: 1)
    var script = ScriptedPeer()
    script.hello(list.id)
    Self.sayOpen(list, round: 0, floor: [:], in: &script)
    peer.receive(script.take())
    #expect(peer.session.isIdle)
    let before = peer.session.heldByteCount
    for (number, rows) in [1...60, 1...100, 41...100, 101...101].enumerated() {
      #expect(peer.end == nil)
      let floor = Self.invented(rows.count, from: rows.lowerBound)
      if isPushed {
        let delta = Delta.Builder().build().forgetting(below: floor)
        script.say(.push, try Block(.delta, of: list.id, holding: delta).encoded())
      } else {
        Self.sayOpen(list, round: UInt32(number + 1), floor: floor, in: &script)
      }
      peer.receive(script.take())
      #expect(peer.session.peerFloor.count == (number == 0 ? 60 : 100))
      if number < 3 { #expect(peer.session.heldByteCount >= before + 16 * rows.count) }
    }
    guard case .failed(let failure) = peer.end else {
      Issue.record("it goes on")
      return
    }
    #expect(failure.code == .limitExceeded && peer.list == list)
  }

  // The invariant checks of the list count, too.
  #if DEBUG && !BETWIXT_CHECKS
  /// A frame of one entry costs the same however many replicas its sender has made up.
  @Test func aFrameDoesNotPayForTheWholeFloor() throws {
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    var theirs = ReplicatedList(id: Sample.listID)
    for number in 0..<10 as Range<Int64> { try theirs.append(["n": .int64(number)], by: &me) }
    let entries = theirs.delta(since: [:]).entries
    var costs: [Int] = []
    for count in [1_000, 20_000] {
      var peer = SyncPeer(ReplicatedList(id: theirs.id), SyncSetup(), nonce: 1)
      var script = ScriptedPeer()
      script.hello(theirs.id)
      let names = Self.invented(count)
      Self.sayOpen(theirs, round: 0, also: names, floor: names, in: &script)
      try script.delta(theirs.id, Delta(checked: [entries[0]]))
      peer.receive(script.take())
      for entry in entries.dropFirst() { try script.delta(theirs.id, Delta(checked: [entry])) }
      let bytes = script.take()
      let ((), cost) = Cost.measure { peer.receive(bytes) }
      #expect(peer.end == nil && peer.list.entryCount == entries.count)
      costs.append(cost[.component])
    }
    #expect(costs[0] == costs[1])
  }
  #endif

  /// What is about replicas that come with a frame is taken with it, as what is known before.
  @Test func theFloorIsTakenWithTheFramesItIsAbout() throws {
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    var you = Replica(id: ReplicaID(rawValue: 8)) { 1_777_000_000_001 }
    var mine = ReplicatedList(id: Sample.listID)
    let old = try mine.append(["n": 1], by: &me)
    var theirs = mine
    let new = try theirs.append(["n": 2], by: &you)
    for item in [old, new] { try theirs.remove(item, by: &you) }
    theirs.forget(below: theirs.version)
    let names = Self.invented(3)
    var peer = SyncPeer(mine, SyncSetup(), nonce: 1)
    var script = ScriptedPeer()
    script.hello(mine.id)
    Self.sayOpen(theirs, round: 0, also: names, floor: theirs.floor.union(names), in: &script)
    peer.receive(script.take())
    #expect(peer.list.floor.isEmpty)
    let entry = try #require(theirs.delta(since: mine.version).entries.first)
    try script.delta(mine.id, Delta(checked: [entry]))
    peer.receive(script.take())
    #expect(peer.list.floor == theirs.floor)
    #expect(peer.end == nil && !theirs.floor.isEmpty)
  }
}

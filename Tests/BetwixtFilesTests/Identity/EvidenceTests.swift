import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Each thing that shows that an id may be in use twice leads to a new one.
@Suite("Evidence takes an id away") struct EvidenceTests {
  private let disk = SimulatedDisk()
  private let random = SharedRandom(seed: 81)
  private let listID = DocumentWork.listID
  private var recordPath: String { "/state/\(listID).identity" }

  private var store: FileIdentityStore {
    FileIdentityStore(
      "/state", machine: [1, 2, 3], fileSystem: disk, random: { [random] in random.next() })
  }

  private func open(
    _ list: ReplicatedList, evidence: IdentityEvidence? = nil
  ) throws -> Identity {
    try Identity.open(list, in: store, evidence: evidence, random: { [random] in random.next() })
  }

  private func written(_ replica: ReplicaID, _ count: Int, time: Int64 = 0) -> ReplicatedList {
    var me = Replica(id: replica) { 1_777_000_000_000 + time }
    return DocumentWork.edited(ReplicatedList(id: listID), count, by: &me)
  }

  /// A host with a document of some items of its own identity.
  private func host(_ count: Int) throws -> DocumentHost {
    let identity = try open(ReplicatedList(id: listID))
    return DocumentHost(
      try DocumentFile.create(
        at: DocumentWork.path, holding: written(identity.replica, count),
        settings: DocumentWork.settings(disk),
        by: identity))
  }

  /// Runs a host's session against a peer that only has a list.
  private func converse(_ host: inout DocumentHost, _ peer: inout SyncPeer) {
    var session = SyncSession(
      SyncSetup(replica: host.identity?.replica), list: host.list,
      nonce: SessionNonce(high: 1, low: 1), now: 0)
    var waiting = session.start(now: 0)
    while !waiting.isEmpty || !peer.sent.isEmpty {
      guard !waiting.isEmpty else {
        let bytes = peer.sent
        peer.sent = []
        waiting = session.receive(bytes, now: 0)
        continue
      }
      switch waiting.removeFirst() {
      case .send(let bytes): peer.receive(bytes)
      case .merge(let delta, let ticket):
        let outcome = host.merge(delta)
        waiting += session.settled(ticket, outcome: outcome, list: host.file.list, now: 0)
      case .makeDurable(let sequence, let ticket):
        let outcome = host.makeDurable(upTo: sequence)
        waiting += session.settled(ticket, outcome: outcome, list: host.file.list, now: 0)
      case .event(let event): host.note(event)
      case .close(let end): host.note(end)
      }
    }
  }

  private func expectRotated(
    _ identity: Identity?, from old: ReplicaID?, _ evidence: IdentityEvidence,
    location: SourceLocation = #_sourceLocation
  ) throws {
    let identity = try #require(identity, sourceLocation: location)
    #expect(identity.rotation?.evidence == evidence, sourceLocation: location)
    #expect(identity.rotation?.old == old, sourceLocation: location)
    #expect(identity.replica != old, sourceLocation: location)
    let kept = try store.record(of: listID)
    #expect(kept == identity.record, sourceLocation: location)
  }

  @Test func aRecordInAnotherPlace() throws {
    for change in 0..<3 {
      let old = try open(ReplicatedList(id: listID)).replica
      var drive = disk.drive
      let number = try #require(drive.directories["/state"]?.names["\(listID).identity"])
      switch change {
      case 0:
        // Restored from a backup: a new file under the old name.
        let bytes = try #require(disk.bytes(recordPath))
        try disk.unlink(recordPath)
        try disk.create(recordPath, holding: bytes)
      case 1:
        // The same number of a file, used again after the first one was gone.
        drive.inodes[number]?.birthTime += 1
        disk.drive = drive
      default:
        let elsewhere = FileIdentityStore(
          "/state", machine: [9], fileSystem: disk, random: { [random] in random.next() })
        let moved = try Identity.open(
          ReplicatedList(id: listID), in: elsewhere, random: { [random] in random.next() })
        #expect(moved.rotation?.evidence == .copied)
        continue
      }
      try expectRotated(try open(ReplicatedList(id: listID)), from: old, .copied)
      #expect(try open(ReplicatedList(id: listID)).rotation == nil)
    }
  }

  @Test func aWriteThatIsNotMine() throws {
    var host = try host(2)
    let old = try #require(host.identity?.replica)
    let clone = written(old, 5, time: 77)
    #expect(isDone(host.merge(clone.delta(since: VersionVector()))))
    try expectRotated(host.identity, from: old, .foreignWrite)
    #expect(host.file.list == written(old, 2).merging(clone))
  }

  @Test func anotherWriteUnderANumberOfMine() throws {
    let identity = try open(ReplicatedList(id: listID))
    let mine = written(identity.replica, 2)
    let item = mine[0]
    let entry = try #require(item.entries.first { $0.register == .field("title") })
    var builder = Delta.Builder()
    try builder.add(
      Entry(
        item: entry.item, register: entry.register, value: .field("Other"), stamp: entry.stamp,
        sequence: entry.sequence))
    #expect(identity.evidence(in: builder.build(), against: mine) == .foreignWrite)
    var same = Delta.Builder()
    try same.add(entry)
    #expect(identity.evidence(in: same.build(), against: mine) == nil)
  }

  @Test func aVersionThatClaimsMoreOfMe() throws {
    // In the first message, and as the range of a delta.
    var host = try host(2)
    let old = try #require(host.identity?.replica)
    var builder = Delta.Builder()
    builder.cover(old, after: 0, through: 50)
    var claiming = written(old, 2)
    claiming.merge(builder.build())
    #expect(host.identity?.evidence(in: builder.build(), against: host.file.list) == .foreignClaim)
    var peer = SyncPeer(claiming, SyncSetup(), nonce: 5)
    converse(&host, &peer)
    try expectRotated(host.identity, from: old, .foreignClaim)
    #expect(host.events.contains { if case .identityDoubtful(50, _) = $0 { true } else { false } })
  }

  @Test func aFileChangedBehindMyBack() throws {
    var host = try host(1)
    let bytes = try #require(disk.bytes(DocumentWork.path))
    disk.overwrite(DocumentWork.path, bytes + [0])
    #expect(throws: DocumentFileFailure.surprise) {
      try host.file.commit(written(ReplicaID(rawValue: 9), 1))
    }
  }

  @Test func anotherSessionWithMyID() throws {
    var host = try host(1)
    let old = host.identity?.replica
    host.note(.peerFailed(SyncFailure(.identityInUse, "")))
    try expectRotated(host.identity, from: old, .inUse)
    // Both ends of a session under one id see it by themselves.
    let list = written(ReplicaID(rawValue: 3), 1)
    let setup = SyncSetup(replica: ReplicaID(rawValue: 3))
    var pair = SyncPair(list, list, setup, setup)
    pair.run()
    for end in [pair.a.end, pair.b.end] {
      guard case .failed(let failure) = end else {
        Issue.record("it goes on as \(String(describing: end))")
        continue
      }
      #expect(failure.code == .identityInUse)
    }
  }

  @Test func aMismatchAfterACompleteExchange() throws {
    // The peer's list is by a clone of a third replica, so that versions hide the difference.
    let identity = try open(ReplicatedList(id: listID))
    let third = ReplicaID(rawValue: 0x33)
    var host = DocumentHost(
      try DocumentFile.create(
        at: DocumentWork.path, holding: written(third, 2), settings: DocumentWork.settings(disk),
        by: identity))
    var peer = SyncPeer(written(third, 2, time: 5), SyncSetup(), nonce: 5)
    converse(&host, &peer)
    #expect(peer.end == .finished)
    #expect(host.file.list == peer.list)
    try expectRotated(host.identity, from: identity.replica, .notEqual)
    // The round ended equal: a later mismatch counts again.
    #expect(host.identity?.record.awaitsEqualExchange == false)
  }

  @Test func aMismatchThatLastsDoesNotRotateForEver() throws {
    var host = try host(1)
    let old = host.identity?.replica
    host.note(.unequal)
    host.note(.failed(SyncFailure(.notConverged, "")))
    try expectRotated(host.identity, from: old, .notEqual)
    #expect(host.identity?.record.former.count == 1)
    let list = host.file.list
    host.finish().close()
    var file = try DocumentFile.open(
      at: DocumentWork.path, settings: DocumentWork.settings(disk, seed: 7))
    try file.identify(in: store, random: { [random] in random.next() })
    var later = DocumentHost(file)
    later.note(.unequal)
    #expect(later.identity?.rotation == nil)
    later.note(.synced(round: 0, digest: list.digest))
    later.note(.unequal)
    #expect(later.identity?.rotation?.evidence == .notEqual)
  }

  @Test func writesOfAnIdThatWasGivenUpAreNotTheNewOnes() throws {
    var host = try host(4)
    let old = host.identity?.replica
    host.note(.identityDoubtful(known: 90, own: 12))
    #expect(host.identity?.replica != old)
    #expect(isDone(host.makeDurable(upTo: 12)))
    #expect(try open(host.file.list).rotation == nil)
  }

  private func isDone(_ outcome: SyncOutcome) -> Bool {
    if case .done = outcome { true } else { false }
  }

  @Test(arguments: SimulatedDisk.Failure.allCases)
  func everyCallOfTheStoreMayFail(failure: SimulatedDisk.Failure) throws {
    var call = 1
    while true {
      let disk = SimulatedDisk()
      let store = FileIdentityStore(
        "/state/betwixt", machine: [1], fileSystem: disk, random: { [random] in random.next() })
      disk.faults.failingCall = call
      disk.faults.failure = failure
      disk.faults.shortWrite = 11
      var made: ReplicaID?
      var file = try DocumentFile.create(
        at: DocumentWork.path, holding: ReplicatedList(id: listID),
        settings: DocumentWork.settings(SimulatedDisk()))
      do {
        try file.identify(in: store, random: { [random] in random.next() })
        made = file.identity?.replica
        try file.identity?.rotate(.requested)
        made = file.identity?.replica
        try file.commit(written(made ?? ReplicaID(rawValue: 1), 3))
      } catch {
        // What was said before the failure counts.
      }
      let untouched = disk.callCount < call
      disk.faults.failingCall = nil
      // It can always be opened again, and whoever wrote is the one who goes on.
      let isWritten = file.list.count > 0
      try file.identify(in: store, random: { [random] in random.next() })
      #expect(!isWritten || file.identity?.replica == made, "call \(call), \(failure)")
      #expect(file.identity?.record == (try store.record(of: listID)))
      if untouched { break }
      call += 1
    }
    #expect(call > 20)
    print("identity store, \(failure): \(call - 1) calls failed, one after another")
  }

  @Test func aStoreThatKeepsNothingGivesANewIdEachTime() throws {
    let store = EphemeralIdentityStore()
    var ids: Set<ReplicaID> = []
    for _ in 0..<3 {
      let identity = try Identity.open(
        ReplicatedList(id: listID), in: store, random: { [random] in random.next() })
      #expect(identity.rotation == nil)
      ids.insert(identity.replica)
    }
    #expect(ids.count == 3)
  }

  @Test func theRealFileSystemTellsWhenFilesWereMade() throws {
    let scratch = ScratchDirectory()
    let system = PosixFileSystem()
    try system.create(scratch.path + "/a", holding: [1])
    let opened = try system.open(scratch.path + "/a", mode: .reading)
    defer { system.close(opened) }
    let first = try system.status(of: opened)
    let second = try #require(try system.status(at: scratch.path + "/a"))
    #expect(first == second)
    // Not every file system knows; those that do never say the same of a later file.
    try system.create(scratch.path + "/b", holding: [1])
    let later = try #require(try system.status(at: scratch.path + "/b"))
    #expect(first.birthTime == 0 || later.birthTime >= first.birthTime)
    #expect(first.birthTime == 0 || first.birthTime > 1_500_000_000_000_000_000)
  }
}

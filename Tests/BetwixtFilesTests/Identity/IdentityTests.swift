import Betwixt
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Identities: made once, kept, and given up on evidence.
struct IdentityTests {
  private let disk = SimulatedDisk()
  private let random = SharedRandom(seed: 41)
  private let listID = DocumentWork.listID

  private var store: FileIdentityStore {
    FileIdentityStore(
      "/state/betwixt", machine: [1, 2, 3], fileSystem: disk, random: { [random] in random.next() })
  }

  private func open(_ list: ReplicatedList) throws -> Identity {
    try Identity.open(list, in: store, random: { [random] in random.next() })
  }

  /// A list with some items of an identity.
  private func written(_ identity: Identity, _ count: Int) -> ReplicatedList {
    let list = ReplicatedList(id: listID)
    var me = identity.replica(for: list) { 1_777_000_000_000 }
    return DocumentWork.edited(list, count, by: &me)
  }

  @Test func isMadeOnceAndKept() throws {
    let first = try open(ReplicatedList(id: listID))
    let again = try open(ReplicatedList(id: listID))
    #expect(first.replica == again.replica)
    #expect(again.rotation == nil)
    let other = try open(ReplicatedList(id: ListID(high: 1, low: 1)))
    #expect(other.replica != first.replica)
  }

  /// Another program saves between the two looks that it takes to see that a record was not copied.
  @Test func aRecordThatWasJustSavedIsNoCopy() throws {
    let first = try open(ReplicatedList(id: listID))
    let busy = BusyStore(base: store)
    let again = try Identity.open(
      ReplicatedList(id: listID), in: busy, random: { [random] in random.next() })
    #expect(again.rotation == nil && again.replica == first.replica && busy.saveCount == 3)
    // And one that was copied still is one.
    let bytes = try #require(disk.bytes("/state/betwixt/\(listID).identity"))
    try disk.unlink("/state/betwixt/\(listID).identity")
    try disk.create("/state/betwixt/\(listID).identity", holding: bytes)
    #expect(try open(ReplicatedList(id: listID)).rotation?.evidence == .copied)
  }

  /// A store in which another program saves, a few times, whenever somebody has read the record.
  private final class BusyStore: IdentityStore {
    private let base: FileIdentityStore
    private let count = Mutex(0)

    init(base: FileIdentityStore) { self.base = base }

    var saveCount: Int { count.withLock { $0 } }

    func record(of document: ListID) throws(IdentityStoreFailure) -> IdentityRecord? {
      try base.record(of: document)
    }

    func save(
      _ record: IdentityRecord, durably: Bool
    ) throws(IdentityStoreFailure) -> IdentityRecord {
      try base.save(record, durably: durably)
    }

    func place(of document: ListID) throws(IdentityStoreFailure) -> StorePlace {
      let isBusy = count.withLock { count in
        if count < 3 { count += 1 } else { return false }
        return true
      }
      if isBusy, let record = try base.record(of: document) {
        _ = try base.save(record, durably: true)
      }
      return try base.place(of: document)
    }
  }

  /// A relative path names another directory wherever a program is started.
  @Test func theStandardDirectoryIsTheSameEverywhere() {
    func directory(_ environment: [String: String]) -> String? {
      FileIdentityStore.standardDirectory { environment[$0] }
    }
    let home = "/home/ann/.local/state/betwixt"
    #expect(directory(["HOME": "/home/ann"]) == home)
    #expect(directory(["HOME": "/home/ann", "XDG_STATE_HOME": "state"]) == home)
    #expect(directory(["HOME": "/home/ann", "XDG_STATE_HOME": ""]) == home)
    #expect(directory(["HOME": "/home/ann", "XDG_STATE_HOME": "/state"]) == "/state/betwixt")
    #expect(directory(["XDG_STATE_HOME": "/state", "BETWIXT_STATE": "mine"]) == "mine")
    #expect(directory([:]) == nil)
  }

  @Test func aListThatWentBackGetsANewIdentity() throws {
    let first = try open(ReplicatedList(id: listID))
    let again = try Identity.open(
      ReplicatedList(id: listID), in: store, evidence: .wentBack,
      random: { [random] in random.next() })
    #expect(again.rotation?.evidence == .wentBack)
    #expect(again.rotation?.old == first.replica)
    #expect(again.replica != first.replica)
    // Once is enough.
    #expect(try open(ReplicatedList(id: listID)).rotation == nil)
    #expect(try open(ReplicatedList(id: listID)).replica == again.replica)
  }

  /// A file that was copied over this one may claim so many numbers that none are left to write with.
  @Test func anIdWithoutNumbersIsGivenUp() throws {
    let mine = try open(ReplicatedList(id: listID)).replica
    func claimed(through sequence: Int64) -> ReplicatedList {
      var claim = Delta.Builder()
      claim.cover(mine, after: 0, through: sequence)
      var list = ReplicatedList(id: listID)
      list.merge(claim.build())
      return list
    }
    #expect(try open(claimed(through: .max / 2)).replica == mine)
    let other = try open(claimed(through: .max / 2 + 1))
    #expect(other.replica != mine && other.rotation?.evidence == .foreignClaim)
  }

  @Test func idsThatWereGivenUpAreNeverTakenAgain() throws {
    // The random bits repeat themselves.
    let draws = GivenBits([1, 1, 2, 1, 2, 3, 3, 2, 1, 4])
    func open() throws -> Identity {
      try Identity.open(
        ReplicatedList(id: listID), in: store, random: { draws.next() })
    }
    var identity = try open()
    for number in 2...4 {
      // Each time as another program, which knows only what was saved.
      identity = try open()
      try identity.rotate(.requested)
      #expect(identity.replica == ReplicaID(rawValue: UInt64(number)))
      let kept = try #require(try store.record(of: listID))
      #expect(kept.former == (1..<number).map { ReplicaID(rawValue: UInt64($0)) })
    }
  }

  @Test func aProgramThatKnowsOnlyAFormerIdGetsTheNewOne() throws {
    let early = try open(ReplicatedList(id: listID))
    var other = try open(ReplicatedList(id: listID))
    try other.rotate(.requested)
    try other.rotate(.requested)
    let kept = try store.save(early.record, durably: true)
    #expect(kept.replica == other.replica)
    #expect(kept.former == other.record.former)
    #expect(try store.record(of: listID) == kept)
  }

  @Test func aCopiedRecordGetsANewIdentity() throws {
    let identity = try open(ReplicatedList(id: listID))
    let path = "/state/betwixt/\(listID).identity"
    let bytes = try #require(disk.bytes(path))
    try disk.unlink(path)
    try disk.create(path, holding: bytes)
    let again = try open(ReplicatedList(id: listID))
    #expect(again.rotation?.evidence == .copied)
    #expect(again.replica != identity.replica)
    let elsewhere = FileIdentityStore(
      "/state/betwixt", machine: [9], fileSystem: disk, random: { [random] in random.next() })
    let moved = try Identity.open(
      ReplicatedList(id: listID), in: elsewhere, random: { [random] in random.next() })
    #expect(moved.rotation?.evidence == .copied)
    #expect(moved.record.former.count == 2)
  }

  @Test func aDamagedRecordIsLikeNone() throws {
    let identity = try open(ReplicatedList(id: listID))
    let path = "/state/betwixt/\(listID).identity"
    let bytes = try #require(disk.bytes(path))
    for place in bytes.indices {
      var damaged = bytes
      damaged[place] ^= 0x10
      #expect(throws: DecodeFailure.self) { try IdentityRecord(damaged) }
      #expect(throws: DecodeFailure.self) { try IdentityRecord(Array(bytes.prefix(place))) }
    }
    disk.overwrite(path, Array(bytes.dropLast()))
    #expect(try open(ReplicatedList(id: listID)).replica != identity.replica)
  }

  @Test func writesUnderMyIdFromElsewhereAreEvidence() throws {
    let identity = try open(ReplicatedList(id: listID))
    let mine = written(identity, 2)
    var clone = Replica(id: identity.replica) { 1_888_000_000_000 }
    let theirs = DocumentWork.edited(ReplicatedList(id: listID), 3, by: &clone)
    let all = VersionVector()
    #expect(identity.evidence(in: mine.delta(since: all), against: mine) == nil)
    #expect(identity.evidence(in: theirs.delta(since: all), against: mine) == .foreignWrite)
  }

  @Test func aMismatchRotatesOnceUntilARoundEndsEqual() throws {
    var identity = try open(ReplicatedList(id: listID))
    #expect(try identity.rotate(.notEqual) != nil)
    #expect(try identity.rotate(.notEqual) == nil)
    // The next start of the program knows that, too.
    identity = try open(ReplicatedList(id: listID))
    #expect(try identity.rotate(.notEqual) == nil)
    try identity.exchangeEndedEqual()
    #expect(try identity.rotate(.notEqual) != nil)
    #expect(try identity.rotate(.inUse) != nil)
  }

  @Test func everyCrashLeavesTheOldOrTheNewRecord() throws {
    var call = 1
    var choices = SplitMix64(seed: 42)
    while true {
      let disk = SimulatedDisk()
      let store = FileIdentityStore(
        "/state/betwixt", machine: [1], fileSystem: disk, random: { [random] in random.next() })
      var identity = try Identity.open(
        ReplicatedList(id: listID), in: store, random: { [random] in random.next() })
      let before = identity.record
      disk.faults.crashingCall = disk.callCount + call
      let isDone = (try? identity.rotate(.requested)) != nil
      for fates in Fates.all(of: disk.drive.unsyncedCount, samples: 30, &choices) {
        let after = SimulatedDisk(disk.drive.crashed(fates))
        let survivor = FileIdentityStore(
          "/state/betwixt", machine: [1], fileSystem: after, random: { 1 })
        let record = try #require(try survivor.record(of: listID))
        #expect(isDone ? record == identity.record : record.former.count <= 1)
        #expect((record.replica == before.replica) == record.former.isEmpty)
        #expect(try survivor.place(of: listID) == record.place)
      }
      if isDone { break }
      call += 1
    }
    #expect(call > 5)
  }

  /// Nobody writes under an id that the next power cut would have taken.
  @Test func anIdIsOnTheDriveBeforeItIsUsed() throws {
    func replicaAfterPowerCut() throws -> ReplicaID {
      let store = FileIdentityStore(
        "/state/betwixt", machine: [1, 2, 3],
        fileSystem: SimulatedDisk(disk.drive.crashed { .lost }),
        random: { [random] in random.next() })
      return try Identity.open(
        ReplicatedList(id: listID), in: store, random: { [random] in random.next() }
      ).replica
    }
    var identity = try open(ReplicatedList(id: listID))
    #expect(try replicaAfterPowerCut() == identity.replica)
    try identity.rotate(.inUse)
    #expect(try replicaAfterPowerCut() == identity.replica)
  }

  @Test func theRealFileSystemKeepsRecords() throws {
    let scratch = ScratchDirectory()
    let store = FileIdentityStore(
      scratch.path + "/a/b", machine: FileIdentityStore.machineName(),
      random: { [random] in random.next() })
    let list = ReplicatedList(id: listID)
    let first = try Identity.open(list, in: store, random: { [random] in random.next() })
    let again = try Identity.open(list, in: store, random: { [random] in random.next() })
    #expect(again.record == first.record)
    #expect(again.rotation == nil)
  }
}

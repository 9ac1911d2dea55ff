import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// The table of promises of a document file, row by row.
@Suite("What a document file promises") struct PromiseTests {
  private static let path = DocumentWork.path
  private static let steps: [DocumentWork.Step] = [.commit, .commitMany, .compact, .commit]

  private static func list(_ count: Int) -> ReplicatedList {
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    return DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), count, by: &me)
  }

  private static func reopen(_ drive: SimulatedDrive) throws -> DocumentFile {
    try DocumentFile.open(at: path, settings: DocumentWork.settings(SimulatedDisk(drive), seed: 9))
  }

  /// Works until a call at which everything stops, for each call in turn.
  private static func stopping(
    _ level: DocumentFile.SyncLevel = .full, lies: Bool = false,
    _ body: (DocumentWork, SimulatedDrive, Int) throws -> Void
  ) rethrows {
    var call = 1
    while true {
      let disk = SimulatedDisk()
      disk.faults.crashingCall = call
      disk.faults.syncsLie = lies
      let work = DocumentWork(steps, on: disk, level)
      try body(work, disk.drive, call)
      if work.failure == nil { return }
      call += 1
    }
  }

  @Test("kill -9 at any instruction: the acknowledged commits, perhaps one more")
  func killed() throws {
    // A killed process loses nothing that the system has taken.
    try Self.stopping { work, drive, call in
      guard !work.acknowledged.isEmpty else { return }
      let list = try Self.reopen(drive.crashed { .whole }).list
      #expect(
        list == work.acknowledged.last || list == work.tried, "stopped at call \(call)")
    }
  }

  @Test("power cut at .full, honest drive: the same")
  func powerCut() throws {
    var random = SplitMix64(seed: 71)
    try Self.stopping { work, drive, call in
      guard !work.acknowledged.isEmpty else { return }
      for fates in Fates.all(of: drive.unsyncedCount, samples: runsLong ? 40 : 3, &random) {
        let list = try Self.reopen(drive.crashed(fates)).list
        #expect(
          list == work.acknowledged.last || list == work.tried, "stopped at call \(call)")
      }
    }
  }

  @Test("power cut at .ordered: a prefix; what was made durable is in it")
  func powerCutOrdered() throws {
    var random = SplitMix64(seed: 72)
    try Self.stopping(.ordered) { work, drive, call in
      guard !work.acknowledged.isEmpty else { return }
      for fates in Fates.all(of: drive.unsyncedCount, samples: runsLong ? 40 : 3, &random) {
        let list = try Self.reopen(drive.crashed(fates)).list
        #expect(
          work.acknowledged.contains(list) || list == work.tried, "stopped at call \(call)")
      }
    }
    for level in [DocumentFile.SyncLevel.ordered, .none] {
      let disk = SimulatedDisk()
      var file = try DocumentFile.create(
        at: Self.path, holding: Self.list(1), settings: DocumentWork.settings(disk, level))
      try file.commit(Self.list(4))
      try file.makeDurable()
      try file.commit(Self.list(6))
      // Everything that was not made durable is lost.
      let again = try Self.reopen(disk.drive.crashed { .lost })
      #expect(again.list == Self.list(4))
    }
  }

  @Test("lying drive: never torn, never silently in another order; the identity tells a roll-back")
  func lyingDrive() throws {
    var random = SplitMix64(seed: 73)
    var (found, shorter) = (0, 0)
    try Self.stopping(lies: true) { work, drive, call in
      guard let last = work.acknowledged.last else { return }
      for fates in Fates.all(of: drive.unsyncedCount, samples: runsLong ? 40 : 4, &random) {
        let crashed = drive.crashed(fates)
        guard let file = try? Self.reopen(crashed) else {
          found += 1
          continue
        }
        let list = file.list
        // Only writes that were made, whatever became of the drive.
        #expect(last.merging(work.tried ?? last).merging(list) == last.merging(work.tried ?? last))
        if !file.report.findings.isEmpty { found += 1 }
        let isPrefix = work.acknowledged.contains(list) || list == work.tried
        #expect(isPrefix || !file.report.findings.isEmpty, "stopped at call \(call)")
        guard list != last, list != work.tried, file.report.findings.isEmpty else { continue }
        // A clean end before its time cannot be seen in the file: what is kept beside it tells.
        shorter += 1
        let random = SharedRandom(seed: 3)
        var cut = try Self.reopen(crashed)
        let state = SimulatedDisk(work.state.drive)
        try cut.identify(in: DocumentWork.store(state), random: { random.next() })
        #expect(cut.identity?.rotation?.evidence == .wentBack, "stopped at call \(call)")
      }
    }
    #expect(found > 0 && shorter > 0)
  }

  @Test("bit rot and short copies: the prefix and every verified commit behind the hole, listed")
  func bitRot() throws {
    let disk = SimulatedDisk()
    var file = try DocumentFile.create(
      at: Self.path, holding: Self.list(1), settings: DocumentWork.settings(disk))
    for count in 2...5 { try file.commit(Self.list(count)) }
    file.close()
    let bytes = try #require(disk.bytes(Self.path))
    let commits = try DocumentExamination(bytes).commits
    var rotten = bytes
    rotten[commits[2].offset + 40] ^= 8
    disk.overwrite(Self.path, rotten)
    let salvaged = try DocumentFile.open(
      at: Self.path, settings: DocumentWork.settings(disk, seed: 3))
    #expect(
      salvaged.report.findings == [
        .damage(at: commits[2].offset, salvagedCommits: 2, lostBytes: commits[2].byteCount),
        .missingCommits(first: 2, last: 2),
        .kept(path: Self.path + ".damaged-1"),
      ])
    #expect(disk.bytes(Self.path + ".damaged-1") == rotten)
    // Without the third commit, and with no claim beyond the second.
    #expect(salvaged.list.count == 4)
    #expect(salvaged.list.version == Self.list(2).version)
    salvaged.close()
    let short = SimulatedDisk()
    try short.create(Self.path, holding: Array(bytes.prefix(commits[3].offset + 9)))
    let copy = try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(short))
    #expect(copy.list == Self.list(3))
    let kept = Self.path + ".damaged-1"
    #expect(copy.report.findings == [.tornTail(bytes: 9), .kept(path: kept)])
    #expect(short.bytes(kept) == Array(bytes.prefix(commits[3].offset + 9)))
  }

  @Test("recovery that dropped anything: a new replica id before the next write")
  func newIdentity() throws {
    let disk = SimulatedDisk()
    let random = SharedRandom(seed: 4)
    let store = FileIdentityStore(
      "/state", machine: [1], fileSystem: disk, random: { random.next() })
    let first = try Identity.open(Self.list(1), in: store, random: { random.next() })
    try DocumentFile.create(
      at: Self.path, holding: Self.list(1), settings: DocumentWork.settings(disk), by: first
    )
    .close()
    let bytes = try #require(disk.bytes(Self.path))
    disk.overwrite(Self.path, bytes + [1, 2, 3])
    var file = try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(disk, seed: 3))
    #expect(file.report.droppedAnything)
    try file.identify(in: store, random: { random.next() })
    #expect(file.identity?.rotation?.evidence == .droppedBytes)
    #expect(file.identity?.replica != first.replica)
  }

  @Test("disk full, failed fsync: an error; the state is the last commit; nothing acknowledged")
  func fullAndFailing() throws {
    for failure in SimulatedDisk.Failure.allCases {
      for call in 1...6 {
        let disk = SimulatedDisk()
        var file = try DocumentFile.create(
          at: Self.path, holding: Self.list(1), settings: DocumentWork.settings(disk))
        disk.faults.failingCall = disk.callCount + call
        disk.faults.failure = failure
        do throws(DocumentFileFailure) {
          try file.commit(Self.list(3))
          #expect(call == 6)
        } catch {
          #expect(file.list == Self.list(1))
          // Reading goes on, and the drive holds what was acknowledged or the whole commit.
          let again = try Self.reopen(disk.drive.crashed { .whole })
          #expect(again.list == Self.list(1) || again.list == Self.list(3))
        }
      }
    }
  }

  @Test("a handle that has ended publishes nothing")
  func endedHandle() throws {
    let disk = SimulatedDisk()
    var file = try DocumentFile.create(
      at: Self.path, holding: Self.list(1), settings: DocumentWork.settings(disk))
    disk.faults.failingCall = disk.callCount + 6
    #expect(throws: DocumentFileFailure.self) { try file.commit(Self.list(2)) }
    #expect(throws: DocumentFileFailure.ended) { try file.makeDurable() }
  }

  @Test("two processes: locked, or read-only")
  func twoProcesses() throws {
    let disk = SimulatedDisk()
    let settings = DocumentWork.settings(disk)
    let file = try DocumentFile.create(at: Self.path, holding: Self.list(2), settings: settings)
    #expect(throws: DocumentFileFailure.locked) {
      try DocumentFile.open(at: Self.path, settings: settings).close()
    }
    var reading = settings
    reading.access = .readOnly
    var reader = try DocumentFile.open(at: Self.path, settings: reading)
    let isReadOnly = reader.isReadOnly
    #expect(isReadOnly && reader.list == file.list)
    #expect(throws: DocumentFileFailure.readOnly) { try reader.commit(Self.list(3)) }
    #expect(throws: DocumentFileFailure.readOnly) { try reader.compact() }
  }

  @Test("newer format: read-only, needsUpgrade; unknown non-critical content byte for byte")
  func newerFormat() throws {
    let disk = SimulatedDisk()
    let settings = DocumentWork.settings(disk)
    var file = try DocumentFile.create(at: Self.path, holding: Self.list(2), settings: settings)
    let unknown = try TransportEqualityTests.newer(0xeeee, seed: 5)
    var known = Self.list(3)
    known.merge(unknown)
    try file.commit(known)
    file.close()
    let bytes = try #require(disk.bytes(Self.path))
    // A commit of a register that says it must be understood.
    let header = try DocumentHeader(bytes)
    var critical = try Block(.delta, of: DocumentWork.listID, holding: unknown).encoded()
    critical[2] = 0x80
    let frame = CommitFrame.encode(critical, ordinal: 2, in: header.log)
    disk.overwrite(Self.path, bytes + frame)
    var newer = try DocumentFile.open(at: Self.path, settings: settings)
    let isReadOnly = newer.isReadOnly
    #expect(isReadOnly)
    #expect(newer.list == known)
    guard case .needsUpgrade = newer.report.findings.first else {
      Issue.record("it does not ask for an upgrade")
      return
    }
    #expect(throws: DocumentFileFailure.readOnly) { try newer.commit(Self.list(5)) }
    newer.close()
    #expect(disk.bytes(Self.path) == bytes + frame)
    // A container of a newer version is not touched either.
    var later = bytes
    later[9] = 2
    let checksum = CRC32C.checksum(later[..<60])
    later.replaceSubrange(
      60..<64, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * $0)) })
    disk.overwrite(Self.path, later)
    #expect(throws: DocumentFileFailure.self) {
      try DocumentFile.open(at: Self.path, settings: settings).close()
    }
    #expect(disk.bytes(Self.path) == later)
  }
}

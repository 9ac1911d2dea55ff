import Betwixt
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Calls of the file system that fail, one after another.
struct DocumentFaultTests {
  @Test(arguments: [
    [DocumentWork.Step.commit, .commit, .compact, .commit], [.compact, .reopen, .commit],
  ])
  func everyCallMayFail(steps: [DocumentWork.Step]) throws {
    for failure in SimulatedDisk.Failure.allCases { try everyCallMayFail(steps, failure) }
  }

  private func everyCallMayFail(
    _ steps: [DocumentWork.Step], _ failure: SimulatedDisk.Failure
  ) throws {
    var call = 1
    while true {
      let disk = SimulatedDisk()
      disk.faults.failingCall = call
      disk.faults.failure = failure
      disk.faults.shortWrite = 100
      let work = DocumentWork(steps, on: disk)
      let untouched = disk.callCount < call
      disk.faults.failingCall = nil
      try checkAfterFault(work, disk, "call \(call), \(failure)")
      if untouched { break }
      call += 1
    }
    #expect(call > 30)
    print("document file, \(failure): \(call - 1) calls failed, one after another")
  }

  /// The file after a fault: what was acknowledged, or that and what was tried.
  private func checkAfterFault(
    _ work: DocumentWork, _ disk: SimulatedDisk, _ comment: Comment
  ) throws {
    guard !work.acknowledged.isEmpty || disk.bytes(DocumentWork.path) != nil else { return }
    let file = try DocumentFile.open(
      at: DocumentWork.path, settings: DocumentWork.settings(disk, seed: 4))
    let allowed = work.acknowledged.suffix(1) + (work.tried.map { [$0] } ?? [])
    #expect(allowed.contains(file.list), comment)
  }

  @Test func aFullDriveLosesNothing() throws {
    var space = 0
    while true {
      let disk = SimulatedDisk()
      var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
      let first = DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), 1, by: &me)
      let second = DocumentWork.edited(first, 3, by: &me)
      var file = try DocumentFile.create(
        at: DocumentWork.path, holding: first, settings: DocumentWork.settings(disk))
      disk.faults.space = space
      disk.faults.shortWrite = 7
      do {
        try file.commit(second)
        #expect(space > 50)
        return
      } catch {
        #expect(error == .fileSystem(FileSystemError("append", because: .noSpace, number: 28)))
      }
      #expect(file.list == first)
      // Room again: the same handle goes on.
      disk.faults.space = nil
      try file.commit(second)
      file.close()
      let again = try DocumentFile.open(
        at: DocumentWork.path, settings: DocumentWork.settings(disk))
      #expect(again.list == second)
      #expect(again.report.findings.isEmpty)
      space += 5
    }
  }

  @Test func aFailedSyncEndsTheHandle() throws {
    let disk = SimulatedDisk()
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    let first = DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), 1, by: &me)
    let second = DocumentWork.edited(first, 1, by: &me)
    var file = try DocumentFile.create(
      at: DocumentWork.path, holding: first, settings: DocumentWork.settings(disk))
    // A commit looks at the file twice, and at its end, appends, reads back what it appended, and
    // syncs.
    disk.faults.failingCall = disk.callCount + 6
    #expect(
      throws: DocumentFileFailure.fileSystem(FileSystemError("sync", because: .failed, number: 5))
    ) {
      try file.commit(second)
    }
    #expect(file.list == first)
    #expect(throws: DocumentFileFailure.ended) { try file.commit(second) }
    #expect(throws: DocumentFileFailure.ended) { try file.compact() }
  }

  /// A program whose call failed leaves what may not be on the drive: whoever reads it and
  /// acknowledges it must bring it there.
  @Test(arguments: [true, false])
  func whatWasReadIsOnTheDriveOnceAcknowledged(byCommit: Bool) throws {
    var call = 1
    while true {
      let disk = SimulatedDisk()
      disk.faults.failingCall = call
      _ = DocumentWork([.commit, .compact, .commit], on: disk)
      if disk.callCount < call { break }
      call += 1
      guard disk.bytes(DocumentWork.path) != nil else { continue }
      var file = try DocumentFile.open(
        at: DocumentWork.path, settings: DocumentWork.settings(disk, seed: 2))
      let read = file.list
      if byCommit { try file.commit(read) } else { try file.makeDurable() }
      file.close()
      let after = SimulatedDisk(disk.drive.crashed { .lost })
      let found = try DocumentFile.open(
        at: DocumentWork.path, settings: DocumentWork.settings(after, seed: 3))
      #expect(found.list == read, "call \(call - 1)")
    }
    #expect(call > 20)
  }

  @Test func aFailedCompactionDoesNotFailTheCommit() throws {
    let disk = SimulatedDisk()
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    var list = DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), 1, by: &me)
    var file = try DocumentFile.create(
      at: DocumentWork.path, holding: list, settings: DocumentWork.settings(disk))
    let text = String(repeating: "y", count: 3000)
    for number in 0..<60 {
      try list.set("note", of: list[0].id, to: .string(text + "\(number)"), by: &me)
      // Room for the commit, and none for a new generation beside it.
      disk.faults.space = 3_300
      try file.commit(list)
    }
    #expect(file.list == list)
    #expect(file.byteCount > 160_000)
    file.close()
    disk.faults.space = nil
    let again = try DocumentFile.open(at: DocumentWork.path, settings: DocumentWork.settings(disk))
    #expect(again.list == list)
  }
}

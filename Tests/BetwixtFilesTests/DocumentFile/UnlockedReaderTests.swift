import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Who only reads takes no lock, and may look while a commit is being written.
@Suite("Readers without a lock") struct UnlockedReaderTests {
  private static let path = DocumentWork.path

  /// A document, and where its last commit begins.
  private func document(on disk: SimulatedDisk) throws -> (whole: [UInt8], start: Int) {
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    let first = DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), 1, by: &me)
    var file = try DocumentFile.create(
      at: Self.path, holding: first, settings: DocumentWork.settings(disk))
    let start = file.byteCount
    try file.commit(DocumentWork.edited(first, 2, by: &me))
    return (try #require(disk.bytes(Self.path)), start)
  }

  private func readers(_ disk: SimulatedDisk) throws -> [RecoveryReport.Finding] {
    var settings = DocumentWork.settings(disk, seed: 2)
    settings.access = .readOnly
    let found = try DocumentFile.open(at: Self.path, settings: settings).report.findings
    #expect(try DocumentExamination(of: Self.path, in: disk).problems == found)
    return found
  }

  @Test func aPartOfACommitIsNoDamageWhileItIsWritten() throws {
    let disk = SimulatedDisk()
    let (whole, start) = try document(on: disk)
    let writer = try disk.open(Self.path, mode: .appending)
    try disk.lock(writer)
    for size in (start + 1)..<whole.count {
      disk.overwrite(Self.path, Array(whole.prefix(size)))
      disk.faults.pause = { disk.overwrite(Self.path, whole) }
      var settings = DocumentWork.settings(disk, seed: 2)
      settings.access = .readOnly
      let file = try DocumentFile.open(at: Self.path, settings: settings)
      #expect(file.report.findings.isEmpty && file.list.count == 3, "cut to \(size)")
      file.close()
      disk.overwrite(Self.path, Array(whole.prefix(size)))
      #expect(try DocumentExamination(of: Self.path, in: disk).isSound, "cut to \(size)")
    }
    // One that nobody goes on with is one all the same, and waited for no longer than a moment.
    disk.faults.pause = nil
    disk.overwrite(Self.path, Array(whole.dropLast()))
    #expect(try readers(disk) == [.tornTail(bytes: whole.count - 1 - start)])
    disk.close(writer)
  }

  /// Where nobody writes, the end is looked at once.
  @Test func whatAStoppedProgramLeftIsSaidAtOnce() throws {
    let disk = SimulatedDisk()
    let (whole, start) = try document(on: disk)
    disk.overwrite(Self.path, Array(whole.dropLast()))
    disk.faults.pause = { disk.overwrite(Self.path, whole) }
    #expect(try readers(disk) == [.tornTail(bytes: whole.count - 1 - start)])
  }

  /// A copy of a server's folder holds no part of a commit either.
  @Test func aCopyHoldsWholeCommits() throws {
    let disk = SimulatedDisk()
    let (whole, start) = try document(on: disk)
    try disk.makeDirectory("/srv", for: .anybody)
    try disk.rename(Self.path, to: "/srv/a.trip")
    let writer = try disk.open("/srv/a.trip", mode: .appending)
    try disk.lock(writer)
    disk.overwrite("/srv/a.trip", Array(whole.prefix(start + 9)))
    disk.faults.pause = { disk.overwrite("/srv/a.trip", whole) }
    try ServerFolder.copy("/srv", to: "/copy", in: disk)
    #expect(disk.bytes("/copy/a.trip") == whole)
    disk.close(writer)
  }
}

import Betwixt
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// A file whose list is replaced by a healed one, which a commit would join with the old one.
struct ReplacedFileTests {
  private static let path = DocumentWork.path

  private func edited(_ count: Int) -> ReplicatedList {
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    return DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), count, by: &me)
  }

  private func shared(_ disk: SimulatedDisk, seed: UInt64) -> DocumentFile.Settings {
    var settings = DocumentWork.settings(disk, seed: seed)
    settings.access = .shared
    return settings
  }

  @Test func whatTheHealedListLacksIsGone() throws {
    let disk = SimulatedDisk()
    var file = try DocumentFile.create(
      at: Self.path, holding: edited(4), settings: DocumentWork.settings(disk))
    #expect(try file.replace(by: edited(2)) == Self.path + ".replaced-1")
    #expect(file.list == edited(2))
    // It is a file like any other one.
    var me = Replica(id: ReplicaID(rawValue: 6)) { 1_777_000_000_000 }
    let next = DocumentWork.edited(edited(2), 1, by: &me)
    try file.commit(next)
    file.close()
    let again = try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(disk, seed: 2))
    #expect(again.list == next && again.report.findings.isEmpty)
    let kept = try #require(disk.bytes(Self.path + ".replaced-1"))
    #expect(try DocumentExamination(kept).list == edited(4))
  }

  /// What the healed list lacks is missing nowhere: later generations do not tell of it, nor does the one
  /// before bring it back.
  @Test func whatWasReplacedIsNoGenerationBefore() throws {
    let disk = SimulatedDisk()
    var file = try DocumentFile.create(
      at: Self.path, holding: edited(3), settings: DocumentWork.settings(disk))
    try file.commit(edited(4))
    try file.compact()
    #expect(disk.bytes(Self.path + ".previous") != nil)
    try file.replace(by: edited(2))
    #expect(disk.bytes(Self.path + ".previous") == nil)
    for _ in 0..<2 { try file.compact() }
    #expect(disk.bytes(Self.path + ".previous") != nil)
    #expect(disk.bytes(Self.path + ".branch-1") == nil)
    #expect(try DocumentExamination(of: Self.path, in: disk).isSound)
    file.close()
  }

  /// A generation before that has more than what was replaced is not taken away.
  @Test func whatOnlyTheGenerationBeforeHeldIsKept() throws {
    let disk = SimulatedDisk()
    var file = try DocumentFile.create(
      at: Self.path, holding: edited(1), settings: shared(disk, seed: 1))
    let older = try #require(disk.bytes(Self.path))
    try file.commit(edited(4))
    try file.compact()
    disk.overwrite(Self.path, older)
    try file.refresh()
    try file.replace(by: edited(0))
    let branch = try #require(disk.bytes(Self.path + ".branch-1"))
    #expect(try DocumentExamination(branch).list == edited(4))
  }

  /// What is committed next comes behind the snapshot.
  @Test func aSealedBlockThatIsReplacedIsADocument() throws {
    let disk = SimulatedDisk()
    try disk.create(Self.path, holding: try SealedBlock.encode(edited(4)))
    var file = try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(disk))
    try file.replace(by: edited(2))
    try file.commit(edited(3))
    let examination = try DocumentExamination(of: Self.path, in: disk)
    #expect(examination.list == edited(3) && examination.commits.count == 2)
  }

  /// A sealed list has no commits: its own end tells that another one was written over it.
  @Test func aSealedBlockThatIsOverwrittenIsReadAgain() throws {
    let disk = SimulatedDisk()
    func sealed(_ title: FieldValue, by replica: UInt64) throws -> [UInt8] {
      var list = ReplicatedList(id: DocumentWork.listID)
      var me = Replica(id: ReplicaID(rawValue: replica)) { 1_777_000_000_000 }
      try list.append(["title": title], toSection: 1, by: &me)
      return try SealedBlock.encode(list)
    }
    let (old, new) = (try sealed("AAAA", by: 5), try sealed("BBBB", by: 6))
    #expect(old.count == new.count)
    try disk.create(Self.path, holding: old)
    var file = try DocumentFile.open(at: Self.path, settings: shared(disk, seed: 1))
    var list = file.list
    disk.overwrite(Self.path, new)
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    try list.append(["title": "mine"], toSection: 1, by: &me)
    try file.commit(list)
    let titles = try DocumentExamination(of: Self.path, in: disk).list.map { $0["title"] }
    #expect(titles.contains("BBBB") && titles.contains("mine"))
  }

  /// A list that was made before others wrote takes the place of nothing of theirs.
  @Test func whatOthersWroteMeanwhileIsNotReplaced() throws {
    let disk = SimulatedDisk()
    var file = try DocumentFile.create(
      at: Self.path, holding: edited(4), settings: shared(disk, seed: 1))
    var other = try DocumentFile.open(at: Self.path, settings: shared(disk, seed: 2))
    var me = Replica(id: ReplicaID(rawValue: 6)) { 1_777_000_000_000 }
    let news = DocumentWork.edited(other.list, 1, by: &me)
    try other.commit(news)
    #expect(throws: DocumentFileFailure.surprise) { try file.replace(by: edited(2)) }
    #expect(file.list == news)
    #expect(try DocumentExamination(of: Self.path, in: disk).list == news)
    // Now it is known, and the lock was given back.
    try file.replace(by: edited(2))
    #expect(try other.refresh() && other.list == edited(2))
  }

  @Test func anotherListTakesNoPlace() throws {
    let disk = SimulatedDisk()
    var file = try DocumentFile.create(
      at: Self.path, holding: edited(4), settings: DocumentWork.settings(disk))
    let bytes = disk.bytes(Self.path)
    #expect(throws: DocumentFileFailure.surprise) {
      try file.replace(by: ReplicatedList(id: ListID(high: 7, low: 10)))
    }
    #expect(file.list == edited(4) && disk.bytes(Self.path) == bytes)
  }

  /// Whichever call fails, the handle is where it was, and keeps nobody from writing.
  @Test func aFailedReplacementIsNone() throws {
    var call = 1
    while true {
      let disk = SimulatedDisk()
      var file = try DocumentFile.create(
        at: Self.path, holding: edited(4), settings: shared(disk, seed: 1))
      disk.faults.failingCall = disk.callCount + call
      let failure: DocumentFileFailure?
      do throws(DocumentFileFailure) {
        try file.replace(by: edited(2))
        failure = nil
      } catch {
        failure = error
      }
      let isUntouched = disk.callCount < disk.faults.failingCall ?? 0
      disk.faults.failingCall = nil
      #expect(file.list == (failure == nil ? edited(2) : edited(4)), "call \(call)")
      var other = try DocumentFile.open(at: Self.path, settings: shared(disk, seed: 2))
      #expect([edited(4), edited(2)].contains(other.list), "call \(call)")
      var me = Replica(id: ReplicaID(rawValue: 6)) { 1_777_000_000_000 }
      let next = DocumentWork.edited(other.list, 1, by: &me)
      try other.commit(next)
      #expect(other.list == next, "call \(call)")
      if isUntouched { break }
      call += 1
    }
    #expect(call > 10)
  }

  /// The lock of a name is given back if the file turns out to be in use under another one.
  @Test func aFileInUseUnderAnotherNameKeepsNoLock() throws {
    let disk = SimulatedDisk()
    var file = try DocumentFile.create(
      at: Self.path, holding: edited(1), settings: shared(disk, seed: 1))
    try disk.link(Self.path, to: "/second.trip")
    let other = try DocumentFile.open(
      at: "/second.trip", settings: DocumentWork.settings(disk, seed: 2))
    #expect(throws: DocumentFileFailure.locked) { try file.commit(edited(2)) }
    let lock = try disk.lock(DocumentFile.lockPath(of: Self.path))
    disk.close(lock)
    other.close()
    try file.commit(edited(2))
    #expect(file.list == edited(2))
  }
}

import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Document files on the real file system and on the simulated one.
struct DocumentFileTests {
  private let settings = DocumentWork.settings(PosixFileSystem())

  private func sample(_ count: Int) -> ReplicatedList {
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    return DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), count, by: &me)
  }

  @Test func keepsCommits() throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/trip.trip"
    var list = sample(3)
    var file = try DocumentFile.create(at: path, holding: list, settings: settings)
    var me = Replica(id: ReplicaID(rawValue: 8)) { 1_777_000_000_001 }
    for _ in 0..<5 {
      list = DocumentWork.edited(list, 2, by: &me)
      try file.commit(list)
    }
    file.close()
    let again = try DocumentFile.open(at: path, settings: settings)
    #expect(again.list == list)
    #expect(again.list.version == list.version)
    #expect(again.report.findings.isEmpty)
  }

  @Test func refusesToReplaceAFile() throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/trip.trip"
    try DocumentFile.create(at: path, holding: sample(1), settings: settings).close()
    #expect(throws: DocumentFileFailure.exists) {
      try DocumentFile.create(at: path, holding: sample(2), settings: settings).close()
    }
    #expect(throws: DocumentFileFailure.notFound) {
      try DocumentFile.open(at: scratch.path + "/other.trip", settings: settings).close()
    }
  }

  @Test func locksOutASecondWriter() throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/trip.trip"
    var file = try DocumentFile.create(at: path, holding: sample(1), settings: settings)
    #expect(throws: DocumentFileFailure.locked) {
      try DocumentFile.open(at: path, settings: settings).close()
    }
    var reading = settings
    reading.access = .readOnly
    var reader = try DocumentFile.open(at: path, settings: reading)
    #expect(reader.list == file.list)
    #expect(throws: DocumentFileFailure.readOnly) { try reader.commit(sample(2)) }
    try file.commit(sample(2))
    file.close()
    try DocumentFile.open(at: path, settings: settings).close()
  }

  @Test func sharesAFile() throws {
    let scratch = ScratchDirectory()
    let path = scratch.path + "/trip.trip"
    var shared = settings
    shared.access = .shared
    var first = try DocumentFile.create(at: path, holding: sample(1), settings: shared)
    var second = try DocumentFile.open(at: path, settings: shared)
    var mine = Replica(id: ReplicaID(rawValue: 21)) { 1_777_000_000_000 }
    var theirs = Replica(id: ReplicaID(rawValue: 22)) { 1_777_000_000_000 }
    for round in 0..<6 {
      try first.commit(DocumentWork.edited(first.list, 2, by: &mine))
      if round == 3 { try first.compact() }
      try second.commit(DocumentWork.edited(second.list, 3, by: &theirs))
    }
    #expect(try first.refresh())
    #expect(try second.refresh() == false)
    #expect(first.list == second.list)
    #expect(first.list.count == 31)
    #expect(first.list.version == second.list.version)
  }

  @Test func endsWhenTheFileIsReplaced() throws {
    let disk = SimulatedDisk()
    let settings = DocumentWork.settings(disk)
    var file = try DocumentFile.create(
      at: DocumentWork.path, holding: sample(1), settings: settings)
    let before = file.list
    let old = disk.bytes(DocumentWork.path) ?? []
    disk.overwrite(DocumentWork.path, old + [0])
    #expect(throws: DocumentFileFailure.surprise) { try file.commit(sample(2)) }
    #expect(throws: DocumentFileFailure.ended) { try file.commit(sample(2)) }
    #expect(file.list == before)
  }

  @Test func noticesThatTheFileWentBack() throws {
    let disk = SimulatedDisk()
    var settings = DocumentWork.settings(disk)
    settings.access = .shared
    var file = try DocumentFile.create(
      at: DocumentWork.path, holding: sample(1), settings: settings)
    let old = disk.bytes(DocumentWork.path) ?? []
    try file.commit(sample(2))
    let new = disk.bytes(DocumentWork.path) ?? []
    #expect(try file.refresh() == false && file.goneBackCount == 0)
    disk.overwrite(DocumentWork.path, old)
    #expect(try file.refresh() && file.goneBackCount == 1)
    #expect(file.list == sample(1))
    // What was lost meanwhile is not there again for having come back.
    disk.overwrite(DocumentWork.path, new)
    #expect(try file.refresh() && file.goneBackCount == 1)
  }

  /// Under a cloned id something may come that both versions claim.
  @Test func newsThatNoVersionTellsIsNews() throws {
    let disk = SimulatedDisk()
    var settings = DocumentWork.settings(disk)
    settings.access = .shared
    var file = try DocumentFile.create(
      at: DocumentWork.path, holding: sample(2), settings: settings)
    var other = try DocumentFile.open(at: DocumentWork.path, settings: settings)
    var clone = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_009 }
    let theirs = DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), 1, by: &clone)
    try other.commit(theirs.delta(since: [:]))
    let before = file.list
    #expect(try file.refresh())
    #expect(file.list.version == before.version && !file.list.holdsSameEntries(as: before))
    #expect(try !file.refresh())
  }

  /// Whoever opens what is not there, or no document, leaves nothing beside it.
  @Test func noLockIsLeftBesideWhatIsNoDocument() throws {
    let disk = SimulatedDisk()
    let settings = DocumentWork.settings(disk)
    #expect(throws: DocumentFileFailure.notFound) {
      _ = try DocumentFile.open(at: DocumentWork.path, settings: settings)
    }
    try disk.create(DocumentWork.path, holding: Array("notes".utf8))
    #expect(throws: DocumentFileFailure.unreadable(DecodeFailure(.badMagic, at: 0))) {
      _ = try DocumentFile.open(at: DocumentWork.path, settings: settings)
    }
    #expect(try disk.list("/") == [Path.name(of: DocumentWork.path)])
  }

  @Test func compactsByItself() throws {
    let disk = SimulatedDisk()
    var list = sample(1)
    var file = try DocumentFile.create(
      at: DocumentWork.path, holding: list, settings: DocumentWork.settings(disk))
    var me = Replica(id: ReplicaID(rawValue: 8)) { 1_777_000_000_001 }
    let id = list[0].id
    let text = String(repeating: "x", count: 2000)
    for number in 0..<100 {
      try list.set("note", of: id, to: .string(text + "\(number)"), by: &me)
      try file.commit(list)
      #expect(file.byteCount < 80_000)
    }
    #expect(disk.bytes(DocumentWork.path + ".previous") != nil)
    file.close()
    let again = try DocumentFile.open(at: DocumentWork.path, settings: DocumentWork.settings(disk))
    #expect(again.list == list)
    #expect(again.list.version == list.version)
  }

  @Test(arguments: [Block.Kind.export, .snapshot])
  func turnsASealedBlockIntoADocument(kind: Block.Kind) throws {
    let disk = SimulatedDisk()
    let path = DocumentWork.path
    let sealed = try SealedBlock.encode(sample(2), as: kind)
    let made = try disk.open(path, mode: .creating)
    try disk.appendAll(made, bytes: sealed)
    disk.close(made)
    var file = try DocumentFile.open(at: path, settings: DocumentWork.settings(disk))
    #expect(file.list == sample(2))
    #expect(disk.bytes(path) == sealed)
    let edited = sample(3)
    try file.commit(edited)
    #expect(disk.bytes(path)?.starts(with: DocumentHeader.magic) == true)
    #expect(disk.bytes(path + ".previous") == sealed)
    file.close()
    var again = try DocumentFile.open(at: path, settings: DocumentWork.settings(disk))
    #expect(again.list == edited)
    try again.commit(sample(4))
    #expect(again.list == sample(4))
  }

  /// It is one like any other then: what is committed next comes behind the snapshot.
  @Test func compactingASealedBlockMakesItADocument() throws {
    let disk = SimulatedDisk()
    let path = DocumentWork.path
    try disk.create(path, holding: try SealedBlock.encode(sample(2)))
    var file = try DocumentFile.open(at: path, settings: DocumentWork.settings(disk))
    try file.compact()
    try file.commit(sample(3))
    let examination = try DocumentExamination(of: path, in: disk)
    #expect(examination.list == sample(3) && examination.commits.count == 2)
  }

  @Test func commitsWhatTheVersionHides() throws {
    // Two copies of one identity: both versions claim the same numbers for different writes.
    let disk = SimulatedDisk()
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    var clone = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_999_000 }
    let empty = ReplicatedList(id: DocumentWork.listID)
    let mine = DocumentWork.edited(empty, 3, by: &me)
    let theirs = DocumentWork.edited(empty, 2, by: &clone)
    var file = try DocumentFile.create(
      at: DocumentWork.path, holding: mine, settings: DocumentWork.settings(disk))
    let merged = mine.merging(theirs)
    #expect(merged != mine)
    try file.commit(merged)
    file.close()
    let again = try DocumentFile.open(at: DocumentWork.path, settings: DocumentWork.settings(disk))
    #expect(again.list == merged)
  }

  @Test func aMissingFileIsMissing() throws {
    let disk = SimulatedDisk()
    let settings = DocumentWork.settings(disk)
    var file = try DocumentFile.create(
      at: DocumentWork.path, holding: sample(2), settings: settings)
    try file.compact()
    file.close()
    try disk.unlink(DocumentWork.path)
    #expect(throws: DocumentFileFailure.notFound) {
      try DocumentFile.open(at: DocumentWork.path, settings: settings).close()
    }
    #expect(
      try DocumentExamination(of: DocumentWork.path + ".previous", in: disk).list == sample(2))
  }
}

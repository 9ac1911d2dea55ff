import Betwixt
import BetwixtSync
import Testing

@testable import BetwixtFiles

/// What stands beside a document file under one of its names is believed, replaced and removed only
/// if it is of the same document; and two writers whom no lock keeps apart notice each other.
struct NeighbourFileTests {
  private static let path = DocumentWork.path

  private func sample(_ count: Int, of id: ListID = DocumentWork.listID) -> ReplicatedList {
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    return DocumentWork.edited(ReplicatedList(id: id), count, by: &me)
  }

  /// A document file of another document.
  private func foreignDocument() throws -> [UInt8] {
    let disk = SimulatedDisk()
    let list = sample(9, of: ListID(high: 8, low: 8))
    try DocumentFile.create(at: Self.path, holding: list, settings: DocumentWork.settings(disk))
      .close()
    return try #require(disk.bytes(Self.path))
  }

  @Test func aForeignGenerationBeforeIsNeitherReadNorReplaced() throws {
    for foreign in [try foreignDocument(), Array("my notes".utf8)] {
      let disk = SimulatedDisk()
      try disk.create(Self.path + ".previous", holding: foreign)
      var file = try DocumentFile.create(
        at: Self.path, holding: sample(2), settings: DocumentWork.settings(disk))
      try file.compact()
      try file.compact()
      file.close()
      #expect(disk.bytes(Self.path + ".previous") == foreign)
      let own = Self.path + ".previous-" + DocumentWork.listID.description
      #expect(try DocumentExamination(of: own, in: disk).list == sample(2))
      // The snapshot is damaged: only the own generation before is joined.
      var bytes = try #require(disk.bytes(Self.path))
      bytes[100] ^= 1
      disk.overwrite(Self.path, bytes)
      let again = try DocumentFile.open(
        at: Self.path, settings: DocumentWork.settings(disk, seed: 7))
      #expect(again.list == sample(2))
      #expect(again.report.findings.contains(.usedPrevious))
      #expect(disk.bytes(Self.path + ".previous") == foreign)
    }
  }

  /// Whatever stops while a damaged document is read together with the generation before it, that is an
  /// error, and the next reading finds everything.
  @Test func aGenerationThatGoesAwayWhileItIsReadIsNoTrap() throws {
    let disk = SimulatedDisk()
    var file = try DocumentFile.create(
      at: Self.path, holding: sample(2), settings: DocumentWork.settings(disk))
    try file.compact()
    file.close()
    var bytes = try #require(disk.bytes(Self.path))
    bytes[100] ^= 1
    disk.overwrite(Self.path, bytes)
    var failures = 0
    for call in 1...60 {
      let machine = SimulatedDisk(disk.drive)
      machine.faults.crashingCall = call
      do {
        try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(machine, seed: 7))
          .close()
      } catch {
        failures += 1
      }
      machine.faults.crashingCall = nil
      #expect(try DocumentExamination(of: Self.path, in: machine).list == sample(2), "\(call)")
    }
    #expect(failures > 10)
  }

  @Test func aFileThatIsNoDocumentIsNotReplacedByAnOlderOne() throws {
    let disk = SimulatedDisk()
    var file = try DocumentFile.create(
      at: Self.path, holding: sample(2), settings: DocumentWork.settings(disk))
    try file.compact()
    file.close()
    let photo = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    disk.overwrite(Self.path, photo)
    #expect(throws: DocumentFileFailure.unreadable(DecodeFailure(.badMagic, at: 0))) {
      try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(disk)).close()
    }
    #expect(disk.bytes(Self.path) == photo)
  }

  @Test func onlyOwnLeftoversAreRemoved() throws {
    let disk = SimulatedDisk()
    try DocumentFile.create(
      at: Self.path, holding: sample(2), settings: DocumentWork.settings(disk)
    ).close()
    let own = try #require(disk.bytes(Self.path))
    let stays = [
      Self.path + ".tmp-notes": Array("my notes".utf8),
      Self.path + ".tmp-00112233445566zz": own,
      Self.path + ".tmp-0011223344556677": Array("digits by chance".utf8),
      Self.path + ".tmp-0011223344556688": try foreignDocument(),
      Self.path + ".tmp-0011223344556699": [],
      Self.path + ".tmp-copy": own,
    ]
    for (path, bytes) in stays { try disk.create(path, holding: bytes) }
    let leftover = Self.path + ".tmp-aa11223344556677"
    try disk.create(leftover, holding: own)
    try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(disk)).close()
    #expect(disk.bytes(leftover) == nil)
    for (path, bytes) in stays { #expect(disk.bytes(path) == bytes, "\(path)") }
  }

  /// Somebody puts an older copy back, again and again, and edits that on.
  @Test func theLastCopyOfAWriteIsNotReplaced() throws {
    let disk = SimulatedDisk()
    let branch = Self.path + ".branch-1"
    func problems() throws -> [RecoveryReport.Finding] {
      try DocumentExamination(of: Self.path, in: disk).problems
    }
    func compact(after edit: (borrowing DocumentFile) -> ReplicatedList) throws {
      var file = try DocumentFile.open(
        at: Self.path, settings: DocumentWork.settings(disk, seed: 9))
      try file.commit(edit(file))
      try file.compact()
    }
    let empty = ReplicatedList(id: DocumentWork.listID)
    try DocumentFile.create(at: Self.path, holding: empty, settings: DocumentWork.settings(disk))
      .close()
    let old = try #require(disk.bytes(Self.path))
    try compact { _ in sample(3) }
    #expect(try problems().isEmpty)
    for _ in 0..<2 {
      disk.overwrite(Self.path, old)
      try compact { file in file.list }
      #expect(try problems() == [.branch(path: branch)])
      #expect(try DocumentExamination(of: Self.path, in: disk).damage.isEmpty)
      #expect(try DocumentExamination(of: branch, in: disk).list == sample(3))
    }
    // One that holds all of another takes its name; one that does not gets another.
    try compact { _ in sample(5) }
    disk.overwrite(Self.path, old)
    try compact { file in file.list }
    #expect(try DocumentExamination(of: branch, in: disk).list == sample(5))
    var other = Replica(id: ReplicaID(rawValue: 6)) { 1_777_000_000_000 }
    let apart = DocumentWork.edited(empty, 2, by: &other)
    try compact { _ in apart }
    disk.overwrite(Self.path, old)
    try compact { file in file.list }
    #expect(try problems().count == 2)
    // What is merged is missed no more.
    try compact { _ in apart.merging(sample(5)) }
    #expect(try problems().isEmpty)
    #expect(disk.bytes(branch) != nil)
  }

  @Test func whatACrashLeftIsKeptIfItHasTheLastCopyOfAWrite() throws {
    let disk = SimulatedDisk()
    try DocumentFile.create(
      at: Self.path, holding: sample(3), settings: DocumentWork.settings(disk)
    ).close()
    let full = try #require(disk.bytes(Self.path))
    try disk.unlink(Self.path)
    let empty = ReplicatedList(id: DocumentWork.listID)
    try DocumentFile.create(at: Self.path, holding: empty, settings: DocumentWork.settings(disk))
      .close()
    try disk.create(Self.path + ".tmp-aa11223344556677", holding: full)
    try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(disk)).close()
    #expect(disk.bytes(Self.path + ".tmp-aa11223344556677") == nil)
    #expect(disk.bytes(Self.path + ".branch-1") == full)
  }

  @Test func namesOfOneFileExcludeEachOther() throws {
    let disk = SimulatedDisk()
    let settings = DocumentWork.settings(disk)
    try DocumentFile.create(at: Self.path, holding: sample(1), settings: settings).close()
    try disk.link(Self.path, to: "/second.trip")
    var file = try DocumentFile.open(at: Self.path, settings: settings)
    #expect(throws: DocumentFileFailure.locked) {
      try DocumentFile.open(at: "/second.trip", settings: settings).close()
    }
    try file.commit(sample(2))
    file.close()
    let second = try DocumentFile.open(at: "/second.trip", settings: settings)
    #expect(second.list == sample(2) && second.report.findings.isEmpty)
  }

  @Test func sharedNamesOfOneFileReadEachOther() throws {
    let disk = SimulatedDisk()
    var shared = DocumentWork.settings(disk)
    shared.access = .shared
    var first = try DocumentFile.create(at: Self.path, holding: sample(1), settings: shared)
    try disk.link(Self.path, to: "/second.trip")
    var second = try DocumentFile.open(at: "/second.trip", settings: shared)
    var mine = Replica(id: ReplicaID(rawValue: 21)) { 1_777_000_000_000 }
    var theirs = Replica(id: ReplicaID(rawValue: 22)) { 1_777_000_000_000 }
    for _ in 0..<4 {
      try first.commit(DocumentWork.edited(first.list, 1, by: &mine))
      try second.commit(DocumentWork.edited(second.list, 1, by: &theirs))
    }
    let bytes = try #require(disk.bytes(Self.path))
    #expect(try DocumentExamination(bytes).isSound)
    #expect(try DocumentExamination(bytes).list.count == 9)
  }

  /// Where there are no locks at all, whoever comes second takes its commit back, and if the drive
  /// refuses that commit, nothing else.
  @Test(arguments: [nil, FileSystemError.Reason.noSpace])
  func aWriterWhomNoLockKeptOutIsNoticed(_ refusal: FileSystemError.Reason?) throws {
    let disk = SimulatedDisk()
    let racing = RacingFileSystem(disk)
    try DocumentFile.create(
      at: Self.path, holding: sample(1), settings: DocumentWork.settings(disk)
    ).close()
    var file = try DocumentFile.open(
      at: Self.path, settings: DocumentWork.settings(racing, seed: 2))
    // Another program appends between the look at the file and the own append.
    var other = try DocumentFile.open(
      at: Self.path, settings: DocumentWork.settings(RacingFileSystem(disk), seed: 3))
    var theirs = Replica(id: ReplicaID(rawValue: 22)) { 1_777_000_000_000 }
    let news = DocumentWork.edited(other.list, 1, by: &theirs)
    let theirBytes = disk.bytes(Self.path)?.count ?? 0
    try other.commit(news)
    let appended = Array(try #require(disk.bytes(Self.path)).dropFirst(theirBytes))
    other.close()
    disk.overwrite(Self.path, Array(try #require(disk.bytes(Self.path)).prefix(theirBytes)))
    (racing.intruder, racing.refusal) = (appended, refusal)
    let failure = #expect(throws: DocumentFileFailure.self) { try file.commit(sample(3)) }
    #expect((failure == .surprise) == (refusal == nil))
    #expect(throws: DocumentFileFailure.ended) { try file.commit(sample(3)) }
    file.close()
    // One history, without a trace of the commit that failed; and it can be tried again.
    let bytes = try #require(disk.bytes(Self.path))
    #expect(try DocumentExamination(bytes).isSound)
    #expect(try DocumentExamination(bytes).list == news)
    var again = try DocumentFile.open(
      at: Self.path, settings: DocumentWork.settings(racing, seed: 4))
    try again.commit(sample(3))
    #expect(again.list == news.merging(sample(3)))
  }
}

extension NeighbourFileTests {
  /// Where there are no locks, a commit that went to a generation which has lost its name is one that
  /// nobody would find.
  @Test func aCompactionWhomNoLockKeptOutIsNoticed() throws {
    let disk = SimulatedDisk()
    disk.faults.hasLocks = false
    let racing = RacingFileSystem(disk)
    try DocumentFile.create(
      at: Self.path, holding: sample(1), settings: DocumentWork.settings(disk)
    ).close()
    var file = try DocumentFile.open(
      at: Self.path, settings: DocumentWork.settings(racing, seed: 2))
    racing.meanwhile = {
      var other = try DocumentFile.open(
        at: Self.path, settings: DocumentWork.settings(disk, seed: 3))
      try other.compact()
    }
    #expect(throws: DocumentFileFailure.surprise) { try file.commit(sample(3)) }
    file.close()
    #expect(try DocumentExamination(of: Self.path, in: disk).list == sample(1))
    #expect(try DocumentExamination(of: Self.path + ".previous", in: disk).list == sample(1))
    file = try DocumentFile.open(at: Self.path, settings: DocumentWork.settings(racing, seed: 4))
    try file.commit(sample(3))
    #expect(try DocumentExamination(of: Self.path, in: disk).list == sample(3))
  }

  /// The other way round: what was committed while a new generation was made has no place in it.
  @Test func aCommitWhomNoLockKeptOutIsNotCompactedAway() throws {
    let disk = SimulatedDisk()
    disk.faults.hasLocks = false
    let racing = RacingFileSystem(disk)
    var file = try DocumentFile.create(
      at: Self.path, holding: sample(1), settings: DocumentWork.settings(racing))
    racing.meanwhile = {
      var other = try DocumentFile.open(
        at: Self.path, settings: DocumentWork.settings(disk, seed: 3))
      try other.commit(sample(3))
    }
    #expect(throws: DocumentFileFailure.surprise) { try file.compact() }
    #expect(try DocumentExamination(of: Self.path, in: disk).list == sample(3))
  }

  /// A name of which nothing can be told is not free.
  @Test func aForeignGenerationThatCannotBeSeenIsNotReplaced() throws {
    let foreign = Array("my notes".utf8)
    var call = 0
    var isUntouched = false
    while !isUntouched {
      call += 1
      let disk = SimulatedDisk()
      try disk.create(Self.path + ".previous", holding: foreign)
      var file = try DocumentFile.create(
        at: Self.path, holding: sample(2), settings: DocumentWork.settings(disk))
      disk.faults.failingCall = disk.callCount + call
      try? file.compact()
      isUntouched = disk.callCount < disk.faults.failingCall ?? 0
      #expect(disk.bytes(Self.path + ".previous") == foreign, "call \(call)")
    }
    #expect(call > 10)
  }
}

/// A file system without locks, on which somebody else appends just before an append.
private final class RacingFileSystem: FileSystem, @unchecked Sendable {
  private let disk: SimulatedDisk
  /// What is appended once, before the next append.
  var intruder: [UInt8]?
  /// What happens once, before the next append.
  var meanwhile: (() throws -> Void)?
  /// Why that append itself is refused.
  var refusal: FileSystemError.Reason?

  init(_ disk: SimulatedDisk) { self.disk = disk }

  func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try disk.open(path, mode: mode)
  }
  func close(_ file: OpenFile) { disk.close(file) }
  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try disk.read(file, at: offset, count: count)
  }
  func append(_ file: OpenFile, bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
    if let meanwhile {
      self.meanwhile = nil
      do { try meanwhile() } catch { Issue.record(error) }
    }
    if let intruder {
      self.intruder = nil
      _ = try disk.append(file, bytes: intruder[...])
      if let refusal { throw FileSystemError("append", because: refusal) }
    }
    return try disk.append(file, bytes: bytes)
  }
  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try disk.truncate(file, to: size)
  }
  func sync(_ file: OpenFile) throws(FileSystemError) { try disk.sync(file) }
  func barrier(_ file: OpenFile) throws(FileSystemError) { try disk.barrier(file) }
  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try disk.status(of: file)
  }
  func status(at path: String) throws(FileSystemError) -> FileStatus? { try disk.status(at: path) }
  func rename(_ path: String, to target: String) throws(FileSystemError) {
    try disk.rename(path, to: target)
  }
  func link(_ path: String, to target: String) throws(FileSystemError) {
    try disk.link(path, to: target)
  }
  func unlink(_ path: String) throws(FileSystemError) { try disk.unlink(path) }
  func makeDirectory(_ path: String, for users: DirectoryUsers) throws(FileSystemError) {
    try disk.makeDirectory(path, for: users)
  }
  func syncDirectory(_ path: String) throws(FileSystemError) { try disk.syncDirectory(path) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try disk.list(path) }
  func lock(_ path: String) throws(FileSystemError) -> OpenFile {
    throw FileSystemError("lock", because: .unsupported)
  }
  func pause(milliseconds: Int) {}
}

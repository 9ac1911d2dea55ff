import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// A document of somebody else in a folder where only owners replace and remove, as in `/Users/Shared`:
/// it is edited, and never written anew.
@Suite("A document in a sticky folder") struct StickyFolderTests {
  private static let path = DocumentWork.path
  private let disk = SimulatedDisk()
  private let random = SharedRandom(seed: 8)

  private var settings: Document.Settings {
    var settings = Document.Settings(
      stateDirectory: "/state", clock: { 1_777_000_000_000 }, random: { [random] in random.next() })
    settings.file.fileSystem = disk
    return settings
  }

  /// Edits as a program does that is started for it, and says whether it was told who may help.
  private func edit(_ number: Int, bytes count: Int) throws -> Bool {
    var trip = try Document.open(at: Self.path, settings: settings)
    try trip.edit { (list, me) throws(EditFailure) in
      let text = String(repeating: "\(number) ", count: count / 2)
      try list.append(["note": .string(text)], by: &me)
    }
    return trip.takeNotices().contains(.awaitsOwner)
  }

  private func makeForeign() throws {
    let file = try #require(try disk.status(at: Self.path))
    disk.faults.foreignInodes = [file.inode]
  }

  @Test func itIsEditedAndLeavesNothingBesideIt() throws {
    try Document.create(at: Self.path, settings: settings).close()
    try makeForeign()
    let names = try disk.list("/").count
    var tellings: [Int] = []
    for number in 0..<40 where try edit(number, bytes: 10_000) { tellings.append(number) }
    #expect(try DocumentExamination(of: Self.path, in: disk).list.count == 40)
    // The folder of what is kept here, too.
    let after = try disk.list("/")
    #expect(after.count == names + 1, "\(after)")
    #expect(disk.counts["link"] == 1, "the one of its making")
    // With each half that it grows, not with each edit.
    #expect((2...6).contains(tellings.count) && tellings[0] > 0, "\(tellings)")
    // What one that stays is told is the same.
    disk.faults.foreignInodes = []
    #expect(try !edit(40, bytes: 100))
    #expect(try DocumentExamination(of: Self.path, in: disk).commits.count == 1)
    #expect(disk.bytes(Self.path + ".previous") != nil)
  }

  /// How many files are opened to open the document.
  private func countOpened() throws -> Int {
    let before = disk.counts["open"] ?? 0
    try DocumentFile.open(at: Self.path, settings: settings.file).close()
    return (disk.counts["open"] ?? 0) - before
  }

  /// What a version before this one has left there is not read at each opening.
  @Test func whatCannotBeTakenAwayIsNotLookedAt() throws {
    try Document.create(at: Self.path, settings: settings).close()
    let few = try countOpened()
    let leftover = Self.path + ".tmp-00000000000000ff"
    try disk.link(Self.path, to: leftover)
    try makeForeign()
    #expect(try countOpened() == few)
    disk.faults.foreignInodes = []
    try DocumentFile.open(at: Self.path, settings: settings.file).close()
    #expect(disk.bytes(leftover) == nil)
  }

  @Test func whatIsToBeWrittenAnewSaysWhoMay() throws {
    var file = try DocumentFile.create(
      at: Self.path, holding: ReplicatedList(id: DocumentWork.listID), settings: settings.file)
    try makeForeign()
    let error = FileSystemError("rename", because: .notOwner, number: 1)
    #expect(throws: DocumentFileFailure.fileSystem(error)) { try file.compact() }
    file.close()
    #expect(throws: DocumentFileFailure.fileSystem(error)) {
      _ = try DocumentLock(at: Self.path, settings: settings.file).keepAside()
    }
    #expect(try disk.list("/").filter { $0 != "trip.trip.lock" } == ["trip.trip"])
    #expect("\(Document.Failure("x", cause: .file(.fileSystem(error))))".contains("only the owner"))
  }

  /// No id is given up for a repair that cannot be written.
  @Test func aClockThatCannotBeMendedHereCostsNoID() throws {
    var trip = try Document.create(at: Self.path, settings: settings)
    try trip.edit { (list, me) throws(EditFailure) in try list.append(["title": "now"], by: &me) }
    trip.close()
    var ahead = settings
    ahead.clock = { 1_777_000_000_000 + 400 * 86_400_000 }
    var late = try Document.open(at: Self.path, settings: ahead)
    try late.edit { (list, me) throws(EditFailure) in try list.append(["title": "far"], by: &me) }
    late.close()
    try makeForeign()
    for _ in 0..<3 {
      var mine = try Document.open(at: Self.path, settings: settings)
      #expect(throws: (any Error).self) { try mine.repairClock() }
      #expect(!mine.takeNotices().contains { if case .newWriter = $0 { true } else { false } })
      #expect(mine.writesAhead().own.count > 0)
      mine.close()
    }
    disk.faults.foreignInodes = []
    var mine = try Document.open(at: Self.path, settings: settings)
    #expect(try !mine.repairClock().writes.own.isEmpty)
    #expect(mine.writesAhead().isEmpty)
  }

  /// A repair that fails late, as on a full drive, is made under the same id the next time.
  @Test func aClockThatIsMendedAtLastCostsOneID() throws {
    var trip = try Document.create(at: Self.path, settings: settings)
    try trip.edit { (list, me) throws(EditFailure) in try list.append(["title": "now"], by: &me) }
    trip.close()
    var ahead = settings
    ahead.clock = { 1_777_000_000_000 + 400 * 86_400_000 }
    var late = try Document.open(at: Self.path, settings: ahead)
    try late.edit { (list, me) throws(EditFailure) in try list.append(["title": "far"], by: &me) }
    let writer = late.writer
    late.close()
    // There is room for who writes, and then for more and more of what.
    var (room, isDone) = (0, false)
    while !isDone {
      disk.faults.space = room
      var mine = try Document.open(at: Self.path, settings: settings)
      isDone = (try? mine.repairClock().writes.own.count) == 3
      mine.close()
      room += 20
    }
    #expect(room > 400)
    disk.faults.space = nil
    let mine = try Document.open(at: Self.path, settings: settings)
    let (state, document) = (mine.state, mine.id)
    let record = try state?.identityStore(settings).record(of: document)
    #expect(record?.former == [writer].compactMap { $0 } && record?.earlier.isEmpty == true)
    let mended = try state?.headFile(of: document).mended()
    #expect(mended?.mendings.map { $0.replica } == record?.former)
    #expect(mine.writesAhead().isEmpty)
  }

  /// On a real drive: what is one's own, or nobody's, may be replaced wherever it lies.
  @Test func anOwnFileMayBeReplaced() throws {
    let scratch = ScratchDirectory()
    let drive = PosixFileSystem()
    let path = scratch.path + "/d.trip"
    try drive.checkMayReplace(path)
    try drive.create(path, holding: [1])
    try drive.checkMayReplace(path)
  }
}

import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// What an open handle holds is one more copy of a file that is damaged under it.
@Suite("Damage under an open handle") struct OpenDamageTests {
  private static let path = DocumentWork.path
  private let disk = SimulatedDisk()

  private func settings(_ seed: UInt64) -> DocumentFile.Settings {
    var settings = DocumentWork.settings(disk, seed: seed)
    settings.access = .shared
    return settings
  }

  private func document(seed: UInt64) throws -> Document {
    let random = SharedRandom(seed: seed)
    var settings = Document.Settings(
      stateDirectory: "/state", clock: { 1_780_000_000_000 }, random: { random.next() })
    settings.file.fileSystem = disk
    return try Document.openOrCreate(at: Self.path, settings: settings)
  }

  private func add(_ title: String, to document: inout Document) throws {
    try document.edit("Add \(title)") { list, me in
      try list.append(["title": .string(title)], by: &me)
    }
  }

  private func titles(_ list: ReplicatedList) -> [String] {
    list.map { $0["title"]?.string ?? "" }
  }

  private func onDrive() throws -> ReplicatedList {
    try DocumentExamination(try #require(disk.bytes(Self.path))).list
  }

  /// What was repaired once takes one id away, however often it is asked who writes.
  @Test func oneRepairTakesOneId() throws {
    try disk.makeDirectory("/shared", for: .anybody)
    var trip = try document(seed: 11)
    try add("A", to: &trip)
    let whole = try #require(disk.bytes(Self.path))
    try add("B", to: &trip)
    for seed in 12...13 as ClosedRange<UInt64> {
      let writer = trip.writer
      disk.overwrite(Self.path, Array(whole.dropLast(1)))
      // The first one is found while it is open, the next one by opening it.
      if seed == 12 { try trip.refresh() } else { trip = try document(seed: seed) }
      #expect(trip.report.droppedAnything && trip.writer != writer)
      let fresh = trip.writer
      for _ in 0..<3 { try trip.sync(folder: "/shared") }
      #expect(trip.writer == fresh)
    }
  }

  /// At any length: within a commit, between two, within the header, and none.
  @Test func whatAnOpenHandleHoldsOutlivesACut() throws {
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    let first = DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), 1, by: &me)
    var file = try DocumentFile.create(at: Self.path, holding: first, settings: settings(1))
    let starts = [0, file.byteCount]
    let list = DocumentWork.edited(DocumentWork.edited(first, 1, by: &me), 1, by: &me)
    try file.commit(list)
    let bytes = try #require(disk.bytes(Self.path))
    let start = disk.drive
    for size in 0..<bytes.count {
      disk.drive = start
      var file = try DocumentFile.open(at: Self.path, settings: settings(2))
      disk.overwrite(Self.path, Array(bytes.prefix(size)))
      try file.refresh()
      // What is whole was put there.
      let isWhole = size == starts[1]
      #expect(file.list == (isWhole ? first : list), "cut to \(size)")
      #expect(try onDrive() == file.list, "cut to \(size)")
      #expect(
        file.report.hasDamage != isWhole && file.goneBackCount == (isWhole ? 1 : 0),
        "cut to \(size)")
      if !isWhole {
        #expect(disk.bytes(Self.path + ".damaged-1") == Array(bytes.prefix(size)))
        let isMissing = file.report.findings.contains {
          if case .missingCommits = $0 { true } else { false }
        }
        #expect(!isMissing, "cut to \(size)")
      }
    }
  }

  /// Any bit of it.
  @Test func whatAnOpenHandleHoldsOutlivesABit() throws {
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    let first = DocumentWork.edited(ReplicatedList(id: DocumentWork.listID), 1, by: &me)
    var file = try DocumentFile.create(at: Self.path, holding: first, settings: settings(1))
    let list = DocumentWork.edited(first, 1, by: &me)
    try file.commit(list)
    let bytes = try #require(disk.bytes(Self.path))
    let start = disk.drive
    for bit in 0..<(bytes.count * 8) {
      disk.drive = start
      var file = try DocumentFile.open(at: Self.path, settings: settings(2))
      var damaged = bytes
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      disk.overwrite(Self.path, damaged)
      // A last commit that is as it was keeps the handle from looking.
      file = try reread(file)
      #expect(file.list == list, "bit \(bit)")
      #expect(try onDrive() == list, "bit \(bit)")
    }
  }

  private func reread(_ file: consuming DocumentFile) throws -> DocumentFile {
    var file = file
    try file.readAgain()
    return file
  }

  /// Cut in the header, to nothing, and within the last commit.
  @Test(arguments: [0, 30, 200]) func whatADocumentHoldsOutlivesDamage(size: Int) throws {
    var trip = try document(seed: 3)
    try add("A", to: &trip)
    try add("B", to: &trip)
    let writer = trip.writer
    _ = trip.takeNotices()
    let bytes = try #require(disk.bytes(Self.path))
    let kept = size == 200 ? Array(bytes.dropLast(30)) : Array(bytes.prefix(size))
    disk.overwrite(Self.path, kept)
    #expect(try trip.refresh().isEmpty)
    #expect(titles(trip.list) == ["A", "B"])
    #expect(titles(try onDrive()) == ["A", "B"])
    #expect(disk.bytes(Self.path + ".damaged-1") == kept)
    // Others may have written behind what was read here.
    let notices = trip.takeNotices()
    guard case .repaired(let findings)? = notices.first, notices.count == 2,
      case .newWriter(let rotation) = notices[1]
    else {
      Issue.record("told was \(notices)")
      return
    }
    #expect(findings.contains(.usedOpen))
    #expect(findings.contains(.kept(path: Self.path + ".damaged-1")))
    #expect(rotation.old == writer && rotation.evidence == .droppedBytes)
    try add("C", to: &trip)
    #expect(titles(try onDrive()) == ["A", "B", "C"])
    #expect(try trip.undo()?.result.isWhole == true && trip.takeNotices().isEmpty)
  }

  /// A file that a newer version has written is neither damaged nor written anew.
  @Test func whatANewerVersionWroteIsNoRepair() throws {
    var trip = try document(seed: 3)
    try add("A", to: &trip)
    _ = trip.takeNotices()
    let bytes = try #require(disk.bytes(Self.path))
    let content = try DocumentContent(bytes)
    var critical = try Block(.delta, of: trip.id, holding: trip.list.delta(since: [:])).encoded()
    critical[2] = 0x80
    let frame = CommitFrame.encode(
      critical, ordinal: UInt32(content.nextOrdinal), in: content.header.log)
    disk.overwrite(Self.path, bytes + frame)
    #expect(try trip.refresh().isEmpty)
    let isReadOnly = trip.isReadOnly
    #expect(isReadOnly && trip.takeNotices().isEmpty && !trip.report.hasDamage)
    #expect(disk.bytes(Self.path) == bytes + frame)
  }

  /// Whoever repairs it may have read less of it than another one, which then finds a whole file.
  @Test func twoProgramsJoinWhatEachHolds() throws {
    var first = try document(seed: 3)
    try add("A", to: &first)
    var second = try document(seed: 4)
    try add("B", to: &second)
    let bytes = try #require(disk.bytes(Self.path))
    disk.overwrite(Self.path, Array(bytes.dropLast(30)))
    #expect(try first.refresh().isEmpty)
    #expect(titles(try onDrive()) == ["A"])
    #expect(try second.refresh().isEmpty && second.goneBackCount == 0)
    #expect(titles(try onDrive()) == ["A", "B"])
    #expect(second.takeNotices().contains(.repaired([.usedOpen])))
    #expect(try first.refresh().inserted.count == 1)
    try add("C", to: &first)
    try add("D", to: &second)
    #expect(titles(try onDrive()) == ["A", "B", "C", "D"])
  }

  /// On a drive without second names a copy of the damaged file is kept, which is another file.
  @Test(arguments: [true, false]) func twoProgramsJoinWhatEachHolds(hasLinks: Bool) throws {
    disk.faults.hasLinks = hasLinks
    var first = try document(seed: 3)
    try add("A", to: &first)
    var second = try document(seed: 4)
    try add("B", to: &second)
    var bytes = try #require(disk.bytes(Self.path))
    bytes[bytes.count - 20] ^= 1
    disk.overwrite(Self.path, bytes)
    #expect(try first.refresh().isEmpty)
    #expect(titles(try onDrive()) == ["A"])
    #expect(try second.refresh().isEmpty && second.goneBackCount == 0)
    #expect(titles(try onDrive()) == ["A", "B"])
  }

  /// A damaged file that is none of what was read here, or less of it, says nothing of an older copy.
  @Test func anOlderCopyThatIsDamagedIsAnOlderCopy() throws {
    disk.faults.hasLinks = false
    var trip = try document(seed: 3)
    try add("A", to: &trip)
    var older = try #require(disk.bytes(Self.path))
    try add("B", to: &trip)
    older[older.count - 20] ^= 1
    disk.overwrite(Self.path, older)
    try document(seed: 4).close()
    #expect(disk.bytes(Self.path + ".damaged-1") == older)
    try trip.refresh()
    #expect(trip.goneBackCount == 1 && trip.list.isEmpty)
  }

  /// A damaged file of once says nothing of a copy from before that somebody puts back.
  ///
  /// Neither if that is an earlier generation, with another log.
  @Test(arguments: [true, false], [true, false]) func whoPutsBackWhatWasBeforeTheDamageIsBelieved(
    hasLinks: Bool, isOfEarlierGeneration: Bool
  ) throws {
    disk.faults.hasLinks = hasLinks
    var trip = try document(seed: 3)
    try add("A", to: &trip)
    let older = try #require(disk.bytes(Self.path))
    if isOfEarlierGeneration {
      var file = try DocumentFile.open(at: Self.path, settings: settings(5))
      try file.compact()
      file.close()
    }
    try add("B", to: &trip)
    var bytes = try #require(disk.bytes(Self.path))
    bytes[bytes.count - 20] ^= 1
    disk.overwrite(Self.path, bytes)
    // Another program repairs it, and this one does not look before the copy is there.
    try document(seed: 4).close()
    #expect(disk.bytes(Self.path + ".damaged-1") == bytes)
    disk.overwrite(Self.path, older)
    try trip.refresh()
    #expect(trip.goneBackCount == 1 && titles(trip.list) == ["A"])
    #expect(titles(try onDrive()) == ["A"])
  }

  /// A file of somebody else is neither read nor replaced, however short it is.
  @Test func anotherFileInItsPlaceStays() throws {
    var trip = try document(seed: 3)
    try add("A", to: &trip)
    let other = Array("notes".utf8)
    disk.overwrite(Self.path, other)
    #expect(throws: Document.Failure.self) { try trip.refresh() }
    #expect(disk.bytes(Self.path) == other && titles(trip.list) == ["A"])
  }

  /// What another program put there whole holds less on purpose.
  @Test func anOlderCopyStaysAnOlderCopy() throws {
    var trip = try document(seed: 3)
    try add("A", to: &trip)
    let older = try #require(disk.bytes(Self.path))
    try add("B", to: &trip)
    disk.overwrite(Self.path, older)
    #expect(try trip.refresh().removed.count == 1)
    #expect(titles(trip.list) == ["A"])
  }
}

import Betwixt
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// A document file that is not as it was left here is written under another id, and under the old
/// one when it returns.
@Suite("A file that went back") struct WentBackTests {
  private let disk = SimulatedDisk()
  private let random = SharedRandom(seed: 91)
  private let path = DocumentWork.path

  private var store: FileIdentityStore {
    FileIdentityStore(
      "/state", machine: [1], fileSystem: disk, random: { [random] in random.next() })
  }

  init() throws {
    let list = ReplicatedList(id: DocumentWork.listID)
    try DocumentFile.create(at: path, holding: list, settings: settings()).close()
  }

  private func settings(
    _ access: DocumentFile.Access = .exclusive
  ) -> DocumentFile.Settings {
    var settings = DocumentFile.Settings(random: { [random] in random.next() })
    settings.fileSystem = disk
    settings.access = access
    return settings
  }

  private func open(_ access: DocumentFile.Access = .exclusive) throws -> DocumentFile {
    var file = try DocumentFile.open(at: path, settings: settings(access))
    try file.identify(in: store, random: { [random] in random.next() })
    return file
  }

  /// The list with another item, by who writes in a file.
  private func edited(_ file: borrowing DocumentFile, _ title: String) throws -> ReplicatedList {
    var list = file.list
    let identity = file.identity
    var me = try #require(identity).replica(for: list) { 1_777_000_000_000 }
    try list.append(["title": .string(title)], by: &me)
    return list
  }

  /// Opens, adds an item and closes, as a command does.
  @discardableResult
  private func add(_ title: String) throws -> ReplicaID {
    var file = try open()
    try file.commit(try edited(file, title))
    let writer = file.identity?.replica
    return try #require(writer)
  }

  private func bytes() throws -> [UInt8] { try #require(disk.bytes(path)) }

  /// Replaces the file, in place or by another one.
  private func put(_ bytes: [UInt8], inPlace: Bool) throws {
    if inPlace { return disk.overwrite(path, bytes) }
    try disk.unlink(path)
    try disk.create(path, holding: bytes)
  }

  private func titles() throws -> [String] {
    try DocumentFile.open(at: path, settings: settings(.readOnly)).list.map {
      $0["title"]?.string ?? ""
    }
  }

  // MARK: What is seen

  /// Until something is written behind it, a compacted file is the same state as the one before.
  @Test func aGenerationBeforeWritesIsAnOlderState() throws {
    let me = try add("A")
    let before = try bytes()
    var file = try open()
    try file.compact()
    file.close()
    #expect(try add("B") == me)
    try put(before, inPlace: false)
    #expect(try add("C") != me)
    #expect(try titles() == ["A", "C"])
  }

  @Test func whoWritesStaysAndNumbersHaveNoGaps() throws {
    let me = try add("A")
    for title in ["B", "C", "D"] { #expect(try add(title) == me) }
    let list = try open().list
    #expect(Array(list.version) == [.init(replica: me, sequence: 12)])
  }

  @Test(arguments: [true, false]) func anOlderCopyIsPutBack(inPlace: Bool) throws {
    let me = try add("A")
    let old = try bytes()
    try add("lost")
    try put(old, inPlace: inPlace)
    let file = try open()
    #expect(file.identity?.rotation?.evidence == .wentBack)
    #expect(file.identity?.replica != me)
    #expect(file.list[0].id.high != me.rawValue)
  }

  /// One write, of one commit, is gone, and nothing of the file is damaged.
  @Test func oneCommitIsCutOff() throws {
    let me = try add("A")
    var file = try open()
    var list = file.list
    let identity = file.identity
    var writer = try #require(identity).replica(for: list) { 1_777_000_000_000 }
    try list.set("name", of: .root, to: "Rome", by: &writer)
    let whole = try bytes().count
    try file.commit(list)
    file.close()
    disk.overwrite(path, Array(try bytes().prefix(whole)))
    let cut = try open()
    #expect(cut.report.findings.isEmpty)
    #expect(cut.identity?.rotation?.old == me)
    #expect(cut.identity?.rotation?.evidence == .wentBack)
  }

  @Test func whatOthersWroteMayBeCutOff() throws {
    let me = try add("A")
    let whole = try bytes()
    var file = try open()
    var other = Replica(id: ReplicaID(rawValue: 3)) { 1_777_000_000_000 }
    var list = file.list
    try list.append(["title": "theirs"], by: &other)
    try file.commit(list)
    file.close()
    #expect(try add("B") == me)
    disk.overwrite(path, whole)
    #expect(try add("C") != me)
  }

  @Test func eightStatesOfAFileAreRemembered() throws {
    let base = try bytes()
    var branches: [(id: ReplicaID, bytes: [UInt8])] = []
    for number in 0..<9 {
      disk.overwrite(path, base)
      branches.append((try add("branch \(number)"), try bytes()))
    }
    #expect(Set(branches.map(\.id)).count == 9)
    // Eight of them, in any order, go on as before; each is then the newest.
    for number in [3, 8, 1, 2, 7, 4, 6, 5, 1] {
      disk.overwrite(path, branches[number].bytes)
      #expect(try add("more of \(number)") == branches[number].id)
      branches[number].bytes = try bytes()
    }
    disk.overwrite(path, branches[0].bytes)
    let file = try open()
    #expect(file.identity?.rotation?.evidence == .wentBack)
    let (writer, earlier) = (file.identity?.replica, file.identity?.record.earlierReplicas)
    #expect(!branches.contains { $0.id == writer })
    #expect(earlier?.count == 7)
  }

  // MARK: Generations

  @Test func aNewGenerationIsByTheSameWriter() throws {
    let me = try add("A")
    let old = try bytes()
    var file = try open()
    try file.compact()
    file.close()
    let new = try bytes()
    #expect(try open().identity?.replica == me)
    // Whichever of both files a crash has left holds all that was written.
    disk.overwrite(path, old)
    #expect(try open().identity?.replica == me)
    disk.overwrite(path, new)
    #expect(try add("B") == me)
    // From then on the old one lacks something.
    disk.overwrite(path, old)
    #expect(try open().identity?.rotation?.old == me)
  }

  /// What is written in the file before is the last that is noted, although its generation is lesser.
  @Test func aGenerationBeforeIsWrittenAndGoesAgain() throws {
    let me = try add("A")
    let old = try bytes()
    var file = try open()
    try file.compact()
    file.close()
    let new = try bytes()
    disk.overwrite(path, old)
    #expect(try add("B") == me)
    #expect(try open().identity?.replica == me)
    disk.overwrite(path, new)
    let other = try add("C")
    #expect(other != me)
    #expect(try open().list.version[me] == 3)
  }

  /// A program that has the file open brings its record to the drive, and knows nothing of the other one.
  @Test func whoKnowsLessBringsNobodyBack() throws {
    let me = try add("A")
    let old = try bytes()
    let file = try open()
    let held = file.identity
    file.close()
    var stale = try #require(held)
    #expect(try stale.replica == me && add("B") == me)
    disk.overwrite(path, old)
    let other = try add("C")
    #expect(other != me)
    try stale.makeDurable()
    #expect(try store.record(of: DocumentWork.listID)?.replica == other)
  }

  // MARK: The record

  @Test func aRecordThatIsOlderThanTheFileGoesOn() throws {
    let me = try add("A")
    let record = "/state/\(DocumentWork.listID).identity"
    let early = try #require(disk.bytes(record))
    try add("B")
    // A power cut took away what was noted last; the file it is in is the one that was renamed.
    var older = try IdentityRecord(early)
    disk.overwrite(record, early)
    older.place = try store.place(of: DocumentWork.listID)
    disk.overwrite(record, older.bytes)
    #expect(try add("C") == me)
    #expect(try open().list.version[me] == 9)
  }

  /// Wherever the process ends: if the commit is in the file, the record knows of it, so that a copy
  /// from before it is recognised.
  @Test func aCommitIsNotedBeforeItIsMade() throws {
    try add("A")
    let me = try open().identity?.replica
    let old = try bytes()
    let start = disk.drive
    var (call, madeCount) = (0, 0)
    var isDone = false
    while !isDone {
      call += 1
      disk.drive = start
      var file = try open()
      let list = try edited(file, "B")
      disk.faults.crashingCall = disk.callCount + call
      isDone = (try? file.commit(list)) != nil
      disk.faults.crashingCall = nil
      file.close()
      let after = SimulatedDisk(disk.drive.crashed { .whole })
      disk.drive = after.drive
      guard try titles() == ["A", "B"] else { continue }
      madeCount += 1
      #expect(try open().identity?.replica == me, "ended at call \(call)")
      disk.overwrite(path, old)
      #expect(try open().identity?.rotation?.old == me, "ended at call \(call)")
    }
    #expect(call > 10 && madeCount > 1)
  }

  /// A process that ends between the record and the commit leaves a file that did not go back; the
  /// numbers of that commit are not used again all the same.
  @Test func aCommitThatWasBegunIsToldAsSuch() throws {
    let me = try add("A")
    let start = disk.drive
    var (call, evidence) = (0, [IdentityEvidence?]())
    while true {
      call += 1
      disk.drive = start
      var file = try open()
      let list = try edited(file, "B")
      disk.faults.crashingCall = disk.callCount + call
      let isDone = (try? file.commit(list)) != nil
      disk.faults.crashingCall = nil
      file.close()
      disk.drive = SimulatedDisk(disk.drive.crashed { .whole }).drive
      let again = try open()
      let (writer, found) = (again.identity?.replica, again.identity?.rotation?.evidence)
      #expect(found == nil ? writer == me : writer != me)
      if isDone { break }
      evidence.append(found)
    }
    #expect(evidence.contains(.unfinished) && !evidence.contains(.wentBack))
  }

  /// A drive that is full, or takes half, makes no new writer at each try; where all of a commit stood
  /// there for a moment, somebody may have read its numbers.
  @Test(arguments: SimulatedDisk.Failure.allCases)
  func aCommitThatWasRefusedIsNotNoted(failure: SimulatedDisk.Failure) throws {
    let me = try add("A")
    let noted = try store.record(of: DocumentWork.listID)
    for title in ["B", "C"] {
      var file = try open()
      let writer = file.identity?.replica
      guard failure != .whole || title == "B" else {
        #expect(writer != me && file.identity?.rotation?.evidence == .wentBack)
        return
      }
      #expect(writer == me)
      try refuseAppend(of: try edited(file, title), to: &file, failure)
      let kept = try store.record(of: DocumentWork.listID)
      #expect((kept?.writer == noted?.writer) == (failure != .whole))
      #expect(try titles() == ["A"])
    }
    #expect(try add("B") == me)
    #expect(try titles() == ["A", "B"])
  }

  /// An open handle goes on with the same numbers after a drive that was full.
  @Test func anOpenHandleGoesOnUnderItsIdAfterARefusal() throws {
    let me = try add("A")
    var file = try open(.shared)
    let refused = try edited(file, "B")
    try refuseAppend(of: refused, to: &file, .half)
    let next = try edited(file, "C")
    #expect(next.version == refused.version)
    try file.commit(next)
    #expect(file.identity?.replica == me)
    #expect(try add("D") == me)
    #expect(try titles() == ["A", "C", "D"])
  }

  /// Whoever read a commit that stood there and was refused knows its numbers: an open handle does not
  /// give them to something else.
  @Test func anOpenHandleEndsIfAllOfARefusedCommitStood() throws {
    let me = try add("A")
    var file = try open(.shared)
    let refused = try edited(file, "B")
    try refuseAppend(of: refused, to: &file, .whole)
    let next = try edited(file, "C")
    #expect(throws: DocumentFileFailure.ended) { try file.commit(next) }
    file.close()
    #expect(try add("C") != me)
    #expect(try titles() == ["A", "C"])
  }

  /// What another program has noted meanwhile, whom no lock kept out, is not taken back.
  @Test func aRefusedCommitTakesBackNoOtherNote() throws {
    try add("A")
    let file = try open(.shared)
    let held = file.identity
    let before = try #require(held)
    var mine = before
    let tail = try #require(before.record.writer.tail)
    func later(_ count: UInt32) -> CommitTail {
      CommitTail(
        log: tail.log, generation: tail.generation, ordinal: tail.ordinal + count, checksum: count)
    }
    let (refused, newer) = (later(1), later(2))
    #expect(try mine.note(refused))
    var other = try #require(held)
    #expect(try other.note(newer))
    try mine.takeBack(to: before.record)
    #expect(mine.record.writer.tail == newer)
    #expect(try store.record(of: DocumentWork.listID)?.writer.tail == newer)
  }

  /// Whoever notes nothing leaves what is kept as it is, although the commit it knows is a greater one,
  /// and finds at its next commit that another program has noted something.
  @Test func whoNotesNothingTakesBackNoNote() throws {
    try add("A")
    let old = try bytes()
    var stale = try open(.shared)
    try stale.compact()
    disk.overwrite(path, old)
    let me = try add("B")
    try stale.identity?.makeDurable()
    try stale.identity?.exchangeEndedEqual()
    disk.overwrite(path, old)
    #expect(try add("C") != me)
  }

  /// Commits a list while the file system refuses the append.
  private func refuseAppend(
    of list: ReplicatedList, to file: inout DocumentFile, _ failure: SimulatedDisk.Failure
  ) throws {
    // The first one is the note.
    disk.faults.failingAppend = (disk.counts["append"] ?? 0) + 2
    disk.faults.failure = failure
    do {
      try file.commit(list)
      Issue.record("it was not refused")
    } catch {
      guard case .fileSystem = error else { throw error }
    }
    disk.faults = SimulatedDisk.Faults()
  }

  @Test func aLostRecordMakesANewId() throws {
    let me = try add("A")
    try disk.unlink("/state/\(DocumentWork.listID).identity")
    #expect(try add("B") != me)
    #expect(try titles() == ["A", "B"])
  }

  // MARK: Open handles

  /// Another file of exactly the same size takes the place of the one that is open.
  @Test(arguments: [DocumentFile.Access.exclusive, .shared])
  func theTailIsComparedBeforeEachCommit(access: DocumentFile.Access) throws {
    let base = try bytes()
    try add("A")
    let other = try bytes()
    disk.overwrite(path, base)
    try add("B")
    #expect(try bytes().count == other.count)
    var file = try open(access)
    let list = try edited(file, "C")
    disk.overwrite(path, other)
    #expect(throws: DocumentFileFailure.surprise) { try file.commit(list) }
    #expect(try titles() == ["A"])
    guard access == .shared else { return }
    // It was read again: the same edit is made on what is there.
    #expect(file.list.count == 1)
    try file.commit(try edited(file, "C"))
    #expect(try titles() == ["A", "C"])
  }

  /// The file is as the open handle read it, and another program has written in between.
  @Test func aFileThatWasPutBackUnderAnOpenHandleIsNoticedByTheRecord() throws {
    let me = try add("A")
    let old = try bytes()
    var file = try open(.shared)
    try add("B")
    disk.overwrite(path, old)
    let stale = try edited(file, "C")
    #expect(throws: DocumentFileFailure.surprise) { try file.commit(stale) }
    #expect(file.identity?.rotation?.evidence == .wentBack && file.identity?.replica != me)
    try file.commit(try edited(file, "C"))
    #expect(try titles() == ["A", "C"])
    // What the other program wrote is still of the old one.
    #expect(file.list.version[me] == 3)
  }

  @Test func numbersThatAnotherProgramTookAreNotUsedAgain() throws {
    try add("A")
    var file = try open(.shared)
    let stale = try edited(file, "B")
    try add("quicker")
    #expect(throws: DocumentFileFailure.surprise) { try file.commit(stale) }
    try file.commit(try edited(file, "B"))
    #expect(try titles() == ["A", "quicker", "B"])
  }
}

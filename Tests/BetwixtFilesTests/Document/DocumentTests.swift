import Betwixt
import Foundation
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// A document that is opened or made, edited, and says what changed.
@Suite struct DocumentTests {
  @Test func whatWasEditedIsThereAgain() throws {
    let machine = Machine(seed: 1)
    let path = machine.path("rome.trip")
    var trip = try Document.openOrCreate(at: path, settings: machine.settings) {
      (list, me) throws(EditFailure) in
      try list.set("name", of: .root, to: "Rome", by: &me)
    }
    let (lunch, changes) = try trip.edit("Add Lunch") { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }
    #expect(changes.inserted.map(\.id) == [lunch])
    let (id, writer) = (trip.id, trip.writer)
    trip.close()
    let again = try Document.openOrCreate(at: path, settings: machine.settings)
    #expect(again.id == id && again.writer == writer)
    #expect(again.list.map { $0["title"]?.string } == ["Lunch"])
    #expect(again.list[id: .root]?["name"]?.string == "Rome")
  }

  /// What is kept of a document says whose it is, of one that was made and of one that came.
  @Test func whatIsKeptNamesItsDocument() throws {
    let machine = Machine(seed: 11)
    func folders() throws -> [String] {
      try FileManager.default.contentsOfDirectory(atPath: machine.path("state")).sorted()
    }
    let rome = machine.path("rome.trip")
    try Document.openOrCreate(at: rome, settings: machine.settings) {
      (list, me) throws(EditFailure) in
      try list.set("name", of: .root, to: "Rome", by: &me)
    }.close()
    try FileManager.default.copyItem(atPath: rome, toPath: machine.path("copy.trip"))
    let copy = try machine.open("copy.trip")
    try copy.document.edit { list, me in try list.append(["title": "Lunch"], by: &me) }
    let names = try ["copy.trip", "rome.trip"].map {
      try PosixFileSystem().realPath(of: machine.path($0))
    }
    let owners = try folders().map {
      DocumentState.owner(of: machine.path("state/\($0)"), in: PosixFileSystem())
    }
    #expect(owners.compactMap(\.self).sorted() == names && owners.count == 2)
    #expect(try folders() == names.map { DocumentState.name(of: $0) }.sorted())
  }

  /// What the drive refused is told, not that somebody else wrote: only that is tried again.
  @Test func aDriveThatRefusesIsToldAsSuch() throws {
    var commitFailures = 0
    for call in 1...100 {
      let disk = SimulatedDisk()
      let random = SharedRandom(seed: 3)
      var settings = Document.Settings(
        stateDirectory: "/state", clock: { 1_780_000_000_000 }, random: { random.next() })
      settings.file.fileSystem = disk
      var trip = try Document.openOrCreate(at: DocumentWork.path, settings: settings) {
        (list, me) throws(EditFailure) in
        try list.append(["title": "Lunch"], by: &me)
      }
      disk.faults.failingCall = disk.callCount + call
      disk.faults.failure = .noSpace
      do throws(Document.EditFailed<EditFailure>) {
        try trip.edit("Add Dinner") { (list, me) throws(EditFailure) in
          try list.append(["title": "Dinner"], by: &me)
        }
      } catch {
        guard case .failed(let failure) = error else { throw error }
        #expect(failure.cause != .file(.surprise))
        guard case .file(.fileSystem(let cause)) = failure.cause else { continue }
        #expect(cause.reason == .noSpace)
        commitFailures += 1
      }
      if disk.callCount < disk.faults.failingCall ?? 0 { break }
    }
    #expect(commitFailures > 2)
  }

  private static func trip(
    on disk: SimulatedDisk, _ access: DocumentFile.Access = .shared
  ) throws -> Document {
    let random = SharedRandom(seed: 3)
    var settings = Document.Settings(
      stateDirectory: "/state", clock: { 1_780_000_000_000 }, random: { random.next() })
    settings.file.fileSystem = disk
    settings.file.access = access
    settings.file.lockWaitMilliseconds = 0
    return try Document.openOrCreate(at: DocumentWork.path, settings: settings) {
      (list, me) throws(EditFailure) in
      try list.append(["title": "Lunch"], by: &me)
    }
  }

  private static func titles(_ list: ReplicatedList) -> [String?] {
    list.map { $0["title"]?.string }
  }

  /// Also if it was changed in the file itself, as a repair does.
  @Test func anyChangeOfTheWriterIsTold() throws {
    var trip = try Self.trip(on: SimulatedDisk())
    let writer = trip.writer
    #expect(trip.takeNotices().isEmpty)
    try trip.host.file.identity?.rotate(.requested)
    guard case .newWriter(let rotation)? = trip.takeNotices().first else {
      Issue.record("nothing was told of the new writer")
      return
    }
    #expect(rotation.old == writer && rotation.new == trip.writer)
  }

  /// Whatever a failure has left open is read again, and nobody writes between that and the edit.
  @Test func afterAFailureADocumentGoesOn() throws {
    for call in 1...100 {
      let disk = SimulatedDisk()
      var trip = try Self.trip(on: disk)
      var copy = trip.list
      disk.faults.failingCall = disk.callCount + call
      let isDone =
        (try? trip.edit { list, me in try list.append(["title": "Dinner"], by: &me) }) != nil
      if disk.callCount < disk.faults.failingCall ?? 0 { break }
      disk.faults.failingCall = nil
      let settings = trip.settings.file
      if call.isMultiple(of: 2) {
        try trip.edit { list, me in
          #expect(throws: DocumentFileFailure.locked) {
            _ = try DocumentFile.open(at: DocumentWork.path, settings: settings)
          }
          try list.append(["title": "Walk"], by: &me)
        }
      } else {
        var other = Replica(id: ReplicaID(rawValue: 6)) { 1_780_000_000_000 }
        try copy.append(["title": "Walk"], by: &other)
        try trip.merge(copy)
      }
      let titles = Self.titles(trip.list)
      #expect(titles.contains("Walk") && (!isDone || titles.contains("Dinner")), "call \(call)")
      #expect(try DocumentExamination(of: DocumentWork.path, in: disk).list == trip.list)
    }
  }

  /// Also where nobody else was to write, what stands in the place of the file is edited.
  @Test func aFileThatWasPutBackUnderItsOnlyUserIsEdited() throws {
    let disk = SimulatedDisk()
    var trip = try Self.trip(on: disk, .exclusive)
    let backup = try #require(disk.bytes(DocumentWork.path))
    try trip.edit { list, me in try list.append(["title": "Dinner"], by: &me) }
    disk.overwrite(DocumentWork.path, backup)
    try trip.edit { list, me in try list.append(["title": "Walk"], by: &me) }
    #expect(Self.titles(trip.list) == ["Lunch", "Walk"])
    #expect(try DocumentExamination(of: DocumentWork.path, in: disk).list == trip.list)
  }

  @Test func aRefusedEditLeavesNothing() throws {
    struct No: Error, Equatable {}
    let machine = Machine(seed: 2)
    let reader = try machine.open("rome.trip")
    try reader.document.edit("Add") { list, me in try list.append(["title": "Lunch"], by: &me) }
    let before = (reader.document.list, reader.document.host.file.byteCount)
    do throws(Document.EditFailed<No>) {
      try reader.document.edit("Refuse") { (list, me) throws(No) in
        _ = try? list.append(["title": "Dinner"], by: &me)
        throw No()
      }
      Issue.record("the edit was made")
    } catch {
      guard case .refused(let no) = error else { throw error }
      #expect(no == No())
    }
    #expect(reader.document.list == before.0 && reader.document.host.file.byteCount == before.1)
    #expect(reader.document.list.version == before.0.version)
    #expect(reader.document.history.nextUndo()?.name == "Add")
  }

  /// What other programs wrote before an edit that is refused comes with the next operation.
  @Test func newsAreToldAlsoAfterARefusedEdit() throws {
    struct No: Error {}
    let machine = Machine(seed: 3)
    let (first, second) = (try machine.open("rome.trip"), try machine.open("rome.trip"))
    try second.document.edit("Add") { list, me in try list.append(["title": "Lunch"], by: &me) }
    #expect(throws: (any Error).self) {
      try first.document.edit { (_, _) throws(No) in throw No() }
    }
    #expect(first.document.list.count == 0 && first.isRight)
    first.told(try first.document.refresh())
    #expect(first.document.list.count == 1 && first.isRight)
    #expect(try first.document.refresh().isEmpty)
  }

  @Test func stepsOutliveTheProgramAndAreSharedByTwo() throws {
    let machine = Machine(seed: 4)
    let first = try machine.open("rome.trip")
    let added = try first.document.edit("Add Lunch") { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }
    first.told(added.changes)
    let second = try machine.open("rome.trip")
    #expect(second.document.history.nextUndo()?.name == "Add Lunch")
    let undone = try #require(try second.document.undo())
    second.told(undone.changes)
    #expect(undone.result.isWhole && second.document.list.count == 0 && second.isRight)
    #expect(try first.document.undo() == nil)
    let redone = try #require(try first.document.redo())
    first.told(redone.changes)
    #expect(first.document.list.count == 1 && first.isRight)
  }

  /// An edit without a name is somebody's who keeps steps of their own.
  @Test func anEditWithoutANameIsNoStep() throws {
    let machine = Machine(seed: 5)
    let reader = try machine.open("rome.trip")
    try reader.document.edit { list, me in try list.append(["title": "Lunch"], by: &me) }
    #expect(try reader.document.undo() == nil)
    #expect(reader.document.list.count == 1)
  }

  @Test func aFileThatWasPutBackIsWrittenUnderAnotherId() throws {
    let machine = Machine(seed: 6)
    let path = machine.path("rome.trip")
    let reader = try machine.open("rome.trip")
    reader.told(
      try reader.document.edit { list, me in try list.append(["title": "1"], by: &me) }.changes)
    let backup = try Data(contentsOf: URL(fileURLWithPath: path))
    reader.told(
      try reader.document.edit { list, me in try list.append(["title": "2"], by: &me) }.changes)
    let writer = reader.document.writer
    try backup.write(to: URL(fileURLWithPath: path))
    reader.told(try reader.document.refresh())
    #expect(reader.document.list.count == 1 && reader.isRight)
    guard case .newWriter(let rotation)? = reader.document.takeNotices().first else {
      Issue.record("nothing was told of the new writer")
      return
    }
    #expect(rotation.old == writer && rotation.new == reader.document.writer)
    #expect(rotation.evidence == .wentBack && reader.document.takeNotices().isEmpty)
  }

  /// Nothing is left out as read that the document lacks.
  @Test func aDocumentThatWasPutBackGetsWhatItsFolderHolds() throws {
    let machine = Machine(seed: 21)
    let (path, folder) = (machine.path("rome.trip"), machine.path("shared"))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    let reader = try machine.open("rome.trip")
    var settings = machine.settings
    settings.stateDirectory = machine.path("elsewhere")
    var other = try Document.create(
      at: machine.path("there.trip"), settings: settings, startingWith: reader.document.list)
    try other.edit { list, me in try list.append(["title": "1"], by: &me) }
    try other.sync(folder: folder)
    let backup = try Data(contentsOf: URL(fileURLWithPath: path))
    for _ in 0..<2 {
      reader.told(try reader.document.sync(folder: folder).changes)
      #expect(reader.document.list.count == 1 && reader.isRight)
      try backup.write(to: URL(fileURLWithPath: path))
      reader.told(try reader.document.refresh())
      #expect(reader.document.list.count == 0 && reader.isRight)
    }
  }

  /// A session ends when what it has acknowledged is gone; the next one begins with what is there.
  @Test func aDocumentThatWasPutBackEndsOneSession() throws {
    let machine = Machine(seed: 22)
    let path = machine.path("rome.trip")
    let reader = try machine.open("rome.trip")
    let backup = try Data(contentsOf: URL(fileURLWithPath: path))
    var me = Replica(id: ReplicaID(rawValue: 3)) { 1_780_000_000_000 }
    let news = DocumentWork.edited(reader.document.list, 1, by: &me).delta(since: VersionVector())
    var isDone: [Bool] = []
    for session in 0..<4 {
      let (outcome, changes) = reader.document.hosting { host in
        if session == 1 { try? backup.write(to: URL(fileURLWithPath: path)) }
        return host.merge(news)
      }
      reader.told(changes)
      #expect(reader.document.list.count == 1 && reader.isRight)
      let hasFailed = if case .failed = outcome { true } else { false }
      isDone.append(!hasFailed)
    }
    #expect(isDone == [true, false, true, true])
  }

  @Test func nothingIsMadeWhereAnEarlierGenerationIsLeft() throws {
    let machine = Machine(seed: 7)
    let path = machine.path("rome.trip")
    _ = try machine.open("rome.trip")
    try FileManager.default.moveItem(atPath: path, toPath: path + ".previous")
    let failure = #expect(throws: Document.Failure.self) {
      _ = try Document.openOrCreate(at: path, settings: machine.settings)
    }
    #expect(failure?.cause == .file(.onlyEarlierGeneration))
    #expect(failure?.description.hasPrefix("\(path): ") == true)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  /// A file of somebody else's that has the name keeps nobody from making one; then the generation
  /// before is under a name with the document's id.
  @Test func anEarlierGenerationIsKnownByWhatItHolds() throws {
    let machine = Machine(seed: 23)
    let (path, files) = (machine.path("rome.trip"), FileManager.default)
    try Data("notes".utf8).write(to: URL(fileURLWithPath: path + ".previous"))
    try Data("notes".utf8).write(
      to: URL(fileURLWithPath: path + ".previous-00000000000000000000000000000001"))
    let id = try machine.open("rome.trip").document.id
    try files.moveItem(atPath: path, toPath: "\(path).previous-\(id)")
    let failure = #expect(throws: Document.Failure.self) {
      _ = try Document.openOrCreate(at: path, settings: machine.settings)
    }
    #expect(failure?.cause == .file(.onlyEarlierGeneration) && !files.fileExists(atPath: path))
  }

  @Test func withoutAPlaceForTheWriterNothingIsWritten() throws {
    let machine = Machine(seed: 8)
    var settings = machine.settings
    settings.stateDirectory = nil
    var trip = try Document.create(at: machine.path("rome.trip"), settings: settings)
    do throws(Document.EditFailed<any Error>) {
      try trip.edit { list, me in try list.append(["title": "Lunch"], by: &me) }
      Issue.record("somebody wrote")
    } catch {
      guard case .failed(let failure) = error else { throw error }
      #expect(failure.cause == .noStateDirectory)
    }
    // And nobody else is kept from it.
    settings.file.lockWaitMilliseconds = 0
    let other = try DocumentFile.open(at: trip.path, settings: settings.file)
    #expect(other.list.isEmpty)
  }

  /// A write that is not let in stays where it is, and is no reason to write the rest once more.
  @Test func whatIsWithheldMakesNoFileGrow() throws {
    let machine = Machine(seed: 12)
    var trip = try Document.openOrCreate(at: machine.path("a.trip"), settings: machine.settings) {
      (list, me) throws(EditFailure) in
      for number in 0..<200 { try list.append(["title": .int64(Int64(number))], by: &me) }
    }
    try FileManager.default.copyItem(
      atPath: machine.path("a.trip"), toPath: machine.path("b.trip"))
    var ahead = machine.settings
    let clock = ahead.clock
    ahead.clock = { clock() + 40 * 86_400_000 }
    var other = try Document.open(at: machine.path("b.trip"), settings: ahead)
    let item = trip.list[0].id
    try other.edit { (list, me) throws(EditFailure) in
      try list.set("title", of: item, to: "from the future", by: &me)
    }
    try other.edit { (list, me) throws(EditFailure) in
      try list.append(["title": "from the future too"], by: &me)
    }
    func sizes() throws -> [UInt64] {
      try ["a.trip", "b.trip"].map {
        let path = machine.path($0)
        return try FileManager.default.attributesOfItem(atPath: path)[.size] as? UInt64 ?? 0
      }
    }
    let admission = AdmissionPolicy(now: clock())
    let first = try trip.sync(with: &other, admission: admission)
    #expect(first.withheld.count > 1 && first.changes.isEmpty)
    let before = try sizes()
    for _ in 0..<3 {
      let exchange = try trip.sync(with: &other, admission: admission)
      #expect(exchange.withheld == first.withheld && exchange.changes.isEmpty)
    }
    #expect(try sizes() == before)
    try trip.edit { (list, me) throws(EditFailure) in
      try list.set("title", of: list[1].id, to: "now", by: &me)
    }
    #expect(try trip.sync(with: &other, admission: admission).changesThere.updated.count == 1)
  }

  /// Two installations that write under one id notice it when their copies meet, also the one whose
  /// write has won.
  @Test func aCloneIsNoticedAlsoWhereItsWriteLoses() throws {
    let machine = Machine(seed: 13)
    var trip = try Document.openOrCreate(at: machine.path("a.trip"), settings: machine.settings) {
      (list, me) throws(EditFailure) in try list.append(["title": "Lunch"], by: &me)
    }
    let mine = trip.writer
    let writer = try #require(mine)
    var theirs = trip.list
    let item = theirs[0].id
    // One number, two values: of those written at the same time the greater one stays.
    var clone = Replica(
      id: writer, sequence: theirs.version[writer], clock: machine.settings.clock)
    try theirs.set("title", of: item, to: "a clone's", by: &clone)
    try trip.edit { (list, me) throws(EditFailure) in
      try list.set("title", of: item, to: "mine", by: &me)
    }
    var other = try Document.create(
      at: machine.path("b.trip"), settings: machine.settings, startingWith: theirs)
    try trip.sync(with: &other)
    #expect(trip.list == other.list && trip.list[0]["title"] == "mine")
    #expect(trip.writer != writer)
  }

  @Test func differentDocumentsAndOneFileTwiceAreRefused() throws {
    let machine = Machine(seed: 9)
    let (rome, oslo) = (try machine.open("rome.trip"), try machine.open("oslo.trip"))
    let link = machine.path("link.trip")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: machine.path("rome.trip"))
    let again = try machine.open("link.trip")
    var failure = #expect(throws: Document.Failure.self) {
      try rome.document.sync(with: &oslo.document)
    }
    #expect(failure?.cause == .otherDocument(oslo.document.id))
    failure = #expect(throws: Document.Failure.self) {
      try rome.document.sync(with: &again.document)
    }
    #expect(failure?.cause == .sameFile(link))
    failure = #expect(throws: Document.Failure.self) {
      try rome.document.sync(folder: machine.path("nowhere"))
    }
    #expect(failure?.cause == .missingFolder)
    #expect(!FileManager.default.fileExists(atPath: machine.path("nowhere")))
  }

  /// Two spellings of one word are two names, of files as of folders.
  @Test func namesAreToldApartByTheirBytes() throws {
    let machine = Machine(seed: 12)
    let (composed, apart) = ("caf\u{e9}", "cafe\u{301}")
    let desk = try machine.open(composed + ".trip")
    try desk.document.edit { (list, me) throws(EditFailure) in
      try list.append(["title": "X"], toSection: 1, by: &me)
    }
    for name in [composed, apart] {
      let folder = machine.path(name)
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false)
      #expect(try desk.document.sync(folder: folder).writtenCount > 0)
    }
    let copy = machine.path(apart + ".trip")
    try FileManager.default.copyItem(atPath: machine.path(composed + ".trip"), toPath: copy)
    var other = try Document.open(at: copy, settings: machine.settings)
    try other.edit { (list, me) throws(EditFailure) in
      try list.append(["title": "Y"], toSection: 1, by: &me)
    }
    try desk.document.sync(with: &other)
    #expect(desk.document.list == other.list && other.list.count == 2)
  }
}

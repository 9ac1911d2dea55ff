#if canImport(Observation)
import Betwixt
import BetwixtDocument
import BetwixtFiles
import Foundation
import Observation
import Synchronization
import TestSupport
import Testing

/// A document that a user interface shows.
@MainActor @Suite struct LiveDocumentTests {
  private let directory = ScratchDirectory()
  private let random = SharedRandom(seed: 77)

  private func open(
    _ name: String, startingWith list: ReplicatedList? = nil, state: String = "state",
    in fileSystem: any FileSystem = PosixFileSystem()
  ) throws -> LiveDocument {
    var settings = Document.Settings(
      stateDirectory: "\(directory.path)/\(state)", clock: { 1_780_000_000_000 },
      random: { [random] in random.next() })
    settings.file.fileSystem = fileSystem
    return LiveDocument(
      try Document.openOrCreate(
        at: "\(directory.path)/\(name)", settings: settings, startingWith: list))
  }

  private func add(_ title: String, to document: LiveDocument) throws {
    try document.edit("Add \(title)") { list, me in
      try list.append(["title": .string(title)], by: &me)
    }
  }

  private func titles(_ document: LiveDocument) -> [String] {
    document.list.map { $0["title"]?.string ?? "" }
  }

  /// Lets tasks run until something holds, at most some seconds.
  private func wait(until condition: () -> Bool) async throws {
    for _ in 0..<2_000 where !condition() { try await Task.sleep(for: .milliseconds(5)) }
    try #require(condition())
  }

  @Test func whatIsShownIsObserved() throws {
    let trip = try open("rome.trip")
    let told = Mutex<[String]>([])
    func watch(_ name: String, _ read: () -> Void) {
      withObservationTracking(read) { told.withLock { $0.append(name) } }
    }
    watch("list") { _ = trip.list }
    watch("undo") { _ = trip.nextUndo }
    watch("redo") { _ = trip.nextRedo }
    try add("Lunch", to: trip)
    #expect(told.withLock { $0.sorted() } == ["list", "undo"])
    #expect(trip.nextUndo?.name == "Add Lunch" && trip.nextRedo == nil)
    #expect(try trip.undo()?.isWhole == true)
    #expect(told.withLock { $0.sorted() } == ["list", "redo", "undo"])
    #expect(titles(trip) == [] && trip.nextRedo?.name == "Add Lunch")
    #expect(try trip.redo()?.isWhole == true && titles(trip) == ["Lunch"])
  }

  /// An observer is called before the value changes, and may edit then.
  @Test func whoEditsWhenTheListChangesIsShownLast() async throws {
    let trip = try open("rome.trip")
    var rows = trip.list.map(\.id)
    var changes = trip.changes().makeAsyncIterator()
    // It is called once more by the edit that it makes.
    let editCount = Mutex(0)
    withObservationTracking {
      _ = trip.list
    } onChange: {
      let count = editCount.withLock { count in
        count += 1
        return count
      }
      guard count == 1 else { return }
      MainActor.assumeIsolated {
        do { try add("second", to: trip) } catch { Issue.record(error) }
      }
    }
    try add("first", to: trip)
    #expect(titles(trip) == ["first", "second"])
    #expect(trip.nextUndo?.name == "Add second" && trip.history.nextUndo()?.name == "Add second")
    for count in 1...2 {
      try #require(await changes.next()).apply(to: &rows) { $0 }
      #expect(rows == trip.list.prefix(count).map(\.id))
    }
  }

  /// Two listeners get every change, whoever made it, and one that is gone gets none.
  @Test func listenersGetEveryChange() async throws {
    let (trip, other) = (try open("rome.trip"), try open("rome.trip"))
    var rows = [trip.list.map(\.id), trip.list.map(\.id)]
    let streams = [trip.changes(), trip.changes()]
    let gone = Task { for await _ in trip.changes() {} }
    gone.cancel()
    try add("Lunch", to: trip)
    try add("Dinner", to: other)
    try trip.refresh()
    try trip.edit { list, me in try list.move(list[1].id, toOffset: 0, by: &me) }
    try trip.edit { list, me in try list.remove(list[1].id, by: &me) }
    for (number, stream) in streams.enumerated() {
      var changes = stream.makeAsyncIterator()
      for _ in 0..<4 {
        let next = try #require(await changes.next())
        next.apply(to: &rows[number]) { $0 }
      }
      #expect(rows[number] == trip.list.map(\.id))
    }
    await gone.value
    #expect(titles(trip) == ["Dinner"])
  }

  @Test func theSequenceEndsWithTheDocument() async throws {
    var trip: LiveDocument? = try open("rome.trip")
    let stream = try #require(trip?.changes())
    trip = nil
    var count = 0
    for await _ in stream { count += 1 }
    #expect(count == 0)
  }

  @Test func whatOtherProgramsWriteIsFollowed() async throws {
    let (trip, other) = (try open("rome.trip"), try open("rome.trip"))
    let following = Task { await trip.follow(every: .milliseconds(5)) }
    try add("Lunch", to: other)
    try await wait { titles(trip) == ["Lunch"] }
    following.cancel()
    await following.value
    #expect(trip.troubles.isEmpty)
  }

  /// Two devices with a folder between them, which is not there at first.
  @Test func aFolderIsFollowed() async throws {
    let folder = "\(directory.path)/shared"
    let here = try open("rome.trip")
    let there = try open("there.trip", startingWith: here.list, state: "elsewhere")
    let following = [here, there].map { document in
      Task { await document.follow(folder: folder, every: .milliseconds(5)) }
    }
    try await wait { here.troubles[folder]?.cause == .missingFolder }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try add("Lunch", to: here)
    try add("Dinner", to: there)
    try await wait { here.list.count == 2 && here.list.digest == there.list.digest }
    #expect(titles(here).sorted() == ["Dinner", "Lunch"])
    try await wait { here.troubles.isEmpty && there.troubles.isEmpty }
    for task in following {
      task.cancel()
      await task.value
    }
  }

  /// A second window of the app has put newer edits into the folder than this one has read.
  @Test func theFolderMayBeAhead() async throws {
    let folder = "\(directory.path)/shared"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let first = try open("rome.trip")
    try add("Lunch", to: first)
    try await first.sync(folder: folder)
    let second = try open("rome.trip")
    for title in ["Dinner", "Supper"] {
      try add(title, to: second)
      try await second.sync(folder: folder)
    }
    try await first.sync(folder: folder)
    try add("Breakfast", to: first)
    try await first.sync(folder: folder)
    #expect(titles(first).count == 4 && Array(first.list.version).count == 1)
    let lists = try FileManager.default.contentsOfDirectory(atPath: "\(folder)/betwixt-1")
    let writers = try FileManager.default.contentsOfDirectory(
      atPath: "\(folder)/betwixt-1/\(try #require(lists.first))")
    #expect(writers.count == 1)
  }

  /// Another program that is suspended within an edit keeps the lock.
  @Test func followingNeverKeepsTheMainActorWaiting() async throws {
    let folder = "\(directory.path)/shared"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let waits = WaitingFileSystem()
    let here = try open("rome.trip", in: waits)
    let there = try open("there.trip", startingWith: here.list, state: "elsewhere")
    try add("Lunch", to: there)
    try await there.sync(folder: folder)
    var settings = DocumentFile.Settings(random: { [random] in random.next() })
    settings.access = .shared
    let lock = try DocumentLock(at: "\(directory.path)/rome.trip", settings: settings)
    let following = [
      Task { await here.follow(folder: folder, every: .milliseconds(5)) },
      Task { await here.follow(every: .milliseconds(5)) },
    ]
    // Both have come to the lock again and again, and have not waited there.
    try await wait { waits.refusals > 8 }
    #expect(waits.pauses == 0)
    #expect(here.patience == 10_000 && here.list.count == 0 && here.troubles.isEmpty)
    // What was read meanwhile is not lost.
    lock.release()
    try await wait { titles(here) == ["Lunch"] }
    for task in following {
      task.cancel()
      await task.value
    }
  }

  /// Who follows is told of a lock that lasts, and nobody of what nobody follows any more.
  @Test func troublesAreThoseOfWhatIsFollowed() async throws {
    let here = try open("rome.trip")
    here.patience = 10
    var settings = DocumentFile.Settings(random: { [random] in random.next() })
    settings.access = .shared
    let lock = try DocumentLock(at: "\(directory.path)/rome.trip", settings: settings)
    let (folder, gone) = ("\(directory.path)/shared", "\(directory.path)/gone")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let following = [
      Task { await here.follow(every: .milliseconds(5)) },
      Task { await here.follow(folder: folder, every: .milliseconds(5)) },
    ]
    for path in [here.name, folder] {
      try await wait { here.troubles[path]?.cause == .file(.locked) }
    }
    lock.release()
    try await wait { here.troubles.isEmpty }
    // A folder that another follower finds missing, and the app then syncs with by itself.
    let other = Task { await here.follow(folder: gone, every: .seconds(60)) }
    try await wait { here.troubles[gone]?.cause == .missingFolder }
    try FileManager.default.createDirectory(atPath: gone, withIntermediateDirectories: true)
    try await here.sync(folder: gone)
    #expect(here.troubles[gone] == nil)
    try FileManager.default.removeItem(atPath: folder)
    try await wait { here.troubles[folder]?.cause == .missingFolder }
    for task in following + [other] {
      task.cancel()
      await task.value
    }
    #expect(here.troubles.isEmpty)
  }

  /// The patience is one for locks: the time in which a document cannot be read is no part of it.
  @Test func whoCannotReadIsNotLockedOut() async throws {
    let files = WaitingFileSystem()
    let here = try open("rome.trip", in: files)
    here.patience = 1_000
    files.fail(because: .notPermitted)
    let following = Task { await here.follow(every: .milliseconds(20)) }
    // More looks than the patience has room for.
    try await wait { files.failures > 60 }
    #expect(here.troubles[here.name] != nil)
    files.fail(because: .locked)
    let count = files.failures
    try await wait { files.failures > count + 2 }
    #expect(here.troubles[here.name]?.cause != .file(.locked))
    files.fail(because: nil)
    try await wait { here.troubles.isEmpty }
    following.cancel()
    await following.value
  }

  /// What the document is, and how it is, may be asked within its own edit.
  @Test func anEditMayAskForTheDocument() throws {
    let trip = try open("rome.trip")
    let report = trip.report
    try trip.edit("Add Lunch") { list, me in
      #expect(trip.name.hasSuffix("rome.trip") && !trip.isReadOnly && trip.report == report)
      #expect(trip.patience == 10_000 && trip.list.isEmpty && trip.nextUndo == nil)
      trip.patience = 20
      try list.append(["title": "Lunch"], by: &me)
    }
    #expect(trip.patience == 20 && titles(trip) == ["Lunch"])
  }

  /// What the folder brought while the document was locked for too long comes with the next look.
  @Test func whatCouldNotBeTakenInIsReadAgain() async throws {
    let folder = "\(directory.path)/shared"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let waits = WaitingFileSystem()
    let here = try open("rome.trip", in: waits)
    let there = try open("there.trip", startingWith: here.list, state: "elsewhere")
    try await here.sync(folder: folder)
    try add("Lunch", to: there)
    try await there.sync(folder: folder)
    var settings = DocumentFile.Settings(random: { [random] in random.next() })
    settings.access = .shared
    let lock = try DocumentLock(at: "\(directory.path)/rome.trip", settings: settings)
    // Without patience it asks once, and with some it asks again, behind 10 and 20 milliseconds.
    var asked: [Int] = []
    for patience in [0, 30] {
      here.patience = patience
      let before = waits.refusals
      do {
        try await here.sync(folder: folder)
        Issue.record("the document was not locked")
      } catch {
        #expect(error.cause == .file(.locked))
      }
      #expect(here.patience == patience && waits.pauses == 0)
      asked.append(waits.refusals - before)
    }
    #expect(asked[0] > 0 && asked[1] == 3 * asked[0])
    lock.release()
    try await here.sync(folder: folder)
    #expect(titles(here) == ["Lunch"])
  }

  @Test func windowsHaveStepsOfTheirOwn() throws {
    let (trip, other) = (try open("rome.trip"), try open("rome.trip"))
    let lunch = try trip.edit("Add Lunch", window: 1) { list, me in
      try list.append(["title": "Lunch"], by: &me)
    }
    #expect(trip.history.nextUndo(window: 1)?.name == "Add Lunch" && trip.nextUndo == nil)
    try other.refresh()
    try other.edit { list, me in try list.set("title", of: lunch, to: "Brunch", by: &me) }
    #expect(try trip.undo(window: 1)?.isWhole == false && titles(trip) == ["Brunch"])
    #expect(try trip.insist(window: 1)?.isWhole == true && titles(trip) == [])
    #expect(trip.history.nextRedo(window: 1) != nil)
    try trip.closeWindow(1)
    #expect(trip.history.nextRedo(window: 1) == nil)
    // For good.
    #expect(try open("rome.trip").history.nextRedo(window: 1) == nil)
  }

  /// A copy on a stick and one that came by mail are taken in, and what is removed is let go.
  @Test func copiesAreTakenIn() async throws {
    let trip = try open("rome.trip")
    let stream = trip.changes()
    var rows = trip.list.map(\.id)
    try add("Lunch", to: trip)
    let mailed = try open("mailed.trip", startingWith: trip.list, state: "elsewhere")
    var settings = Document.Settings(
      stateDirectory: "\(directory.path)/stick", clock: { 1_780_000_000_000 },
      random: { [random] in random.next() })
    settings.file.fileSystem = PosixFileSystem()
    var stick = try Document.openOrCreate(
      at: "\(directory.path)/stick.trip", settings: settings, startingWith: trip.list)
    try stick.edit { list, me in try list.append(["title": "Dinner"], by: &me) }
    try add("Supper", to: mailed)
    #expect(try trip.sync(with: &stick).changes.inserted.count == 1)
    #expect(try trip.merge(mailed.list).inserted.count == 1)
    #expect(titles(trip).sorted() == ["Dinner", "Lunch", "Supper"])
    try trip.edit { list, me in try list.remove(list[0].id, by: &me) }
    try open("rome.trip").edit { list, me in try list.append(["title": "Walk"], by: &me) }
    let forgotten = try trip.forget(below: trip.list.version)
    #expect(forgotten.registerCount > 0 && trip.list.count == 3)
    #expect(trip.writesAhead().isEmpty)
    var changes = stream.makeAsyncIterator()
    for _ in 0..<5 { try #require(await changes.next()).apply(to: &rows) { $0 } }
    #expect(rows == trip.list.map(\.id))
  }

  @Test func anEditThatIsRefusedIsNotShown() throws {
    struct No: Error {}
    let trip = try open("rome.trip")
    try add("Lunch", to: trip)
    #expect(throws: Document.EditFailed<No>.self) {
      try trip.edit("No") { (list, me) throws(No) in
        _ = try? list.append(["title": "Dinner"], by: &me)
        throw No()
      }
    }
    #expect(titles(trip) == ["Lunch"] && trip.nextUndo?.name == "Add Lunch")
  }
}

/// The real one, which notes who finds a lock taken, and who waits for one, and gives none if it is
/// told so.
private final class WaitingFileSystem: FileSystem {
  private let files = PosixFileSystem()
  private let counts = Mutex((refusals: 0, pauses: 0, failures: 0))
  private let failure = Mutex<FileSystemError.Reason?>(nil)

  /// How often a lock was asked for that another had.
  var refusals: Int { counts.withLock { $0.refusals } }

  /// How often none was given.
  var failures: Int { counts.withLock { $0.failures } }

  /// Gives no lock from now on, unless there is no reason any more.
  func fail(because reason: FileSystemError.Reason?) { failure.withLock { $0 = reason } }

  /// How often somebody waited for a lock.
  var pauses: Int { counts.withLock { $0.pauses } }

  func lock(_ path: String) throws(FileSystemError) -> OpenFile {
    if let reason = failure.withLock({ $0 }) {
      counts.withLock { $0.failures += 1 }
      throw FileSystemError("lock", because: reason)
    }
    do {
      return try files.lock(path)
    } catch {
      if error.reason == .locked { counts.withLock { $0.refusals += 1 } }
      throw error
    }
  }
  func pause(milliseconds: Int) {
    counts.withLock { $0.pauses += 1 }
    files.pause(milliseconds: milliseconds)
  }
  func open(_ path: String, mode: OpenMode) throws(FileSystemError) -> OpenFile {
    try files.open(path, mode: mode)
  }
  func close(_ file: OpenFile) { files.close(file) }
  func read(_ file: OpenFile, at offset: Int, count: Int) throws(FileSystemError) -> [UInt8] {
    try files.read(file, at: offset, count: count)
  }
  func append(_ file: OpenFile, bytes: ArraySlice<UInt8>) throws(FileSystemError) -> Int {
    try files.append(file, bytes: bytes)
  }
  func truncate(_ file: OpenFile, to size: Int) throws(FileSystemError) {
    try files.truncate(file, to: size)
  }
  func sync(_ file: OpenFile) throws(FileSystemError) { try files.sync(file) }
  func barrier(_ file: OpenFile) throws(FileSystemError) { try files.barrier(file) }
  func status(of file: OpenFile) throws(FileSystemError) -> FileStatus {
    try files.status(of: file)
  }
  func status(at path: String) throws(FileSystemError) -> FileStatus? {
    try files.status(at: path)
  }
  func realPath(of path: String) throws(FileSystemError) -> String {
    try files.realPath(of: path)
  }
  func rename(_ path: String, to target: String) throws(FileSystemError) {
    try files.rename(path, to: target)
  }
  func link(_ path: String, to target: String) throws(FileSystemError) {
    try files.link(path, to: target)
  }
  func unlink(_ path: String) throws(FileSystemError) { try files.unlink(path) }
  func makeDirectory(_ path: String, for users: DirectoryUsers) throws(FileSystemError) {
    try files.makeDirectory(path, for: users)
  }
  func syncDirectory(_ path: String) throws(FileSystemError) { try files.syncDirectory(path) }
  func list(_ path: String) throws(FileSystemError) -> [String] { try files.list(path) }
  func lock(_ file: OpenFile) throws(FileSystemError) { try files.lock(file) }
  func unlock(_ file: OpenFile) { files.unlock(file) }
}
#endif

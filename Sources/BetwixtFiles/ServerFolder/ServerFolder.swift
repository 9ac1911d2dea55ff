public import Betwixt
import BetwixtSync

/// Documents as files of one folder, with one journal for all of them: what a ``LiveServer`` stores of
/// a hundred documents takes one sync to the drive.
///
///     let folder = try ServerFolder.open(at: "/srv/trips", settings: .init(random: random))
///     let server = LiveServer(SyncServer(relay: .allow), storage: folder, random: random)
///     …
///     await server.stop()
///     try await folder.save()      // all is in the documents
///
/// # What is where
/// A write goes to the end of the journal, and is on the drive when ``store(_:)`` returns. The
/// documents, `LIST.trip`, follow: when one is closed, when the journal has grown to
/// ``Settings/journalLimit``, and at ``save()``. Beside each stands whose its replicas are. Whatever kills
/// the process or cuts the power, opening the folder again brings what the journal holds into the
/// documents first. A copy of the folder is complete if its journals were copied before its documents,
/// as ``copy(_:to:in:)`` does; a copy of a single document is after ``save()``.
///
/// While documents are written, on threads of their own, stores go on: into another journal, so that the
/// two files `journal` and `journal-2` take turns. So they do while documents are opened.
///
/// One process at a time has a folder open.
public actor ServerFolder: ServerStorage {
  /// Where the folder is.
  public nonisolated let path: String

  /// Journals that were damaged when the folder was opened, under the names by which they are kept.
  ///
  /// What could be read of them is in the documents, or, of those that cannot be opened or written, in a
  /// journal of its own.
  public nonisolated let damagedJournals: [String]

  private let settings: Settings
  private let lock: OpenFile?
  // The documents beside which a crash has left something, when the folder was opened: to look for that
  // at each one would read the whole folder each time.
  private let leftovers: Set<ListID>
  private var journal: Journal
  private var documents: [ListID: ServedDocument] = [:]
  private let budget: OpenFileBudget
  // How much larger the journal may get from one time that documents are written to the next.
  private let journalLimit: Int
  // When the journal is larger than this, documents are written.
  private var nextSave: Int
  // What is in a journal of documents that could not be opened when the folder was.
  private var stranded: [ListID: Stranded]
  // The documents of which the journal may hold something that keeps what documents lack which cannot be
  // opened or written; none if there is no such journal.
  private var listsInRest: Set<ListID>
  // The journal before, until all that it holds is in the documents.
  private var oldJournal: String?
  // One of which all is in the documents, and which could not be taken away.
  private var doneJournal: String?
  // Whether nothing is in the journal now that was there before the last save.
  private var hasTurned = true
  // Documents are written by one task at a time, so that what is newer comes later.
  private var writing: Task<DocumentFileFailure?, Never>?
  // Documents are read by one task at a time, which waits for the one before: this is the last of them.
  private var reading: Task<Result<StoredDocument, DocumentFileFailure>, Never>?
  private var listBeingRead: ListID?
  // Documents that are being removed: nobody opens them meanwhile.
  private var removing: Set<ListID> = []

  private static let patience = 4
  // With patience and a save that failed there is room left in the journal.
  private static let greatestJournalLimit = Journal.sizeLimit / 8
  // Threads that write documents, each at least some of them.
  private static let greatestThreadCount = 8
  private static let documentsPerThread = 8

  private init(
    _ path: String, settings: Settings, journal: Journal, lock: OpenFile?, damaged: [String],
    stranded: [ListID: Stranded], leftovers: Set<ListID>
  ) {
    self.path = path
    self.stranded = stranded
    listsInRest = Set(stranded.keys)
    self.leftovers = leftovers
    self.settings = settings
    self.journal = journal
    self.lock = lock
    damagedJournals = damaged
    budget = OpenFileBudget(settings.openFiles)
    journalLimit = max(1, min(settings.journalLimit, ServerFolder.greatestJournalLimit))
    nextSave = journalLimit
  }

  deinit {
    journal.close()
    if let lock { settings.fileSystem.close(lock) }
  }

  /// Opens a folder, or makes it; what a killed process left in the journal goes into the documents.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - settings: How to open it.
  /// - Returns: The folder.
  /// - Throws: ``DocumentFileFailure``: `locked` if another process has it open; `fileSystem` with the
  ///   path, and what helps, if the drive is full or may not be written.
  /// - Complexity: O(*b*) for the bytes of the journal and of the documents that it names
  public static func open(
    at path: String, settings: Settings
  ) throws(DocumentFileFailure) -> ServerFolder {
    do throws(DocumentFileFailure) {
      return try opened(at: path, settings: settings)
    } catch {
      throw error.at(path)
    }
  }

  private static func opened(
    at path: String, settings: Settings
  ) throws(DocumentFileFailure) -> ServerFolder {
    let fileSystem = settings.fileSystem
    try attempt { () throws(FileSystemError) in try fileSystem.makeDirectories(path) }
    let journals = journalNames.map { Path.joining(path, $0) }
    let lock = try ServerFolder.lock(journals[0] + ".lock", in: fileSystem)
    do {
      let names = try attempt { () throws(FileSystemError) in try fileSystem.list(path) }
      if lock != nil { ServerFolder.removeUnfinished(names, in: path, fileSystem) }
      let leftovers = ServerFolder.leftovers(among: names)
      let left = try ServerFolder.leftJournals(journals, in: fileSystem)
      defer { for one in left { fileSystem.close(one.file) } }
      let (damaged, stranded) = try ServerFolder.recover(
        left, in: path, settings: settings, leftovers: leftovers)
      let rest = writes(of: stranded)
      try ServerFolder.keepRest(rest, in: path, settings: settings)
      let new = try ServerFolder.journal(
        inPlaceOf: left, journals, stranded: rest, in: path, settings: settings)
      for (_, one) in stranded.sorted(by: { $0.key < $1.key }) { settings.failed(one.failure) }
      return ServerFolder(
        path, settings: settings, journal: new, lock: lock, damaged: damaged,
        stranded: stranded, leftovers: leftovers)
    } catch {
      if let lock { fileSystem.close(lock) }
      throw error
    }
  }

  // MARK: Storing

  /// Opens a document, or makes it: one after another, while stores go on.
  ///
  /// - Throws: `SyncFailure` `documentUnknown` if there is none and none may be made; otherwise
  ///   ``DocumentFileFailure``.
  public func open(_ list: ListID, for principal: String) async throws -> StoredDocument {
    if let document = documents[list] { return use(document) }
    let last = reading
    let task = Task {
      _ = await last?.value
      return await read(list)
    }
    reading = task
    // What was read is held by nobody here.
    defer { if reading == task { reading = nil } }
    do {
      return try await task.value.get()
    } catch .notFound where stranded[list] == nil {
      throw SyncFailure(.documentUnknown)
    } catch {
      throw error.named(ServerFolder.path(of: list, in: path))
    }
  }

  private func use(_ document: ServedDocument) -> StoredDocument {
    document.isClosing = false
    return StoredDocument(document.list, owners: document.owners)
  }

  /// Reads a document, or makes it, on a thread of its own; nobody else does at this time.
  private func read(_ list: ListID) async -> Result<StoredDocument, DocumentFileFailure> {
    if let document = documents[list] { return .success(use(document)) }
    guard !removing.contains(list) else { return .failure(.locked) }
    listBeingRead = list
    defer { listBeingRead = nil }
    let (path, settings, leftovers, budget) = (path, settings, leftovers, budget)
    // One of which a journal holds something was there, and is not all in that.
    let mayBeMade = settings.makesDocuments && stranded[list] == nil
    let result = await withCheckedContinuation { continuation in
      let body: @Sendable () -> Void = {
        continuation.resume(
          returning: Result { () throws(DocumentFileFailure) in
            try ServerFolder.open(
              list, in: path, settings: settings, leftovers: leftovers,
              mayBeMade: mayBeMade, within: budget)
          })
      }
      if !PosixCall.startThread(body) { body() }
    }
    return result.map { document in
      // What a killed process left of it, and could not be brought into it before.
      for write in stranded.removeValue(forKey: list)?.writes ?? [] { document.take(write) }
      documents[list] = document
      return use(document)
    }
  }

  /// Brings writes to the drive: all of them, or an error.
  ///
  /// - Parameter writes: Of documents that are open.
  /// - Throws: `SyncFailure` if one of them is not; ``DocumentFileFailure`` if the drive fails, or
  ///   `tooLarge` if the journal is full because documents could not be written, `surprise` if something
  ///   else has taken its name, as a copy of the folder that is put back. After that, or a sync that
  ///   failed, nothing can be stored any more: open the folder again.
  /// - Complexity: O(*k* log *n*) for *k* entries
  public func store(_ writes: [StoredWrite]) async throws {
    guard writes.allSatisfy({ documents[$0.list] != nil }) else {
      throw SyncFailure(.unavailable, "the document")
    }
    let record = try JournalRecord.bytes(of: writes)
    do throws(DocumentFileFailure) {
      try journal.append(record)
    } catch {
      // A journal that is full has room again when the documents are written.
      // One that was replaced keeps nothing: what was acknowledged before is safe in the documents.
      if error == .tooLarge || error == .surprise, writing == nil {
        _ = begin { $0.telling(await $0.saveAll()) }
      }
      throw error.at(journal.path)
    }
    for write in writes {
      documents[write.list]?.take(
        StoredWrite(list: write.list, delta: write.delta.forStorage, owner: write.owner))
    }
    guard journal.size > nextSave else { return }
    if let writing {
      // Who stores faster than documents can be written must not fill the drive.
      guard journal.size > nextSave + ServerFolder.patience * journalLimit else { return }
      _ = await writing.value
    } else {
      // What was stored is on the drive, whatever becomes of the documents: they are tried again
      // later.
      _ = begin { $0.telling(await $0.saveAll()) }
    }
  }

  /// Brings all that the journal holds into the documents, and empties it.
  ///
  /// - Throws: ``DocumentFileFailure`` if a document cannot be written; nothing is lost, all others are
  ///   written unless the drive is full, and a journal keeps what is in no document.
  /// - Complexity: O(the entries in the journal)
  public func save() async throws(DocumentFileFailure) {
    await finishWriting()
    if let failure = await begin({ await $0.saveAll() }).value { throw failure }
  }

  /// Closes a document that nobody uses any more.
  ///
  /// If it cannot be written it stays open, and is tried again.
  public func close(_ list: ListID) async {
    if documents[list] == nil { _ = await reading?.value }
    guard let document = documents[list] else { return }
    document.isClosing = true
    await finishWriting()
    guard document.isClosing else { return }
    _ = await begin { folder in
      folder.telling(await folder.write(folder.documents[list].map { [$0] } ?? []).outcome.failure)
    }.value
    guard document.isClosing, !document.isUnwritten, documents[list] === document else { return }
    documents[list] = nil
  }

  /// Removes a document for good, with the generation before, what a crash has left of files that were
  /// about to replace it, and whose its replicas are.
  ///
  /// Nobody may be connected to it: see `LiveServer.close`. Who comes meanwhile is told that it is
  /// unavailable. What was kept under another name stays: what was damaged once (`.damaged-1`), writes
  /// of a copy that was put back (`.branch-1`), and what something else replaced (`.replaced-1`). Who
  /// asks for the document later makes it anew, unless ``Settings/makesDocuments`` is off, or `mayOpen`
  /// says no. It may be one that cannot be opened or written. A process that is killed in the middle of
  /// this may leave the document, without what only a journal held of it.
  ///
  /// - Parameter list: Which one; nothing happens if there is none.
  /// - Throws: ``DocumentFileFailure``: `locked` if somebody uses it, or removes it just now, `ended`
  ///   after a sync that failed: open the folder again; otherwise if a journal may still hold something
  ///   of it, or a file of it could not go. As long as its own file is there the document has all that
  ///   was stored; what is left of it goes when this is called again.
  /// - Complexity: O(the entries in the journal)
  public func remove(_ list: ListID) async throws(DocumentFileFailure) {
    guard removing.insert(list).inserted else { throw .locked }
    defer { removing.remove(list) }
    await close(list)
    await finishWriting()
    // What the journals hold of it would make it again when the folder is opened.
    let removal = begin { await $0.removeFiles(of: list, after: $0.saveAll()) }
    if let failure = await removal.value { throw failure }
  }

  /// Removes the files of a document after a save; nobody writes documents at this time.
  private func removeFiles(
    of list: ListID, after failure: DocumentFileFailure?
  ) -> DocumentFileFailure? {
    let isInJournal = !hasTurned || oldJournal != nil
    // A document that cannot be written is no hindrance, not even this one.
    if let failure {
      guard !isInJournal, !failure.isLackOfSpace else { return failure }
      strand(list, because: failure)
      guard documents[list] == nil else { return failure }
    }
    // What was never acknowledged may be in it all the same.
    guard !journal.isEnded else { return .ended }
    guard documents[list] == nil, listBeingRead != list else { return .locked }
    let (fileSystem, file) = (settings.fileSystem, ServerFolder.path(of: list, in: path))
    do throws(DocumentFileFailure) {
      let remains = try attempt { () throws(FileSystemError) in
        try removeDoneJournal()
        return try ServerFolder.remains(of: list, in: path, fileSystem)
      }
      do throws(DocumentFileFailure) {
        // Only now, when hardly anything can fail any more.
        if listsInRest.contains(list) { try keepRest(without: list) }
        // The document goes last but for its owners: without it the generation before would be taken
        // for what is left of it, and without the owners its replicas would be anybody's.
        try attempt { () throws(FileSystemError) in
          for path in remains + [file] { try fileSystem.unlinkIfPresent(path) }
        }
      } catch {
        // It stays, and so does what it lacks. If that fails too, the next save does it.
        if stranded[list] != nil { try? keepRest(without: nil) }
        throw error
      }
      stranded[list] = nil
      try attempt { () throws(FileSystemError) in
        for path in [file + ".owners", DocumentFile.lockPath(of: file)] {
          try fileSystem.unlinkIfPresent(path)
        }
        try fileSystem.syncDirectory(path)
      }
      return nil
    } catch {
      return error
    }
  }

  /// Lets go of a document that nobody uses and that could not be written: a journal has what it lacks.
  private func strand(_ list: ListID, because failure: DocumentFileFailure) {
    guard let document = documents[list], document.isClosing, document.isUnwritten,
      !document.hasNews
    else { return }
    stranded[list] = Stranded(writes: document.unwritten, failure: failure)
    documents[list] = nil
  }

  // MARK: Documents

  /// Waits until nobody writes documents.
  package func finishWriting() async {
    while let writing { _ = await writing.value }
  }

  /// Begins to write documents; nobody does at this time.
  private func begin(
    _ body: @escaping @Sendable (isolated ServerFolder) async -> DocumentFileFailure?
  ) -> Task<DocumentFileFailure?, Never> {
    let task = Task {
      let failure = await body(self)
      writing = nil
      return failure
    }
    writing = task
    return task
  }

  /// Tells the host of a failure that nobody waits for.
  private func telling(_ failure: DocumentFileFailure?) -> DocumentFileFailure? {
    if let failure { settings.failed(failure) }
    return failure
  }

  private func saveAll() async -> DocumentFileFailure? {
    // A journal that a failure has left goes first, with the present one as it is: they have two names
    // only. Then that one is emptied as well.
    var failure = oldJournal == nil ? nil : await saveOnce()
    if oldJournal == nil { failure = await saveOnce() }
    nextSave = failure == nil ? journalLimit : journal.size + journalLimit
    return failure
  }

  private func saveOnce() async -> DocumentFileFailure? {
    let turned = turnJournal()
    hasTurned = turned == nil
    // One that is opened meanwhile is written the next time.
    let waiting = ServerFolder.writes(of: stranded)
    let (written, rest) = await write(documents.sorted { $0.key < $1.key }.map { $0.value })
    // Those that could not be written when they were closed.
    for (list, document) in documents where document.isClosing && !document.isUnwritten {
      documents[list] = nil
    }
    if let turned { return turned }
    if written.isFull { return written.failure }
    do throws(DocumentFileFailure) {
      try keepRest(rest + waiting)
    } catch {
      return written.failure ?? error.at(Path.joining(path, ServerFolder.restName))
    }
    if let oldJournal { doneJournal = oldJournal }
    oldJournal = nil
    // One that stays is read once more at the next opening, and changes nothing but that it makes what
    // was removed anew.
    try? removeDoneJournal()
    return written.failure ?? stranded.min { $0.key < $1.key }?.value.failure
  }

  private func removeDoneJournal() throws(FileSystemError) {
    guard let done = doneJournal else { return }
    try settings.fileSystem.unlinkIfPresent(done)
    doneJournal = nil
  }

  /// Keeps what documents lack in a journal of its own, in place of what that held.
  private func keepRest(_ writes: [StoredWrite]) throws(DocumentFileFailure) {
    guard !writes.isEmpty || !listsInRest.isEmpty else { return }
    let lists = Set(writes.map { $0.list })
    // A failure leaves it open which of the two is on the drive.
    listsInRest.formUnion(lists)
    try ServerFolder.keepRest(writes, in: path, settings: settings)
    listsInRest = lists
  }

  /// Keeps there what documents lack, but for one of them; nobody writes documents at this time.
  private func keepRest(without list: ListID?) throws(DocumentFileFailure) {
    let unwritten = documents.sorted { $0.key < $1.key }.flatMap { id, document in
      listsInRest.contains(id) ? document.unwritten : []
    }
    try keepRest(unwritten + ServerFolder.writes(of: stranded.filter { $0.key != list }))
  }

  /// Begins another journal beside the one that is to go; what is stored from now on is in that.
  private func turnJournal() -> DocumentFileFailure? {
    // After a failure the documents lack what the one before holds: it stays until they have it.
    guard oldJournal == nil, journal.size > JournalHeader.size else { return nil }
    guard !journal.isEnded else { return .ended }
    let names = ServerFolder.journalNames.map { Path.joining(path, $0) }
    do {
      let new = try Journal(
        at: journal.path == names[0] ? names[1] : names[0], in: settings.fileSystem,
        settings.random)
      journal.close()
      oldJournal = journal.path
      journal = new
      // The new one has its name.
      doneJournal = nil
      return nil
    } catch {
      return .fileSystem(error.at(path))
    }
  }

  /// Brings documents into their files as they are now, on threads of its own: tasks must not wait for
  /// the drive for so long.
  ///
  /// - Returns: What has become of them, and what those lack that are not written.
  private func write(
    _ documents: [ServedDocument]
  ) async -> (outcome: UnwrittenDocuments.Outcome, rest: [StoredWrite]) {
    var taken: [(document: ServedDocument, unwritten: UnwrittenDocument)] = []
    for document in documents {
      if let unwritten = document.takeUnwritten() { taken.append((document, unwritten)) }
    }
    guard !taken.isEmpty else { return (UnwrittenDocuments.Outcome(), []) }
    let work = UnwrittenDocuments(taken.map { $0.unwritten })
    let count = ServerFolder.threadCount(for: taken.count)
    await withDiscardingTaskGroup { group in
      for _ in 0..<count {
        group.addTask {
          await withCheckedContinuation { continuation in
            let body: @Sendable () -> Void = {
              work.write()
              continuation.resume()
            }
            if !PosixCall.startThread(body) { body() }
          }
        }
      }
    }
    let outcome = work.outcome
    var rest: [StoredWrite] = []
    for (place, (document, unwritten)) in taken.enumerated()
    where !outcome.written.contains(place) {
      rest += unwritten.writes
      document.putBack(unwritten)
    }
    return (outcome, rest)
  }

  private static func threadCount(for documentCount: Int) -> Int {
    max(1, min(greatestThreadCount, documentCount / documentsPerThread))
  }
}

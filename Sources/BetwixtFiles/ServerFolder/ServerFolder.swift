public import Betwixt
import BetwixtSync

/// Documents as files of one folder, with one journal for all of them: what a ``LiveServer`` stores of
/// a hundred documents takes one sync to the drive.
///
///     let folder = try ServerFolder.open("/srv/trips", .init(random: random))
///     let server = LiveServer(SyncServer(relay: .allow), storage: folder, random: random)
///     …
///     await server.stop()
///     try await folder.save()      // all is in the documents
///
/// # What is where
/// A write goes to the end of the file `journal`, and is on the drive when ``store(_:)`` returns. The
/// documents, `LIST.trip`, follow: when one is closed, when the journal has grown to
/// ``Settings/journalLimit``, and at ``save()``. Beside each stands whose its replicas are. Whatever kills
/// the process or cuts the power, opening the folder again brings what the journal holds into the
/// documents first. So a copy of the folder is complete if it has the journal; of a single document it
/// is after ``save()``.
///
/// One process at a time has a folder open.
public actor ServerFolder: ServerStorage {
  /// How a folder is opened.
  public struct Settings: Sendable {
    /// Where the files are.
    public var fileSystem: any FileSystem

    /// Random bits, for the names of generations and of temporary files.
    public var random: @Sendable () -> UInt64

    /// How many bytes the journal may have before the documents are written: 16 MiB.
    ///
    /// That takes a few syncs for each document that was written to, and stores wait for it.
    public var journalLimit: Int

    /// Whether a document that nobody has made is made when somebody asks for it.
    public var makesDocuments: Bool

    /// Makes settings.
    ///
    /// - Parameters:
    ///   - fileSystem: Where the files are.
    ///   - journalLimit: How many bytes the journal may have before the documents are written.
    ///   - makesDocuments: Whether unknown documents are made; otherwise clients are told
    ///     `documentUnknown`.
    ///   - random: Random bits, different in every run of a program.
    public init(
      fileSystem: any FileSystem = PosixFileSystem(), journalLimit: Int = 16 << 20,
      makesDocuments: Bool = true, random: @escaping @Sendable () -> UInt64
    ) {
      self.fileSystem = fileSystem
      self.journalLimit = journalLimit
      self.makesDocuments = makesDocuments
      self.random = random
    }
  }

  /// Where the folder is.
  public nonisolated let path: String

  /// Journals that were damaged when the folder was opened, under the names by which they are kept.
  ///
  /// What could be read of them is in the documents.
  public nonisolated let damagedJournals: [String]

  private let settings: Settings
  private let lock: OpenFile?
  private var journal: Journal
  private var documents: [ListID: ServedDocument] = [:]
  // When the journal is larger than this, documents are written.
  private var nextSave: Int

  private init(
    _ path: String, _ settings: Settings, _ journal: Journal, _ lock: OpenFile?, damaged: [String]
  ) {
    self.path = path
    self.settings = settings
    self.journal = journal
    self.lock = lock
    damagedJournals = damaged
    nextSave = settings.journalLimit
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
  /// - Throws: ``DocumentFileFailure``: `locked` if another process has it open.
  /// - Complexity: O(*b*) for the bytes of the journal and of the documents that it names
  public static func open(
    _ path: String, _ settings: Settings
  ) throws(DocumentFileFailure) -> ServerFolder {
    let fileSystem = settings.fileSystem
    try attempt { () throws(FileSystemError) in try fileSystem.makeDirectories(path) }
    let journal = Path.joining(path, "journal")
    let lock = try ServerFolder.lock(journal + ".lock", in: fileSystem)
    do {
      let damaged = try ServerFolder.recover(journal, in: path, settings)
      let new = try attempt { () throws(FileSystemError) in
        try Journal(at: journal, in: fileSystem, settings.random)
      }
      return ServerFolder(path, settings, new, lock, damaged: damaged)
    } catch {
      if let lock { fileSystem.close(lock) }
      throw error
    }
  }

  private static func lock(
    _ path: String, in fileSystem: any FileSystem
  ) throws(DocumentFileFailure) -> OpenFile? {
    do {
      return try fileSystem.lock(path)
    } catch {
      if error.reason == .unsupported { return nil }
      throw error.reason == .locked ? .locked : .fileSystem(error)
    }
  }

  /// Brings what a journal holds into the documents; keeps the journal if it is damaged.
  private static func recover(
    _ journal: String, in folder: String, _ settings: Settings
  ) throws(DocumentFileFailure) -> [String] {
    guard let content = try Journal.content(of: journal, in: settings.fileSystem) else { return [] }
    var documents: [ListID: ServedDocument] = [:]
    for bytes in content.records {
      let record: JournalRecord
      do {
        record = try JournalRecord(bytes)
      } catch {
        throw error.code == .needsUpgrade ? .needsUpgrade(error) : .unreadable(error)
      }
      for write in record.writes {
        if documents[write.list] == nil {
          documents[write.list] = try open(write.list, in: folder, settings, true)
        }
        documents[write.list]?.take(write.delta, write.owner)
      }
    }
    for (_, document) in documents.sorted(by: { $0.key < $1.key }) { try document.save() }
    guard content.isDamaged else { return [] }
    let fileSystem = settings.fileSystem
    return try attempt { () throws(FileSystemError) in
      let kept = try KeptCopies(of: journal, .damaged, in: fileSystem).freePath()
      try fileSystem.rename(journal, to: kept)
      return [kept]
    }
  }

  private static func open(
    _ list: ListID, in folder: String, _ settings: Settings, _ mayBeMade: Bool
  ) throws(DocumentFileFailure) -> ServedDocument {
    var document = DocumentFile.Settings(random: settings.random)
    document.fileSystem = settings.fileSystem
    return try ServedDocument(
      ServerFolder.path(of: list, in: folder), list, document, mayBeMade: mayBeMade)
  }

  /// Where a document is in a folder.
  ///
  /// - Parameters:
  ///   - list: The document.
  ///   - folder: The path of the folder.
  /// - Returns: The path of the document's file.
  public static func path(of list: ListID, in folder: String) -> String {
    Path.joining(folder, "\(list).trip")
  }

  // MARK: Storing

  /// Opens a document, or makes it.
  ///
  /// - Throws: `SyncFailure` `documentUnknown` if there is none and none may be made; otherwise
  ///   ``DocumentFileFailure``.
  public func open(_ list: ListID, for principal: String) throws -> StoredDocument {
    let document: ServedDocument
    do {
      document =
        try documents[list]
        ?? ServerFolder.open(list, in: path, settings, settings.makesDocuments)
    } catch DocumentFileFailure.notFound {
      throw SyncFailure(.documentUnknown)
    }
    documents[list] = document
    return StoredDocument(document.list, owners: document.owners)
  }

  /// Brings writes to the drive: all of them, or an error.
  ///
  /// - Parameter writes: Of documents that are open.
  /// - Throws: `SyncFailure` if one of them is not; ``DocumentFileFailure`` if the drive fails. After a
  ///   sync that failed nothing can be stored any more: open the folder again.
  /// - Complexity: O(*k* log *n*) for *k* entries, and what the documents take if they are written
  public func store(_ writes: [StoredWrite]) throws {
    guard writes.allSatisfy({ documents[$0.list] != nil }) else {
      throw SyncFailure(.unavailable, "the document")
    }
    try journal.append(try JournalRecord.bytes(of: writes))
    for write in writes { documents[write.list]?.take(write.delta.forStorage, write.owner) }
    guard journal.size > nextSave else { return }
    // What was stored is on the drive, whatever becomes of the documents: they are tried again later.
    do { try save() } catch { nextSave = journal.size + max(1, settings.journalLimit) }
  }

  /// Brings all that the journal holds into the documents, and empties it.
  ///
  /// - Throws: ``DocumentFileFailure``; nothing is lost, and the journal stays as it is.
  /// - Complexity: O(the entries in the journal)
  public func save() throws(DocumentFileFailure) {
    for (_, document) in documents.sorted(by: { $0.key < $1.key }) { try document.save() }
    if journal.size > JournalHeader.size { try journal.clear() }
    nextSave = settings.journalLimit
  }

  /// Closes a document that nobody uses any more.
  ///
  /// If it cannot be written it stays open, and is tried again.
  public func close(_ list: ListID) {
    do { try documents[list]?.save() } catch { return }
    documents[list] = nil
  }
}

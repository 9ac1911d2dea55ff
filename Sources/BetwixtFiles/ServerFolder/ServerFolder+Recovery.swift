import Betwixt
import BetwixtSync

// Opening a folder: what a process that was killed has left in it goes into the documents.

extension ServerFolder {
  static func lock(
    _ path: String, in fileSystem: any FileSystem
  ) throws(DocumentFileFailure) -> OpenFile? {
    do {
      return try fileSystem.lockIfPossible(path)
    } catch {
      throw error.reason == .locked ? .locked : .fileSystem(error)
    }
  }

  /// What the journals of a document hold that cannot be opened or written, and why.
  struct Stranded {
    let writes: [StoredWrite]
    let failure: DocumentFileFailure
  }

  static func writes(of stranded: [ListID: Stranded]) -> [StoredWrite] {
    stranded.sorted { $0.key < $1.key }.flatMap { $0.value.writes }
  }

  /// Brings what journals hold into the documents; keeps those that are damaged under second names.
  ///
  /// One document is open at a time: there may be more of them than files that a process may open. One
  /// that fails keeps the others from nothing, unless the drive is full. None is made: each was before
  /// anything of it was stored, and what a journal holds of one that has gone since is not all of it.
  ///
  /// - Returns: The names of those that were kept, and what could not be brought anywhere.
  static func recover(
    _ journals: [LeftJournal], in folder: String, settings: Settings, leftovers: Set<ListID>
  ) throws(DocumentFileFailure) -> (damaged: [String], stranded: [ListID: Stranded]) {
    var writes: [ListID: [StoredWrite]] = [:]
    var damaged: [String] = []
    for journal in journals {
      for bytes in journal.content.records {
        for write in try ServerFolder.record(bytes).writes {
          writes[write.list, default: []].append(write)
        }
      }
      if journal.content.isDamaged { damaged.append(journal.path) }
    }
    var stranded: [ListID: Stranded] = [:]
    for (list, writes) in writes.sorted(by: { $0.key < $1.key }) {
      do throws(DocumentFileFailure) {
        let document = try open(
          list, in: folder, settings: settings, leftovers: leftovers, mayBeMade: false,
          within: OpenFileBudget(1))
        for write in writes { document.take(write) }
        try document.takeUnwritten()?.write()
      } catch {
        guard !error.isLackOfSpace else { throw error }
        let failure = error.named(ServerFolder.path(of: list, in: folder))
        stranded[list] = Stranded(writes: different(writes), failure: failure)
      }
    }
    let kept = try keep(damaged, in: folder, settings: settings, areDone: stranded.isEmpty)
    return (kept, stranded)
  }

  /// Writes without those that are there before: an opening that was killed, or failed, has put them
  /// into another journal already.
  private static func different(_ writes: [StoredWrite]) -> [StoredWrite] {
    var hashes: Set<[UInt8]> = []
    return writes.filter { write in
      guard let bytes = try? JournalRecord.bytes(of: [write]) else { return true }
      return hashes.insert(SHA256.hash(bytes)).inserted
    }
  }

  /// Gives journals that are damaged second names, and returns those.
  ///
  /// They lose their own only to what takes their place: until then whoever opens the folder after a
  /// kill finds in them what no document has yet. If documents have all, and there is no room for a copy
  /// where a drive has no second names, they lose it at once.
  private static func keep(
    _ damaged: [String], in folder: String, settings: Settings, areDone: Bool
  ) throws(DocumentFileFailure) -> [String] {
    guard !damaged.isEmpty else { return [] }
    let fileSystem = settings.fileSystem
    return try attempt { () throws(FileSystemError) in
      var kept: [String] = []
      for journal in damaged {
        let copies = KeptCopies(of: journal, because: .damaged, in: fileSystem)
        // An opening that was killed, or failed, has kept it already.
        if let path = try copies.pathOfSameFile() {
          kept.append(path)
          continue
        }
        let path = try copies.freePath()
        do throws(FileSystemError) {
          let temporary = "\(journal).tmp-\(Hex.encode(settings.random()))"
          try fileSystem.keep(journal, as: path, temporary: temporary)
        } catch {
          guard areDone, error.reason == .noSpace else { throw error }
          try fileSystem.rename(journal, to: path)
        }
        kept.append(path)
      }
      // What takes their names next must not be on the drive before.
      try fileSystem.syncDirectory(folder)
      return kept
    }
  }

  /// Keeps what documents lack that cannot be opened or written, in a journal of its own.
  ///
  /// So the others are emptied however long that lasts. Without any there is none. It takes the place of
  /// the one before as a whole.
  static func keepRest(
    _ writes: [StoredWrite], in folder: String, settings: Settings
  ) throws(DocumentFileFailure) {
    let path = Path.joining(folder, restName)
    let fileSystem = settings.fileSystem
    guard !writes.isEmpty else {
      return try attempt { () throws(FileSystemError) in try fileSystem.unlinkIfPresent(path) }
    }
    var (records, size) = ([[UInt8]](), JournalHeader.size)
    for write in writes {
      // Each by itself: together they might be more than one record may hold.
      guard let record = try? JournalRecord.bytes(of: [write]) else { throw .tooLarge }
      records.append(record)
      size += record.count + CommitFrame.overhead
    }
    guard size <= Journal.sizeLimit else { throw .tooLarge }
    try attempt { () throws(FileSystemError) in
      try Journal(at: path, in: fileSystem, holding: records, settings.random).close()
    }
  }

  static func record(_ bytes: [UInt8]) throws(DocumentFileFailure) -> JournalRecord {
    do {
      return try JournalRecord(bytes)
    } catch {
      throw error.code == .needsUpgrade ? .needsUpgrade(error) : .unreadable(error)
    }
  }

  static func open(
    _ list: ListID, in folder: String, settings: Settings, leftovers: Set<ListID>, mayBeMade: Bool,
    within budget: OpenFileBudget
  ) throws(DocumentFileFailure) -> ServedDocument {
    var document = DocumentFile.Settings(random: settings.random)
    document.looksForLeftovers = leftovers.contains(list)
    document.fileSystem = settings.fileSystem
    let path = ServerFolder.path(of: list, in: folder)
    do throws(DocumentFileFailure) {
      return try ServedDocument.open(
        at: path, of: list, settings: document, mayBeMade: mayBeMade, within: budget)
    } catch {
      throw error.at(path)
    }
  }
}

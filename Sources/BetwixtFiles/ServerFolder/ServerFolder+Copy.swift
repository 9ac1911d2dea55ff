extension ServerFolder {
  /// Copies a folder, whichever process has it open, while that goes on.
  ///
  /// All that was acknowledged before this was called is in the copy, and some of what came later may
  /// be. Opening the copy brings what its journals hold into its documents.
  ///
  ///     try ServerFolder.copy("/srv/trips", to: "/backup/trips-monday")
  ///
  /// # Other means
  /// Any program makes a complete copy if it copies the journals first, `journal`, `journal-2`
  /// and `journal-rest` in this order, then the documents, and then the files `LIST.trip.owners`. In
  /// another order the copy may lack what went from a journal into a document meanwhile. A snapshot of
  /// the file system needs no order.
  ///
  /// - Parameters:
  ///   - path: Where the folder is.
  ///   - target: Where the copy is to be: nothing is there yet, or an empty folder.
  ///   - fileSystem: Where both are.
  /// - Throws: ``DocumentFileFailure``: `exists` if there is something in the target. What was copied
  ///   before a failure stays, and is no complete copy.
  /// - Complexity: O(*b*) for *b* bytes; one file at a time is in memory
  public static func copy(
    _ path: String, to target: String, in fileSystem: any FileSystem = PosixFileSystem()
  ) throws(DocumentFileFailure) {
    let isFree = try attempt { () throws(FileSystemError) in
      try fileSystem.makeDirectories(target)
      return try fileSystem.list(target).isEmpty
    }
    guard isFree else { throw .exists }
    try attempt { () throws(FileSystemError) in
      // An entry leaves its journal when it is in its document, and never leaves that, or in the journal
      // that is read last: what is not in the journals any more when they are read is in the documents
      // when they are.
      try copy(journalNames, from: path, to: target, in: fileSystem)
      let documents = try fileSystem.list(path).filter { !isOwners($0) && isToCopy($0) }
      try copy(documents, from: path, to: target, in: fileSystem)
      // An owner is written before the first entry of its replica: read later, it is there.
      let owners = try fileSystem.list(path).filter { isOwners($0) }
      try copy(owners, from: path, to: target, in: fileSystem)
      try fileSystem.syncDirectory(target)
    }
  }

  private static func copy(
    _ names: [String], from path: String, to target: String, in fileSystem: any FileSystem
  ) throws(FileSystemError) {
    for name in names {
      let file = Path.joining(path, name)
      // What is no file is none of the folder's, and what has gone meanwhile is not needed.
      guard try fileSystem.status(at: file)?.kind == .regular else { continue }
      let bytes: [UInt8]
      do {
        let source = try fileSystem.open(file, mode: .reading)
        defer { fileSystem.close(source) }
        // A part of a commit would be taken for damage when the copy is opened.
        bytes = try fileSystem.settled(source) { () throws(FileSystemError) in
          try fileSystem.contents(of: source, limit: DocumentFile.sizeLimit)
        }
      } catch {
        guard error.reason == .notFound else { throw error.at(file) }
        continue
      }
      let copy = Path.joining(target, name)
      do {
        try fileSystem.create(copy, holding: bytes, like: file)
      } catch {
        throw error.at(copy)
      }
    }
  }

  private static func isOwners(_ name: String) -> Bool { name.hasSuffix(".owners") }

  /// Whether a file holds anything, and was not copied before.
  private static func isToCopy(_ name: String) -> Bool {
    !journalNames.contains(name) && !name.hasSuffix(".lock") && !name.contains(".tmp-")
  }
}

import Betwixt

/// Keeps every other program from writing the file at a path, for one that replaces it as a whole.
///
///     let lock = try DocumentLock(at: "rome.trip", settings: settings)
///     let kept = try lock.keepAside()   // "rome.trip.replaced-1"
///     // write the new file and give it the name
///     lock.release()
///
/// A ``DocumentFile`` that is open takes the same lock by itself. Where the file system has no locks
/// nobody is kept out.
public struct DocumentLock: ~Copyable {
  private let path: String
  private let drive: Indirect<any FileSystem>
  private let random: @Sendable () -> UInt64
  private let file: OpenFile?

  /// Takes the lock; there need not be a file yet.
  ///
  /// - Parameters:
  ///   - path: Where the file is, without symbolic links.
  ///   - settings: Where its file system is, and how long to wait.
  /// - Throws: ``DocumentFileFailure``, `locked` if another program has it for longer.
  public init(at path: String, settings: DocumentFile.Settings) throws(DocumentFileFailure) {
    self.path = path
    drive = Indirect(settings.fileSystem)
    random = settings.random
    file = try settings.waiting { fileSystem throws(FileSystemError) in
      try fileSystem.lockIfPossible(DocumentFile.lockPath(of: path))
    }
  }

  deinit { if let file { fileSystem.close(file) } }

  private var fileSystem: any FileSystem { drive.value }

  /// Gives the file a second name, `NAME.replaced-1` or the next that is free.
  ///
  /// - Returns: That name.
  /// - Throws: ``DocumentFileFailure``; the file is as it was.
  public func keepAside() throws(DocumentFileFailure) -> String {
    let copies = KeptCopies(of: path, because: .replaced, in: fileSystem)
    return try attempt { () throws(FileSystemError) in
      let kept = try copies.freePath()
      try fileSystem.keep(
        path, as: kept,
        temporary: DocumentFile.temporaryPrefix(of: path) + Hex.encode(random()))
      try fileSystem.syncDirectory(Path.directory(of: kept))
      return kept
    }
  }

  /// Frees the lock; going out of scope does the same.
  public consuming func release() {}
}

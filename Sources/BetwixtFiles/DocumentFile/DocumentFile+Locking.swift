import Betwixt

extension DocumentFile {
  /// Takes the lock that this handle writes under, if it does not hold it.
  mutating func takeLock() throws(DocumentFileFailure) {
    guard lockFile == nil else { return }
    let name = DocumentFile.lockPath(of: path)
    // Without locks another writer is noticed by what it wrote.
    lockFile = try settings.waiting { fileSystem throws(FileSystemError) in
      try fileSystem.lockIfPossible(name)
    }
    guard settings.access == .shared else { return }
    do {
      try lockContent()
    } catch {
      releaseSharedLock()
      throw error
    }
  }

  /// Lets whoever may write the file lock it.
  func shareLock() {
    if let lockFile, let handle { fileSystem.protect(lockFile, like: handle) }
  }

  /// Locks the open file itself, too: it may have other names, each with a lock of its own.
  func lockContent() throws(DocumentFileFailure) {
    if let handle, state != .readOnly { try lockContent(of: handle) }
  }

  func lockContent(of file: OpenFile) throws(DocumentFileFailure) {
    do {
      try settings.waiting { fileSystem throws(FileSystemError) in try fileSystem.lock(file) }
    } catch {
      guard error.isLackOfLocks else { throw error }
    }
  }

  /// Gives the lock back where others write too.
  mutating func releaseSharedLock() {
    guard settings.access == .shared, !isHeld else { return }
    if let handle { fileSystem.unlock(handle) }
    guard let lockFile else { return }
    fileSystem.close(lockFile)
    self.lockFile = nil
  }

  /// Takes away what a crash left of files that were about to replace this one, and nothing else
  /// that has such a name; one with writes that are missing here gets another name.
  func removeLeftovers() {
    let directory = Path.directory(of: path)
    let prefix = Path.name(of: temporaryPrefix)
    // They are harmless; if they cannot be removed, opening the file goes on.
    guard let names = try? fileSystem.list(directory) else { return }
    for name in names where name.utf8.starts(with: prefix.utf8) {
      let leftover = Path.joining(directory, name)
      guard Hex.decodeUInt64(name.utf8.dropFirst(prefix.utf8.count)) != nil,
        (try? fileSystem.checkMayReplace(leftover)) != nil,
        fileSystem.isFile(at: leftover, of: list.id)
      else { continue }
      do {
        try setAside(leftover, unlessHeldBy: list)
        try fileSystem.unlinkIfPresent(leftover)
      } catch {
        // The next opening tries again.
      }
    }
  }
}

extension DocumentFile.Settings {
  /// Does what needs a lock, again and again while another has it.
  func waiting<Result>(
    _ body: (any FileSystem) throws(FileSystemError) -> Result
  ) throws(DocumentFileFailure) -> Result {
    var waited = 0
    while true {
      do throws(FileSystemError) {
        return try body(fileSystem)
      } catch {
        guard error.reason == .locked else { throw .fileSystem(error) }
        guard waited < lockWaitMilliseconds else { throw .locked }
      }
      fileSystem.pause(milliseconds: DocumentFile.Settings.lockPauseMilliseconds)
      waited += DocumentFile.Settings.lockPauseMilliseconds
    }
  }

  private static var lockPauseMilliseconds: Int { 10 }
}

extension DocumentFileFailure {
  /// Whether the file system has no locks at all.
  fileprivate var isLackOfLocks: Bool {
    if case .fileSystem(let error) = self { error.reason == .unsupported } else { false }
  }
}

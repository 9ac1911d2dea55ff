extension DocumentFile {
  /// Takes the lock that this handle writes under, if it does not hold it.
  mutating func takeLock() throws(DocumentFileFailure) {
    guard lockFile == nil else { return }
    var waited = 0
    while true {
      do {
        lockFile = try fileSystem.lock(lockPath)
        return
      } catch {
        guard error.reason == .locked else { throw .fileSystem(error) }
        guard waited < settings.lockWaitMilliseconds else { throw .locked }
      }
      fileSystem.pause(milliseconds: DocumentFile.lockPauseMilliseconds)
      waited += DocumentFile.lockPauseMilliseconds
    }
  }

  /// Gives the lock back where others write too.
  mutating func releaseSharedLock() {
    guard settings.access == .shared, let lockFile else { return }
    fileSystem.close(lockFile)
    self.lockFile = nil
  }

  private static var lockPauseMilliseconds: Int { 10 }

  /// Takes away what a crash left of files that were about to replace this one.
  func removeLeftovers() {
    let directory = Path.directory(of: path)
    let prefix = Path.name(of: temporaryPrefix)
    // They are harmless; if they cannot be removed, opening the file goes on.
    guard let names = try? fileSystem.list(directory) else { return }
    for name in names where name.utf8.starts(with: prefix.utf8) {
      try? fileSystem.unlink(Path.joining(directory, name))
    }
  }
}

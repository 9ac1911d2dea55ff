public import Betwixt

extension DocumentFile {
  /// Replaces what the file holds by another list of the same id, and keeps the old one as
  /// `NAME.replaced-1` or the next.
  ///
  /// This is for lists that were healed: what they lack on purpose a commit would join again. So would a
  /// generation before, if the file were damaged later: there is none until the next compaction.
  ///
  /// - Parameter other: The list that takes the place of ``list``.
  /// - Returns: The path of the old file.
  /// - Throws: ``DocumentFileFailure``; the file is as it was. `surprise` if it is another list, or if
  ///   the file was changed since: make the list again, from ``list`` as it is then.
  /// - Complexity: O(*n*) for *n* entries
  @discardableResult
  public mutating func replace(by other: ReplicatedList) throws(DocumentFileFailure) -> String {
    try replacing(by: other) { (file, before) throws(DocumentFileFailure) in
      let kept = try attempt { () throws(FileSystemError) in
        try KeptCopies(of: file.path, because: .replaced, in: file.fileSystem).freePath()
      }
      try file.writeGeneration(keepingOldAs: kept, holding: before)
      file.removePrevious(unlessMissingIn: before)
      return kept
    }
  }

  /// Replaces what the file holds by a list that lets go of what all others let go of that meet it, and
  /// keeps the old one as `NAME.previous`.
  ///
  /// - Parameter other: The list that takes the place of ``list``.
  /// - Throws: ``DocumentFileFailure``; the file is as it was.
  mutating func replace(byForgetting other: ReplicatedList) throws(DocumentFileFailure) {
    try replacing(by: other) { (file, before) throws(DocumentFileFailure) in
      try file.writeGeneration(keepingOldAs: file.freePreviousPath(), holding: before)
    }
  }

  private mutating func replacing<Value>(
    by other: ReplicatedList,
    _ write: (inout DocumentFile, ReplicatedList) throws(DocumentFileFailure) -> Value
  ) throws(DocumentFileFailure) -> Value {
    guard other.id == list.id else { throw .surprise }
    let seen = readCount
    try beginWriting()
    defer { releaseSharedLock() }
    // Whoever made it knows nothing of what others have written.
    guard readCount == seen else { throw .surprise }
    let before = list
    list = other
    do {
      let value = try write(&self, before)
      if state == .sealed { state = .ready }
      return value
    } catch {
      list = before
      throw error
    }
  }

  /// Takes the generation before away, if a list that was kept holds all of it; one that has more gets
  /// another name.
  private func removePrevious(unlessMissingIn list: ReplicatedList) {
    for name in PreviousGeneration.paths(beside: path, of: list.id)
    where fileSystem.isFile(at: name, of: list.id) {
      do throws(DocumentFileFailure) {
        try setAside(name, unlessHeldBy: list)
        try attempt { () throws(FileSystemError) in try fileSystem.unlinkIfPresent(name) }
      } catch {
        // What stays is kept as a branch by the next compaction: nothing is lost.
      }
    }
  }
}

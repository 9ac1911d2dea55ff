public import Betwixt

extension DocumentFile {
  /// Replaces what the file holds by another list of the same id, and keeps the old one as
  /// `NAME.previous`.
  ///
  /// This is for lists that were healed: what they lack on purpose a commit would join again.
  ///
  /// - Parameter other: The list that takes the place of ``list``.
  /// - Throws: ``DocumentFileFailure``; the file is as it was. `surprise` if it is another list, or if
  ///   the file was changed since: make the list again, from ``list`` as it is then.
  /// - Complexity: O(*n*) for *n* entries
  public mutating func replace(by other: ReplicatedList) throws(DocumentFileFailure) {
    guard other.id == list.id else { throw .surprise }
    let seen = readCount
    try beginWriting()
    defer { releaseSharedLock() }
    // Whoever made it knows nothing of what others have written.
    guard readCount == seen else { throw .surprise }
    let before = list
    list = other
    do {
      try writeGeneration(keepingOldAs: freePreviousPath(), holding: before)
    } catch {
      list = before
      throw error
    }
    if state == .sealed { state = .ready }
  }
}

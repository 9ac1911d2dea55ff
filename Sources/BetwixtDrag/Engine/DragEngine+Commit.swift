import Betwixt

/// A commit that may still fail or be taken back.
struct RecentCommit: Hashable, Sendable {
  let id: CommitID
  let title: String
}

extension DragEngine {
  /// How many commits are remembered for the answers about them.
  private static let memory = 8

  mutating func commit(_ edits: [ListEdit], title: String) {
    commitCount += 1
    let id = CommitID(commitCount)
    recentCommits.append(RecentCommit(id: id, title: title))
    if recentCommits.count > DragEngine.memory { recentCommits.removeFirst() }
    emit(.commit(id, edits))
  }

  /// Offers to take the newest commit back.
  mutating func offerUndo(_ text: String) {
    if isUndoOffered { emit(.cancelTimer(.undo)) }
    isUndoOffered = true
    emit(.toast(Toast(text: text, button: "Undo")))
    emit(.startTimer(.undo, delay: profile.undo))
  }

  mutating func undo() {
    guard isUndoOffered, let last = recentCommits.last else { return }
    isUndoOffered = false
    emit(.revert(last.id))
    emit(.toast(nil))
    emit(.cancelTimer(.undo))
  }

  mutating func undoRanDown() {
    guard isUndoOffered else { return }
    isUndoOffered = false
    emit(.toast(nil))
  }

  mutating func reverted(_ id: CommitID, _ isDone: Bool) {
    guard let commit = forget(id) else { return }
    emit(.announce(isDone ? .undone : .undoStale(title: commit.title)))
  }

  mutating func failed(_ id: CommitID) {
    let isOffered = isUndoOffered && recentCommits.last?.id == id
    guard let commit = forget(id) else { return }
    emit(.announce(.notSaved(title: commit.title)))
    if isOffered {
      isUndoOffered = false
      emit(.toast(nil))
      emit(.cancelTimer(.undo))
    }
  }

  private mutating func forget(_ id: CommitID) -> RecentCommit? {
    guard let index = recentCommits.firstIndex(where: { $0.id == id }) else { return nil }
    return recentCommits.remove(at: index)
  }
}

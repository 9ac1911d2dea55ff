import Betwixt
import BetwixtTrips

/// A commit that was asked for.
struct Commit: Hashable, Sendable {
  /// What is to be seen once it is known what came of it.
  enum End: Hashable, Sendable {
    /// An item was moved without a drag, or added.
    case plain(ItemID?)
    /// A copy is in the air, on its way to a frame; it came from another.
    case landing(ItemID, to: DragFrame, from: DragFrame?)
    /// A row of some height is gone, and those from a height on close up.
    case closing(top: Double, height: Double)
    /// A text or a state was written.
    case silent

    /// The item that was moved.
    var item: ItemID? {
      switch self {
      case .plain(let id): id
      case .landing(let id, _, _): id
      case .closing, .silent: nil
      }
    }
  }

  let id: CommitID
  let step: EditStep
  /// `nil` once the host has answered.
  var end: End?
  /// The section that a toast names.
  let section: SectionName?
  /// How often rows had been laid out then.
  let layoutCount: Int
  /// Where the focus goes if the item is not shown any more.
  let neighbour: RowRef?
  /// What was typed, which is the user's to keep if it is not written.
  let typed: TypedText?

  struct TypedText: Hashable, Sendable {
    let target: EditTarget
    let text: String
  }
}

extension DragEngine {
  /// How many commits are remembered for the answers about them: as many as can be taken back.
  private static let memory = 100

  /// Asks for a commit; nothing may follow it, because only the answer tells what became of it.
  mutating func commit(
    _ edits: [ListEdit], step: EditStep, end: Commit.End, in section: SectionName? = nil,
    neighbour: RowRef? = nil, typed: Commit.TypedText? = nil
  ) {
    commitCount += 1
    let id = CommitID(commitCount)
    commits.append(
      Commit(
        id: id, step: step, end: end, section: section, layoutCount: layoutCount,
        neighbour: neighbour, typed: typed))
    if commits.count > DragEngine.memory { commits.removeFirst() }
    emit(.commit(id, edits))
  }

  /// A commit is in the document: what was shown becomes true.
  mutating func committed(_ id: CommitID, added: ItemID?) {
    guard let index = commits.lastIndex(where: { $0.id == id }), let end = commits[index].end
    else { return }
    commits[index].end = nil
    let commit = commits[index]
    var item = added
    switch end {
    case .landing(let id, let frame, _):
      item = id
      settle(id, at: rowFrame(of: id, since: commit.layoutCount) ?? frame)
      emit(profile.drop)
    case .plain(let id):
      item = item ?? id
      emit(profile.drop)
    case .closing(let top, let height):
      if isIdle, layoutCount > commit.layoutCount { closeUp(from: top, by: height) }
    case .silent: break
    }
    show(Toast(commit.done, button: .undo(id)))
    say(commit, of: item)
  }

  private mutating func say(_ commit: Commit, of item: ItemID?) {
    let title = commit.step.title
    switch commit.step.kind {
    case .move, .addition:
      if let item, let place = placeAnywhere(of: item) {
        emit(.announce(.dropped(title: title, place)))
      }
    case .removal: emit(.announce(.removed(title: title)))
    case .completion: emit(.announce(.completed(title: title)))
    case .change, .other: break
    }
    // Whoever has begun something new meanwhile has the focus there.
    guard isIdle, let row = item.flatMap({ visibleRow(of: $0) }) ?? commit.neighbour else { return }
    emit(.focus(row))
  }

  /// A commit was refused, or could not be saved later on: the document is the truth.
  mutating func failed(_ id: CommitID) {
    guard let index = commits.lastIndex(where: { $0.id == id }) else { return }
    let commit = commits.remove(at: index)
    // What somebody else has removed meanwhile is not back.
    let isGone = commit.end?.item.map { !contains($0) } ?? false
    if case .landing(let id, _, let from)? = commit.end { goBack(id, to: isGone ? nil : from) }
    tell(isGone ? .itemRemoved(title: commit.step.title) : .notSaved(commit.step))
    if let typed = commit.typed { emit(.endEditing(typed.target, .lost(text: typed.text))) }
    if isIdle, !isGone, let id = commit.end?.item { emit(.focus(.item(id))) }
  }

  /// A copy that waits for the answer about its commit makes room for a new one.
  mutating func forgetLanding() {
    for index in commits.indices {
      guard case .landing(let id, _, _)? = commits[index].end else { continue }
      commits[index].end = .plain(id)
      emit(.item(id), to: .alpha(1), motion: .none)
      emit(.removeCopy(after: 0))
    }
  }

  /// Where the row of an item lies now, if rows were laid out since.
  private func rowFrame(of id: ItemID, since count: Int) -> DragFrame? {
    guard layoutCount > count, let layout, let table, let place = table.place(of: .item(id))
    else { return nil }
    return DragFrame(
      x: 0, y: table.rows[place].minY, width: layout.width, height: table.rows[place].height)
  }

  /// The row of an item, if this tab shows it.
  private func visibleRow(of id: ItemID) -> RowRef? {
    guard let section = document?.list[id: id]?.section, let stage else { return nil }
    return stage.shows(section) ? .item(id) : nil
  }

  /// The place of an item, also if it is in another tab.
  private func placeAnywhere(of id: ItemID) -> ListPlace? {
    guard let document, document.list.contains(id: id) else { return nil }
    return stage?.place(of: id)
  }
}

extension Commit {
  /// What was done, for all to see.
  fileprivate var done: String {
    let section = section?.title ?? ""
    switch step.kind {
    case .move: return "Moved to \(section)"
    case .addition: return "Added to \(section)"
    case .removal: return "Removed from \(section)"
    case .completion: return "Completed \(step.title)"
    case .change: return "Changed \(step.title)"
    case .other: return step.name
    }
  }
}

// MARK: - Toasts

extension DragEngine {
  /// Says something to those who listen and to those who look.
  mutating func tell(_ announcement: Announcement, button: Toast.Button? = nil) {
    emit(.announce(announcement))
    show(Toast(announcement.text, button: button))
  }

  mutating func show(_ toast: Toast) {
    if self.toast != nil { emit(.cancelTimer(.toast)) }
    self.toast = toast
    emit(.toast(toast))
    emit(.startTimer(.toast, delay: profile.undo))
  }

  private mutating func hideToast() {
    guard toast != nil else { return }
    toast = nil
    emit(.toast(nil))
    emit(.cancelTimer(.toast))
  }

  mutating func toastRanDown() {
    guard toast != nil else { return }
    toast = nil
    emit(.toast(nil))
  }
}

// MARK: - Undo

extension DragEngine {
  /// Asks for a step to be taken back or made again.
  mutating func turn(_ turn: UndoTurn) {
    hideToast()
    emit(.turn(turn))
  }

  /// Says what came of it.
  mutating func turned(_ report: TurnReport) {
    // A step of another program, or of an earlier run, is known by its name alone.
    let step =
      commits.last { $0.id == report.commit }?.step
      ?? report.name.map { EditStep(.other, title: $0) }
    switch (report.turn, report.outcome) {
    case (.redo, .nothing): tell(.nothingToRedo)
    case (_, .nothing): tell(.nothingToUndo)
    case (.redo, .refused): tell(.redoRefused)
    case (_, .refused): tell(.undoRefused)
    case (.redo, .kept(let reason)): tell(.redoKept(step, reason), button: .insist)
    case (_, .kept(let reason)): tell(.undoKept(step, reason), button: .insist)
    case (.redo, let outcome): tell(.redone(step, outcome))
    case (_, let outcome): tell(.undone(step, outcome), button: .redo)
    }
  }
}

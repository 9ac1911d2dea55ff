public import Betwixt
import BetwixtSync

extension Document {
  /// Why an edit was not made; the document is as it was.
  public enum EditFailed<Reason: Error>: Error {
    /// The closure threw this.
    case refused(Reason)

    /// The document could not be read or written.
    case failed(Failure)
  }

  /// Makes edits, all of them or none; they are on the drive when this returns.
  ///
  ///     let (lunch, changes) = try trip.edit("Add Lunch") { list, me in
  ///       try list.append(["title": "Lunch"], by: &me)
  ///     }
  ///
  /// The closure gets the list with all that other programs wrote, which nobody can write meanwhile.
  /// Where there are no locks somebody may all the same; then the closure is called once more, with
  /// what the list is by then, so it should do nothing but edit. What was on the screen may have gone
  /// since: name items by their ids and places by their neighbours. An offset that is none any more is
  /// refused as `EditFailure`, and one that still is may be another place.
  ///
  /// - Parameters:
  ///   - step: What the user would call it, to be taken back with ``undo(window:)``; `nil` makes no
  ///     step, for an app with a history of its own.
  ///   - window: Whose step it is, where a document has several windows.
  ///   - body: Edits, and no merge.
  /// - Returns: What the body returned, and what changed in ``list``: the edits, and what other
  ///   programs wrote since.
  /// - Throws: ``EditFailed``: what the body threw, or why the document could not be written.
  /// - Complexity: As the edits; O(*n* log *n*) if other programs wrote or a compaction is due
  @discardableResult
  public mutating func edit<Value, Reason: Error>(
    _ step: String? = nil, window: Int = 0,
    _ body: (inout ReplicatedList, inout Replica) throws(Reason) -> Value
  ) throws(EditFailed<Reason>) -> (value: Value, changes: ListChanges) {
    guard let step else {
      return try write { (list, me, _) throws(Reason) in
        try list.transaction(by: &me, body)
      }
    }
    return try write { (list, me, steps) throws(Reason) in
      try steps.record(step, in: &list, by: &me, window: window, body)
    }
  }

  /// Makes edits, all of them or none, for an app that records their steps itself.
  ///
  /// That is one which knows more of a step than its name: the drag engine's `CommitHistory`, which must
  /// find the step of a drop again, or an editor that takes back one chosen step.
  ///
  ///     let (result, changes) = try trip.editWithSteps { (list, me, steps) throws(EditFailure) in
  ///       try steps.undo(chosen, in: &list, by: &me)  // nil if it is not the newest any more
  ///     }
  ///
  /// What the closure makes of the steps is kept once the edits are on the drive. A closure that edits
  /// and records nothing has made edits that ``undo(window:)`` takes for somebody else's.
  ///
  /// - Parameter body: Edits, and records them in the steps, which are as they were kept last: other
  ///   programs may have made some and taken others back. Like that of ``edit(_:window:_:)`` it may be
  ///   called more than once, so what it holds of an app's own it sets anew at its start.
  /// - Returns: What the body returned, and what changed in ``list``.
  /// - Throws: ``EditFailed``: what the body threw, or why the document could not be written.
  /// - Complexity: As ``edit(_:window:_:)``
  @discardableResult
  public mutating func editWithSteps<Value, Reason: Error>(
    _ body: (inout ReplicatedList, inout Replica, inout UndoHistory) throws(Reason) -> Value
  ) throws(EditFailed<Reason>) -> (value: Value, changes: ListChanges) {
    try write(body)
  }

  private static let attempts = 20

  /// Edits under the lock, again if somebody wrote whom no lock kept out.
  private mutating func write<Value, Reason: Error>(
    _ body: (inout ReplicatedList, inout Replica, inout UndoHistory) throws(Reason) -> Value
  ) throws(EditFailed<Reason>) -> (value: Value, changes: ListChanges) {
    for _ in 0..<Document.attempts {
      if let done = try writeOnce(body) { return done }
    }
    throw .failed(Failure(name, cause: .file(.surprise)))
  }

  /// Edits once; `nil` if somebody else wrote meanwhile, and nothing was done.
  private mutating func writeOnce<Value, Reason: Error>(
    _ body: (inout ReplicatedList, inout Replica, inout UndoHistory) throws(Reason) -> Value
  ) throws(EditFailed<Reason>) -> (value: Value, changes: ListChanges)? {
    do throws(Failure) {
      try lock()
      try makeWriter()
    } catch {
      unlock()
      throw .failed(error)
    }
    defer { unlock() }
    guard let identity = host.file.identity else {
      throw .failed(Failure(name, cause: .noStateDirectory))
    }
    readSteps()
    var (list, steps) = (host.file.list, self.steps.history)
    var me = identity.replica(for: list, clock: settings.clock)
    let value: Value
    do {
      value = try body(&list, &me, &steps)
    } catch {
      throw .refused(error)
    }
    let changes: ListChanges
    do {
      changes = try host.file.commit(list)
    } catch {
      guard error == .surprise else { throw .failed(Failure(name, cause: .file(error))) }
      return nil
    }
    keep(steps)
    return (value, show(after: changes))
  }
}

extension Document.EditFailed: CustomStringConvertible {
  /// What the closure threw, or the path, what went wrong and what helps.
  public var description: String {
    switch self {
    case .refused(let reason): "\(reason)"
    case .failed(let failure): failure.description
    }
  }
}

// MARK: - Steps

extension Document {
  /// Takes back the newest step of this installation that is left.
  ///
  /// - Parameter window: Whose steps.
  /// - Returns: What came of it, and what changed in ``list``; `nil` if no step is left, or nothing is
  ///   known of the last one: ``Notice/lastStepUnknown``.
  /// - Throws: ``EditFailed``
  /// - Complexity: As the step
  @discardableResult
  public mutating func undo(
    window: Int = 0
  ) throws(EditFailed<EditFailure>) -> (result: UndoResult, changes: ListChanges)? {
    try turn { (list, me, steps) throws(EditFailure) in
      try steps.undo(in: &list, by: &me, window: window)
    }
  }

  /// Makes again the step that was taken back last.
  ///
  /// - Parameter window: Whose steps.
  /// - Returns: What came of it, and what changed in ``list``; `nil` if no step is left.
  /// - Throws: ``EditFailed``
  /// - Complexity: As the step
  @discardableResult
  public mutating func redo(
    window: Int = 0
  ) throws(EditFailed<EditFailure>) -> (result: UndoResult, changes: ListChanges)? {
    try turn { (list, me, steps) throws(EditFailure) in
      try steps.redo(in: &list, by: &me, window: window)
    }
  }

  /// Takes also what the last undo or redo kept because others had changed it since.
  ///
  /// - Parameter window: Whose steps.
  /// - Returns: What came of it, and what changed in ``list``; `nil` if nothing was kept.
  /// - Throws: ``EditFailed``
  /// - Complexity: As the step
  @discardableResult
  public mutating func insist(
    window: Int = 0
  ) throws(EditFailed<EditFailure>) -> (result: UndoResult, changes: ListChanges)? {
    try turn { (list, me, steps) throws(EditFailure) in
      try steps.insist(in: &list, by: &me, window: window)
    }
  }

  /// Forgets the steps of a window that is closed: nobody can take them back any more.
  ///
  /// - Parameter window: Whose steps.
  /// - Throws: ``Failure``; the steps are as they were.
  public mutating func closeWindow(_ window: Int) throws(Failure) {
    try lock()
    defer { unlock() }
    readSteps()
    var news = steps.history
    news.close(window: window)
    keep(news)
  }

  /// The steps that can be taken back and made again, for menus.
  ///
  /// An act of this installation of which nothing is known, see ``Notice/lastStepUnknown``, is a step
  /// without a name.
  public var history: UndoHistory {
    mutating get {
      readSteps()
      return steps.history
    }
  }

  private mutating func turn(
    _ body: (inout ReplicatedList, inout Replica, inout UndoHistory) throws(EditFailure) ->
      UndoResult?
  ) throws(EditFailed<EditFailure>) -> (result: UndoResult, changes: ListChanges)? {
    let before = list
    let (result, changes) = try write(body)
    guard let result else {
      tellLater(since: before, losing: changes)
      return nil
    }
    return (result, changes)
  }

  /// Reads the steps if another program has kept some since, and finds out whether they are those of all
  /// that was written here.
  mutating func readSteps() {
    guard let state else { return }
    let status = state.stepsStatus
    if status != stepsStatus {
      stepsStatus = status
      let (read, failure) = state.steps(of: host.file.list.id)
      steps = read
      if let failure { note(.stepsLost(failure)) }
    }
    steps.meet(host.file.list, of: record)
  }

  /// Puts a step of which nothing is known upon those that are kept, before others' writes are merged
  /// as a step.
  ///
  /// Whoever is stopped before the step is kept has made no own write that would tell of it.
  ///
  /// - Parameter delta: What is about to be merged.
  /// - Returns: Whether it lies there, to be replaced or taken away.
  mutating func announceStep(changing delta: Delta) -> Bool {
    readSteps()
    guard let state, let announced = steps.announcingStep() else { return false }
    var merged = host.file.list
    merged.merge(delta)
    guard !merged.holdsSameEntries(as: host.file.list) else { return false }
    return replaceSteps(by: announced, in: state)
  }

  /// Takes the announced step away: nothing was merged.
  mutating func withdrawStep() {
    if let state { _ = replaceSteps(by: steps, in: state) }
  }

  private mutating func replaceSteps(by kept: KeptSteps, in state: DocumentState) -> Bool {
    let isDone = state.replace(kept, of: host.file.list.id, settings.file.syncLevel)
    stepsStatus = state.stepsStatus
    return isDone
  }

  /// Keeps what was merged as a step that can be taken back, once it is on the drive.
  mutating func keepStep(_ name: String, since before: ReplicatedList, isAnnounced: Bool) {
    var news = steps.history
    news.record(
      name, from: before, to: host.file.list, own: record?.ownReplicas ?? [])
    if news != steps.history { noteFile() }
    keep(news, always: isAnnounced)
  }

  /// Notes in which file a step was made that is no commit of its own, so that it is found again where
  /// the file is moved.
  ///
  /// Where that fails the step is kept all the same, for the path where the file is.
  private mutating func noteFile() {
    guard state != nil, let file = host.file.status else { return }
    try? makeWriter()
    try? host.file.identity?.note(file)
    noteRotation()
  }

  /// Notes that what was written is no step, once it is on the drive.
  ///
  /// - Parameter written: Entries that stand for older ones, which the steps know.
  mutating func keepWithoutStep(_ written: [UndoHistory.Rewrite] = []) {
    var news = steps.history
    if !steps.isEmpty { news.meet(written) }
    keep(news)
  }

  /// Keeps the steps, once what they did is on the drive.
  private mutating func keep(_ news: UndoHistory, always: Bool = false) {
    let old = steps
    steps.history = news
    steps.noteWrites(in: host.file.list, by: record)
    if let lost = steps.history.lostStep {
      steps.history.lostStep = nil
      note(
        lost.isUnknown
          ? .lastStepUnknown
          : .stepsLost("what “\(lost.label.name)” changed is gone or damaged"))
    }
    // Where there are no steps, none is taken in the place of a write that is none.
    guard always || steps != old && (news != old.history || !steps.isEmpty), let state else {
      return
    }
    let failure = state.keep(
      &steps, insteadOf: old, of: host.file.list.id, settings.file.syncLevel)
    // A drive that stays full is told once.
    if let failure, failure != toldStepFailure { note(.stepNotKept(failure)) }
    toldStepFailure = failure
    stepsStatus = state.stepsStatus
  }
}

// MARK: - The lock

extension Document {
  /// Keeps other programs from writing until ``unlock()``, with all that they wrote read.
  mutating func lock() throws(Failure) {
    do throws(DocumentFileFailure) {
      do throws(DocumentFileFailure) {
        try host.file.hold()
      } catch {
        // Something else stands in its place, or an earlier failure left open what is there.
        guard error == .ended || error == .surprise else { throw error }
        try host.file.readAgain()
        try host.file.hold()
      }
    } catch {
      throw Failure(name, cause: .file(error))
    }
    noteRepair()
    noteRotation()
  }

  mutating func unlock() { host.file.letGo() }
}

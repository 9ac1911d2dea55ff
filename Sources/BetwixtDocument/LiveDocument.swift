#if canImport(Observation)
public import Betwixt
public import BetwixtFiles
public import Observation

/// A document for a user interface: what is shown follows what is on the drive.
///
///     @State private var trip: LiveDocument
///
///     List(trip.list, id: \.id) { item in Text(item["title"]?.string ?? "") }
///       .task { await trip.follow(folder: "Dropbox/trips") }
///     Button("Undo") { try? trip.undo() }.disabled(trip.nextUndo == nil)
///
/// It is a `Document` of `BetwixtFiles` on the main actor. Its properties are observable; who keeps a
/// mirror of its own, such as a table view, takes ``changes()`` instead.
///
/// # What waits
/// An edit, an undo and a merge return when they are on the drive, which takes some milliseconds. While
/// another program has the file locked they wait on the main actor, up to ``patience``: ten seconds
/// unless `Document.Settings` say otherwise. Others lock it for the time of an edit, but one that is
/// suspended within an edit keeps the lock; an app that must not stop for so long sets less, and shows
/// the failure.
///
/// Following never waits on the main actor. A shared folder may be slow or gone: it is read and written
/// beside it, and what was read is taken in as soon as the document is free.
@MainActor @Observable
public final class LiveDocument {
  /// What the document holds.
  public private(set) var list: ReplicatedList

  /// The step that ``undo(window:)`` takes back in the first window; `nil` if there is none.
  public private(set) var nextUndo: UndoHistory.Step?

  /// The step that ``redo(window:)`` makes again in the first window; `nil` if there is none.
  public private(set) var nextRedo: UndoHistory.Step?

  /// The steps of all windows that can be taken back and made again, for menus.
  public private(set) var history: UndoHistory

  /// What there is to tell the user, oldest first, until ``clearNotices()``.
  public private(set) var notices: [Document.Notice] = []

  /// Why the document or a folder that is followed is not up to date, by path; empty if all is.
  public private(set) var troubles: [String: Document.Failure] = [:]

  /// The file as the app named it, for messages.
  public let name: String

  /// How long an edit waits for another program that has the document locked, in milliseconds; on the
  /// main actor.
  @ObservationIgnored public var patience: Int

  /// Whether nothing can be written: it was opened for reading, or a newer version wrote what only
  /// that one may change.
  @ObservationIgnored public private(set) var isReadOnly: Bool

  /// What opening and reading the file found; what was found after it was opened is among
  /// ``notices``, too.
  @ObservationIgnored public private(set) var report: RecoveryReport

  // What is asked within an edit, while this is changed, stands beside it.
  @ObservationIgnored private var storedDocument: Document
  @ObservationIgnored private var listeners: [Int: AsyncStream<ListChanges>.Continuation] = [:]
  @ObservationIgnored private var listenerCount = 0
  // What was taken from the document and is not among the notices yet.
  @ObservationIgnored private var untold: [Document.Notice] = []

  /// Takes a document that was opened.
  ///
  ///     let trip = LiveDocument(try Document.openOrCreate(at: path, settings: settings))
  public init(_ document: consuming Document) {
    list = document.list
    let history = document.history
    self.history = history
    nextUndo = history.nextUndo()
    nextRedo = history.nextRedo()
    notices = document.takeNotices()
    name = document.name
    patience = document.patience
    isReadOnly = document.isReadOnly
    report = document.report
    storedDocument = document
  }

  deinit {
    for listener in listeners.values { listener.finish() }
  }

  /// Which list it is.
  public var id: ListID { list.id }

  /// The document itself, of which nothing is asked while it is changed.
  @ObservationIgnored var document: Document {
    _read { yield storedDocument }
    _modify {
      storedDocument.patience = patience
      defer {
        isReadOnly = storedDocument.isReadOnly
        report = storedDocument.report
      }
      yield &storedDocument
    }
  }

  /// Forgets what the user has seen.
  public func clearNotices() { notices = [] }
}

// MARK: - Telling

extension LiveDocument {
  /// What changes from now on, each change once and in order, for one listener.
  ///
  ///     var rows = trip.list.map(\.id)
  ///     for await changes in trip.changes() {
  ///       changes.apply(to: &rows) { $0 }  // rows == trip.list.map(\.id), once all were applied
  ///     }
  ///
  /// Changes that no one has asked for yet are kept. The sequence ends with the document, or when the
  /// task is cancelled.
  ///
  /// - Returns: A sequence for one loop; call it once for each listener.
  public func changes() -> AsyncStream<ListChanges> {
    let (stream, continuation) = AsyncStream.makeStream(of: ListChanges.self)
    let number = listenerCount
    listenerCount += 1
    listeners[number] = continuation
    continuation.onTermination = { [weak self] _ in
      Task { @MainActor in self?.listeners[number] = nil }
    }
    return stream
  }

  /// Shows what the document holds now.
  ///
  /// Observers are called before a value changes, and may edit: then they have shown what came of that
  /// by the time the value is set, and what is set is what the document holds then.
  func tell(_ changes: ListChanges) {
    if !changes.isEmpty {
      for listener in listeners.values { listener.yield(changes) }
    }
    if _list == document.list {
      // The same entries, of which more may be known.
      _list = document.list
    } else {
      withMutation(keyPath: \.list) { _list = document.list }
    }
    let history = document.history
    if _history != history {
      withMutation(keyPath: \.history) { _history = document.history }
    }
    if _nextUndo != _history.nextUndo() {
      withMutation(keyPath: \.nextUndo) { _nextUndo = _history.nextUndo() }
    }
    if _nextRedo != _history.nextRedo() {
      withMutation(keyPath: \.nextRedo) { _nextRedo = _history.nextRedo() }
    }
    untold += document.takeNotices()
    guard !untold.isEmpty else { return }
    withMutation(keyPath: \.notices) {
      _notices += untold
      untold = []
    }
  }

  /// Notes whether something keeps the document from being up to date.
  func note(_ trouble: Document.Failure?, about path: String) {
    if troubles[path] != trouble { troubles[path] = trouble }
  }
}

// MARK: - Editing

extension LiveDocument {
  /// Makes edits, all of them or none; they are on the drive when this returns.
  ///
  ///     let lunch = try trip.edit("Add Lunch") { list, me in
  ///       try list.append(["title": "Lunch"], by: &me)
  ///     }
  ///
  /// - Parameters:
  ///   - step: What the user would call it; `nil` makes no step that can be taken back.
  ///   - window: Whose step it is, where a document has several windows.
  ///   - body: Edits, and no merge; called once more if somebody writes whom no lock kept out. It calls
  ///     no method of this document; what the properties say is what was there before.
  /// - Returns: What the body returned.
  /// - Throws: `Document.EditFailed`; the document is as it was.
  @discardableResult
  public func edit<Value, Reason: Error>(
    _ step: String? = nil, window: Int = 0,
    _ body: (inout ReplicatedList, inout Replica) throws(Reason) -> Value
  ) throws(Document.EditFailed<Reason>) -> Value {
    let (value, changes) = try document.edit(step, window: window, body)
    tell(changes)
    return value
  }

  /// Makes edits, all of them or none, for an app that records their steps itself, such as in a
  /// `CommitHistory` of `BetwixtDrag`.
  ///
  ///     let result = try trip.editWithSteps { (list, me, steps) throws(EditFailure) in
  ///       try steps.undo(chosen, in: &list, by: &me)  // nil if it is not the newest any more
  ///     }
  ///
  /// - Parameter body: Edits, and records them in the steps; called once more if somebody writes whom
  ///   no lock kept out, so what it holds of an app's own it sets anew at its start. It calls no method
  ///   of this document; what the properties say is what was there before.
  /// - Returns: What the body returned.
  /// - Throws: `Document.EditFailed`; the document is as it was.
  @discardableResult
  public func editWithSteps<Value, Reason: Error>(
    _ body: (inout ReplicatedList, inout Replica, inout UndoHistory) throws(Reason) -> Value
  ) throws(Document.EditFailed<Reason>) -> Value {
    let (value, changes) = try document.editWithSteps(body)
    tell(changes)
    return value
  }

  /// Takes back the newest step that is left.
  ///
  /// - Parameter window: Whose steps.
  /// - Returns: What came of it; `nil` if no step is left, or nothing is known of the last one:
  ///   `Document.Notice.lastStepUnknown`.
  /// - Throws: `Document.EditFailed`; the document is as it was.
  @discardableResult
  public func undo(
    window: Int = 0
  ) throws(Document.EditFailed<EditFailure>) -> UndoResult? {
    show(try document.undo(window: window))
  }

  /// Makes again the step that was taken back last.
  ///
  /// - Parameter window: Whose steps.
  /// - Returns: What came of it; `nil` if no step is left.
  /// - Throws: `Document.EditFailed`; the document is as it was.
  @discardableResult
  public func redo(
    window: Int = 0
  ) throws(Document.EditFailed<EditFailure>) -> UndoResult? {
    show(try document.redo(window: window))
  }

  /// Takes also what the last undo or redo kept because others had changed it since.
  ///
  ///     if let result = try trip.undo(), !result.isWhole { … }  // offers a button that calls this
  ///
  /// - Parameter window: Whose steps.
  /// - Returns: What came of it; `nil` if nothing was kept.
  /// - Throws: `Document.EditFailed`; the document is as it was.
  @discardableResult
  public func insist(
    window: Int = 0
  ) throws(Document.EditFailed<EditFailure>) -> UndoResult? {
    show(try document.insist(window: window))
  }

  /// Shows what a turn of the steps came to, also if it was none: a step of which nothing was left is
  /// none any more.
  private func show(_ turn: (result: UndoResult, changes: ListChanges)?) -> UndoResult? {
    tell(turn?.changes ?? ListChanges())
    return turn?.result
  }

  /// Forgets the steps of a window that is closed.
  ///
  /// - Parameter window: Whose steps.
  /// - Throws: `Document.Failure`; the steps are as they were.
  public func closeWindow(_ window: Int) throws(Document.Failure) {
    try document.closeWindow(window)
    tell(ListChanges())
  }

  /// Makes sure that all is on the drive, whatever the sync level; such as before the app is
  /// suspended.
  ///
  /// - Throws: `Document.Failure`
  public func makeDurable() throws(Document.Failure) { try document.makeDurable() }
}
#endif

public import Betwixt
public import BetwixtTrips

/// The commits of one person in one document, to be taken back and made again.
///
/// It answers for a host what ``DragEffect/commit(_:_:)`` and ``DragEffect/turn(_:)`` ask for, and
/// keeps the steps in a `UndoHistory`:
///
///     case .commit(let id, let edits):
///       let added = try history.commit(id, edits: edits, in: &document, by: &me)
///       tell(.document(document), .layout(layout()), .committed(id, added, at: now))
///     case .turn(let turn):
///       let report = try history.turn(turn, in: &document, by: &me)
///       tell(.document(document), .layout(layout()), .turned(report, at: now))
///
/// A document that is also edited beside the engine has those edits recorded in ``steps``, so that
/// they are not taken for somebody else's.
///
/// All windows of a document share one history, each with an engine and a number of its own: what is
/// committed in one is taken back in that one, and engines count their commits by themselves.
public struct CommitHistory: Sendable {
  /// The steps, those of commits and others.
  public var steps: UndoHistory

  /// The commits by the numbers of their steps; each belongs to the window of its step.
  private var commits: [Int: CommitID] = [:]

  /// Makes a history without commits.
  ///
  /// - Parameter levels: How many steps can be taken back.
  public init(levels: Int = 100) { steps = UndoHistory(levels: levels) }

  /// Does what a commit says, as one step; all of it or nothing.
  ///
  /// - Parameters:
  ///   - id: Which commit.
  ///   - edits: Its edits.
  ///   - document: The document.
  ///   - replica: Who writes.
  ///   - time: Now, for the field `completedAt` of a task; `nil` leaves that field alone.
  ///   - window: In which window, where a document has several.
  /// - Returns: The item that it added.
  /// - Throws: `TripFailure`; nothing is changed then, and no number of the writer used.
  /// - Complexity: O(log *n*) for each edit, O(*n*) to move a travel leg
  @discardableResult
  public mutating func commit(
    _ id: CommitID, edits: [ListEdit], in document: inout DragDocument,
    by replica: inout Replica, at time: Moment? = nil, window: Int = 0
  ) throws(TripFailure) -> ItemID? {
    let last = steps.nextUndo(window: window)
    let name = edits.first.map { document.step(of: $0).name } ?? ""
    let added = try steps.record(name, in: &document, by: &replica, window: window) {
      (document, replica) throws(TripFailure) in
      try document.apply(edits, by: &replica, at: time)
    }
    if let step = steps.nextUndo(window: window), step != last { note(id, step: step) }
    return added
  }

  private mutating func note(_ id: CommitID, step: UndoHistory.Step) {
    commits[step.number] = id
    // Steps are there to be taken back and to be made again, so many of each.
    guard (commits.count - 1) / 4 >= steps.levels, let oldest = commits.keys.min() else { return }
    commits[oldest] = nil
  }

  /// Takes a step back or makes it again, as far as nobody else has written there since.
  ///
  /// - Parameters:
  ///   - turn: Which way.
  ///   - document: The document.
  ///   - replica: Who writes.
  ///   - window: In which window it was asked for.
  /// - Returns: What came of it, to be told to the engine.
  /// - Throws: `EditFailure`; nothing is changed then.
  /// - Complexity: O(log *n*) for each register of the step
  public mutating func turn(
    _ turn: UndoTurn, in document: inout DragDocument, by replica: inout Replica,
    window: Int = 0
  ) throws(EditFailure) -> TurnReport {
    let result: UndoResult?
    switch turn {
    case .undo(let id?):
      guard let step = steps.nextUndo(window: window), commits[step.number] == id else {
        return TurnReport(turn, commit: nil, outcome: .nothing)
      }
      result = try steps.undo(step, in: &document, by: &replica, window: window)
    case .undo(nil): result = try steps.undo(in: &document, by: &replica, window: window)
    case .redo: result = try steps.redo(in: &document, by: &replica, window: window)
    case .insist: result = try steps.insist(in: &document, by: &replica, window: window)
    }
    guard let result else { return TurnReport(turn, commit: nil, outcome: .nothing) }
    let commit = commits[result.step.number]
    return TurnReport(
      result.direction == .redo ? .redo : .undo(commit), commit: commit, named: result.step.name,
      outcome: TurnReport.Outcome(result))
  }
}

extension TurnReport.Outcome {
  fileprivate init(_ result: UndoResult) {
    if let obstacle = result.kept.first?.obstacles.first {
      self = .kept(TurnReport.Reason(obstacle.reason))
    } else if result.done.contains(where: { $0.removal != nil }) {
      self = .doneUnseen
    } else if result.done.contains(where: { !$0.othersWrites.isEmpty }) {
      self = .doneWithChanges
    } else {
      self = .done
    }
  }
}

extension TurnReport.Reason {
  fileprivate init(_ reason: UndoResult.Obstacle.Reason) {
    switch reason {
    case .changed: self = .changed
    case .added: self = .added
    case .removed: self = .removed
    case .restored: self = .restored
    case .gone: self = .gone
    }
  }
}

extension DragDocument {
  /// What an edit does, as one would call it.
  fileprivate func step(of edit: ListEdit) -> EditStep {
    switch edit {
    case .move(let id, _): EditStep(.move, title: title(of: id))
    case .insert(let fields, _), .addGame(let fields):
      EditStep(.addition, title: (fields[textField] ?? fields["title"])?.string ?? "")
    case .set(let id, "state", "completed"): EditStep(.completion, title: title(of: id))
    case .set(let id, let name, let value):
      EditStep(.change, title: name == textField ? value.string ?? "" : title(of: id))
    case .remove(let id): EditStep(.removal, title: title(of: id))
    }
  }
}

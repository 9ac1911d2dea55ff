#if canImport(Observation)
import Betwixt
import BetwixtDocument
import BetwixtDrag
import BetwixtFiles
import BetwixtTrips

// MARK: The article

/// The writes of a table whose rows are dragged, in a document that the menus edit too.
@MainActor struct TableWriter {
  let trip: LiveDocument
  /// The list as the engine was told it; for tasks `{ .tasks(TaskList($0)) }`.
  var reading: (ReplicatedList) -> DragDocument = { .trip(Trip($0)) }
  var history = CommitHistory()

  mutating func commit(
    _ id: CommitID, _ edits: [ListEdit], at time: Moment
  ) throws -> ItemID? {
    try write { (document, history, me) throws(TripFailure) in
      try history.commit(id, edits: edits, in: &document, by: &me, at: time)
    }
  }

  mutating func turn(_ turn: UndoTurn) throws -> TurnReport {
    try write { (document, history, me) throws(EditFailure) in
      try history.turn(turn, in: &document, by: &me)
    }
  }

  private mutating func write<Value, Failure: Error>(
    _ body: (inout DragDocument, inout CommitHistory, inout Replica) throws(Failure) -> Value
  ) throws(Document.EditFailed<Failure>) -> Value {
    let before = history
    var after = before
    let value = try trip.editWithSteps { (list, me, steps) throws(Failure) in
      var document = reading(list)
      after = before  // not what a first try left, if this is called once more
      after.steps = steps
      let value = try body(&document, &after, &me)
      (list, steps) = (document.list, after.steps)
      return value
    }
    history = after  // what was not written is no step
    return value
  }
}
#endif

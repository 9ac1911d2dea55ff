import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// What a commit of the engine writes when a task is ticked off or opened again.
@Suite struct CompletionTests {
  private static let now = Moment("2026-06-11T10:00:00Z")

  @Test func aCommitSaysWhenATaskWasCompletedAndTakesItBack() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_781_172_000_000 }
    var tasks = try TaskList(id: ListID(high: 1, low: 1), by: &me)
    let day = try #require(CivilDate("2026-06-11"))
    let id = try tasks.add("Book the hotel", on: day, by: &me)
    var (document, history) = (DragDocument.tasks(tasks), CommitHistory())
    func field(_ name: FieldName) -> FieldValue? { document.list[id: id]?[name] }

    try history.commit(
      CommitID(1), edits: [.set(id, "state", "completed")], in: &document, by: &me,
      at: Self.now)
    #expect(field("state") == "completed" && field("completedAt") == "2026-06-11T10:00:00Z")

    try history.commit(
      CommitID(2), edits: [.set(id, "state", "notStarted")], in: &document, by: &me,
      at: Self.now)
    #expect(field("state") == "notStarted" && field("completedAt") == nil)

    // A host that knows no time says that it is done, and not when.
    try history.commit(
      CommitID(3), edits: [.set(id, "state", "completed")], in: &document, by: &me)
    #expect(field("state") == "completed" && field("completedAt") == nil)
  }
}

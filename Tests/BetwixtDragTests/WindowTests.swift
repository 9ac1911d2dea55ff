import Betwixt
import BetwixtDrag
import BetwixtTrips
import TestSupport
import Testing

/// Windows of one document share its history, and each takes back what was done in it.
@Suite struct WindowTests {
  /// Two engines, each of which counts its commits from 1.
  @Test func aWindowTakesBackItsOwnSteps() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_781_172_000_000 }
    var tasks = try TaskList(id: ListID(high: 1, low: 1), by: &me)
    let day = try #require(CivilDate("2026-06-11"))
    let (first, second) = (
      try tasks.add("Book the hotel", on: day, by: &me), try tasks.add("Pack", on: day, by: &me)
    )
    var (document, history) = (DragDocument.tasks(tasks), CommitHistory())
    func state(_ id: ItemID) -> FieldValue? { document.list[id: id]?["state"] }
    let id = CommitID(1)
    for (window, item) in [(1, first), (2, second)] {
      try history.commit(
        id, edits: [.set(item, "state", "completed")], in: &document, by: &me, window: window)
    }
    // The button of the toast in the first window.
    let report = try history.turn(.undo(id), in: &document, by: &me, window: 1)
    #expect(report.outcome == .done && report.commit == id)
    #expect(state(first) == "notStarted" && state(second) == "completed")
    // A shake there finds nothing more; the other window has its own step still.
    #expect(try history.turn(.undo(nil), in: &document, by: &me, window: 1).outcome == .nothing)
    #expect(state(second) == "completed")
    #expect(try history.turn(.redo, in: &document, by: &me, window: 1).commit == id)
    #expect(try history.turn(.undo(nil), in: &document, by: &me, window: 2).outcome == .done)
    #expect(state(first) == "completed" && state(second) == "notStarted")
  }
}

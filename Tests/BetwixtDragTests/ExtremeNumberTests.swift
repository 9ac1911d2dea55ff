import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// No number of a host or a log ends the program.
@Suite struct ExtremeNumberTests {
  @Test(arguments: [Double.leastNonzeroMagnitude, 1e-300, .greatestFiniteMagnitude, .infinity])
  func aTabStripOfAnyWidth(width: Double) throws {
    let tasks = try SampleTasks()
    var host = DragHost(.tasks(tasks.tasks), tab: .today)
    var layout = host.layout()
    layout.tabStrip = DragFrame(x: 0, y: 0, width: width, height: 50)
    host.send(.layout(layout))
    host.lift(tasks.call)
    for x in [0, 10, -10, .greatestFiniteMagnitude] { host.move(DragPoint(x: x, y: 10)) }
    #expect(!host.engine.isIdle)
  }

  @Test(arguments: [Int.max, .min]) func aDelayOfAnyLength(stagger: Int) throws {
    let sample = try SampleTrip()
    var settings = DragSettings(.itinerary)
    settings.profile.deleteStagger = stagger
    settings.profile.delete.duration = .max
    var host = DragHost(.trip(sample.trip), settings)
    host.send(.delete(sample.museum))
    #expect(!host.document.list.contains(id: sample.museum))
  }

  @Test func aHistoryOfAnyLength() throws {
    var me = Replica(test: 1)
    let sample = try SampleTrip()
    var (document, history) = (DragDocument.trip(sample.trip), CommitHistory(levels: .max))
    try history.commit(CommitID(1), edits: [.remove(sample.museum)], in: &document, by: &me)
    #expect(try history.turn(.undo(nil), in: &document, by: &me).outcome == .done)
  }
}

import Betwixt
import BetwixtTrips
import TestSupport
import Testing

@testable import BetwixtDrag

/// Completed tasks pile up, and nobody waits for them.
struct TaskCostTests {
  /// An inbox of open tasks, each with as many completed ones behind it.
  private func tasks(open: Int, completed: Int) throws -> TaskList {
    var me = Replica(test: 4)
    var list = ReplicatedList(id: ListID(high: 4, low: 4))
    for number in 0..<open * (completed + 1) {
      let state = number % (completed + 1) == 0 ? "notStarted" : "completed"
      try list.append(
        ["text": .string("\(number)"), "state": .string(state)], toSection: TaskList.inbox, by: &me)
    }
    return TaskList(list)
  }

  @Test("Neighbours by listed rows are those that a look at each task finds")
  func neighbours() throws {
    let sample = try SampleTasks()
    let lists = [
      (sample.tasks, TaskTab.today), (sample.tasks, .upcoming),
      (try tasks(open: 4, completed: 2), .inbox), (try tasks(open: 1, completed: 0), .inbox),
      (try tasks(open: 0, completed: 0), .inbox),
    ]
    for ((tasks, tab), isVisitor) in lists.flatMap({ [($0, false), ($0, true)] }) {
      let stage = TaskStage(
        tasks: tasks, tab: tab, today: SampleTasks.today, isVisitor: isVisitor)
      var listed = stage
      listed.listed = ListedRows(stage.rows)
      let sections = Set(tasks.list.compactMap(\.section)).union([TaskList.inbox])
      let ids = tasks.list.map { Optional($0.id) } + [nil]
      for moved in ids {
        #expect(moved.map { stage.gap(of: $0) } == moved.map { listed.gap(of: $0) })
        for section in sections.sorted() {
          #expect(
            stage.endGap(of: section, moving: moved) == listed.endGap(of: section, moving: moved))
          for id in ids {
            for gap in [
              Gap(day: section, above: id, below: nil), Gap(day: section, above: nil, below: id),
            ] {
              #expect(stage.resolve(gap, moving: moved) == listed.resolve(gap, moving: moved))
            }
          }
        }
      }
    }
  }

  // The invariant checks visit by themselves, and release builds do not count.
  #if DEBUG && !BETWIXT_CHECKS
  @Test("Among 6,000 completed tasks a move, and a list scrolled under a new one, cost little more")
  func cost() throws {
    let small = try work(completed: 20)
    let large = try work(completed: 2_000)
    for (small, large) in zip(small, large) {
      #expect(large <= 5 * small, "\(large) against \(small)")
    }
  }

  /// What a drag of the last of three open tasks looks at, and scrolling while one is added.
  private func work(completed: Int) throws -> [Int] {
    let tasks = try tasks(open: 3, completed: completed)
    var engine = DragEngine(DragSettings(.tasks))
    for event in [DragEvent.today(SampleTasks.today), .document(.tasks(tasks))] {
      _ = engine.handle(event)
    }
    let refs = DragDocument.tasks(tasks).rows(in: .inbox, today: SampleTasks.today)
    let rows = refs.enumerated().map { place, ref in
      RowFrame(ref, minY: Double(place) * 60, maxY: Double(place) * 60 + 60)
    }
    _ = engine.handle(
      .layout(
        ListLayout(
          container: .inbox, rows: rows, width: 320, viewportHeight: 400, offset: 0,
          contentHeight: Double(rows.count) * 60)))
    _ = engine.handle(.lift(refs[2], .touch, DragPoint(x: 9, y: 150), at: 0))
    let (_, moving) = Cost.measure {
      for step in 1...200 {
        _ = engine.handle(.moved(DragPoint(x: 9, y: Double(step * 37 % 400)), at: Int64(step)))
      }
    }
    _ = engine.handle(.cancelled(.escape, at: 300))
    _ = engine.handle(.edit(.add(below: refs[0])))
    let (_, scrolling) = Cost.measure {
      for step in 1...200 { _ = engine.handle(.scrolled(Double(step))) }
    }
    #expect(engine.editTarget != nil && moving[.nodeVisit] > 0)
    return [moving[.nodeVisit], scrolling[.nodeVisit]]
  }
  #endif
}

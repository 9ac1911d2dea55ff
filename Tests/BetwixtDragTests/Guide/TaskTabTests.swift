import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// Tabs by keys and actions, and days that have passed.
struct TaskTabTests {
  let tasks: SampleTasks
  private let today = SampleTasks.today.dayNumber

  init() throws { tasks = try SampleTasks() }

  private func host(_ tab: TaskTab = .today) -> GuideHost {
    GuideHost(.tasks(tasks.tasks), tab: tab)
  }

  @Test("By keys a task goes from Today to Upcoming and back")
  func byKeys() {
    var host = host()
    host.tell(.key(.space, .item(tasks.pack), at: 0))
    host.tell(.key(.right, nil, at: 1))
    #expect(host.tab == .upcoming && host.said.last == "Start of Tomorrow, above Bank.")
    host.tell(.key(.down, nil, at: 2))
    host.tell(.key(.enter, nil, at: 3))
    let gap = Gap(day: today + 1, above: tasks.bank, below: tasks.shop)
    #expect(host.commits == [[.move(tasks.pack, gap)]])
    #expect(host.focus == .item(tasks.pack))
    host.wait()
    host.tell(.key(.space, .item(tasks.pack), at: 4))
    host.tell(.key(.left, nil, at: 5))
    #expect(host.tab == .today)
    host.tell(.key(.enter, nil, at: 6))
    #expect(host.rows.first == .item(tasks.pack))
    host.tell(.key(.space, .item(tasks.pack), at: 7))
    host.tell(.key(.right, nil, at: 8))
    host.tell(.key(.left, nil, at: 9))
    host.tell(.key(.escape, nil, at: 10))
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("By actions a task goes to every tab that takes it")
  func byActions() {
    let table: [(TaskTab, ItemID, [RowAction])] = [
      (.inbox, tasks.ideas, [.moveToToday]), (.today, tasks.pack, [.moveToInbox, .moveToTomorrow]),
      (.upcoming, tasks.bank, [.moveToInbox, .moveToToday]),
    ]
    let tabs: [RowAction] = [.moveToInbox, .moveToToday, .moveToTomorrow]
    for (tab, task, actions) in table {
      #expect(
        host(tab).engine.availableActions(for: task).filter(tabs.contains) == actions)
      for action in actions {
        var host = host(tab)
        host.tell(.action(task, action, at: 1))
        #expect(host.commits.count == 1 && !host.rows.contains(.item(task)))
        let group = [RowAction.moveToInbox: "Inbox", .moveToToday: "Today"][action] ?? "Tomorrow"
        #expect(host.toast?.text == "Moved to \(group)")
        #expect(host.focus != .item(task))
        host.tell(.undo(at: 2))
        host.wait()
        #expect(host.document.list[id: task]?.section == tasks.tasks.list[id: task]?.section)
        #expect(host.faults.isEmpty)
      }
    }
  }

  @Test("By pointer a task of Upcoming is carried to Today")
  func byPointer() {
    var host = host(.upcoming)
    host.tell(.lift(.item(tasks.bank), .touch, DragPoint(x: 9, y: 70), at: 0))
    host.tell(.moved(DragPoint(x: 120, y: 420), at: 1))
    #expect(host.highlight == .today)
    host.tell(.timer(.tabHover, at: 600))
    #expect(host.tab == .today && host.engine.proposal == .tab(.today))
    host.tell(.moved(DragPoint(x: 120, y: 50), at: 700))
    host.tell(.released(DragPoint(x: 120, y: 50), at: 700))
    #expect(
      host.commits == [
        [.move(tasks.bank, Gap(day: today, above: tasks.pack, below: tasks.call))]
      ])
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("Open tasks of days that have passed stand above those of today, and can be taken there")
  func overdue() throws {
    var list = tasks.tasks
    var me = Replica(test: 3)
    let late = try list.add("Late", on: SampleTasks.today + -2, by: &me)
    try list.add("Was done", fields: ["state": "completed"], on: SampleTasks.today + -2, by: &me)
    var host = GuideHost(.tasks(list), tab: .today)
    #expect(
      host.rows == [
        .header(day: today - 2), .item(late), .header(day: today), .item(tasks.pack),
        .item(tasks.call), .item(tasks.done),
      ])
    // Nothing is dropped on a day that has passed.
    host.tell(.lift(.item(tasks.call), .touch, DragPoint(x: 9, y: 230), at: 0))
    host.tell(.moved(DragPoint(x: 9, y: 50), at: 1))
    let top = Gap(day: today, above: nil, below: tasks.pack)
    #expect(host.engine.proposal == .move(top))
    host.tell(.cancelled(.escape, at: 2))
    host.wait()
    #expect(host.engine.availableActions(for: late).contains(.moveToToday))
    host.tell(.lift(.item(late), .touch, DragPoint(x: 9, y: 70), at: 3))
    #expect(host.said.last == "Lifted Late. Position 1 of 1 on 2026-06-09.")
    host.tell(.moved(DragPoint(x: 9, y: 150), at: 4))
    host.tell(.released(DragPoint(x: 9, y: 150), at: 5))
    #expect(host.commits == [[.move(late, top)]])
    host.wait()
    #expect(host.rows.prefix(2) == [.item(late), .item(tasks.pack)])
    #expect(host.faults.isEmpty)
  }

  @Test("All around the heads of days that have passed, and of today below them, is its start")
  func aroundHeads() throws {
    var list = tasks.tasks
    var me = Replica(test: 3)
    for day: Int64 in [-2, -1] { try list.add("Late", on: SampleTasks.today + day, by: &me) }
    var host = GuideHost(.tasks(list), tab: .today)
    #expect(host.rows.prefix(5).filter { $0.item == nil }.count == 3)
    host.tell(.lift(.item(tasks.call), .touch, DragPoint(x: 9, y: 330), at: 0))
    // The heads of the three days begin at 0, 100 and 200, the first task of today at 240.
    let top = Gap(day: today, above: nil, below: tasks.pack)
    for (step, y) in stride(from: 5.0, to: 270, by: 10).enumerated() {
      host.tell(.moved(DragPoint(x: 9, y: y), at: Int64(step + 1)))
      #expect(host.engine.proposal == .move(top), "at \(y)")
    }
    host.tell(.moved(DragPoint(x: 9, y: 210), at: 99))
    host.tell(.released(DragPoint(x: 9, y: 210), at: 100))
    #expect(host.commits == [[.move(tasks.call, top)]])
    host.wait()
    #expect(host.faults.isEmpty)
  }

  @Test("Completing by a swipe can be taken back")
  func completing() {
    for isSwiped in [true, false] {
      var host = host()
      if isSwiped {
        host.tell(.swipe(.began(tasks.pack, dx: 100, dy: 0)))
        host.tell(.swipe(.changed(dx: 200)))
        host.tell(.swipe(.ended))
      } else {
        host.tell(.action(tasks.pack, .complete, at: 0))
      }
      #expect(host.toast == Toast("Completed Pack", button: .undo(CommitID(1))))
      host.tell(.undo(at: 1))
      #expect(host.said.last == "Completion undone.")
      #expect(host.document.list[id: tasks.pack]?["state"] == "notStarted")
      host.wait()
      #expect(host.faults.isEmpty)
    }
  }

  @Test("What goes back takes 200 to 300 milliseconds")
  func snapBack() { #expect((200...300).contains(DragProfile.tasks.snapBack.duration)) }
}

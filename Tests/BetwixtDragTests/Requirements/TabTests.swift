import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// AC-1 to AC-13: a task is carried from Today to a later day.
struct TabTests {
  let tasks: SampleTasks
  private let today = SampleTasks.today.dayNumber

  init() throws { tasks = try SampleTasks() }

  private func host(_ tab: TaskTab = .today) -> DragHost {
    DragHost(.tasks(tasks.tasks), tab: tab)
  }

  /// The middle of a tab; each is 80 points wide.
  private func point(_ tab: TaskTab) -> DragPoint {
    let number = TaskTab.allCases.firstIndex(of: tab) ?? 0
    return DragPoint(x: 40 + 80 * Double(number), y: 420)
  }

  /// Lifts a task and carries it into Upcoming.
  private func carried(_ id: ItemID) -> DragHost {
    var host = host()
    host.lift(id)
    host.move(point(.upcoming))
    host.screen.ranDown(.tabHover)
    host.send(.timer(.tabHover, at: host.now + 500))
    host.layOut()
    return host
  }

  @Test("AC-1: a task of today is lifted")
  func ac1() {
    var host = host()
    #expect(
      host.lift(tasks.call).announcements == [
        .lifted(title: "Call", ListPlace(position: 2, count: 3, section: .group("Today")))
      ])
  }

  @Test("AC-2: it is dragged towards the tab")
  func ac2() {
    var host = host()
    host.lift(tasks.pack)
    host.move(host.point(tasks.call, 0.9))
    #expect(
      host.engine.proposal == .move(Gap(day: today, above: tasks.call, below: nil)))
    host.move(point(.upcoming))
    #expect(host.engine.proposal == .tab(.upcoming))
    #expect(host.screen.line == nil && host.screen.shifts.isEmpty)
  }

  @Test("AC-3: the tab shows that it takes the task; others do not")
  func ac3() {
    var host = host()
    host.lift(tasks.pack)
    let style = TabHighlightStyle(
      color: .blue, fill: 0.2, stroke: 0.4, strokeWidth: 1, fade: 200)
    #expect(
      host.move(point(.upcoming)).contains(
        .highlight(TabHighlight(tab: .upcoming, label: "Drop to Upcoming", style: style))))
    #expect(host.move(point(.analytics)).contains(.highlight(nil)))
    #expect(host.screen.highlight == nil)
    host.move(point(.today))
    #expect(host.screen.highlight == nil && host.engine.proposal == .tab(.today))
    #expect(host.move(point(.inbox)).contains { if case .highlight = $0 { true } else { false } })
    #expect(host.screen.highlight == .inbox)
    // The strip is cut into equal parts, beyond its ends the outer ones hold.
    host.move(DragPoint(x: 159.9, y: 410))
    #expect(host.engine.proposal == .tab(.today))
    host.move(DragPoint(x: 160, y: 410))
    #expect(host.engine.proposal == .tab(.upcoming))
    host.move(DragPoint(x: -20, y: 410))
    #expect(host.engine.proposal == .tab(.inbox))
  }

  @Test("AC-4: one timer of half a second, cancelled on leaving")
  func ac4() {
    var host = host()
    host.lift(tasks.pack)
    #expect(host.move(point(.upcoming)).contains(.startTimer(.tabHover, delay: 500)))
    #expect(host.move(DragPoint(x: 190, y: 421)).isEmpty)
    #expect(
      host.move(host.point(tasks.call)).contains(.cancelTimer(.tabHover)))
    #expect(host.screen.timers.isEmpty)
    host.move(point(.upcoming))
    let other = host.move(point(.inbox))
    #expect(
      other.filter {
        switch $0 {
        case .startTimer, .cancelTimer, .highlight: true
        default: false
        }
      }.map { "\($0)".prefix(6) } == ["cancel", "highli", "highli", "startT"])
    #expect(host.screen.timers == [.tabHover] && host.screen.highlight == .inbox)
  }

  @Test("AC-5: the tab opens by itself, once")
  func ac5() {
    var host = host()
    host.lift(tasks.pack)
    host.move(point(.upcoming))
    host.screen.ranDown(.tabHover)
    #expect(
      host.send(.timer(.tabHover, at: 600)) == [
        .highlight(nil), .announce(.tabShown(.upcoming)), .switchTab(.upcoming, Motion(300)),
      ])
    #expect(host.send(.timer(.tabHover, at: 601)).isEmpty)
    #expect(host.screen.timers.isEmpty && host.tab == .upcoming)
    // A timer that runs down after the pointer has left is late.
    var late = self.host()
    late.lift(tasks.pack)
    late.move(point(.upcoming))
    late.move(late.point(tasks.call))
    #expect(late.send(.timer(.tabHover, at: 700)).isEmpty)
  }

  @Test("AC-6: the task follows into the tab")
  func ac6() {
    var host = host()
    host.lift(tasks.pack)
    let grabbed = host.engine.liftedFrame
    host.move(point(.upcoming))
    host.send(.timer(.tabHover, at: 600))
    #expect(host.engine.draggedItem == tasks.pack)
    // Until the new rows are laid out there is no gap.
    host.move(DragPoint(x: 100, y: 60))
    #expect(host.engine.proposal == DropProposal.none)
    host.layOut()
    #expect(host.engine.proposal?.gap?.day == today + 1)
    #expect(host.engine.liftedFrame?.height == grabbed?.height)
    // The task was held in its middle.
    #expect(host.engine.liftedFrame?.y == 30)
  }

  @Test("AC-7: it is released among the tasks of tomorrow")
  func ac7() {
    var host = carried(tasks.pack)
    host.move(host.point(tasks.bank, 0.9))
    let gap = Gap(day: today + 1, above: tasks.bank, below: tasks.shop)
    #expect(host.engine.proposal == .move(gap))
    #expect(
      host.release(host.point(tasks.bank, 0.9)).commits == [[.move(tasks.pack, gap)]])
  }

  @Test("AC-8: the release sets its date")
  func ac8() {
    var host = carried(tasks.pack)
    host.release(host.point(tasks.shop, 0.1))
    guard case .tasks(let list) = host.document else { return }
    #expect(list.date(of: tasks.pack) == SampleTasks.today + 1)
  }

  @Test("AC-9: it is gone from Today")
  func ac9() {
    var host = carried(tasks.pack)
    host.release(host.point(tasks.shop, 0.1))
    #expect(!DragHost.rows(host.document, .today).contains(.item(tasks.pack)))
    #expect(host.screen.leftovers.isEmpty)
  }

  @Test("AC-10: it is in the group of tomorrow")
  func ac10() {
    var host = carried(tasks.pack)
    let effects = host.release(host.point(tasks.shop, 0.1))
    #expect(effects.contains(.toast(Toast("Moved to Tomorrow", undo: 1))))
    guard case .tasks(let list) = host.document else { return }
    let group = list.groups(.upcoming, today: SampleTasks.today)[0]
    #expect(group.title == "Tomorrow" && group.tasks == [tasks.bank, tasks.pack, tasks.shop])
  }

  @Test("AC-11: it stands where it was dropped, elsewhere at the end of tomorrow")
  func ac11() {
    let end = Gap(day: today + 1, above: tasks.shop, below: nil)
    let start = Gap(day: today + 1, above: nil, below: tasks.bank)
    var host = carried(tasks.pack)
    let places: [(DragPoint, Gap)] = [
      (host.point(tasks.bank, 0.1), start), (host.point(tasks.party), end),
      (host.point(header: today + 9, 0.9), end), (DragPoint(x: 100, y: 390), end),
      (host.point(header: today + 1, 0.9), start),
    ]
    for (point, gap) in places {
      host.move(point)
      #expect(host.engine.proposal == .move(gap))
    }
    // A task of Upcoming itself may go to any of its groups.
    var own = self.host(.upcoming)
    own.lift(tasks.bank)
    own.move(own.point(tasks.party, 0.9))
    #expect(
      own.engine.proposal == .move(Gap(day: today + 9, above: tasks.party, below: nil)))
  }

  @Test("AC-12: it is written in the moment of the release, in one register")
  func ac12() throws {
    var host = carried(tasks.pack)
    let before = host.document.list
    let effects = host.release(host.point(tasks.shop, 0.1))
    #expect(effects.commits.count == 1)
    let news = host.document.list.delta(since: before.version)
    #expect(news.count == 1)
    #expect(host.engine.isIdle)
  }

  @Test("AC-13: new days move nothing")
  func ac13() {
    var host = carried(tasks.pack)
    host.release(host.point(tasks.shop, 0.1))
    let digest = host.document.list.digest
    for day in 1...10 as ClosedRange<Int64> {
      let date = SampleTasks.today + day
      #expect(date.map { host.send(.today($0)) } == [])
      guard case .tasks(let list) = host.document, let date else { return }
      let shown = list.groups(.today, today: date).flatMap(\.tasks).contains(tasks.pack)
      #expect(shown == (day == 1))
    }
    #expect(host.document.list.digest == digest)
  }

  @Test("N-06: whatever way leads through a tab, nothing sticks")
  func n06() {
    let ends: [(inout DragHost) -> Void] = [
      { $0.release(DragPoint(x: 200, y: 420)) },
      { $0.send(.cancelled(.background, at: 9)) },
      {
        $0.send(.timer(.tabHover, at: 9))
        $0.send(.cancelled(.escape, at: 10))
      },
      {
        $0.send(.timer(.tabHover, at: 9))
        $0.release(DragPoint(x: 200, y: 420))
      },
      {
        $0.send(.timer(.tabHover, at: 9))
        $0.release(DragPoint(x: 200, y: 900))
      },
      {
        $0.move(DragPoint(x: 20, y: 420))
        $0.send(.timer(.tabHover, at: 9))
        $0.layOut()
        $0.release(DragPoint(x: 20, y: 20))
      },
    ]
    for end in ends {
      var host = host()
      host.lift(tasks.pack)
      host.move(point(.upcoming))
      end(&host)
      host.screen.ranDown(.tabHover)
      #expect(host.engine.isIdle && host.screen.leftovers.isEmpty)
      #expect(host.screen.highlight == nil)
    }
  }

  @Test("Back in its own tab, it goes back to where its row lies by then")
  func homeAgain() throws {
    var host = carried(tasks.call)
    try host.remotely {
      try $0.insert(["text": "New"], at: 0, inSection: today, by: &$1)
    }
    host.send(.document(host.document))
    host.layOut()
    host.move(point(.today))
    host.screen.ranDown(.tabHover)
    host.send(.timer(.tabHover, at: host.now + 500))
    #expect(host.tab == .today)
    host.layOut()
    // New, Pack and Call, of 60 points each.
    let back = host.release(DragPoint(x: 900, y: 200)).animations.compactMap { $0.changes.frame }
    #expect(back == [DragFrame(x: 0, y: 120, width: 320, height: 60)])
  }

  @Test("AC-11: open and completed tasks keep to their own kind")
  func completedApart() {
    var host = host()
    host.lift(tasks.pack)
    // Below the completed task means below the open ones.
    host.move(host.point(tasks.done, 0.9))
    #expect(
      host.engine.proposal == .move(Gap(day: today, above: tasks.call, below: nil)))
    host.release(host.point(tasks.done, 0.9))
    #expect(
      DragHost.rows(host.document, .today) == [
        .item(tasks.call), .item(tasks.pack), .item(tasks.done),
      ])
  }
}

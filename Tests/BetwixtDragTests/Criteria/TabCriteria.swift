import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// AC-1 to AC-13 and N-01 to N-06 in every way but by a pointer alone.
struct TabCriteria {
  let tasks: SampleTasks
  private let today = SampleTasks.today.dayNumber

  init() throws { tasks = try SampleTasks() }

  private func journey(_ way: Way, _ settings: DragSettings? = nil) -> Journey {
    Journey(way, .tasks(tasks.tasks), tab: .today, settings)
  }

  /// A task that has gone to tomorrow.
  private func gone(_ way: Way, _ settings: DragSettings? = nil) throws -> Journey {
    var journey = journey(way, settings)
    try journey.goToTomorrow(tasks.pack)
    return journey
  }

  /// A task over the tab of later days, while somebody else edits.
  private func hovering() throws -> Journey {
    var journey = journey(.meanwhile)
    journey.lift(tasks.pack)
    journey.host.move(Journey.upcoming)
    try journey.interfere()
    return journey
  }

  private func firstGroup(_ document: DragDocument) -> TaskGroup? {
    guard case .tasks(let list) = document else { return nil }
    return list.groups(.upcoming, today: SampleTasks.today).first
  }

  private func highlights(_ effects: [DragEffect]) -> Int {
    effects.filter { if case .highlight(.some) = $0 { true } else { false } }.count
  }

  @Test("AC-1: a task of today begins the way", arguments: Way.allCases)
  func ac1(way: Way) throws {
    var journey = journey(way)
    #expect(journey.host.engine.availableActions(for: tasks.pack).contains(.moveToTomorrow))
    journey.lift(tasks.pack)
    guard way != .action else { return }
    #expect(journey.lifting.announcements.map(\.text).first?.hasPrefix("Lifted Pack.") ?? false)
    if way == .meanwhile { try journey.interfere() }
    #expect(journey.host.engine.draggedItem == tasks.pack)
  }

  @Test("AC-2: it gets to the tab", arguments: [Way.keys, .meanwhile])
  func ac2(way: Way) throws {
    guard way == .keys else {
      return #expect(try hovering().host.engine.proposal == .tab(.upcoming))
    }
    var journey = journey(way)
    journey.lift(tasks.pack)
    journey.host.key(.right)
    #expect(journey.host.tab == .upcoming && !journey.host.engine.isIdle)
  }

  @Test("AC-3: the tab shows that it takes the task", arguments: [Way.keys, .meanwhile])
  func ac3(way: Way) throws {
    guard way == .keys else {
      return #expect(try hovering().host.screen.highlight == .upcoming)
    }
    // A key opens the tab at once: what it took is said.
    var journey = journey(way)
    journey.lift(tasks.pack)
    #expect(journey.host.key(.right).announcements.first == .tabShown(.upcoming))
  }

  @Test("AC-4: half a second, once; keys do not wait", arguments: [Way.keys, .meanwhile])
  func ac4(way: Way) throws {
    var journey = journey(way)
    journey.lift(tasks.pack)
    var effects = way == .keys ? journey.host.key(.right) : journey.host.move(Journey.upcoming)
    if way == .meanwhile {
      try journey.interfere()
      effects += journey.carrying
    }
    let timers = effects.filter { $0 == .startTimer(.tabHover, delay: 500) }
    #expect(timers.count == (way == .keys ? 0 : 1))
  }

  @Test("AC-5: the tab opens once", arguments: [Way.keys, .meanwhile])
  func ac5(way: Way) throws {
    let journey = try gone(way)
    let switches = journey.log.filter { if case .switchTab = $0 { true } else { false } }
    #expect(switches == [.switchTab(.upcoming, Motion(300))])
  }

  @Test("AC-6: the task stays in the hand", arguments: [Way.keys, .meanwhile])
  func ac6(way: Way) throws {
    var journey = way == .keys ? journey(way) : try hovering()
    if way == .keys {
      journey.lift(tasks.pack)
      journey.host.key(.right)
    } else {
      journey.host.send(.timer(.tabHover, at: 600))
    }
    journey.host.layOut()
    #expect(journey.host.engine.draggedItem == tasks.pack)
    #expect((journey.host.engine.liftedFrame == nil) == (way == .keys))
    #expect(journey.host.engine.proposal?.gap?.day == (way == .keys ? today + 1 : nil))
  }

  @Test("AC-7: the commit names a gap of tomorrow", arguments: Way.allCases)
  func ac7(way: Way) throws {
    let commits = try gone(way).dropping.commits
    guard case .move(let id, let gap)? = commits.first?.first else {
      Issue.record("\(commits)")
      return
    }
    #expect(id == tasks.pack && gap.day == today + 1)
  }

  @Test("AC-8: its date is tomorrow", arguments: Way.allCases)
  func ac8(way: Way) throws {
    let document = try gone(way).host.document
    guard case .tasks(let list) = document else { return }
    #expect(list.date(of: tasks.pack) == SampleTasks.today + 1)
  }

  @Test("AC-9: Today does not show it", arguments: Way.allCases)
  func ac9(way: Way) throws {
    let rows = DragHost.rows(try gone(way).host.document, .today)
    #expect(!rows.contains(.item(tasks.pack)) && rows.contains(.item(tasks.call)))
  }

  @Test("AC-10: the group is called Tomorrow", arguments: Way.allCases)
  func ac10(way: Way) throws {
    let journey = try gone(way)
    let group = firstGroup(journey.host.document)
    #expect(group?.title == "Tomorrow")
    #expect(journey.dropping.toasts.compactMap { $0?.text } == ["Moved to Tomorrow"])
  }

  @Test("AC-11: its place there is the one that was shown", arguments: Way.allCases)
  func ac11(way: Way) throws {
    let journey = try gone(way)
    let first = firstGroup(journey.host.document)
    let group = try #require(first)
    guard case .move(_, let gap)? = journey.dropping.commits.first?.first else { return }
    let place = try #require(group.tasks.firstIndex(of: tasks.pack))
    #expect(gap.below.map { group.tasks[place + 1] == $0 } ?? (place == group.tasks.count - 1))
    #expect(gap.above.map { group.tasks[place - 1] == $0 } ?? (place == 0))
  }

  @Test("AC-12: one write of one register", arguments: Way.allCases)
  func ac12(way: Way) throws {
    let journey = try gone(way)
    let me = journey.host.me.id
    let own = journey.host.document.list.delta(since: tasks.tasks.list.version).entries
      .filter { $0.stamp.replica == me }
    #expect(own.map(\.register) == [.position])
  }

  @Test("AC-13: no day brings it back by itself", arguments: Way.allCases)
  func ac13(way: Way) throws {
    var journey = try gone(way)
    let digest = journey.host.document.list.digest
    for day in 1...5 as ClosedRange<Int64> {
      guard let date = SampleTasks.today + day else { continue }
      #expect(journey.host.send(.today(date)).commits.isEmpty)
    }
    #expect(journey.host.document.list.digest == digest)
  }

  @Test("N-01: everything takes 200 to 300 milliseconds", arguments: Way.allCases)
  func n01(way: Way) throws {
    let animations = try gone(way).log.animations
    #expect(animations.allSatisfy { $0.duration == 0 || (200...300).contains($0.duration) })
    #expect(way == .action || animations.contains { $0.duration > 0 })
  }

  @Test("N-02: nothing moves and nothing knocks if so chosen", arguments: Way.allCases)
  func n02(way: Way) throws {
    var settings = DragSettings(.tasks)
    settings.reduceMotion = true
    settings.haptics = false
    let log = try gone(way, settings).log
    #expect(log.animations.allSatisfy { $0.duration == 0 && $0.delay == 0 })
    #expect(log.haptics.isEmpty && !log.contains(.prepareHaptics))
  }

  @Test("N-04: date and order are one edit", arguments: Way.allCases)
  func n04(way: Way) throws {
    #expect(try gone(way).log.commits.map(\.count) == [1])
  }

  @Test("N-05: tomorrow is a date, also when clocks change", arguments: Way.allCases)
  func n05(way: Way) throws {
    let date = try #require(CivilDate("2026-03-28"))
    var me = Replica(test: 1)
    var list = try TaskList(id: ListID(high: 4, low: 2), by: &me)
    let id = try list.add("Sleep", on: date, by: &me)
    var host = DragHost(.tasks(list), tab: .today)
    host.send(.today(date))
    host.layOut()
    switch way {
    case .action: host.send(.action(id, .moveToTomorrow, at: 0))
    case .keys:
      host.key(.space, id)
      host.key(.right)
      host.layOut()
      host.key(.enter)
    case .meanwhile:
      host.send(.lift(.item(id), .touch, DragPoint(x: 9, y: 9), at: 0))
      host.move(Journey.upcoming)
      host.send(.timer(.tabHover, at: 600))
      host.layOut()
      try host.remotely { try $0.set("text", of: id, to: "Rest", by: &$1) }
      host.send(.document(host.document))
      host.layOut()
      host.release(DragPoint(x: 100, y: 100))
    }
    guard case .tasks(let after) = host.document else { return }
    #expect(after.date(of: id).map { "\($0)" } == "2026-03-29")
  }

  @Test("N-06: given up over a tab, nothing is left", arguments: [Way.keys, .meanwhile])
  func n06(way: Way) throws {
    var journey = way == .keys ? journey(way) : try hovering()
    if way == .keys {
      journey.lift(tasks.pack)
      journey.host.key(.right)
      journey.host.layOut()
      journey.host.key(.escape)
    } else {
      journey.host.send(.cancelled(.background, at: 9))
    }
    journey.host.send(.timer(.tabHover, at: 600))
    #expect(journey.host.engine.isIdle && journey.host.screen.leftovers.isEmpty)
    #expect(journey.host.screen.highlight == nil)
  }
}

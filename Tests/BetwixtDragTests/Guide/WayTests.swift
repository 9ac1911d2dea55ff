import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// What a hand does, done by keys and by actions, and with somebody else's change at its worst.
struct WayTests {
  let sample: SampleTrip
  let tasks: SampleTasks

  init() throws {
    sample = try SampleTrip()
    tasks = try SampleTasks()
  }

  private func host() -> GuideHost { GuideHost(.trip(sample.trip)) }

  /// What an event answers, but for what is said.
  private func shown(_ effects: [DragEffect]) -> [DragEffect] {
    effects.filter { if case .announce = $0 { false } else { true } }
  }

  @Test("Keys lift, show, reject and drop as a pointer does")
  func keys() {
    var byPointer = DragHost(.trip(sample.trip))
    var byKeys = DragHost(.trip(sample.trip))
    #expect(shown(byPointer.lift(sample.lunch)) == shown(byKeys.key(.space, sample.lunch)))
    let moved = byPointer.move(byPointer.point(header: 3, 0.9))
    #expect(shown(moved) == shown(byKeys.key(.end)).dropLast())
    let dropped = byPointer.release(byPointer.point(header: 3, 0.9))
    #expect(dropped == byKeys.key(.enter))
    #expect(byPointer.document == byKeys.document)
    byPointer.lift(sample.leg)
    byKeys.key(.space, sample.leg)
    #expect(
      byPointer.send(.cancelled(.escape, at: 1)) == byKeys.key(.escape))
  }

  @Test("Every gesture has an action, which is done and taken back as the gesture is")
  func gesturesByActions() {
    let table: [(RowAction, [ListEdit], String)] = [
      (.delete, [.remove(tasks.pack)], "Removal undone."),
      (.complete, [.set(tasks.pack, "state", "completed")], "Completion undone."),
      (.edit, [.set(tasks.pack, "text", "typed")], "Change undone."),
    ]
    for (action, edits, undone) in table {
      var host = GuideHost(.tasks(tasks.tasks), tab: .today)
      #expect(host.engine.availableActions(for: tasks.pack).contains(action))
      host.tell(.action(tasks.pack, action, at: 0))
      if action == .edit {
        host.tell(.edit(.text("typed")))
        host.tell(.edit(.commit))
      }
      #expect(host.commits == [edits])
      host.tell(.undo(at: 1))
      #expect(host.said.last == undone)
      host.tell(.redo(at: 2))
      host.tell(.undo(at: 3))
      host.wait()
      #expect(host.document.titles == DragDocument.tasks(tasks.tasks).titles)
      #expect(host.faults.isEmpty)
    }
    // A completed task is neither edited nor completed; one is added above and below any.
    let host = GuideHost(.tasks(tasks.tasks), tab: .today)
    #expect(
      host.engine.availableActions(for: tasks.done).suffix(3) == [.addAbove, .addBelow, .delete])
  }

  @Test("An item is added above and below another by actions")
  func additions() {
    for (action, titles) in [
      (RowAction.addAbove, ["Nap", "Museum"]), (.addBelow, ["Museum", "Nap"]),
    ] {
      var host = host()
      host.tell(.action(sample.museum, action, at: 0))
      host.tell(.edit(.text("Nap")))
      host.tell(.edit(.commit))
      #expect(host.document.titles.prefix(2) == titles[...])
      #expect(host.said.last?.hasPrefix("Dropped Nap.") ?? false)
      #expect(host.document.list.first { $0["title"] == "Nap" }.map { .item($0.id) } == host.focus)
      host.wait()
      #expect(host.faults.isEmpty)
    }
  }

  @Test("Rows that arrive under two fingers: the pinch goes on, or is over")
  func pinchMeanwhile() throws {
    for isBetween in [true, false] {
      var host = host()
      let points = [DragPoint(x: 9, y: 70), DragPoint(x: 9, y: 130)]
      host.tell(.pinch(.began(points)))
      host.tell(.pinch(.changed([DragPoint(x: 9, y: 30), DragPoint(x: 9, y: 170)])))
      try host.remotely {
        try $0.insert(
          "New", Gap(day: isBetween ? 1 : 2, above: isBetween ? sample.museum : nil, below: nil))
      }
      #expect(host.engine.isIdle == isBetween)
      host.tell(.pinch(.ended))
      #expect((host.field == nil) == isBetween)
      host.tell(.edit(.cancel))
      host.wait()
      #expect(host.faults.isEmpty)
    }
  }

  @Test("A task is removed or moved while it is carried through the tabs")
  func tabMeanwhile() throws {
    for isRemoved in [true, false] {
      for isSwitched in [true, false] {
        var host = GuideHost(.tasks(tasks.tasks), tab: .today)
        host.tell(.lift(.item(tasks.pack), .touch, DragPoint(x: 9, y: 30), at: 0))
        host.tell(.moved(DragPoint(x: 200, y: 420), at: 1))
        if isSwitched { host.tell(.timer(.tabHover, at: 600)) }
        try host.remotely {
          try $0.edit { list, other in
            if isRemoved {
              try list.remove(tasks.pack, by: &other)
            } else {
              try list.move(tasks.pack, after: tasks.party, by: &other)
            }
          }
        }
        if !isSwitched { host.tell(.timer(.tabHover, at: 600)) }
        host.tell(.moved(DragPoint(x: 200, y: 50), at: 700))
        host.tell(.released(DragPoint(x: 200, y: 50), at: 701))
        #expect(host.commits.isEmpty == isRemoved)
        #expect(host.said.contains("Pack was removed elsewhere.") == isRemoved)
        let section = host.document.list[id: tasks.pack]?.section
        if !isRemoved { #expect(section == SampleTasks.today.dayNumber + 1) }
        host.wait()
        #expect(host.faults.isEmpty)
      }
    }
  }

  @Test("Something dragged in keeps its gap while others edit, and then has the focus")
  func externalMeanwhile() throws {
    var host = host()
    let payload = DragPayload(.custom, fields: ["title": "Concert"], height: 60)
    let finger = DragPoint(x: 9, y: 215)
    host.tell(.external(.entered(payload, finger), at: 0))
    #expect(host.engine.proposal == .copy(Gap(day: 1, above: sample.lunch, below: sample.leg)))
    try host.remotely { try $0.insert("New", Gap(day: 1, above: nil, below: sample.museum)) }
    #expect(host.engine.proposal == .copy(Gap(day: 1, above: sample.lunch, below: sample.leg)))
    host.tell(.external(.dropped(finger), at: 1))
    #expect(
      host.document.titles.prefix(6) == ["New", "Museum", "Alpha game", "Lunch", "Concert", "Bus"])
    #expect(host.focus == .item(host.document.list[4].id))
    #expect(host.toast?.text == "Added to Day 1")
    host.tell(.undo(at: 2))
    #expect(host.said.last == "Addition undone." && host.document.titles.count == 7)
    host.wait()
    #expect(host.faults.isEmpty)
  }
}

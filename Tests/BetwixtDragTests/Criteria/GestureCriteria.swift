import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// G-01 to G-11: what fingers do, done by keys and by actions, and while others edit.
struct GestureCriteria {
  let sample: SampleTrip
  let tasks: SampleTasks

  init() throws {
    sample = try SampleTrip()
    tasks = try SampleTasks()
  }

  private func journey(_ way: Way, _ item: ItemID) -> Journey {
    var journey = Journey(way, .tasks(tasks.tasks), tab: .today)
    journey.item = item
    return journey
  }

  private func tripJourney(_ way: Way) -> Journey {
    var journey = Journey(way, .trip(sample.trip))
    journey.item = sample.museum
    return journey
  }

  /// Opens the field of a task; in the way of ``Way/meanwhile`` others edit then.
  private func edit(_ journey: inout Journey) throws -> [DragEffect] {
    let effects = journey.host.send(
      journey.way == .action
        ? .action(journey.item, .edit, at: 0) : .edit(.begin(journey.item)))
    if journey.way == .meanwhile { try journey.interfere() }
    return effects
  }

  @Test("G-01: rows below close up, each 30 milliseconds later", arguments: Way.allCases)
  func g01(way: Way) throws {
    var journey = tripJourney(way)
    if way == .meanwhile { try journey.interfere() }
    let effects = journey.host.send(
      way == .action ? .action(sample.museum, .delete, at: 0) : .delete(sample.museum))
    #expect(effects.commits == [[.remove(sample.museum)]])
    let moves = effects.animations.filter { $0.changes.shiftY == 0 && $0.duration > 0 }
    #expect(moves.map(\.delay) == moves.indices.map { 30 * $0 } && moves.count > 2)
    #expect(moves.allSatisfy { $0.duration == 300 && $0.curve == .easeInOut })
    #expect(effects.contains(.reload(after: 300 + 30 * (moves.count - 1))))
  }

  @Test("G-02: Return writes the text that was typed", arguments: Way.allCases)
  func g02(way: Way) throws {
    var journey = journey(way, tasks.pack)
    _ = try edit(&journey)
    journey.host.send(.edit(.text("Bags")))
    #expect(journey.host.send(.edit(.commit)).commits == [[.set(tasks.pack, "text", "Bags")]])
    journey.item = tasks.done
    #expect(try edit(&journey).fields.isEmpty)
  }

  @Test("G-03: the row goes to the top, the others fade", arguments: Way.allCases)
  func g03(way: Way) throws {
    var journey = journey(way, tasks.call)
    let effects = try edit(&journey)
    #expect(effects.animations.map(\.changes.shiftY).contains(-60))
    #expect(effects.animations.contains { $0.changes.alpha == 0.3 && $0.duration == 300 })
    // Also when a row has come above it meanwhile.
    #expect(
      journey.host.screen.shifts[.item(tasks.call)] == -journey.host.minY(.item(tasks.call)))
  }

  @Test("G-04: a new item begins at the top", arguments: Way.allCases)
  func g04(way: Way) throws {
    var journey = journey(way, tasks.pack)
    var effects: [DragEffect]
    switch way {
    case .keys: effects = journey.host.send(.edit(.add(below: nil)))
    case .action: effects = journey.host.send(.action(tasks.pack, .addAbove, at: 0))
    case .meanwhile:
      journey.host.send(.pull(.began(offset: 0, rowHeight: 60)))
      journey.host.send(.pull(.changed(offset: -61)))
      try journey.interfere()
      effects = journey.host.send(.pull(.ended))
    }
    let first = DragHost.rows(journey.host.document, .today).first?.item
    let gap = Gap(day: SampleTasks.today.dayNumber, above: nil, below: first)
    #expect(effects.fields == [.draft(gap)])
  }

  @Test("G-05: an empty list takes a first item", arguments: [Way.keys, .meanwhile])
  func g05(way: Way) throws {
    var me = Replica(test: 2)
    let list = try TaskList(id: ListID(high: 2, low: 2), by: &me)
    var host = DragHost(.tasks(list), tab: .inbox)
    var below: ItemID?
    var effects: [DragEffect]
    if way == .keys {
      effects = host.send(.edit(.add(below: nil)))
    } else {
      host.send(.pull(.began(offset: 0, rowHeight: 60)))
      host.send(.pull(.changed(offset: -61)))
      try host.remotely {
        below = try $0.append(
          ["text": "New", "state": "notStarted"], toSection: TaskList.inbox, by: &$1)
      }
      host.send(.document(host.document))
      host.layOut()
      effects = host.send(.pull(.ended))
    }
    #expect(effects.fields == [.draft(Gap(day: TaskList.inbox, above: nil, below: below))])
  }

  @Test("G-06: an item begins between two neighbours", arguments: Way.allCases)
  func g06(way: Way) throws {
    var journey = tripJourney(way)
    var effects: [DragEffect]
    switch way {
    case .keys: effects = journey.host.send(.edit(.add(below: .item(sample.museum))))
    case .action: effects = journey.host.send(.action(sample.museum, .addBelow, at: 0))
    case .meanwhile:
      let (upper, lower) = (journey.host.point(sample.museum), journey.host.point(sample.alpha))
      journey.host.send(.pinch(.began([upper, lower])))
      journey.host.send(
        .pinch(.changed([DragPoint(x: 9, y: upper.y - 40), DragPoint(x: 9, y: lower.y + 40)])))
      try journey.host.remotely { try $0.set("note", of: sample.museum, to: "x", by: &$1) }
      journey.host.send(.document(journey.host.document))
      journey.host.layOut()
      effects = journey.host.send(.pinch(.ended))
    }
    #expect(effects.fields == [.draft(Gap(day: 1, above: sample.museum, below: sample.alpha))])
  }

  @Test("G-07: it stands there once its text is typed", arguments: Way.allCases)
  func g07(way: Way) throws {
    var journey = tripJourney(way)
    journey.host.send(
      way == .action
        ? .action(sample.museum, .addBelow, at: 0) : .edit(.add(below: .item(sample.museum))))
    if way == .meanwhile { try journey.interfere() }
    journey.host.send(.edit(.text("Nap")))
    journey.host.send(.edit(.commit))
    let rows = DragHost.rows(journey.host.document, nil)
    let added = try #require(journey.host.added[CommitID(1)])
    let place = try #require(rows.firstIndex(of: .item(added)))
    #expect(rows[place - 1] == .item(sample.museum) && rows[place + 1] == .item(sample.alpha))
  }

  @Test("G-08: an empty text removes the item", arguments: Way.allCases)
  func g08(way: Way) throws {
    var journey = journey(way, tasks.pack)
    _ = try edit(&journey)
    journey.host.send(.edit(.text(" ")))
    #expect(journey.host.send(.edit(.commit)).commits == [[.remove(tasks.pack)]])
    #expect(!journey.host.document.list.contains(id: tasks.pack))
  }

  @Test("G-09: one knock for a crossing, whatever arrives", arguments: [Way.meanwhile])
  func g09(way: Way) throws {
    var journey = journey(way, tasks.pack)
    journey.host.send(.swipe(.began(tasks.pack, dx: -100, dy: 0)))
    #expect(
      journey.host.send(.swipe(.changed(dx: -200))).haptics == [.haptic(.selection, after: 0)])
    try journey.interfere()
    #expect(journey.carrying.cues.isEmpty && journey.carrying.haptics.isEmpty)
    #expect(journey.host.send(.swipe(.changed(dx: -210))).haptics.isEmpty)
  }

  @Test("G-11: done, and removed, as by a swipe", arguments: [Way.action, .meanwhile])
  func g11(way: Way) throws {
    for (action, dx, edit) in [
      (RowAction.complete, 200.0, ListEdit.set(tasks.pack, "state", "completed")),
      (.delete, -200, .remove(tasks.pack)),
    ] {
      var journey = journey(way, tasks.pack)
      var effects: [DragEffect]
      if way == .action {
        effects = journey.host.send(.action(tasks.pack, action, at: 0))
      } else {
        journey.host.send(.swipe(.began(tasks.pack, dx: dx / 2, dy: 0)))
        journey.host.send(.swipe(.changed(dx: dx)))
        try journey.interfere()
        effects = journey.host.send(.swipe(.ended))
      }
      #expect(effects.commits == [[edit]])
    }
  }
}

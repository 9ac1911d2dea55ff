import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// G-01 to G-11: deleting, editing, pulling, pinching and swiping.
struct GestureTests {
  let sample: SampleTrip
  let tasks: SampleTasks

  init() throws {
    sample = try SampleTrip()
    tasks = try SampleTasks()
  }

  private func host() -> DragHost { DragHost(.trip(sample.trip)) }

  private func taskHost(_ tab: TaskTab = .today) -> DragHost {
    DragHost(.tasks(tasks.tasks), tab: tab)
  }

  @Test("G-01: the rows below close up one after the other", arguments: [0, 1, 5])
  func g01(below: Int) throws {
    var me = Replica(test: 2)
    var list = try TaskList(id: ListID(high: 2, low: 2), by: &me)
    var ids: [ItemID] = []
    for number in 0...below {
      ids.append(try list.add("Task \(number)", on: SampleTasks.today, by: &me))
    }
    var host = DragHost(.tasks(list), tab: .today)
    let effects = host.send(.delete(ids[0]))
    #expect(effects.commits == [[.remove(ids[0])]])
    // The rows lie where they belong at once, and come there from where they were.
    let rows = ids.dropFirst().map { RowRef.item($0) }
    let put =
      rows.isEmpty ? [] : [RowAnimation(.rows(rows), to: .shift(60), motion: Motion(0))]
    #expect(
      effects.animations == put
        + rows.enumerated().map { place, row in
          RowAnimation(.rows([row]), to: .shift(0), motion: Motion(300), delay: 30 * place)
        })
    #expect(DragHost.rows(host.document, .today) == rows)
    let ends = [0: 0, 1: 300, 5: 420]
    #expect(effects.contains(.reload(after: try #require(ends[below]))))
  }

  @Test("G-01: rows that cannot be seen do not move")
  func g01Visible() {
    var host = host()
    host.viewportHeight = 200
    host.layOut()
    // Of the rows below the museum three are seen then.
    let effects = host.send(.delete(sample.museum))
    #expect(
      effects.animations.dropFirst().map(\.target) == [
        .rows([.item(sample.alpha)]), .rows([.item(sample.lunch)]), .rows([.item(sample.leg)]),
      ])
    #expect(effects.contains(.reload(after: 360)))
  }

  @Test("G-02: an edit sets the text, Return ends it, completed tasks are not edited")
  func g02() {
    var host = taskHost()
    #expect(host.send(.edit(.begin(tasks.done))).isEmpty && host.engine.isIdle)
    host.send(.edit(.begin(tasks.pack)))
    #expect(host.send(.edit(.text("Pack  the bag "))).isEmpty)
    let effects = host.send(.edit(.commit))
    #expect(effects.commits == [[.set(tasks.pack, "text", "Pack  the bag")]])
    #expect(host.document.list[id: tasks.pack]?["text"] == "Pack  the bag")
    // The same text, and a text that was given up, write nothing.
    host.send(.edit(.begin(tasks.call)))
    host.send(.edit(.text("Call")))
    #expect(host.send(.edit(.commit)).commits.isEmpty)
    host.send(.edit(.begin(tasks.call)))
    host.send(.edit(.text("Shout")))
    #expect(host.send(.edit(.cancel)).commits.isEmpty)
    #expect(host.engine.isIdle && host.screen.leftovers.isEmpty)
  }

  @Test("G-03: the edited row goes to the top, the others fade", arguments: [0.0, 50])
  func g03(offset: Double) {
    var host = host()
    host.viewportHeight = 200
    host.offset = offset
    host.layOut()
    let rows = host.layout().rows.filter { $0.maxY > offset && $0.minY < offset + 200 }.map(\.ref)
    let others = rows.filter { $0 != .item(sample.lunch) }
    // The row of the lunch begins at 160.
    #expect(
      host.send(.edit(.begin(sample.lunch))) == [
        .animate(RowAnimation(.rows(rows), to: .shift(offset - 160), motion: Motion(300))),
        .animate(RowAnimation(.rows(others), to: .opacity(0.3), motion: Motion(300))),
        .beginEditing(
          .item(sample.lunch), DragFrame(x: 0, y: offset, width: 320, height: 60), "Lunch"),
      ])
    #expect(
      host.send(.edit(.commit)) == [
        .animate(RowAnimation(.rows(rows), to: .shift(0), motion: Motion(300))),
        .animate(RowAnimation(.rows(others), to: .opacity(1), motion: Motion(300))),
        .endEditing(.item(sample.lunch), .finished),
      ])
  }

  @Test("G-04: pulling adds beyond the height of a row")
  func g04() throws {
    var host = taskHost()
    func last(_ effects: [DragEffect]) throws -> AddPlaceholder {
      try #require(effects.placeholders.last.flatMap { $0 })
    }
    #expect(host.send(.pull(.began(offset: 1, rowHeight: 60))).isEmpty && host.engine.isIdle)
    var placeholder = try last(host.send(.pull(.began(offset: 0, rowHeight: 60))))
    #expect(placeholder.frame == DragFrame(x: 0, y: -60, width: 320, height: 60))
    #expect(placeholder.alpha == 0 && placeholder.text == "Pull to add item")
    placeholder = try last(host.send(.pull(.changed(offset: -30))))
    #expect(placeholder.alpha == 0.5)
    placeholder = try last(host.send(.pull(.changed(offset: -60))))
    #expect(placeholder.alpha == 1 && placeholder.text == "Pull to add item")
    let armed = host.send(.pull(.changed(offset: -61)))
    placeholder = try last(armed)
    #expect(placeholder.alpha == 1 && placeholder.text == "Release to add item")
    #expect(armed.haptics == [.haptic(.selection, after: 0)])
    let end = host.send(.pull(.ended))
    let gap = Gap(day: SampleTasks.today.dayNumber, above: nil, below: tasks.pack)
    #expect(end.first == .placeholder(nil))
    #expect(end.fields == [.draft(gap)])
    host.send(.edit(.text("First")))
    let commit = host.send(.edit(.commit))
    #expect(commit.commits == [[.insert(["state": "notStarted", "text": "First"], gap)]])
    let rows = DragHost.rows(host.document, .today)
    #expect(rows.first?.item == host.added[CommitID(1)])
    #expect(host.screen.leftovers.isEmpty)
  }

  @Test("G-04: a pull that goes back over the top adds nothing")
  func g04Back() {
    var host = taskHost()
    host.send(.pull(.began(offset: 0, rowHeight: 60)))
    host.send(.pull(.changed(offset: -100)))
    #expect(host.send(.pull(.changed(offset: 1))).placeholders == [nil])
    #expect(host.send(.pull(.changed(offset: -100))).isEmpty)
    #expect(host.send(.pull(.ended)).isEmpty && host.engine.isIdle)
    host.send(.pull(.began(offset: 0, rowHeight: 60)))
    host.send(.pull(.changed(offset: -60)))
    #expect(host.send(.pull(.ended)).placeholders == [nil])
    #expect(host.engine.isIdle && host.screen.leftovers.isEmpty)
  }

  @Test("G-05: an empty list can be pulled")
  func g05() throws {
    var me = Replica(test: 2)
    let list = try TaskList(id: ListID(high: 2, low: 2), by: &me)
    var host = DragHost(.tasks(list), tab: .inbox)
    host.send(.pull(.began(offset: 0, rowHeight: 60)))
    host.send(.pull(.changed(offset: -61)))
    let gap = Gap(day: TaskList.inbox, above: nil, below: nil)
    #expect(host.send(.pull(.ended)).fields == [.draft(gap)])
    host.send(.edit(.text("Only")))
    host.send(.edit(.commit))
    #expect(host.document.list.count == 1)
    var trip = DragHost(.trip(Trip(ReplicatedList(id: ListID(high: 3, low: 3)))))
    trip.send(.pull(.began(offset: 0, rowHeight: 60)))
    trip.send(.pull(.changed(offset: -61)))
    let first = Gap(day: 1, above: nil, below: nil)
    #expect(trip.send(.pull(.ended)).fields == [.draft(first)])
  }

  @Test("G-06: two neighbours are pinched apart, to both sides alike")
  func g06() throws {
    var host = host()
    let upper = host.point(sample.museum)
    let lower = host.point(sample.alpha)
    func pinched(_ up: Double, _ down: Double) -> [DragPoint] {
      // In the other order: the upper finger is found by its place.
      [DragPoint(x: 0, y: lower.y + down), DragPoint(x: 0, y: upper.y - up)]
    }
    #expect(host.send(.pinch(.began([upper, host.point(sample.lunch)]))).isEmpty)
    #expect(host.send(.pinch(.began([upper, lower, lower]))).isEmpty && host.engine.isIdle)
    host.send(.pinch(.began([lower, upper])))
    #expect(!host.engine.isIdle)
    var effects = host.send(.pinch(.changed(pinched(30, 15))))
    var placeholder = try #require(effects.placeholders.last.flatMap { $0 })
    // 2 · 30 is the height of a row: not yet more.
    #expect(placeholder.text == "Pull apart to add item")
    #expect(placeholder.scaleY == 1 && placeholder.alpha == 1)
    #expect(placeholder.frame == DragFrame(x: 0, y: 70, width: 320, height: 60))
    #expect(placeholder.like == .item(sample.museum))
    #expect(effects.animations.map(\.changes.shiftY) == [-30, 30])
    #expect(effects.animations[0].target == .rows([.header(day: 1), .item(sample.museum)]))
    #expect(host.send(.pinch(.changed([upper]))).isEmpty)
    effects = host.send(.pinch(.changed(pinched(30.5, 15))))
    placeholder = try #require(effects.placeholders.last.flatMap { $0 })
    #expect(placeholder.text == "Release to add item")
    effects = host.send(.pinch(.changed(pinched(-10, -5))))
    #expect(effects.animations.map(\.changes.shiftY) == [0, 0])
    effects = host.send(.pinch(.changed(pinched(15, 15))))
    placeholder = try #require(effects.placeholders.last.flatMap { $0 })
    #expect(placeholder.scaleY == 0.5 && placeholder.alpha == 0.5)
    // Not armed: the rows go back, nothing is added.
    effects = host.send(.pinch(.ended))
    #expect(effects.animations.map(\.duration) == [200] && effects.placeholders == [nil])
    #expect(host.engine.isIdle && host.screen.leftovers.isEmpty)
  }

  @Test("G-07: the draft goes between the two rows, also when scrolled", arguments: [0.0, 40])
  func g07(offset: Double) throws {
    var host = host()
    host.viewportHeight = 300
    host.offset = offset
    host.layOut()
    let upper = host.point(sample.alpha)
    let lower = host.point(sample.lunch)
    host.send(.pinch(.began([upper, lower])))
    host.send(
      .pinch(
        .changed([
          DragPoint(x: 0, y: upper.y - 31), DragPoint(x: 0, y: lower.y + 31),
        ])))
    let gap = Gap(day: 1, above: sample.alpha, below: sample.lunch)
    let end = host.send(.pinch(.ended))
    #expect(end.animations.first?.duration == 0 && end.fields == [.draft(gap)])
    host.send(.edit(.text("Nap")))
    let commits = host.send(.edit(.commit)).commits
    #expect(commits == [[.insert(["kind": "custom", "title": "Nap"], gap)]])
    let added = try #require(host.added[CommitID(1)])
    #expect(host.document.gap(of: added) == gap)
    #expect(host.screen.leftovers.isEmpty)
  }

  @Test("G-08: an empty text removes an item; a draft was never there")
  func g08() {
    var host = taskHost()
    host.send(.edit(.begin(tasks.pack)))
    host.send(.edit(.text(" \n ")))
    let effects = host.send(.edit(.commit))
    #expect(effects.commits == [[.remove(tasks.pack)]])
    #expect(effects.contains { if case .reload = $0 { true } else { false } })
    #expect(host.document.list.contains(id: tasks.pack) == false)
    let digest = host.document.list.digest
    host.send(.pull(.began(offset: 0, rowHeight: 60)))
    host.send(.pull(.changed(offset: -61)))
    host.send(.pull(.ended))
    host.send(.edit(.text("  ")))
    #expect(host.send(.edit(.commit)).commits.isEmpty)
    #expect(host.document.list.digest == digest && host.engine.isIdle)
  }

  @Test("G-09: one cue for each change, one knock for each crossing")
  func g09() {
    var settings = DragSettings(.tasks)
    settings.sounds = true
    var host = DragHost(.tasks(tasks.tasks), tab: .today, settings)
    let none = host.send(.swipe(.began(tasks.pack, dx: -10, dy: 2)))
    #expect(
      none.cues == [
        GestureCue(kind: .delete, progress: 0.0625, isArmed: false, isAudible: false)
      ])
    #expect(none.haptics.isEmpty)
    #expect(host.send(.swipe(.changed(dx: -10))).isEmpty)
    let armed = host.send(.swipe(.changed(dx: -200)))
    #expect(
      armed.cues == [GestureCue(kind: .delete, progress: 1, isArmed: true, isAudible: true)])
    #expect(armed.haptics == [.haptic(.selection, after: 0)])
    #expect(host.send(.swipe(.changed(dx: -220))).haptics.isEmpty)
    #expect(host.send(.swipe(.changed(dx: -100))).haptics.count == 1)
    settings.haptics = false
    settings.sounds = false
    host.send(.settings(settings))
    let silent = host.send(.swipe(.changed(dx: -200)))
    #expect(silent.haptics.isEmpty && silent.cues.map(\.isAudible) == [false])
    host.send(.swipe(.cancelled))
    #expect(host.engine.isIdle && host.screen.leftovers.isEmpty)
  }

  @Test("G-10: a task that is held floats larger, with a shadow")
  func g10() throws {
    var host = taskHost()
    host.send(.press(.item(tasks.pack), .touch, host.point(tasks.pack), at: 0))
    let effects = host.send(.timer(.longPress, at: 300))
    let lift = try #require(effects.animations.first)
    #expect(lift.duration == 200 && lift.curve == .response(0.2, damping: 0.85))
    #expect(lift.changes.scale == 1.025 && lift.changes.alpha == 0.7)
    #expect(lift.changes.shadow == ShadowStyle(x: 0, y: 8, radius: 8, from: 0, to: 0.2))
    #expect(lift.changes.tiltY == 0 && lift.changes.corner == 12)
    #expect(effects.contains(.haptic(.medium, after: 0)))
    #expect(host.screen.alphas == [.item(tasks.pack): 0.3])
  }

  @Test("G-10: a press that strays or ends early is no lift; a mouse lifts by moving")
  func g10Press() {
    var host = taskHost()
    let point = host.point(tasks.pack)
    let start = host.send(.press(.item(tasks.pack), .touch, point, at: 0))
    #expect(start == [.prepareHaptics, .startTimer(.longPress, delay: 300)])
    #expect(host.send(.moved(DragPoint(x: point.x + 10, y: point.y), at: 1)).isEmpty)
    #expect(
      host.send(.moved(DragPoint(x: point.x + 10.5, y: point.y), at: 2)) == [
        .cancelTimer(.longPress)
      ])
    #expect(host.engine.isIdle)
    host.send(.press(.item(tasks.pack), .pen, point, at: 3))
    #expect(host.send(.released(point, at: 4)) == [.cancelTimer(.longPress)])
    #expect(
      host.send(.press(.item(tasks.pack), .mouse, point, at: 5)) == [.prepareHaptics])
    #expect(host.send(.moved(DragPoint(x: point.x, y: point.y + 3.9), at: 6)).isEmpty)
    host.send(.moved(DragPoint(x: point.x, y: point.y + 4), at: 7))
    #expect(host.engine.draggedItem == tasks.pack)
    host.send(.cancelled(.system, at: 8))
    #expect(host.screen.leftovers.isEmpty)
  }

  @Test("G-11: past half the width, right completes and left deletes")
  func g11() throws {
    var host = taskHost()
    let half = 160.0
    #expect(host.send(.swipe(.began(tasks.pack, dx: 20, dy: 20))).isEmpty && host.engine.isIdle)
    host.send(.swipe(.began(tasks.pack, dx: 20, dy: 19)))
    host.send(.swipe(.changed(dx: half)))
    let back = host.send(.swipe(.ended))
    #expect(back.commits.isEmpty)
    #expect(
      back.animations == [RowAnimation(.item(tasks.pack), to: .slide(0), motion: Motion(200))])
    host.send(.swipe(.began(tasks.pack, dx: 20, dy: 0)))
    host.send(.swipe(.changed(dx: half + 1)))
    #expect(host.send(.swipe(.ended)).commits == [[.set(tasks.pack, "state", "completed")]])
    // What somebody else has completed meanwhile stays as it was completed there.
    host.send(.swipe(.began(tasks.call, dx: 20, dy: 0)))
    host.send(.swipe(.changed(dx: half + 1)))
    try host.remotely { try $0.set("state", of: tasks.call, to: "completed", by: &$1) }
    host.send(.document(host.document))
    #expect(host.send(.swipe(.ended)).commits.isEmpty && host.screen.leftovers.isEmpty)
    #expect(host.document.list[id: tasks.pack]?["state"] == "completed")
    host.send(.swipe(.began(tasks.call, dx: -20, dy: 0)))
    host.send(.swipe(.changed(dx: -half - 1)))
    #expect(host.send(.swipe(.ended)).commits == [[.remove(tasks.call)]])
    // A trip has nothing to complete.
    var trip = self.host()
    trip.send(.swipe(.began(sample.lunch, dx: 20, dy: 0)))
    trip.send(.swipe(.changed(dx: 300)))
    #expect(trip.send(.swipe(.ended)).commits.isEmpty)
    #expect(host.screen.leftovers.isEmpty && trip.screen.leftovers.isEmpty)
  }
}

import Betwixt
import BetwixtDrag
import BetwixtTrips
import Testing

/// ACC, EXT and POL: keyboards and screen readers, drops from elsewhere, undo.
struct AccessTests {
  let sample: SampleTrip

  init() throws { sample = try SampleTrip() }

  private func host() -> DragHost { DragHost(.trip(sample.trip)) }

  @Test("ACC-01: the actions that lead somewhere, each one commit")
  func acc01() {
    let host = host()
    let moves = RowAction.allCases.prefix { $0 != .complete }
    let table: [(ItemID, [RowAction])] = [
      (sample.museum, [.moveDown, .moveToNextDay, .moveToBottom]),
      (sample.lunch, [.moveUp, .moveDown, .moveToNextDay, .moveToTop, .moveToBottom]),
      (sample.dinner, [.moveUp, .moveDown, .moveToPreviousDay, .moveToNextDay, .moveToTop]),
      // The leg is at the end of its day; up to its barrier, or to the next day.
      (sample.leg, [.moveUp, .moveDown, .moveToNextDay, .moveToTop]),
      (sample.alpha, []),
    ]
    for (id, actions) in table {
      #expect(host.engine.availableActions(for: id).filter(moves.contains) == actions)
      for action in moves {
        var host = self.host()
        let effects = host.send(.action(id, action, at: 0))
        #expect(effects.commits.count == (actions.contains(action) ? 1 : 0))
        if actions.contains(action) {
          #expect(effects.haptics == [.haptic(.medium, after: 0)])
          #expect(effects.last == .focus(.item(id)))
          #expect(host.document.list.digest != sample.trip.list.digest)
        }
        #expect(host.engine.isIdle)
      }
    }
  }

  @Test("ACC-01: where actions lead")
  func acc01Targets() {
    let table: [(ItemID, RowAction, Gap)] = [
      (sample.museum, .moveDown, Gap(day: 1, above: sample.alpha, below: sample.lunch)),
      (sample.dinner, .moveDown, Gap(day: 3, above: nil, below: nil)),
      (sample.dinner, .moveToPreviousDay, Gap(day: 1, above: sample.leg, below: nil)),
      (sample.museum, .moveToNextDay, Gap(day: 2, above: nil, below: sample.beta)),
      (sample.leg, .moveUp, Gap(day: 1, above: sample.alpha, below: sample.lunch)),
      (sample.leg, .moveDown, Gap(day: 2, above: nil, below: sample.beta)),
      (sample.leg, .moveToTop, Gap(day: 1, above: sample.alpha, below: sample.lunch)),
      (sample.lunch, .moveToBottom, Gap(day: 1, above: sample.leg, below: nil)),
    ]
    for (id, action, gap) in table {
      var host = host()
      #expect(host.send(.action(id, action, at: 0)).commits == [[.move(id, gap)]])
    }
  }

  @Test("ACC-02: what is said when")
  func acc02() {
    var host = host()
    func texts(_ effects: [DragEffect]) -> [String] { effects.announcements.map(\.text) }
    #expect(texts(host.key(.space, sample.lunch)) == ["Lifted Lunch. Position 3 of 4 on day 1."])
    #expect(texts(host.key(.up)) == ["Between Museum and Alpha game, day 1."])
    #expect(texts(host.key(.up)) == ["Start of day 1, above Museum."])
    #expect(texts(host.key(.up)) == ["No further place."])
    #expect(texts(host.key(.pageDown)) == ["Start of day 2, above Beta game."])
    #expect(texts(host.key(.end)) == ["Day 3, empty."])
    #expect(texts(host.key(.pageUp)) == ["End of day 2, below Dinner."])
    #expect(texts(host.key(.space)) == ["Dropped Lunch. Position 3 of 3 on day 2."])
    host.key(.enter, sample.leg)
    host.key(.up)
    #expect(
      texts(host.key(.escape)) == ["Move cancelled. Back at position 3 of 3 on day 1."])
    host.lift(sample.leg)
    #expect(texts(host.move(host.point(sample.museum, 0.1))) == ["Not possible here."])
    #expect(
      texts(host.release(host.point(sample.museum, 0.1))) == [
        "Bus cannot go there. Back at position 3 of 3 on day 1."
      ])
    #expect(texts(host.lift(sample.beta)) == ["Beta game is fixed by the schedule."])
    host.lift(sample.dinner)
    #expect(texts(host.release(host.point(sample.dinner))) == ["Dinner not moved."])
  }

  @Test("ACC-02: the keys of a keyboard drag")
  func acc02Keys() {
    var host = host()
    let digest = host.document.list.digest
    host.key(.space, sample.leg)
    // A leg only stops where it may stand.
    #expect(host.key(.home).lines.count == 1)
    #expect(
      host.engine.proposal == .move(Gap(day: 1, above: sample.alpha, below: sample.lunch)))
    #expect(host.key(.tab).isEmpty)
    let gap = Gap(day: 2, above: nil, below: sample.beta)
    let last = host.key(.end)
    #expect(last.contains(.reveal(gap)))
    #expect(host.engine.proposal == .move(gap))
    #expect(host.key(.pageDown).announcements == [.noFurther])
    // Pointers do not mix in, nor the other way round.
    #expect(host.move(DragPoint(x: 1, y: 1)).isEmpty)
    #expect(host.release(DragPoint(x: 1, y: 1)).isEmpty)
    host.send(.cancelled(.focusLost, at: 1))
    #expect(host.engine.isIdle && host.document.list.digest == digest)
    host.lift(sample.lunch)
    #expect(host.key(.down).isEmpty)
    host.send(.cancelled(.escape, at: 2))
    #expect(host.screen.leftovers.isEmpty)
  }

  @Test("ACC-03: the focus stays on the item, or goes to its neighbour")
  func acc03() {
    var host = host()
    host.lift(sample.lunch)
    #expect(host.release(host.point(sample.museum, 0.1)).last == .focus(.item(sample.lunch)))
    host.lift(sample.lunch)
    #expect(host.send(.cancelled(.escape, at: 1)).last == .focus(.item(sample.lunch)))
    host.lift(sample.leg)
    #expect(host.release(host.point(sample.museum, 0.1)).last == .focus(.item(sample.leg)))
    // Lunch, museum, game, leg: below, else above, else the header.
    #expect(host.send(.delete(sample.lunch)).last == .focus(.item(sample.museum)))
    #expect(host.send(.delete(sample.leg)).last == .focus(.item(sample.alpha)))
    #expect(host.send(.delete(sample.dinner)).last == .focus(.item(sample.beta)))
    #expect(host.send(.delete(sample.beta)).last == .focus(.header(day: 2)))
  }

  @Test("EXT-01: something dragged in from elsewhere")
  func ext01() {
    var host = host()
    let custom = DragPayload(.custom, fields: ["title": "Concert"], height: 60)
    var effects = host.send(.external(.entered(custom, host.point(sample.museum, 0.1)), at: 0))
    let top = Gap(day: 1, above: nil, below: sample.museum)
    #expect(host.engine.proposal == .copy(top))
    // No lift, and all rows below make room.
    #expect(
      effects.animations.map(\.target) == [.rows(DragHost.rows(host.document, nil).suffix(8))])
    effects = host.send(.external(.left, at: 1))
    #expect(!effects.contains { if case .focus = $0 { true } else { false } })
    #expect(host.engine.isIdle && host.screen.leftovers.isEmpty)

    let leg = DragPayload(
      .travel, fields: ["from": "Alpha", "to": "Beta", "title": "Train"], height: 60)
    host.send(.external(.entered(leg, host.point(sample.museum, 0.1)), at: 2))
    #expect(host.engine.proposal == .forbidden)
    host.send(.external(.moved(host.point(sample.lunch, 0.9)), at: 3))
    #expect(
      host.engine.proposal == .copy(Gap(day: 1, above: sample.lunch, below: sample.leg)))
    host.send(.external(.left, at: 4))

    let other = DragPayload(.other, fields: ["title": "A mail"], height: 60)
    host.send(.external(.entered(other, host.point(sample.lunch, 0.9)), at: 5))
    #expect(host.engine.proposal == .forbidden)
    let end = host.send(.external(.dropped(host.point(sample.lunch, 0.9)), at: 6))
    #expect(end.commits.isEmpty && host.engine.isIdle && host.screen.leftovers.isEmpty)
  }

  @Test("EXT-02: what is dropped stands in its gap, a game at its time")
  func ext02() throws {
    var host = host()
    let custom = DragPayload(.custom, fields: ["title": "Concert"], height: 60)
    let gap = Gap(day: 1, above: sample.alpha, below: sample.lunch)
    host.send(.external(.entered(custom, host.point(sample.alpha, 0.9)), at: 0))
    let effects = host.send(.external(.dropped(host.point(sample.alpha, 0.9)), at: 1))
    #expect(effects.commits == [[.insert(["kind": "custom", "title": "Concert"], gap)]])
    #expect(effects.contains(.toast(Toast("Added to Day 1", undo: 1))))
    let added = try #require(host.added[CommitID(1)])
    #expect(host.document.gap(of: added) == gap)

    let fields: Fields = ["gameId": "c", "start": "2026-06-12T15:00", "city": "Beta"]
    let game = DragPayload(.game, fields: fields, height: 60)
    host.send(.external(.entered(game, host.point(sample.museum, 0.1)), at: 2))
    let place = Gap(day: 2, above: nil, below: sample.beta)
    #expect(host.engine.proposal == .copy(place))
    host.send(.external(.moved(host.point(header: 3, 0.9)), at: 3))
    #expect(host.engine.proposal == .copy(place))
    let end = host.send(.external(.dropped(host.point(header: 3, 0.9)), at: 4))
    #expect(end.commits == [[.addGame(fields)]])
    let id = try #require(host.added[CommitID(2)])
    #expect(host.document.gap(of: id) == place)
    #expect(host.screen.leftovers.isEmpty)
  }

  @Test("POL-01: undo for five seconds, and only while nobody has moved it again")
  func pol01() throws {
    var host = host()
    let before = DragHost.rows(host.document, nil)
    host.lift(sample.lunch)
    let effects = host.release(host.point(sample.museum, 0.1))
    let toast = Toast("Moved to Day 1", undo: 1)
    #expect(effects.contains(.toast(toast)))
    #expect(effects.contains(.startTimer(.toast, delay: 5_000)))
    let undone = Announcement.undone(EditStep(.move, title: "Lunch"), .done)
    #expect(
      host.send(.toast(.undo(CommitID(1)), at: 1)) == [
        .toast(nil), .cancelTimer(.toast), .turn(.undo(CommitID(1))), .announce(undone),
        .toast(Toast("Move undone.", button: .redo)), .startTimer(.toast, delay: 5_000),
      ])
    #expect(DragHost.rows(host.document, nil) == before)
    #expect(host.send(.toast(.undo(CommitID(1)), at: 2)).isEmpty)
    // Somebody else moves it again: the undo changes nothing.
    host.lift(sample.lunch)
    host.release(host.point(sample.museum, 0.1))
    try host.remotely { try $0.move(sample.lunch, toOffset: 0, inSection: 3, by: &$1) }
    host.send(.document(host.document))
    let digest = host.document.list.digest
    let kept = host.send(.undo(at: 3))
    #expect(host.document.list.digest == digest)
    #expect(kept.announcements.map(\.text) == ["Lunch was changed again. Not undone."])
    #expect(kept.toasts.last??.button == .insist)
  }

  @Test("POL-01: when time is up, when it fails, and in lists of tasks")
  func pol01Ends() throws {
    var host = host()
    host.lift(sample.lunch)
    host.release(host.point(sample.museum, 0.1))
    // A later commit takes the place of the first.
    let again = host.send(.action(sample.lunch, .moveToNextDay, at: 1))
    #expect(again.contains(.cancelTimer(.toast)))
    #expect(again.contains(.startTimer(.toast, delay: 5_000)))
    host.screen.ranDown(.toast)
    #expect(host.send(.timer(.toast, at: 2)) == [.toast(nil)])
    #expect(host.send(.timer(.toast, at: 3)).isEmpty)
    #expect(host.send(.toast(.undo(CommitID(2)), at: 4)).isEmpty)
    host.send(.action(sample.lunch, .moveUp, at: 5))
    #expect(
      host.send(.commitFailed(CommitID(3), at: 6)) == [
        .announce(.notSaved(EditStep(.move, title: "Lunch"))), .cancelTimer(.toast),
        .toast(Toast("Not saved. Lunch is back.")), .startTimer(.toast, delay: 5_000),
      ])
    #expect(host.send(.commitFailed(CommitID(3), at: 7)).isEmpty)
    // What was to be new is not there, so it is not back.
    #expect(
      Announcement.notSaved(EditStep(.change, title: "Pizza")).text == "Not saved: Change Pizza.")
    #expect(
      Announcement.notSaved(EditStep(.completion, title: "Pack")).text
        == "Not saved: Complete Pack.")
    // A step that cannot be taken back now is there still.
    for (turn, word) in [(UndoTurn.undo(nil), "undone"), (.redo, "redone")] {
      let said = host.send(.turned(TurnReport(turn, commit: nil, outcome: .refused), at: 8))
      #expect(said.announcements.map(\.text) == ["Not \(word), because it could not be written."])
    }
    let tasks = try SampleTasks()
    var list = DragHost(.tasks(tasks.tasks), tab: .today)
    list.lift(tasks.pack)
    #expect(
      list.release(list.point(tasks.call, 0.9)).contains(.startTimer(.toast, delay: 3_000)))
  }

  /// What was typed and could not be written is the user's to keep.
  @Test(arguments: [true, false]) func typedTextComesBackIfItIsNotWritten(isNew: Bool) {
    var host = host()
    let start: EditPhase = isNew ? .add(below: .item(sample.lunch)) : .begin(sample.lunch)
    host.send(.edit(start))
    // More than a field may have.
    let text = String(repeating: "A long lunch ", count: 10_000)
    host.send(.edit(.text(text)))
    let effects = host.send(.edit(.commit))
    let lost = effects.compactMap { effect -> String? in
      if case .endEditing(_, .lost(let text)) = effect { text } else { nil }
    }
    #expect(lost == [text])
    // Toasts are short, and read aloud.
    let toasts = effects.compactMap { effect -> String? in
      if case .toast(let toast?) = effect { toast.text } else { nil }
    }
    #expect(toasts.count == 1 && toasts.allSatisfy { $0.count < 300 })
    // What was written is not given back.
    host.send(.edit(start))
    host.send(.edit(.text("Soup")))
    #expect(
      !host.send(.edit(.commit)).contains {
        if case .endEditing(_, .lost) = $0 { true } else { false }
      })
  }

  @Test("POL-02: what a row shows at its side")
  func pol02() {
    let engine = host().engine
    #expect(engine.affordance(of: .item(sample.lunch)) == .handle)
    #expect(engine.affordance(of: .item(sample.leg)) == .handle)
    #expect(engine.affordance(of: .item(sample.beta)) == .pinned)
    #expect(engine.affordance(of: .header(day: 1)) == RowAffordance.none)
  }
}

import Betwixt
import BetwixtDrag
import BetwixtTrips

/// Plays random events on a host, edits the list behind its back, and checks the invariants after
/// each event.
struct RandomPlayer: ~Copyable {
  var host: DragHost
  var random: SplitMix64
  var faults: [String] = []
  private var remoteEdits = 0
  private var commitsOfSession = 0

  init(seed: UInt64, _ document: DragDocument, tab: TaskTab? = nil) throws {
    var settings = DragSettings(tab == nil ? .itinerary : .tasks)
    random = SplitMix64(seed: seed)
    settings.haptics = random.next(below: 2) == 0
    settings.reduceMotion = random.next(below: 3) == 0
    if random.next(below: 3) == 0 { settings.profile.invalidDrop = .clampToValid }
    host = DragHost(document, tab: tab, settings)
  }

  mutating func play(_ count: Int) throws {
    for _ in 0..<count { try step() }
    host.send(.cancelled(.system, at: host.now))
    check("the end")
    if !host.engine.isIdle { faults.append("not idle at the end") }
  }

  private mutating func step() throws {
    host.now += Int64(random.next(below: 40))
    if random.next(below: 6) == 0 { return try editRemotely() }
    let event = nextEvent()
    let before = host.document.list
    if host.engine.isIdle { commitsOfSession = 0 }
    if case .timer(let timer, _) = event { host.screen.ranDown(timer) }
    let effects = host.send(event)
    commitsOfSession += effects.commits.count
    if commitsOfSession > 1 { faults.append("\(commitsOfSession) commits in one session") }
    checkCommits(effects, before)
    if effects.commits.isEmpty, host.document.list != before, !effects.contains(where: \.isTurn) {
      faults.append("the list changed without a commit")
    }
    check("\(event)")
  }

  private mutating func check(_ event: String) {
    guard host.engine.isIdle else {
      if !host.screen.faults.isEmpty { faults.append("\(host.screen.faults) after \(event)") }
      return
    }
    let left = host.screen.leftovers
    if !left.isEmpty { faults.append("\(left) after \(event.prefix(60))") }
    host.screen.faults = []
  }

  private mutating func checkCommits(_ effects: [DragEffect], _ before: ReplicatedList) {
    for edits in effects.commits {
      guard edits.count == 1 else {
        faults.append("\(edits.count) edits")
        continue
      }
      guard case .move(let id, let gap) = edits[0] else { continue }
      let after = host.document.list
      if after == before { faults.append("a move that changes nothing") }
      if Set(after.map(\.id)) != Set(before.map(\.id)) { faults.append("items lost or made") }
      if case .trip(let trip) = DragDocument(before) {
        if !Constraints(trip).isValidPosition(id, gap) { faults.append("an invalid move") }
        if host.document.gap(of: id) != gap { faults.append("not in its gap") }
      } else {
        let shown = host.layout().rows.map(\.ref)
        let place = shown.firstIndex(of: .item(id))
        if let place, let above = gap.above, shown.indices.contains(place - 1),
          shown[place - 1] != .item(above)
        {
          faults.append("not below \(above)")
        }
      }
    }
  }
}

extension DragEffect {
  fileprivate var isTurn: Bool { if case .turn = self { true } else { false } }
}

// MARK: - What may happen

extension RandomPlayer {
  private mutating func editRemotely() throws {
    remoteEdits += 1
    var random = random
    let number = remoteEdits
    let isTrip = host.tab == nil
    try host.remotely { list, other in
      guard let item = list.randomElement(using: &random) else { return }
      let section = list.randomElement(using: &random)?.section ?? 1
      switch random.next(below: 4) {
      case 0: try list.set("note", of: item.id, to: .string("\(number)"), by: &other)
      case 1 where list.count > 4: try list.remove(item.id, by: &other)
      case 2:
        let fields: Fields = isTrip ? ["kind": "custom", "title": "New"] : ["text": "New"]
        try list.append(fields, toSection: section, by: &other)
      default: try list.move(item.id, toOffset: 0, inSection: section, by: &other)
      }
    }
    self.random = random
    host.send(.document(host.document))
    if self.random.next(below: 3) > 0 { host.layOut() }
    check("a remote edit")
  }

  private mutating func point() -> DragPoint {
    DragPoint(x: Double(random.next(below: 420)) - 50, y: Double(random.next(below: 720)) - 60)
  }

  private mutating func nextEvent() -> DragEvent {
    let ids = host.document.list.map(\.id)
    let id = ids.randomElement(using: &random) ?? .root
    let row = RowRef.item(id)
    let now = host.now
    let place = point()
    switch random.next(below: 24) {
    case 0: return .press(row, [.touch, .mouse, .pen][random.next(below: 3)], place, at: now)
    case 1, 2: return .lift(row, random.next(below: 3) == 0 ? .keyboard : .touch, place, at: now)
    case 3, 4, 5, 6, 7: return .moved(place, at: now)
    case 8, 9: return .released(place, at: now)
    case 10: return .cancelled(CancelReason.allCases[random.next(below: 6)], at: now)
    case 11: return .tick(at: now)
    case 12: return .timer(TimerID.allCases[random.next(below: 3)], at: now)
    case 13, 14, 15:
      return .key(ReorderKey.allCases[random.next(below: ReorderKey.allCases.count)], row, at: now)
    case 16:
      let actions = RowAction.allCases
      return .action(id, actions[random.next(below: actions.count)], at: now)
    case 17: return .external(externalPhase(place), at: now)
    case 18: return .swipe(swipePhase(id))
    case 19: return .pull(pullPhase())
    case 20: return .pinch(pinchPhase(place))
    case 21: return .edit(editPhase(id))
    case 22:
      return [.delete(id), .undo(at: now), .redo(at: now), .toast(.insist, at: now)][
        random.next(below: 4)]
    default: return .layout(host.layout())
    }
  }

  private mutating func externalPhase(_ point: DragPoint) -> ExternalPhase {
    let kinds: [DragPayload.Kind] = [.custom, .travel, .game, .other]
    let fields: Fields = [
      "title": "New", "gameId": "new", "start": "2026-06-12T10:00", "city": "Alpha",
      "from": "Alpha", "to": "Beta",
    ]
    return [
      .entered(DragPayload(kinds[random.next(below: 4)], fields, height: 60), point),
      .moved(point), .left, .dropped(point),
    ][random.next(below: 4)]
  }

  private mutating func swipePhase(_ id: ItemID) -> SwipePhase {
    let dx = Double(random.next(below: 500)) - 250
    return [.began(id, dx: dx, dy: 10), .changed(dx: dx), .ended, .cancelled][
      random.next(below: 4)]
  }

  private mutating func pullPhase() -> PullPhase {
    let offset = Double(random.next(below: 120)) - 100
    return [
      .began(offset: offset, rowHeight: 60), .changed(offset: offset), .ended, .cancelled,
    ][random.next(below: 4)]
  }

  private mutating func pinchPhase(_ point: DragPoint) -> PinchPhase {
    let spread = 30 + Double(random.next(below: 120))
    let points = [point, DragPoint(x: 0, y: point.y + spread)]
    return [.began(points), .changed(points), .ended, .cancelled][random.next(below: 4)]
  }

  private mutating func editPhase(_ id: ItemID) -> EditPhase {
    let text = ["", "New text", "  "][random.next(below: 3)]
    return [.begin(id), .add(below: .item(id)), .text(text), .commit, .cancel][
      random.next(below: 5)]
  }
}

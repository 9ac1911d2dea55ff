import Betwixt
import BetwixtDrag
import BetwixtTrips
import TestSupport

/// Plays random events on a host, edits the list behind its back, and checks the invariants after
/// each event.
struct RandomPlayer: ~Copyable {
  var host: DragHost
  private var events: RandomEvents
  var faults: [String] = []
  private var commitsOfSession = 0

  init(seed: UInt64, _ document: DragDocument, tab: TaskTab? = nil) throws {
    var settings = DragSettings(tab == nil ? .itinerary : .tasks)
    events = RandomEvents(seed: seed)
    settings.haptics = events.random.next(below: 2) == 0
    settings.reduceMotion = events.random.next(below: 3) == 0
    if events.random.next(below: 3) == 0 { settings.profile.invalidDrop = .clampToValid }
    host = DragHost(document, tab: tab, settings)
  }

  mutating func play(_ count: Int) throws {
    for _ in 0..<count { try step() }
    host.send(.cancelled(.system, at: host.now))
    check("the end")
    if !host.engine.isIdle { faults.append("not idle at the end") }
  }

  private mutating func step() throws {
    host.now += Int64(events.random.next(below: 40))
    if events.random.next(below: 6) == 0 { return try editRemotely() }
    guard let event = events.next(for: host.document, at: host.now) else {
      host.layOut()
      return check("a layout")
    }
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

  private mutating func editRemotely() throws {
    var events = events
    let isTrip = host.tab == nil
    try host.remotely { try events.edit(&$0, isTrip: isTrip, by: &$1) }
    self.events = events
    host.send(.document(host.document))
    if self.events.random.next(below: 3) > 0 { host.layOut() }
    check("a remote edit")
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
        if !Constraints(trip).allows(id, in: gap) { faults.append("an invalid move") }
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

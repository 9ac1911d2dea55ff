import Betwixt
import BetwixtDrag
import BetwixtTrips

/// The ways in which a criterion is shown beside a pointer alone.
enum Way: String, CaseIterable, Sendable {
  case keys
  case action
  /// By pointer, while somebody else changes the list between the last frame and the release: that
  /// is the worst moment, because what is on the screen is not true any more.
  case meanwhile
}

/// One item on its way from where it stands to a gap, in one of the ways, with all that the engine
/// answers.
struct Journey: ~Copyable {
  let way: Way
  var host: DragHost
  var item = ItemID.root
  private(set) var lifting: [DragEffect] = []
  private(set) var carrying: [DragEffect] = []
  private(set) var dropping: [DragEffect] = []
  private var point = DragPoint(x: 0, y: 0)
  private var actions: [RowAction] = []

  init(_ way: Way, _ document: DragDocument, tab: TaskTab? = nil, _ settings: DragSettings? = nil) {
    self.way = way
    host = DragHost(document, tab: tab, settings)
  }

  /// Everything that the engine answered.
  var log: [DragEffect] { lifting + carrying + dropping }

  /// Takes an item to a gap of a trip.
  mutating func go(_ id: ItemID, to gap: Gap) throws {
    lift(id)
    carry(to: gap)
    try drop()
  }

  mutating func lift(_ id: ItemID) {
    item = id
    switch way {
    case .keys: lifting = host.key(.space, id)
    case .meanwhile: lifting = host.lift(id)
    case .action: break
    }
  }

  mutating func carry(to gap: Gap) {
    switch way {
    case .meanwhile:
      point = host.point(of: gap)
      carrying += host.move(point)
    case .keys:
      carrying += host.key(.home)
      // A list has no more gaps than that.
      for _ in 0..<100 where host.engine.proposal != .move(gap) { carrying += host.key(.down) }
    case .action: actions = path(to: gap)
    }
  }

  /// Drops it, in the way of ``Way/meanwhile`` after somebody has renamed it and added an item at the
  /// top of the list, so that all rows lie lower.
  mutating func drop() throws {
    switch way {
    case .keys: dropping = host.key(.enter)
    case .action:
      for action in actions { dropping = host.send(.action(item, action, at: host.now)) }
    case .meanwhile:
      try interfere()
      dropping = host.release(point)
    }
  }

  mutating func interfere() throws {
    let (item, isTrip) = (item, host.tab == nil)
    let first = DragHost.rows(host.document, host.tab).lazy.compactMap(\.item).first
    try host.remotely { list, other in
      let section = first.flatMap { list[id: $0]?.section } ?? 1
      let fields: Fields =
        isTrip ? ["kind": "custom", "title": "New"] : ["text": "New", "state": "notStarted"]
      let new = try list.append(fields, toSection: section, by: &other)
      try list.move(new, toOffset: 0, inSection: section, by: &other)
      try list.set(isTrip ? "note" : "extra", of: item, to: "theirs", by: &other)
    }
    carrying += host.send(.document(host.document))
    carrying += host.layOut()
  }

  /// The actions that take the item to a gap, the fewest there are; none if they cannot.
  private func path(to gap: Gap) -> [RowAction] {
    let moves = RowAction.allCases.prefix { $0 != .complete }
    var reached: [(document: DragDocument, actions: [RowAction])] = [(host.document, [])]
    for _ in 0..<8 {
      var next: [(document: DragDocument, actions: [RowAction])] = []
      for (document, actions) in reached {
        for action in moves {
          var host = DragHost(document, tab: host.tab)
          guard !host.send(.action(item, action, at: 0)).commits.isEmpty else { continue }
          if host.document.gap(of: item) == gap { return actions + [action] }
          let place = host.document.gap(of: item)
          if !(reached + next).contains(where: { $0.document.gap(of: item) == place }) {
            next.append((host.document, actions + [action]))
          }
        }
      }
      reached = next
    }
    return []
  }
}

// MARK: - Between the tabs of tasks

extension Journey {
  /// Takes a task of Today to the end of tomorrow.
  mutating func goToTomorrow(_ id: ItemID) throws {
    item = id
    switch way {
    case .action:
      dropping = host.send(.action(id, .moveToTomorrow, at: host.now))
      host.layOut()
    case .keys:
      lifting = host.key(.space, id)
      carrying = host.key(.right)
      carrying += host.layOut()
      dropping = host.key(.enter)
    case .meanwhile:
      lifting = host.lift(id)
      carrying = host.move(Journey.upcoming)
      try interfere()
      host.screen.ranDown(.tabHover)
      carrying += host.send(.timer(.tabHover, at: host.now + 500))
      carrying += host.layOut()
      try interfere()
      dropping = host.release(DragPoint(x: 100, y: 390))
    }
  }

  /// The middle of the tab that shows later days; each tab is 80 points wide.
  static let upcoming = DragPoint(x: 200, y: 420)
}

extension DragDocument {
  /// The section of an item.
  func section(of id: ItemID) -> Int64? { list[id: id]?.section }
}

import Betwixt
import BetwixtDrag
import BetwixtTrips

/// A front end without a screen: it lays rows out, commits, and keeps what the engine said.
struct DragHost: ~Copyable {
  static let headerHeight = 40.0
  static let itemHeight = 60.0

  var engine: DragEngine
  var document: DragDocument
  var tab: TaskTab?
  /// The day that the engine was told last.
  var today = SampleTasks.today
  var offset = 0.0
  var viewportHeight = 400.0
  var screen = ScreenModel()
  /// Whether commits are applied and told to the engine at once.
  var commits = true
  var me = Replica(test: 7)
  var history = CommitHistory()
  /// What commits have added.
  var added: [CommitID: ItemID] = [:]
  var events: [DragEvent] = []
  var now: Int64 = 0

  init(_ document: DragDocument, tab: TaskTab? = nil, _ settings: DragSettings? = nil) {
    self.document = document
    self.tab = tab
    if tab == nil { viewportHeight = 600 }
    let profile: DragProfile = if case .tasks = document { .tasks } else { .itinerary }
    engine = DragEngine()
    send(.settings(settings ?? DragSettings(profile)))
    send(.today(SampleTasks.today))
    send(.document(document))
    layOut()
  }

  /// Sends an event, and does what the engine answers.
  ///
  /// - Returns: What it answered, and what it answered to what the host told it of that.
  @discardableResult
  mutating func send(_ event: DragEvent) -> [DragEffect] {
    events.append(event)
    if case .today(let date) = event { today = date }
    var effects = engine.handle(event)
    screen.check(effects)
    for effect in effects { screen.take(effect) }
    for case .switchTab(let tab, _) in effects { self.tab = tab }
    guard commits, let last = effects.last else { return effects }
    switch last {
    case .commit(let id, let edits): effects += commit(id, edits)
    case .turn(let turn):
      let report =
        (try? history.turn(turn, in: &document, by: &me))
        ?? TurnReport(turn, commit: nil, outcome: .refused)
      effects += send(.document(document))
      effects += layOut()
      effects += send(.turned(report, at: now))
    default: break
    }
    return effects
  }

  private mutating func commit(_ id: CommitID, _ edits: [ListEdit]) -> [DragEffect] {
    do {
      let item = try history.commit(id, edits: edits, in: &document, by: &me)
      added[id] = item
      var effects = send(.document(document))
      effects += layOut()
      return effects + send(.committed(id, item, at: now))
    } catch {
      return send(.commitFailed(id, at: now))
    }
  }

  /// Lays all rows out, headers and items, from the top.
  @discardableResult
  mutating func layOut() -> [DragEffect] {
    let layout = layout()
    screen.lay(layout.rows)
    return send(.layout(layout))
  }

  func layout() -> ListLayout {
    var y = 0.0
    var rows: [RowFrame] = []
    for ref in DragHost.rows(document, tab, today: today) {
      let height = ref.item == nil ? DragHost.headerHeight : DragHost.itemHeight
      rows.append(RowFrame(ref, minY: y, maxY: y + height))
      y += height
    }
    let strip = tab.map { _ in DragFrame(x: 0, y: viewportHeight, width: 320, height: 56) }
    return ListLayout(
      container: tab, rows: rows, width: 320, viewportHeight: viewportHeight, offset: offset,
      contentHeight: y, tabStrip: strip)
  }

  static func rows(
    _ document: DragDocument, _ tab: TaskTab?, today: CivilDate = SampleTasks.today
  ) -> [RowRef] {
    switch document {
    case .trip(let trip):
      return trip.rows.map { row in
        switch row {
        case .header(let day, _): .header(day: day)
        case .item(let id, _, _): .item(id)
        }
      }
    case .tasks(let tasks):
      let views: [TaskTab: TaskList.View] = [
        .inbox: .inbox, .today: .today, .upcoming: .upcoming,
      ]
      guard let view = tab.flatMap({ views[$0] }) else { return [] }
      return tasks.groups(view, today: today).flatMap { group in
        let header = view == .upcoming ? group.date.map { RowRef.header(day: $0.dayNumber) } : nil
        return [header].compactMap { $0 } + group.tasks.map { .item($0) }
      }
    }
  }

  func minY(_ ref: RowRef) -> Double {
    layout().rows.first { $0.ref == ref }?.minY ?? -1
  }
}

// MARK: - What a hand does

extension DragHost {
  /// A point in an item's row: 0 is its upper edge, 1 its lower.
  func point(_ id: ItemID, _ part: Double = 0.5) -> DragPoint {
    DragPoint(x: 100, y: minY(.item(id)) + part * DragHost.itemHeight - offset)
  }

  func point(header day: Int64, _ part: Double) -> DragPoint {
    DragPoint(x: 100, y: minY(.header(day: day)) + part * DragHost.headerHeight - offset)
  }

  @discardableResult
  mutating func lift(_ id: ItemID, _ input: PointerInput = .touch) -> [DragEffect] {
    send(.lift(.item(id), input, point(id), at: now))
  }

  @discardableResult
  mutating func move(_ point: DragPoint) -> [DragEffect] {
    now += 16
    return send(.moved(point, at: now))
  }

  @discardableResult
  mutating func release(_ point: DragPoint) -> [DragEffect] {
    now += 16
    return send(.released(point, at: now))
  }

  @discardableResult
  mutating func key(_ key: ReorderKey, _ id: ItemID? = nil) -> [DragEffect] {
    send(.key(key, id.map { .item($0) }, at: now))
  }

  /// Somebody else edits the list.
  mutating func remotely(_ edit: (inout ReplicatedList, inout Replica) throws -> Void) throws {
    var other = Replica(test: 9)
    var list = document.list
    try edit(&list, &other)
    document = DragDocument(list)
  }
}

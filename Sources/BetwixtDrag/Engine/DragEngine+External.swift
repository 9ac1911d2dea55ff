import Betwixt
import BetwixtTrips

extension DragEngine {
  mutating func handle(_ phase: ExternalPhase, at time: Int64) {
    switch phase {
    case .entered(let payload, let point): entered(payload, at: point, time: time)
    case .moved(let point):
      guard isExternal, point.isFinite else { return }
      follow(point, at: time)
    case .left:
      guard isExternal else { return }
      cancel(.system)
    case .dropped(let point):
      guard isExternal, point.isFinite else { return }
      aimForTheLastTime(at: point)
      dropExternal()
    }
  }

  private var isExternal: Bool { session.map { $0.item == nil } ?? false }

  private mutating func entered(_ payload: DragPayload, at point: DragPoint, time: Int64) {
    guard isIdle, point.isFinite, payload.height.isFinite, payload.height >= 0, let document,
      let layout, let table, let stage
    else { return }
    studyCount += 1
    finishDelayed()
    var session = DragSession(
      subject: .external(payload), title: payload.title, isByKeyboard: false,
      height: payload.height, grabOffset: DragPoint(x: 0, y: 0), tab: layout.container,
      originalFrame: DragFrame(x: 0, y: 0, width: layout.width, height: payload.height),
      capture: Capture(
        table: table, stage: stage, item: nil, contentHeight: layout.contentHeight),
      destinations: .nowhere, point: point, aim: .nothing)
    session.proposal = .none
    session.accept(session.subject, document: document, on: stage)
    state = .dragging(session)
    follow(point, at: time)
  }

  private mutating func dropExternal() {
    guard let session, case .external(let payload) = session.subject else { return }
    let stage = sessionStage
    let isAccepted = session.proposal.gap != nil
    endShows(isAccepted ? .none : profile.shift)
    state = .idle
    guard let gap = session.proposal.gap, let stage else {
      return tell(.rejected(title: session.title, nil))
    }
    commit(
      [payload.kind == .game ? .addGame(payload.fields) : .insert(payload.draft, gap)],
      step: EditStep(.addition, title: session.title), end: .plain(nil), in: stage.name(of: gap.day)
    )
  }
}

extension DragPayload {
  /// What would be added.
  var draft: Fields {
    var fields = fields
    if kind == .travel || kind == .custom { fields["kind"] = .string(kind.rawValue) }
    return fields
  }

  var title: String {
    fields["title"]?.string ?? fields["text"]?.string ?? kind.rawValue
  }
}

extension DragSession {
  /// Finds out where something from another program may go.
  mutating func accept(
    _ subject: Subject, document: DragDocument, on stage: ReorderStage?
  ) {
    guard case .external(let payload) = subject else { return }
    destinations = .nowhere
    onlyGap = nil
    switch (payload.kind, document) {
    case (.custom, _): destinations = .everywhere(.root)
    case (.travel, .trip(let trip)): acceptLeg(payload.draft, trip: trip)
    case (.game, .trip(let trip)):
      // Tried out in a copy: the list itself knows best where a game goes.
      var trial = trip
      var trier = Replica(id: ReplicaID(rawValue: 1)) { 0 }
      guard let id = try? trial.addGame(payload.fields, by: &trier),
        let gap = trial.gap(of: id), stage?.allows(gap.day) ?? false
      else { return }
      onlyGap = gap
    default: break
    }
  }

  private mutating func acceptLeg(_ fields: Fields, trip: Trip) {
    var trial = trip
    var trier = Replica(id: ReplicaID(rawValue: 1)) { 0 }
    guard let id = try? trial.add(fields, into: trial.firstGap(ofDay: 1), by: &trier) else {
      return
    }
    destinations = Destinations(of: id, in: .trip(trial))
  }
}

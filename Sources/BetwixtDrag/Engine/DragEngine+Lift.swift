import Betwixt
import BetwixtTrips

extension DragEngine {
  /// A pointer went down: it may become a tap, a scroll or a lift.
  mutating func began(
    _ row: RowRef, _ input: PointerInput, _ point: DragPoint, _ time: Int64
  ) {
    guard isIdle, point.isFinite, let id = row.item, let document,
      document.list.contains(id: id), input != .keyboard
    else { return }
    guard isMovable(id) else { return }
    press = PointerPress(row: row, input: input, point: point)
    if settings.haptics { emit(.prepareHaptics) }
    if input != .mouse { emit(.startTimer(.longPress, delay: profile.longPress)) }
  }

  /// Whether an item can be lifted; says so if the schedule is why not.
  private mutating func isMovable(_ id: ItemID) -> Bool {
    guard let document, document.isGame(id) else { return true }
    emit(.announce(.notMovable(title: document.title(of: id))))
    return false
  }

  /// The pointer moved before anything was lifted.
  mutating func strayed(_ press: PointerPress, to point: DragPoint, _ time: Int64) {
    let distance = press.point.distance(to: point)
    if press.input == .mouse {
      guard distance >= profile.mouseSlop else { return }
      self.press = nil
      begin(press.row, press.input, press.point, time)
      moved(to: point, time)
    } else if distance > profile.slop {
      dropPress()
    }
  }

  /// Ends a press that nothing came of.
  mutating func dropPress() {
    guard let press else { return }
    self.press = nil
    if press.input != .mouse { emit(.cancelTimer(.longPress)) }
  }

  /// A finger has rested long enough.
  mutating func liftPressed(_ time: Int64) {
    guard let press, press.input != .mouse else { return }
    self.press = nil
    begin(press.row, press.input, press.point, time)
  }

  /// A host that recognises lifts itself lifts a row.
  mutating func lift(
    _ row: RowRef, _ input: PointerInput, _ point: DragPoint, _ time: Int64
  ) {
    guard session == nil, gesture == nil, point.isFinite, let id = row.item,
      document?.list.contains(id: id) ?? false, isMovable(id)
    else { return }
    if press != nil {
      dropPress()
    } else if settings.haptics {
      emit(.prepareHaptics)
    }
    begin(row, input, point, time)
  }

  private mutating func begin(
    _ row: RowRef, _ input: PointerInput, _ point: DragPoint, _ time: Int64
  ) {
    guard let id = row.item, let document, let layout, let table,
      let place = table.place(of: row), document.list.contains(id: id),
      let stage = stage(in: layout.container, isVisitor: false),
      let origin = stage.gap(of: id)
    else { return }
    let top = table.rows[place].minY
    let height = table.rows[place].height
    studyCount += 1
    var session = DragSession(
      subject: .item(id), title: document.title(of: id), isByKeyboard: input == .keyboard,
      height: height, grabOffset: DragPoint(x: point.x, y: point.y + layout.offset - top),
      homeTab: layout.container, tab: layout.container,
      originalFrame: DragFrame(x: 0, y: top, width: layout.width, height: height),
      capture: Capture(table: table, stage: stage, item: id),
      destinations: Destinations(of: id, in: document), originGap: origin, point: point)
    if input == .keyboard { session.keyboardGap = origin }
    if let band = Scrolling.band(
      at: point.y, viewportHeight: layout.viewportHeight, profile.autoScroll)
    {
      session.scrolling.rest = Scrolling.Rest(edge: band.edge, depth: band.depth)
    }
    self.session = session
    emit(profile.grab)
    emit(.lifted, profile.lifted, profile.lift)
    emit(.item(id), .alpha(profile.sourceAlpha), .none)
    if let place = stage.place(of: id) {
      emit(.announce(.lifted(title: session.title, place)))
    }
  }

  /// The order of the rows of a tab, or of the trip.
  func stage(in tab: TaskTab?, isVisitor: Bool) -> (any ReorderStage)? {
    switch document {
    case .trip(let trip): TripStage(trip)
    case .tasks(let tasks):
      TaskStage(tasks: tasks, tab: tab ?? .inbox, today: today, isVisitor: isVisitor)
    case nil: nil
    }
  }

  /// The stage of the drag that goes on, by the document as it is now.
  var sessionStage: (any ReorderStage)? {
    session.flatMap { stage(in: $0.tab, isVisitor: $0.isVisitor) }
  }
}

extension DragProfile {
  /// The copy when it has been lifted.
  var lifted: VisualChange {
    var change = VisualChange()
    change.scale = liftScale
    change.tiltY = liftTilt
    change.perspective = perspective
    change.shadow = shadow
    change.alpha = liftedAlpha
    change.corner = liftedCorner
    return change
  }
}

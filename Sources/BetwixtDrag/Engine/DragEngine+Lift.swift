import Betwixt
import BetwixtTrips

extension DragEngine {
  /// A pointer went down: it may become a tap, a scroll or a lift.
  mutating func began(
    _ row: RowRef, input: PointerInput, at point: DragPoint, time: Int64
  ) {
    guard isIdle, point.isFinite, let id = row.item, let document,
      document.list.contains(id: id), input != .keyboard
    else { return }
    guard isMovable(id) else { return }
    state = .pressed(PointerPress(row: row, input: input, point: point, grab: grab(row, at: point)))
    if settings.haptics { emit(.prepareHaptics) }
    if input != .mouse { emit(.startTimer(.longPress, delay: profile.longPress)) }
  }

  /// Whether an item can be lifted; says so if the schedule is why not.
  private mutating func isMovable(_ id: ItemID) -> Bool {
    guard let document, document.isGame(id) else { return true }
    tell(.notMovable(title: document.title(of: id)))
    return false
  }

  /// Where in a row a point lies, or the nearest such place.
  private func grab(_ row: RowRef, at point: DragPoint) -> DragPoint {
    guard let layout, let table, let place = table.place(of: row) else {
      return DragPoint(x: point.x, y: 0)
    }
    let y = point.y + layout.offset - table.rows[place].minY
    return DragPoint(x: point.x, y: min(max(y, 0), table.rows[place].height))
  }

  /// The pointer moved before anything was lifted.
  mutating func strayed(_ press: PointerPress, to point: DragPoint, at time: Int64) {
    let distance = press.point.squaredDistance(to: point)
    if press.input == .mouse {
      guard distance >= profile.mouseSlop * profile.mouseSlop else { return }
      state = .idle
      begin(press.row, input: press.input, at: press.point, grab: press.grab, time: time)
      moved(to: point, at: time)
    } else if distance > profile.slop * profile.slop {
      dropPress()
    }
  }

  /// Ends a press that nothing came of.
  mutating func dropPress() {
    guard let press else { return }
    state = .idle
    if press.input != .mouse { emit(.cancelTimer(.longPress)) }
  }

  /// A finger has rested long enough.
  mutating func liftPressed(_ time: Int64) {
    guard let press, press.input != .mouse else { return }
    state = .idle
    begin(press.row, input: press.input, at: press.point, grab: press.grab, time: time)
  }

  /// A host that recognises lifts itself lifts a row.
  mutating func lift(
    _ row: RowRef, input: PointerInput, at point: DragPoint, time: Int64
  ) {
    guard isIdle || press != nil, point.isFinite, let id = row.item,
      document?.list.contains(id: id) ?? false, isMovable(id)
    else { return }
    if press != nil {
      dropPress()
    } else if settings.haptics {
      emit(.prepareHaptics)
    }
    begin(row, input: input, at: point, grab: grab(row, at: point), time: time)
  }

  private mutating func begin(
    _ row: RowRef, input: PointerInput, at point: DragPoint, grab: DragPoint, time: Int64
  ) {
    guard let id = row.item, let document, let layout, let table, let stage,
      document.list.contains(id: id), let origin = stage.gap(of: id)
    else { return }
    let capture = Capture(
      table: table, stage: stage, item: id, contentHeight: layout.contentHeight)
    guard var frame = capture.frame(of: row, width: layout.width) else { return }
    // A row that is not made any more is as high as the others.
    if table.place(of: row) == nil { frame.height = usualHeight }
    finishDelayed()
    forgetLanding()
    studyCount += 1
    var session = DragSession(
      subject: .item(id), title: document.title(of: id), isByKeyboard: input == .keyboard,
      height: frame.height, grabOffset: grab, tab: layout.container, originalFrame: frame,
      capture: capture, destinations: Destinations(of: id, in: document), originGap: origin,
      point: point, aim: .origin)
    session.hold()
    if let band = Scrolling.band(
      at: point.y, viewportHeight: layout.viewportHeight, profile: profile.autoScroll)
    {
      session.scrolling.rest = Scrolling.Rest(edge: band.edge, depth: band.depth)
    }
    state = .dragging(session)
    emit(profile.grab)
    emit(.lifted, to: profile.lifted, motion: profile.lift)
    emit(.item(id), to: .alpha(profile.sourceAlpha), motion: .none)
    if let place = stage.place(of: id) {
      emit(.announce(.lifted(title: session.title, place)))
    }
  }

  /// The order of the rows of a tab, or of the trip.
  func stage(in tab: TaskTab?, isVisitor: Bool) -> ReorderStage? {
    switch document {
    case .trip(let trip): .trip(TripStage(trip))
    case .tasks(let tasks):
      .tasks(TaskStage(tasks: tasks, tab: tab ?? .inbox, today: today, isVisitor: isVisitor))
    case nil: nil
    }
  }

  /// The list as it is shown while nothing is dragged.
  var stage: ReorderStage? { stage(in: layout?.container, isVisitor: false) }

  /// The stage of the drag that goes on, by the document as it is now.
  var sessionStage: ReorderStage? {
    guard let session else { return nil }
    if !session.isCaptureOutdated, let capture = session.capture { return capture.stage }
    return stage(in: session.tab, isVisitor: session.isVisitor)
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

import Betwixt
import BetwixtTrips

// What changes around a drag: the settings, the document, the rows, the day.

extension DragEngine {
  mutating func change(_ settings: DragSettings) {
    self.settings = settings
    profile = settings.effectiveProfile
  }

  mutating func change(_ document: DragDocument) {
    let before = self.document
    self.document = document
    documentChanged(from: before)
  }

  mutating func change(_ today: CivilDate) {
    guard today != self.today else { return }
    self.today = today
    documentChanged(from: document)
  }

  private mutating func documentChanged(from before: DragDocument?) {
    switch state {
    case .idle, .pulling: break
    case .pressed(let press):
      if let id = press.row.item, !contains(id) { dropPress() }
    case .dragging: dragChanged(from: before)
    case .swiping, .pinching, .editing: gestureChanged()
    }
  }

  func contains(_ id: ItemID) -> Bool { document?.list.contains(id: id) ?? false }

  private mutating func dragChanged(from before: DragDocument?) {
    guard var session, let document else { return }
    let stage = stage(in: session.tab, isVisitor: session.isVisitor)
    session.isCaptureOutdated = true
    session.hold()
    studyCount += 1
    if let id = session.item {
      guard document.list.contains(id: id), !document.isGame(id),
        let origin = self.stage(in: session.homeTab, isVisitor: false)?.gap(of: id)
      else { return cancel(.itemRemoved) }
      let old = before?.list[id: id]
      let new = document.list[id: id]
      if session.formerGap == nil, old?.section != new?.section || old?.key != new?.key {
        session.formerGap = session.originGap
      }
      // Whoever aimed at the item's own place still does.
      if session.proposal == .stay { session.aim = .origin }
      session.originGap = origin
      session.destinations = Destinations(of: id, in: document)
    } else {
      session.accept(session.subject, document, stage)
    }
    // Each change is followed from where the one before it has led.
    if case .gap(let gap) = session.aim,
      let resolved = stage?.resolve(gap, moving: session.item)
    {
      session.aim = .gap(resolved)
    }
    self.session = session
    proposeAgain()
  }
}

// MARK: - The rows

extension DragEngine {
  mutating func change(_ layout: ListLayout) {
    guard layout.isUsable else { return }
    if let session, session.tab != layout.container { return }
    let isSame = self.layout.map { $0.rows == layout.rows } ?? false
    guard let table = isSame ? table : RowTable(layout.rows) else { return }
    let hasScrolled = self.layout.map { $0.offset != layout.offset } ?? false
    self.table = table
    self.layout = layout
    layoutCount += 1
    switch state {
    case .dragging:
      let isNew = capture(table, isSame: isSame)
      if !isNew, hasScrolled { aimAgain() }
      proposeAgain()
    case .pinching: pinchLaidOut()
    case .editing(let edit): present(edit)
    case .idle, .pressed, .swiping, .pulling: break
    }
  }

  /// The same rows, scrolled.
  mutating func scrolled(to offset: Double) {
    guard offset.isFinite, let layout, layout.offset != offset else { return }
    self.layout?.offset = offset
    guard session != nil else { return }
    aimAgain()
    proposeAgain()
  }

  /// Other rows are under the pointer now.
  private mutating func aimAgain() {
    guard let session, !session.isByKeyboard else { return }
    self.session?.heldAt = nil
    aim(at: session.point)
  }

  /// Takes new rows into the drag: all of them after a change of the document or the tab, else
  /// only those that were not known yet.
  ///
  /// - Returns: Whether what lies under the pointer is another list now, or the same one changed.
  private mutating func capture(_ table: RowTable, isSame: Bool) -> Bool {
    guard let session, let stage = sessionStage, let layout else { return false }
    guard let capture = session.capture else {
      enterRows(table, stage)
      return true
    }
    guard session.isCaptureOutdated else {
      if !isSame { addRows(table.rows) }
      return false
    }
    self.session?.isCaptureOutdated = false
    // Rows of the same names may lie elsewhere: what changed was above those that are made.
    let liesAlike = capture.table.rows == table.rows
    if !liesAlike { shift(to: nil, .none) }
    let new = Capture(
      table: table, stage: stage, item: session.item, contentHeight: layout.contentHeight)
    self.session?.capture = new
    if !liesAlike { self.session?.hold() }
    if let id = session.item, !session.isVisitor,
      let frame = new.frame(of: .item(id), width: layout.width)
    {
      self.session?.originalFrame = DragFrame(
        x: 0, y: frame.y, width: frame.width, height: session.height)
    }
    return true
  }

  /// The rows of a tab that the drag has come to.
  private mutating func enterRows(_ table: RowTable, _ stage: ReorderStage) {
    guard let session, let layout else { return }
    self.session?.capture = Capture(
      table: table, stage: stage, item: session.item, contentHeight: layout.contentHeight)
    guard session.isByKeyboard else {
      let aim = aimed(at: session.point)
      self.session?.aim = aim
      return
    }
    let first = session.isVisitor ? stage.firstGap(moving: session.item) : session.originGap
    self.session?.aim = first.map { .gap($0) } ?? .nowhere
  }

  /// Rows that were not known come in; those among them that make room move too.
  private mutating func addRows(_ rows: [RowFrame]) {
    guard let session, var capture = session.capture, capture.add(rows) else { return }
    let known = session.capture
    self.session?.capture = capture
    guard let shift = session.shift, let gap = session.line?.gap else { return }
    let wider = capture.shift(for: gap, height: session.height)
    self.session?.shift = wider
    let new = wider.map { capture.table.rows[$0.rows].map { $0.ref } } ?? []
    let added = new.filter { known?.table.place(of: $0) == nil }
    if !added.isEmpty { emit(.rows(added), .shiftY(shift.distance), .none) }
  }
}

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
    editCapture = nil
    switch state {
    case .pressed(let press):
      if let id = press.row.item, !contains(id) { dropPress() }
    case .dragging: dragChanged(from: before)
    default: gestureChanged()
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
      session.accept(session.subject, document: document, on: stage)
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
    guard let table = isSame ? table : RowTable(layout.rows, like: table) else { return }
    let hasScrolled = self.layout.map { $0.offset != layout.offset } ?? false
    self.table = table
    self.layout = layout
    layoutCount += 1
    editCapture = nil
    switch state {
    case .dragging:
      let isNew = capture(table, isSame: isSame)
      if !isNew, hasScrolled { aimAgain() }
      proposeAgain()
    default: gestureLaidOut()
    }
  }

  /// The same rows, scrolled.
  mutating func scrolled(to offset: Double) {
    guard offset.isFinite, let layout, layout.offset != offset else { return }
    self.layout?.offset = offset
    switch state {
    case .dragging:
      aimAgain()
      proposeAgain()
    // Rows that come into sight stand aside like those that were in sight before.
    default: gestureLaidOut()
    }
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
      enterRows(table, on: stage)
      return true
    }
    guard session.isCaptureOutdated else {
      if !isSame { addRows(table.rows) }
      return false
    }
    self.session?.isCaptureOutdated = false
    // Rows of the same names may lie elsewhere: what changed was above those that are made.
    let liesAlike = capture.table.rows == table.rows
    if !liesAlike { shift(to: nil, motion: .none) }
    let new = Capture(
      table: table, stage: stage, item: session.item, contentHeight: layout.contentHeight)
    take(new, width: layout.width)
    if !liesAlike { self.session?.hold() }
    return true
  }

  /// Takes in where all rows lie now, and the dragged one among them where it is at home.
  private mutating func take(_ capture: Capture, width: Double) {
    session?.capture = capture
    guard let session, let id = session.item, !session.isVisitor,
      let frame = capture.frame(of: .item(id), width: width)
    else { return }
    self.session?.originalFrame = DragFrame(
      x: 0, y: frame.y, width: frame.width, height: session.height)
  }

  /// The rows of a tab that the drag has come to.
  private mutating func enterRows(_ table: RowTable, on stage: ReorderStage) {
    guard let session, let layout else { return }
    let capture = Capture(
      table: table, stage: stage, item: session.item, contentHeight: layout.contentHeight)
    take(capture, width: layout.width)
    guard session.isByKeyboard else {
      let aim = aimed(at: session.point)
      self.session?.aim = aim
      return
    }
    let first = session.isVisitor ? stage.firstGap(moving: session.item) : session.originGap
    self.session?.aim = first.map { .gap($0) } ?? .nowhere
  }

  /// Rows that were not known come in: those of them that make room stand aside at once, and
  /// those of the others that do now move there.
  ///
  /// - Complexity: O(*n* log *n*) for *n* known rows
  private mutating func addRows(_ rows: [RowFrame]) {
    guard let session, let known = session.capture?.table, var capture = session.capture,
      capture.add(rows)
    else { return }
    self.session?.capture = capture
    guard let gap = session.proposal.gap else { return }
    let shift = capture.shift(for: gap, height: session.height)
    self.session?.shift = shift
    var (arrived, moved, back): ([RowRef], [RowRef], [RowRef]) = ([], [], [])
    for (place, row) in capture.table.rows.enumerated() {
      let distance = RowShift.distance(shift, at: place)
      let before = known.place(of: row.ref)
      guard distance != RowShift.distance(session.shift, at: before) else { continue }
      if before == nil {
        arrived.append(row.ref)
      } else if distance != 0 {
        moved.append(row.ref)
      } else {
        back.append(row.ref)
      }
    }
    let distance = shift?.distance ?? 0
    if !arrived.isEmpty { emit(.rows(arrived), to: .shiftY(distance), motion: .none) }
    if !moved.isEmpty { emit(.rows(moved), to: .shiftY(distance), motion: profile.shift) }
    if !back.isEmpty { emit(.rows(back), to: .shiftY(0), motion: profile.shift) }
    // What is known now may be known to lie elsewhere than it was guessed.
    showPlace(of: session.proposal)
  }
}

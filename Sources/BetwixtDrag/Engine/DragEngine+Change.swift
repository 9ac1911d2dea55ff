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
    checkGesture()
    if let id = press?.row.item, !(document?.list.contains(id: id) ?? false) { dropPress() }
    guard let session, let document else { return }
    self.session?.isCaptureOutdated = true
    studyCount += 1
    guard let id = session.item else {
      let stage = sessionStage
      self.session?.accept(session.subject, document, stage)
      return proposeAgain()
    }
    guard document.list.contains(id: id), !document.isGame(id),
      let home = stage(in: session.homeTab, isVisitor: false), let origin = home.gap(of: id)
    else { return cancel(.itemRemoved) }
    let old = before?.list[id: id]
    let new = document.list[id: id]
    if session.formerGap == nil, old?.section != new?.section || old?.key != new?.key {
      self.session?.formerGap = session.originGap
    }
    self.session?.originGap = origin
    self.session?.destinations = Destinations(of: id, in: document)
    proposeAgain()
  }

  mutating func change(_ layout: ListLayout) {
    guard layout.isUsable else { return }
    if let session, session.tab != layout.container { return }
    let isSame = table.map { $0.rows == layout.rows } ?? false
    guard let table = isSame ? table : RowTable(layout.rows) else { return }
    self.table = table
    self.layout = layout
    guard session != nil else { return }
    capture(table, isSame: isSame)
    proposeAgain()
  }

  /// Takes new rows into the drag: all of them after a change of the document or the tab, else
  /// only those that were not known yet.
  private mutating func capture(_ table: RowTable, isSame: Bool) {
    guard let session, let stage = sessionStage, let layout else { return }
    guard let capture = session.capture else {
      self.session?.capture = Capture(table: table, stage: stage, item: session.item)
      return
    }
    guard session.isCaptureOutdated else {
      guard !isSame, let wider = capture.table.adding(table.rows),
        wider.rows.count > capture.table.rows.count
      else { return }
      shift(to: nil, .none)
      self.session?.capture?.table = wider
      return
    }
    self.session?.isCaptureOutdated = false
    let isReordered = !capture.table.rows.lazy.map(\.ref).elementsEqual(
      table.rows.lazy.map(\.ref))
    guard isReordered else {
      self.session?.capture?.stage = stage
      return
    }
    shift(to: nil, .none)
    self.session?.capture = Capture(table: table, stage: stage, item: session.item)
    guard let id = session.item, let place = table.place(of: .item(id)), !session.isVisitor else {
      return
    }
    let top = table.rows[place].minY
    self.session?.originalFrame = DragFrame(
      x: 0, y: top, width: layout.width, height: session.height)
  }

  /// Finds out anew what the drag would do.
  mutating func proposeAgain() {
    guard let session else { return }
    guard session.isByKeyboard else { return propose(proposal(at: session.point)) }
    guard let gap = session.keyboardGap, let stage = sessionStage else { return }
    let resolved = stage.resolve(gap, moving: session.item)
    if session.proposal == .stay {
      self.session?.keyboardGap = session.originGap
      propose(.stay)
    } else {
      self.session?.keyboardGap = resolved ?? gap
      propose(proposal(for: gap))
    }
  }
}

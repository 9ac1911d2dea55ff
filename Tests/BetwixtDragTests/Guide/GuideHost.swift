import Betwixt
import BetwixtDrag
import BetwixtTrips

/// A front end without a screen, written from the page “Writing a front end” alone.
///
/// It knows what it would draw, and finds out after each event whether that is the document.
struct GuideHost: ~Copyable {
  /// What was set on a row, by its name.
  struct Look: Equatable {
    var shiftX = 0.0
    var shiftY = 0.0
    var alpha = 1.0
  }

  /// What waits for its time.
  enum Delayed {
    case change(RowRef, VisualChange)
    case removeCopy
  }

  struct Field: Equatable {
    let target: EditTarget
    let frame: DragFrame
    var text: String
  }

  static let headerHeight = 40.0
  static let itemHeight = 60.0
  static let width = 320.0

  var engine = DragEngine()
  var document: DragDocument
  var history = CommitHistory()
  var me = Replica(test: 7)
  var tab: TaskTab?
  var viewportHeight = 600.0
  var offset = 0.0
  /// How far beyond the viewport rows are made; `nil` makes all.
  var margin: Double?
  /// What another program does to the document before a commit gets to it.
  var beforeCommit: ((inout DragDocument) throws -> Void)?
  /// Whether writing fails, as on a full disk.
  var isFull = false
  var now: Int64 = 0

  // What is on the screen.
  var frames: [RowFrame] = []
  var looks: [RowRef: Look] = [:]
  var delayed: [Delayed] = []
  var hasCopy = false
  var line: (gap: Gap, frame: DragFrame)?
  var isTinted = false
  var highlight: TaskTab?
  var placeholder: AddPlaceholder?
  var field: Field?
  var toast: Toast?
  var focus: RowRef?
  var timers: Set<TimerID> = []
  var isTicking = false

  // What happened.
  var said: [String] = []
  var notices: [String] = []
  var commits: [[ListEdit]] = []
  var commitsAnswered = 0
  var handedBack: [String] = []
  var faults: [String] = []

  init(_ document: DragDocument, tab: TaskTab? = nil, margin: Double? = nil) {
    self.document = document
    self.tab = tab
    self.margin = margin
    if tab != nil { viewportHeight = 400 }
    let profile: DragProfile = if case .tasks = document { .tasks } else { .itinerary }
    tell(.settings(DragSettings(profile)))
    tell(.today(SampleTasks.today))
    tell(.document(document))
    layOut()
  }

  /// Tells the engine what happened, and does what it answers.
  mutating func tell(_ event: DragEvent) {
    switch event {
    case .committed, .commitFailed: commitsAnswered += 1
    case .timer(let timer, _): timers.remove(timer)
    default: break
    }
    for effect in engine.handle(event) { perform(effect) }
    check("\(event)".prefix(70))
  }

  /// Lays out the rows of the document as it is now.
  mutating func layOut() {
    var y = 0.0
    frames = []
    for ref in rows {
      let height = ref.item == nil ? GuideHost.headerHeight : GuideHost.itemHeight
      frames.append(RowFrame(ref, minY: y, maxY: y + height))
      y += height
    }
    let shown = Set(rows)
    looks = looks.filter { shown.contains($0.key) }
    tell(
      .layout(
        ListLayout(
          container: tab, rows: frames.filter { isMade($0) }, width: GuideHost.width,
          viewportHeight: viewportHeight, offset: offset, contentHeight: y,
          tabStrip: tab.map { _ in
            DragFrame(x: 0, y: viewportHeight, width: GuideHost.width, height: 56)
          })))
  }

  var rows: [RowRef] { document.rows(in: tab, today: SampleTasks.today) }

  private func isMade(_ row: RowFrame) -> Bool {
    guard let margin else { return true }
    return row.maxY > offset - margin && row.minY < offset + viewportHeight + margin
  }

  /// The document is another one now, by whomever.
  mutating func show(_ document: DragDocument) {
    self.document = document
    tell(.document(document))
    layOut()
  }

  /// Somebody else edits the document.
  mutating func remotely(_ edit: (inout DragDocument) throws -> Void) throws {
    var changed = document
    try edit(&changed)
    show(changed)
  }

  /// Time passes: what waits happens, timers run down.
  mutating func wait() {
    finishDelayed()
    for timer in timers.sorted(by: { $0.rawValue < $1.rawValue }) where timer != .tabHover {
      timers.remove(timer)
      tell(.timer(timer, at: now))
    }
    finishDelayed()
    check("a while")
  }
}

// MARK: - What the engine asks for

extension GuideHost {
  private mutating func perform(_ effect: DragEffect) {
    switch effect {
    case .animate(let animation): animate(animation)
    case .finishDelayed: finishDelayed()
    case .removeCopy(let delay):
      if delay > 0 { delayed.append(.removeCopy) } else { hasCopy = false }
    case .line(.show(let gap, let frame, _)): line = (gap, frame)
    case .line(.hide): line = nil
    case .tint(.invalid): isTinted = true
    case .tint(.none): isTinted = false
    case .highlight(let tab): highlight = tab?.tab
    case .placeholder(let placeholder): self.placeholder = placeholder
    case .ticks(let isOn): isTicking = isOn
    case .startTimer(let timer, _): timers.insert(timer)
    case .cancelTimer(let timer): timers.remove(timer)
    case .focus(let row): focus = row
    case .announce(let announcement): said.append(announcement.text)
    case .toast(let toast):
      self.toast = toast
      if let toast { notices.append(toast.text) }
    case .beginEditing(let target, let frame, let text):
      field = Field(target: target, frame: frame, text: text)
    case .editText(let text): field?.text = text
    case .endEditing(_, let end):
      field = nil
      if case .lost(let text) = end { handedBack.append(text) }
    default: answer(effect)
    }
  }

  /// Those that the engine wants an answer to.
  private mutating func answer(_ effect: DragEffect) {
    switch effect {
    case .commit(let id, let edits): write(id, edits)
    case .turn(let turn):
      do {
        let report = try history.turn(turn, in: &document, by: &me)
        show(document)
        tell(.turned(report, at: now))
      } catch {
        faults.append("\(turn) failed: \(error)")
      }
    case .scroll(let distance): scroll(to: offset + distance)
    case .switchTab(let tab, _):
      self.tab = tab
      layOut()
    default: break
    }
  }

  private mutating func write(_ id: CommitID, _ edits: [ListEdit]) {
    commits.append(edits)
    do {
      try beforeCommit?(&document)
      beforeCommit = nil
      guard !isFull else {
        show(document)
        return tell(.commitFailed(id, at: now))
      }
      let added = try history.commit(id, edits: edits, in: &document, by: &me)
      show(document)
      tell(.committed(id, added, at: now))
    } catch {
      show(document)
      tell(.commitFailed(id, at: now))
    }
  }

  mutating func scroll(to offset: Double) {
    self.offset = offset
    tell(.scrolled(offset))
    if margin != nil { layOut() }
  }

  private mutating func animate(_ animation: RowAnimation) {
    let rows: [RowRef]
    switch animation.target {
    case .lifted:
      hasCopy = true
      return
    case .item(let id): rows = [.item(id)]
    case .rows(let refs): rows = refs
    }
    for row in rows {
      // A later change takes the place of an earlier one, also of one that waits.
      delayed.removeAll { waiting in
        guard case .change(row, let change) = waiting else { return false }
        return change.touches(animation.changes)
      }
      if animation.delay > 0 {
        delayed.append(.change(row, animation.changes))
      } else {
        set(animation.changes, on: row)
      }
    }
  }

  private mutating func set(_ change: VisualChange, on row: RowRef) {
    var look = looks[row] ?? Look()
    look.shiftX = change.shiftX ?? look.shiftX
    look.shiftY = change.shiftY ?? look.shiftY
    look.alpha = change.alpha ?? look.alpha
    looks[row] = look == Look() ? nil : look
  }

  private mutating func finishDelayed() {
    let waiting = delayed
    delayed = []
    for change in waiting {
      switch change {
      case .change(let row, let change): set(change, on: row)
      case .removeCopy: hasCopy = false
      }
    }
  }
}

extension VisualChange {
  fileprivate func touches(_ other: VisualChange) -> Bool {
    (shiftX != nil && other.shiftX != nil) || (shiftY != nil && other.shiftY != nil)
      || (alpha != nil && other.alpha != nil)
  }
}

package import Betwixt
package import BetwixtDrag
package import BetwixtTrips

/// The editor without its terminal: keys and clicks in, a picture and requests to write out.
package struct EditHost: Sendable {
  /// What the host cannot do by itself.
  package enum Request: Sendable {
    case commit(CommitID, [ListEdit])
    /// A field of an item, of which the engine knows nothing; `nil` clears it.
    case set(ItemID, FieldName, FieldValue?)
    case turn(UndoTurn)
  }

  private(set) var engine: DragEngine
  package private(set) var trip: Trip
  private(set) var rows: EditRows
  private(set) var screen = EditScreen()
  private(set) var size: TerminalSize
  private(set) var offset = 0.0
  /// The row with the focus.
  private(set) var cursor = 0
  /// Where the mouse is, while its button is held.
  private(set) var pointer: DragPoint?
  /// The line that is asked for.
  var prompt: EditPrompt?
  /// The text that is typed.
  var text: String? { prompt?.line.text }
  /// What was looked for last.
  var wanted = ""
  /// Whether the keys are shown in place of the list.
  private(set) var showsHelp = false
  /// The days that are shown in place of the list, and the one that is chosen.
  private(set) var overview: DayOverview?
  private var wantsSuspension = false
  /// What was last said of edits that lost.
  private var toldLoss: String?
  /// What was typed when the item went away.
  var lostText: String?
  package private(set) var isDone = false
  /// Items that are marked, because they came from elsewhere.
  var arrivals: Set<ItemID> = []
  /// Why the list and a shared folder may differ.
  package var folderTrouble: String? {
    didSet {
      guard folderTrouble != oldValue, engine.isIdle else { return }
      say(folderTrouble ?? "The folder is in step again.")
    }
  }
  /// Every event that the engine was told, if they are recorded: each document and layout is a copy
  /// of all rows, and an editor may stay open for days.
  package private(set) var events: [DragEvent] = []
  private let isRecording: Bool
  package var requests: [Request] = []

  package init(_ trip: Trip, size: TerminalSize, isRecording: Bool = false) {
    self.trip = trip
    self.size = size
    self.isRecording = isRecording
    rows = EditRows(trip)
    engine = DragEngine()
    cursor = rows.refs.firstIndex { $0.item != nil } ?? 0
    var settings = DragSettings(.itinerary)
    settings.curves = .easeOnly
    send(.settings(settings), now: 0)
    send(.document(.trip(trip)), now: 0)
    send(.layout(layout), now: 0)
    screen.say(
      trip.list.isEmpty
        ? "Nothing is planned yet. The key a adds an item."
        : "\(ItineraryText.count(Int64(trip.list.count), "item")). Space lifts the chosen one; the mouse drags."
    )
  }

  private var layout: ListLayout { rows.layout(size, offset: offset) }

  /// The item with the focus.
  var chosen: RowRef? { rows.refs.indices.contains(cursor) ? rows.refs[cursor] : nil }

  /// Tells the engine and takes in what it answers.
  package mutating func send(_ event: DragEvent, now: Int64) {
    if isRecording { events.append(event) }
    let effects = engine.handle(event)
    for effect in effects {
      screen.take(effect, now: now)
      switch effect {
      case .commit(let id, let edits): requests.append(.commit(id, edits))
      case .turn(let turn): requests.append(.turn(turn))
      case .scroll(let distance): scroll(by: distance, now: now)
      case .reveal: reveal(now)
      case .beginEditing(_, _, let base): prompt = EditPrompt(.title, base: base)
      case .editText(let news): prompt?.line.become(news)
      case .endEditing(_, let end): endEditing(end)
      default: break
      }
    }
    if let row = screen.takeFocus(), let place = rows.place(of: row) { choose(place, now: now) }
    // Why the item is gone was said behind the end of its edit.
    if prompt?.isOrphaned ?? false, prompt?.loss == nil { prompt?.loss = screen.message }
    if let typed = lostText {
      lostText = nil
      handBack(typed, because: screen.message)
    }
  }

  /// Shows the list as it is now, after a write or somebody else's.
  package mutating func show(_ list: ReplicatedList, changes: ListChanges, now: Int64) {
    guard !changes.isEmpty else { return }
    let chosen = chosen
    if case .field(let id, _)? = prompt?.purpose, !list.contains(id: id) { orphan(id) }
    trip = Trip(list)
    rows = EditRows(trip)
    send(.document(.trip(trip)), now: now)
    screen.lay(rows)
    send(.layout(layout), now: now)
    let wasSeen = isSeen(cursor)
    cursor = chosen.flatMap { rows.place(of: $0) } ?? min(cursor, max(0, rows.refs.count - 1))
    scroll(by: 0, now: now)
    overview?.update(trip)
    // What was in sight stays there, wherever it went.
    if wasSeen, engine.isIdle { choose(cursor, now: now) }
  }

  private func isSeen(_ place: Int) -> Bool {
    let y = Double(place) * EditRows.lineHeight
    let height = Double(EditRows.lines(of: size)) * EditRows.lineHeight
    return y + EditRows.lineHeight > offset && y < offset + height
  }

  /// Says something unless a drag has more important things to say.
  mutating func sayNews(_ text: String) {
    if engine.isIdle { say(text) }
  }

  /// Shows what somebody else has done, and says so where the engine has nothing to say of it.
  package mutating func showNews(_ list: ReplicatedList, changes: ListChanges, now: Int64) {
    let message = screen.message
    let writers = ArrivalText(from: trip.list, to: list).names ?? "somebody else"
    show(list, changes: changes, now: now)
    // What was lost stays there until a key is pressed.
    if !changes.isEmpty, screen.message == message, message != toldLoss {
      sayNews("Changed by \(writers).")
    }
  }

  /// Says which writes lost, on the one line that there is.
  mutating func sayLosses(_ lines: [String]) {
    guard let first = lines.first else { return }
    let more = lines.count > 1 ? " (and \(lines.count - 1) more)" : ""
    toldLoss = first.printable + more
    sayNews(first.printable + more)
  }

  mutating func say(_ text: String) { screen.say(text) }

  /// What was said last.
  var message: String { screen.message }

  /// Whether a key is a command, and nothing has been begun that it would belong to.
  package var isAtRest: Bool { engine.isIdle && prompt == nil && !showsHelp && overview == nil }

  /// Goes on although the end was asked for.
  mutating func goOn() { isDone = false }

  /// Takes back what is offered beside what is said.
  mutating func dropOffer() { screen.dropToast() }

  /// What is offered beside what is said.
  package var screenToast: String? { screen.toast?.text }

  /// Whether the bell is to ring, once.
  mutating func takeBell() -> Bool {
    defer { screen.rings = false }
    return screen.rings
  }

  /// Lets time pass.
  package mutating func advance(to now: Int64) {
    while let timer = screen.ranDown(by: now) { send(.timer(timer, at: now), now: now) }
    if screen.wantsTicks { send(.tick(at: now), now: now) }
  }

  /// How long nothing has to be done, in milliseconds.
  func idleTime(from now: Int64, atMost limit: Int64) -> Int {
    let next = screen.timers.values.min().map { max(0, $0 - now) } ?? limit
    return Int(min(next, screen.wantsTicks ? 16 : limit))
  }

  package mutating func resize(to size: TerminalSize, now: Int64) {
    guard size != self.size else { return }
    self.size = size
    scroll(by: 0, now: now)
    send(.layout(layout), now: now)
    // What one was looking at stays in sight.
    if engine.draggedItem == nil { choose(cursor, now: now) } else if pointer == nil { reveal(now) }
  }
}

// MARK: - Keys

extension EditHost {
  package mutating func take(_ input: TerminalInput, now: Int64) {
    if input == .control("z") {
      wantsSuspension = true
      return
    }
    if prompt != nil { return type(input, now: now) }
    if showsHelp {
      showsHelp = false
      return
    }
    if overview != nil { return takeInOverview(input, now: now) }
    switch input {
    case .press, .drag, .release, .wheel: return point(input, now: now)
    default: break
    }
    dropPress(now)
    if engine.isIdle { say("") }
    if input == .interrupt {
      send(.cancelled(.system, at: now), now: now)
      isDone = true
    } else if !engine.isIdle {
      takeWhileDragging(input, now: now)
    } else if let key = EditHost.reorderKeys[input], key == .space || key == .enter {
      send(.key(key, chosen, at: now), now: now)
    } else {
      takeWhileIdle(input, now: now)
    }
  }

  private static let reorderKeys: [TerminalInput: ReorderKey] = [
    .character(" "): .space, .enter: .enter, .up: .up, .down: .down, .pageUp: .pageUp,
    .pageDown: .pageDown, .home: .home, .end: .end, .escape: .escape, .tab: .tab,
    .character("k"): .up, .character("j"): .down,
  ]

  private mutating func takeWhileDragging(_ input: TerminalInput, now: Int64) {
    guard pointer == nil else {
      if input == .escape { send(.cancelled(.escape, at: now), now: now) }
      return
    }
    if let key = EditHost.reorderKeys[input] { send(.key(key, chosen, at: now), now: now) }
  }

  private mutating func takeWhileIdle(_ input: TerminalInput, now: Int64) {
    let page = max(1, EditRows.lines(of: size) - 1)
    switch input {
    case .up, .character("k"): choose(cursor - 1, now: now)
    case .down, .character("j"): choose(cursor + 1, now: now)
    case .pageUp: choose(cursor - page, now: now)
    case .pageDown: choose(cursor + page, now: now)
    case .home: choose(0, now: now)
    case .end: choose(rows.refs.count - 1, now: now)
    case .character("K"): act(.moveUp, now: now)
    case .character("J"): act(.moveDown, now: now)
    case .character("<"): act(.moveToPreviousDay, now: now)
    case .character(">"): act(.moveToNextDay, now: now)
    case .character("u"): send(.undo(at: now), now: now)
    case .character("r"): send(.redo(at: now), now: now)
    case .character("!"):
      if let button = screen.toast?.button { send(.toast(button, at: now), now: now) }
    case .character("x"), .delete: if let id = chosen?.item { send(.delete(id), now: now) }
    case .character("e"): beginEditing(now)
    case .character("a"): send(.edit(.add(below: chosen)), now: now)
    case .character("t"): ask(for: .time, now: now)
    case .character("n"): ask(for: .note, now: now)
    case .character("/"): prompt = EditPrompt(.search, base: "")
    case .character("d"): overview = DayOverview(trip, at: dayOfChosen)
    case .character("?"): showsHelp = true
    case .character("q"), .control("d"): isDone = true
    default: break
    }
  }

  private mutating func takeInOverview(_ input: TerminalInput, now: Int64) {
    let page = max(1, EditRows.lines(of: size) - 1)
    switch input {
    case .up, .character("k"), .wheel(lines: ...(-1)): overview?.go(by: -1)
    case .down, .character("j"), .wheel: overview?.go(by: 1)
    case .pageUp: overview?.go(by: -page)
    case .pageDown: overview?.go(by: page)
    case .home: overview?.go(by: .min / 2)
    case .end: overview?.go(by: .max / 2)
    case .enter, .character(" "):
      let place = overview?.day.flatMap { rows.place(of: .header(day: $0)) }
      overview = nil
      guard let place else { return }
      // The day's first item can be seen with it.
      choose(rows.refs.count - 1, now: now)
      choose(place, now: now)
    case .escape, .character("d"), .character("q"), .interrupt: overview = nil
    default: break
    }
  }

  private mutating func act(_ action: RowAction, now: Int64) {
    guard let id = chosen?.item else { return }
    send(.action(id, action, at: now), now: now)
  }

  private mutating func beginEditing(_ now: Int64) {
    guard let id = chosen?.item else { return }
    send(.edit(.begin(id)), now: now)
    if engine.isIdle { say("This cannot be edited here.") }
  }

  /// Whether the terminal is to be given back for a while, once.
  mutating func takeSuspension() -> Bool {
    defer { wantsSuspension = false }
    return wantsSuspension
  }
}

// MARK: - The mouse

extension EditHost {
  /// Ends a press that has lifted nothing, as one whose release the terminal has not told.
  private mutating func dropPress(_ now: Int64) {
    guard !engine.isIdle, engine.draggedItem == nil else { return }
    pointer = nil
    send(.cancelled(.escape, at: now), now: now)
  }

  private mutating func point(_ input: TerminalInput, now: Int64) {
    switch input {
    case .press(let column, let line):
      dropPress(now)
      let place =
        Int((offset / EditRows.lineHeight).rounded(.down)) + line - 1 - EditRows.linesAbove
      guard engine.isIdle, line > EditRows.linesAbove,
        line <= EditRows.linesAbove + EditRows.lines(of: size), rows.refs.indices.contains(place)
      else { return }
      cursor = place
      send(
        .press(rows.refs[place], .mouse, EditRows.point(column: column, line: line), at: now),
        now: now)
    case .drag(let column, let line):
      let point = EditRows.point(column: column, line: line)
      send(.moved(point, at: now), now: now)
      pointer = engine.draggedItem == nil ? nil : point
    case .release(let column, let line):
      pointer = nil
      send(.released(EditRows.point(column: column, line: line), at: now), now: now)
    case .wheel(let lines):
      scroll(by: Double(lines) * EditRows.lineHeight, now: now)
    default: break
    }
  }

  /// Whether the item that is dragged by the mouse may go below a row.
  func accepts(_ place: Int) -> Bool? {
    guard engine.draggedItem != nil else { return nil }
    let y = (Double(place) + 0.5) * EditRows.lineHeight - offset
    switch engine.proposal(at: DragPoint(x: 1, y: y)) {
    case .move, .copy, .stay: return true
    case .forbidden: return false
    // Beyond the part of the list that can be seen nothing is known.
    case .tab, .none: return nil
    }
  }
}

// MARK: - Scrolling

extension EditHost {
  mutating func choose(_ place: Int, now: Int64) {
    cursor = min(max(place, 0), max(0, rows.refs.count - 1))
    bringIntoView(Double(cursor) * EditRows.lineHeight, now: now)
  }

  /// Scrolls to where the insertion line is, else to the row that was lifted.
  private mutating func reveal(_ now: Int64) {
    if let y = slotY {
      bringIntoView(y, now: now)
    } else if let id = engine.draggedItem, let place = rows.place(of: .item(id)) {
      bringIntoView(Double(place) * EditRows.lineHeight, now: now)
    }
  }

  /// Where the rows have made room for the dragged item, in content coordinates.
  var slotY: Double? {
    guard let line = screen.lineY else { return nil }
    let above = Int(line / EditRows.lineHeight) - 1
    let shift = rows.refs.indices.contains(above) ? screen.shifts[rows.refs[above]] ?? 0 : 0
    return line + min(0, shift)
  }

  private mutating func bringIntoView(_ y: Double, now: Int64) {
    let height = Double(EditRows.lines(of: size)) * EditRows.lineHeight
    // One line more is shown in the direction of travel, so that one sees where one goes.
    let margin = height > 4 * EditRows.lineHeight ? EditRows.lineHeight : 0
    if y - margin < offset {
      scroll(by: y - margin - offset, now: now)
    } else if y + EditRows.lineHeight + margin > offset + height {
      scroll(by: y + EditRows.lineHeight + margin - offset - height, now: now)
    }
  }

  private mutating func scroll(by distance: Double, now: Int64) {
    let height = Double(EditRows.lines(of: size)) * EditRows.lineHeight
    let target = min(max(offset + distance, 0), max(0, rows.contentHeight - height))
    guard target != offset else { return }
    offset = target
    send(.scrolled(offset), now: now)
  }
}

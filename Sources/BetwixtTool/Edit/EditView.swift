import Betwixt
import BetwixtDrag
import BetwixtTrips

/// Draws the editor, a text for each line of the terminal.
///
///      follow-mexico                                            13 days, 41 items
///      Day 1, Thu 2026-06-11
///      > ≡         Check in
package struct EditView {
  /// What is shown of an editor that is one of two.
  struct Pane: Sendable {
    /// What the device is called.
    var label: String
    /// Whether it gets the keys.
    var isChosen: Bool
    /// How many items have changes that the other one has not.
    var changedCount: Int
  }

  private let host: EditHost
  private let style: TextStyle
  private let pane: Pane?
  private let size: TerminalSize

  /// Draws a host in a style.
  package init(_ host: EditHost, style: TextStyle) {
    self.init(host, style: style, pane: nil, size: host.size)
  }

  /// Draws a host as one of two, its help as large as the whole screen is.
  init(_ host: EditHost, style: TextStyle, pane: Pane?, size: TerminalSize) {
    self.host = host
    self.style = style
    self.pane = pane
    self.size = size
  }

  private var columns: Int { size.columns }
  private var height: Int { EditRows.lines(of: size) }
  private var isChosen: Bool { pane?.isChosen ?? true }

  /// Every line of the terminal, top to bottom, each as wide as the terminal.
  package var lines: [String] {
    var lines = [title]
    lines += host.showsHelp ? keys : host.overview.map(days) ?? list
    lines += status
    return Array(lines.prefix(size.lines))
  }

  private static let keys = [
    "Up/Down k/j  PgUp/PgDn  Home/End   go to a row",
    "/                                find a row; / and Return again the next",
    "Space, arrows, Space             lift an item, carry it, drop it",
    "d                                shows all days; Return goes to one",
    "J K < >                          move it down, up, to the day before or after",
    "e t n                            edit the title, the time, the note",
    "a x                              add an item below, remove it",
    "u r !                            undo, redo, take that too which others changed",
    "the mouse                        drags, the wheel scrolls",
    "Ctrl-Z q                         give the terminal back, for a while or for good",
    "in a line: arrows, Home/End, Ctrl-A E U K W, Return keeps, Esc gives up",
  ]

  private static let paneKeys = [
    "Tab, or a click                  goes to the other device",
    "s                                brings both devices together",
  ]

  /// What the keys do, in place of the list.
  private var keys: [String] {
    let keys = (pane == nil ? [] : EditView.paneKeys) + EditView.keys
    return (0..<height).map { line in
      (line < keys.count ? "  " + keys[line] : "").fitted(to: columns)
    }
  }

  /// The days, a line for each, in place of the list.
  private func days(_ overview: DayOverview) -> [String] {
    overview.lines(height).map { line in
      let text = (line.isChosen ? "> " : "  ") + line.text.printable
      let fitted = text.fitted(to: columns)
      return line.isChosen ? style.reversed(fitted) : fitted
    }
  }

  private var title: String {
    let name = " " + (host.trip.name ?? "A trip without a name").printable
    if let pane { return title(of: pane, named: name) }
    let trouble = host.folderTrouble == nil ? "" : "folder behind, "
    let days = ItineraryText.count(host.trip.dayCount, "day")
    let items = ItineraryText.count(Int64(host.trip.list.count), "item")
    let count = "\(trouble)\(days), \(items) "
    let width = max(0, columns - count.displayWidth)
    return style.reversed(name.fitted(to: width) + count.fitted(to: min(columns, count.count)))
  }

  /// The device, and what the other one has not.
  private func title(of pane: Pane, named name: String) -> String {
    let mark = pane.isChosen ? " > " : "   "
    let count =
      pane.changedCount == 0
      ? ItineraryText.count(Int64(host.trip.list.count), "item")
      : "\(pane.changedCount) not synced"
    let room = max(0, columns - count.displayWidth - 1)
    let label = (mark + pane.label + ":" + name).fitted(to: room)
    let line = (label + count + " ").fitted(to: columns)
    return pane.isChosen ? style.reversed(line) : style.bold(line)
  }

  // MARK: The list

  private var list: [String] {
    var lines = [String](repeating: "".fitted(to: columns), count: height)
    for place in seenPlaces {
      let row = host.rows.refs[place]
      guard host.screen.alphas[row] != 0 else { continue }
      let shift = host.screen.shifts[row] ?? 0
      guard let line = line(at: Double(place) * EditRows.lineHeight + shift) else { continue }
      lines[line] = draw(row, at: place)
    }
    if let slot = host.slotY, let line = line(at: slot) { lines[line] = insertion }
    if let copy { lines[copy.line] = copy.text }
    if let draft { lines[draft.line] = draft.text }
    return lines
  }

  /// The rows that may be seen, shifted as far as any of them is.
  private var seenPlaces: Range<Int> {
    let shifts = host.screen.shifts.values
    let top = host.offset - (shifts.max() ?? 0)
    let bottom = host.offset - (shifts.min() ?? 0) + Double(height) * EditRows.lineHeight
    let count = host.rows.refs.count
    func place(_ y: Double) -> Int { Int((y / EditRows.lineHeight).rounded(.down)) }
    let first = min(max(0, place(top) - 1), count)
    return first..<max(first, min(count, place(bottom) + 2))
  }

  /// The line on which something at a height stands; `nil` if it cannot be seen.
  private func line(at y: Double) -> Int? {
    let line = Int(((y - host.offset) / EditRows.lineHeight).rounded())
    return (0..<height).contains(line) ? line : nil
  }

  private func draw(_ row: RowRef, at place: Int) -> String {
    let isFocus = place == host.cursor && host.engine.draggedItem == nil
    let isChosen = isFocus && self.isChosen
    let accepts = host.accepts(place)
    let hasArrived = row.item.map { host.arrivals.contains($0) } ?? false
    let mark =
      isChosen ? "> " : accepts == false ? "x " : accepts == true ? "| " : hasArrived ? "* " : "  "
    let text = mark + content(of: row)
    let isFaint = accepts == false || (host.screen.alphas[row] ?? 1) < 1
    let fitted = text.fitted(to: columns)
    if isFaint { return style.faint(fitted) }
    if isChosen { return style.reversed(fitted) }
    if hasArrived { return style.yellow(fitted) }
    switch row {
    case .header: return style.bold(fitted)
    case .item(let id):
      switch host.trip.kind(of: id) {
      case .game: return style.green(fitted)
      case .travel: return style.cyan(fitted)
      case .custom, .other: return fitted
      }
    }
  }

  private func content(of row: RowRef) -> String {
    switch row {
    case .header(let day): return ItineraryText.heading(day, date: host.trip.date(ofDay: day))
    case .item(let id):
      guard let item = host.trip.list[id: id] else { return "" }
      let handle = host.engine.affordance(of: row) == .pinned ? "•" : "≡"
      let time = (item.clock?.description ?? "").padded(to: 5)
      let place = item.words("city") ?? item.words("address") ?? ""
      let details = place.isEmpty ? "" : "  (\(place.printable))"
      return "  \(handle) \(time)  \(item.summary.printable)\(details)"
    }
  }

  /// The row of an item that is not written yet.
  private var draft: (line: Int, text: String)? {
    guard let text = host.text, case .draft? = host.engine.editTarget,
      let line = line(at: host.offset)
    else { return nil }
    return (line, style.reversed("> + \(text.printable)_".fitted(to: columns)))
  }

  /// The insertion line with the item on it.
  private var insertion: String {
    let line = "-->  \(draggedTitle) "
    let rest = max(0, columns - line.displayWidth)
    return style.yellow((line + String(repeating: "-", count: rest)).fitted(to: columns))
  }

  private var draggedTitle: String {
    host.engine.draggedItem.flatMap { host.trip.list[id: $0]?.summary.printable } ?? ""
  }

  /// The copy that follows the mouse, or that stays where nothing can be dropped.
  private var copy: (line: Int, text: String)? {
    guard host.engine.draggedItem != nil else { return nil }
    let isTinted = host.screen.isTinted
    let y: Double
    if let pointer = host.pointer {
      // Where the line is, the copy would hide it.
      guard host.slotY == nil else { return nil }
      y = pointer.y - EditRows.lineHeight / 2
    } else {
      guard host.slotY == nil, let id = host.engine.draggedItem,
        let place = host.rows.place(of: .item(id))
      else { return nil }
      y = Double(place) * EditRows.lineHeight - host.offset
    }
    guard let line = line(at: y + host.offset) else { return nil }
    let text = (isTinted ? " x  " : " =  ") + "[ \(draggedTitle) ]"
    let fitted = text.fitted(to: columns)
    return (line, isTinted ? style.red(fitted) : style.reversed(fitted))
  }

  // MARK: Below the list

  /// What is said, what can be chosen, and which keys there are: two lines.
  ///
  /// What is said has its place before all others: what a toast says beside it goes first, then the
  /// keys, and only what two lines do not hold is cut.
  private var status: [String] {
    let help = style.faint(help.fitted(to: columns))
    if let prompt = host.prompt {
      let hint = prompt.notice.map { style.yellow(" \($0)".fitted(to: columns)) }
      return [typed(prompt), hint ?? help]
    }
    let message = " " + host.screen.message.printable
    for offer in [offer(isWhole: true), offer(isWhole: false)]
    where message.displayWidth + offer.displayWidth <= columns {
      return [line(message, offer: offer), help]
    }
    let (first, rest) = message.broken(at: columns)
    return [first.fitted(to: columns), line(rest, offer: offer(isWhole: false))]
  }

  /// The line that is typed, cut at its start if the cursor would not be seen.
  private func typed(_ prompt: EditPrompt) -> String {
    let label = " \(prompt.label): "
    let (before, after) = prompt.line.parts
    let room = max(1, columns - label.displayWidth - 2)
    let shown = before.printable.end(within: room)
    return (label + shown + "_" + after.printable).fitted(to: columns)
  }

  private func line(_ message: String, offer: String) -> String {
    message.fitted(to: max(0, columns - offer.displayWidth))
      + style.yellow(offer.fitted(to: min(columns, offer.displayWidth)))
  }

  /// What can be chosen beside what is said, which needs no saying twice.
  private func offer(isWhole: Bool) -> String {
    guard let toast = host.screen.toast, let button = toast.button else { return "" }
    let key =
      switch button {
      case .undo: "u"
      case .redo: "r"
      case .insist: "!"
      }
    let text = !isWhole || toast.text == host.screen.message ? "" : toast.text + " "
    return "  \(text)[\(key): \(button.title)] "
  }

  private var help: String {
    if host.prompt?.purpose == .search { return " Return find  Esc give up" }
    if host.prompt != nil { return " Return keep  Esc give up" }
    if host.showsHelp { return " Any key goes back" }
    if host.overview != nil { return " Up/Down day  Return go there  Esc go back" }
    if host.engine.draggedItem != nil {
      return host.pointer == nil
        ? " Up/Down place  PgUp/PgDn day  Home/End  Space drop  Esc give up"
        : " Let go to drop  Esc give up"
    }
    guard let pane else {
      return " Space lift  J/K </> move  e edit  a add  x delete  u/r undo  ? keys  q quit"
    }
    return pane.isChosen ? " Tab other  s sync  ? keys  q quit" : ""
  }
}

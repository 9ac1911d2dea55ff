package import Betwixt
package import BetwixtTrips

/// Two editors on one screen, each of a device of its own: keys go to one of them, and what they do
/// stays apart until both are synced.
package struct BesidePanes: Sendable {
  /// What the two stand like.
  enum Arrangement: Sendable {
    /// Side by side, with a line between them.
    case beside
    /// One above the other.
    case above
    /// There is room for the chosen one alone.
    case single

    init(_ size: TerminalSize) {
      self = size.columns >= 72 ? .beside : size.lines >= 12 ? .above : .single
    }
  }

  /// What the devices are called.
  package static let labels = ["This device", "Second device"]

  /// The editors, this device first.
  package var hosts: [EditHost]
  package private(set) var chosen = 0
  private(set) var size: TerminalSize
  /// How many items of each have changes that the other has not.
  private(set) var changedCounts = [0, 0]
  package private(set) var isDone = false
  private var wantsSync = false
  /// Whether the end was asked for although the second device would lose edits.
  private var wasWarned = false
  /// What the document is called.
  private let name: String

  /// Shows one document on both devices.
  package init(_ trip: Trip, named name: String, size: TerminalSize) {
    self.name = name.split(separator: "/").last.map(String.init) ?? name
    self.size = size
    let sizes = BesidePanes.sizes(in: size)
    hosts = sizes.map { EditHost(trip, size: $0) }
    hosts[0].say("Your document: what is done is written.")
    hosts[1].say("A copy, to be thrown away in the end.")
  }

  var arrangement: Arrangement { Arrangement(size) }

  // MARK: The screen

  private static func sizes(in size: TerminalSize) -> [TerminalSize] {
    let (columns, lines) = (size.columns, size.lines)
    switch Arrangement(size) {
    case .beside:
      let left = (columns - 1) / 2
      return [left, columns - 1 - left].map { TerminalSize(columns: $0, lines: lines) }
    case .above:
      return [lines - lines / 2, lines / 2].map { TerminalSize(columns: columns, lines: $0) }
    case .single: return [size, size]
    }
  }

  package mutating func resize(to size: TerminalSize, now: Int64) {
    guard size != self.size else { return }
    self.size = size
    for (place, part) in BesidePanes.sizes(in: size).enumerated() {
      hosts[place].resize(to: part, now: now)
    }
  }

  mutating func advance(to now: Int64) {
    for place in hosts.indices { hosts[place].advance(to: now) }
  }

  func idleTime(from now: Int64, atMost limit: Int64) -> Int {
    hosts.map { $0.idleTime(from: now, atMost: limit) }.min() ?? 0
  }

  mutating func takeBell() -> Bool {
    var rings = false
    for place in hosts.indices where hosts[place].takeBell() { rings = true }
    return rings
  }

  /// Every line of the terminal, top to bottom.
  package func lines(style: TextStyle) -> [String] {
    if hosts[chosen].showsHelp { return [view(chosen, style: style, size: size)].flatMap(\.lines) }
    let views = hosts.indices.map { view($0, style: style, size: hosts[$0].size) }
    switch arrangement {
    case .beside:
      // A terminal may give a character other columns than it is reckoned with here.
      let line = "\u{1b}[\(hosts[0].size.columns + 1)G│"
      return zip(views[0].lines, views[1].lines).map { $0 + line + $1 }
    case .above: return views[0].lines + views[1].lines
    case .single: return views[chosen].lines
    }
  }

  private func view(_ place: Int, style: TextStyle, size: TerminalSize) -> EditView {
    let pane = EditView.Pane(
      label: BesidePanes.labels[place], isChosen: place == chosen,
      changedCount: changedCounts[place])
    return EditView(hosts[place], style: style, pane: pane, size: size)
  }
}

// MARK: - Keys

extension BesidePanes {
  package mutating func take(_ input: TerminalInput, now: Int64) {
    let isCommand = hosts[chosen].isAtRest
    switch input {
    case .tab where isCommand: chosen = 1 - chosen
    case .character("s") where isCommand: wantsSync = true
    case .press(let column, let line): press(atColumn: column, line: line, now: now)
    case .drag(let column, let line):
      let place = cell(atColumn: column, line: line, in: chosen)
      hosts[chosen].take(.drag(column: place.column, line: place.line), now: now)
    case .release(let column, let line):
      let place = cell(atColumn: column, line: line, in: chosen)
      hosts[chosen].take(.release(column: place.column, line: place.line), now: now)
    default: hosts[chosen].take(input, now: now)
    }
    guard hosts[chosen].isDone else {
      wasWarned = false
      return
    }
    end()
  }

  private mutating func press(atColumn column: Int, line: Int, now: Int64) {
    let other = 1 - chosen
    if hosts[chosen].isAtRest, isAt(column: column, line: line, pane: other) { chosen = other }
    let place = cell(atColumn: column, line: line, in: chosen)
    hosts[chosen].take(.press(column: place.column, line: place.line), now: now)
  }

  private func isAt(column: Int, line: Int, pane: Int) -> Bool {
    switch arrangement {
    case .beside: (column > hosts[0].size.columns + 1) == (pane == 1)
    case .above: (line > hosts[0].size.lines) == (pane == 1)
    case .single: pane == chosen
    }
  }

  /// A place of the screen as an editor counts it; one to the left of the editor is its first column.
  private func cell(atColumn column: Int, line: Int, in pane: Int) -> (column: Int, line: Int) {
    guard pane == 1 else { return (column, line) }
    switch arrangement {
    case .beside: return (max(1, column - hosts[0].size.columns - 1), line)
    case .above: return (column, line - hosts[0].size.lines)
    case .single: return (column, line)
    }
  }

  /// Ends, unless that takes edits away and nobody was told.
  private mutating func end() {
    guard changedCounts[1] > 0, !wasWarned else {
      isDone = true
      return
    }
    wasWarned = true
    hosts[chosen].goOn()
    let changes = ItineraryText.count(Int64(changedCounts[1]), "change")
    hosts[chosen].say("\(changes) not in \(name.printable): s syncs, q drops them.")
  }

  /// Whether the terminal is to be given back for a while, once.
  mutating func takeSuspension() -> Bool { hosts[chosen].takeSuspension() }

  /// Whether both are to be synced, once.
  package mutating func takeSync() -> Bool {
    defer { wantsSync = false }
    return wantsSync
  }

  /// Notes how many items of each have changes that the other has not.
  package mutating func note(changedCounts: [Int]) { self.changedCounts = changedCounts }

  /// Shows what a sync has brought to a device.
  ///
  /// - Parameters:
  ///   - list: What it holds now.
  ///   - changes: What is new of it.
  ///   - losses: Which of its edits, or of those that came, lost.
  ///   - place: Which device it is.
  ///   - now: Milliseconds of the clock of the other events.
  package mutating func showArrivals(
    _ list: ReplicatedList, changes: ListChanges, losses: [String], at place: Int, now: Int64
  ) {
    let arrivals = ArrivalText(from: hosts[place].trip.list, to: list)
    hosts[place].show(list, changes: changes, now: now)
    hosts[place].arrivals = arrivals.items
    hosts[place].dropOffer()
    var words = arrivals.summary
    if let loss = losses.first {
      words = loss.printable + (losses.count > 1 ? " (and \(losses.count - 1) more)" : "")
    }
    hosts[place].say(words.isEmpty ? "Synced; nothing was new here." : "Synced: \(words)")
  }

  /// Says something on the chosen device.
  mutating func say(_ text: String) { hosts[chosen].say(text) }
}

import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

/// Two editors at work on one terminal: of a document, and of a copy of it that stands for a second
/// device.
struct BesideSession: ~Copyable {
  /// How it came to an end.
  struct End: Sendable {
    /// What the second device has that the document has not, in words; empty if nothing.
    var missing: String

    /// Whether the user said so.
    var wasChosen: Bool

    /// Which edits lost when both were synced.
    var losses: [String]
  }

  private var terminal: TerminalDevice
  private let style: TextStyle
  private var here: EditDesk
  private var there: EditDesk
  private var panes: BesidePanes
  private var parser = TerminalInputParser()
  private var picture = TerminalPicture()
  private var losses: [String] = []
  /// What was compared last, which is not done again for every key.
  private var compared: [VersionVector] = []

  init(
    _ document: consuming Document, copy: consuming Document,
    on terminal: consuming TerminalDevice, style: TextStyle
  ) {
    self.style = style
    panes = BesidePanes(Trip(document.list), named: document.name, size: terminal.size)
    here = EditDesk(document)
    there = EditDesk(copy)
    self.terminal = terminal
  }

  /// Runs until the user ends it, or the terminal is gone.
  ///
  /// - Returns: What to say of the second device.
  mutating func run(_ session: inout Session) -> End {
    defer { here.tellRest(&session) }
    // Without a terminal nobody has decided anything.
    try? loop()
    let list = there.document.list
    return End(
      missing: ArrivalText(from: here.document.list, to: list).summary, wasChosen: panes.isDone,
      losses: losses)
  }

  private mutating func loop() throws(SystemError) {
    while !panes.isDone, !terminal.isEndAsked {
      let now = TerminalDevice.now
      panes.resize(to: terminal.size, now: now)
      panes.advance(to: now)
      perform()
      here.poll(for: &panes.hosts[0], now: now)
      compare()
      try picture.draw(panes.lines(style: style), rings: panes.takeBell(), on: terminal)
      let limit = parser.isWaiting ? TerminalInputParser.patience : EditDesk.pollInterval
      let wait = panes.idleTime(from: now, atMost: limit)
      guard let bytes = try terminal.read(waiting: wait) else { break }
      for input in parser.parse(bytes, now: TerminalDevice.now) where !panes.isDone {
        panes.take(input, now: TerminalDevice.now)
        // What is typed ahead finds each device as the key before has left it.
        perform()
        compare()
      }
      if panes.takeSuspension() {
        try terminal.suspend()
        picture.forget()
      }
    }
  }

  private mutating func perform() {
    here.perform(for: &panes.hosts[0])
    there.perform(for: &panes.hosts[1])
    if panes.takeSync() { sync() }
  }

  /// Counts what either has that the other has not.
  private mutating func compare() {
    let (first, second) = (here.document.list, there.document.list)
    guard compared != [first.version, second.version] else { return }
    compared = [first.version, second.version]
    panes.note(changedCounts: [
      ArrivalText(from: second, to: first).items.count,
      ArrivalText(from: first, to: second).items.count,
    ])
  }

  private mutating func sync() {
    let now = TerminalDevice.now
    do throws(Document.Failure) {
      let copies = [here.document.list, there.document.list]
      let exchange = try here.document.sync(with: &there.document)
      let list = here.document.list
      // What lost is known to the one that merged first; the other one got it merged.
      var lost = MergeLosses()
      lost.note(exchange.changes)
      lost.note(exchange.changesThere)
      let report = MergeReport(
        lost, in: list, here: "this device", there: "the second device", calledAsIn: copies)
      losses += report.lossLines
      let words = report.shortLines
      panes.showArrivals(list, changes: exchange.changes, losses: words, at: 0, now: now)
      panes.showArrivals(
        there.document.list, changes: exchange.changesThere, losses: words, at: 1, now: now)
    } catch {
      panes.say("Not synced: \(ToolFailure(error).sentence)")
    }
  }
}

extension MergeReport {
  /// Which edits lost, in so few words that they stand below half a screen.
  fileprivate var shortLines: [String] {
    lostEdits.map { edit in
      switch edit.register {
      case .position: "“\(edit.label)” was moved by both; the later move stays"
      case .life: "“\(edit.label)” is not removed"
      case .field, .other:
        "\(edit.register.words) “\(MergeReport.short(edit.kept))” stays, not "
          + "“\(MergeReport.short(edit.lost))”"
      }
    } + removedEdits.map { "“\($0.label)” is removed, and its edits with it" }
  }

  private static func short(_ side: Side) -> String {
    guard case .field(let value?) = side.value else { return "" }
    return value.string ?? "\(value)"
  }
}

import Betwixt
import BetwixtDrag
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

/// The editor at work: a terminal, a document file, perhaps a shared folder, and the loop between
/// them.
struct EditSession: ~Copyable {
  /// How long until somebody else's edits are looked for again.
  private static let pollInterval: Int64 = 500
  /// The same while a folder is read or written, or half a key has come.
  private static let soon: Int64 = 50
  /// How long the end waits for a folder that has not got the last edits.
  private static let parting: Int64 = 3_000

  /// How long an edit waits for another program that writes the file.
  static let patience = 10_000

  private var terminal: TerminalDevice
  private let style: TextStyle
  var document: Document
  var host: EditHost
  var folder: FolderFollower?
  private var parser = TerminalInputParser()
  private var history = CommitHistory()
  /// Why the last step could not be kept.
  private var keepingTrouble: String?
  /// What is told when the screen is given back.
  private var untold: [Document.Notice] = []
  private var shown: [String] = []
  private var lastPoll: Int64 = 0

  init(
    _ document: consuming Document, _ folder: FolderFollower?,
    on terminal: consuming TerminalDevice, style: TextStyle
  ) {
    self.folder = folder
    self.style = style
    host = EditHost(Trip(document.list), size: terminal.size)
    self.document = document
    self.terminal = terminal
  }

  /// Runs until the user ends it.
  ///
  /// - Returns: Every event that the engine was told.
  /// - Throws: `ToolFailure` if the terminal is lost.
  mutating func run(_ session: inout Session) throws(ToolFailure) -> [DragEvent] {
    let findings = document.report.findings.count
    defer {
      session.tell(untold + document.takeNotices(), of: document.name)
      session.warn(
        of: Array(document.report.findings.dropFirst(findings)), in: document.name)
    }
    do throws(SystemError) {
      while !host.isDone, !terminal.isEndAsked {
        let now = TerminalDevice.now
        host.resize(to: terminal.size, now)
        host.advance(to: now)
        perform()
        poll(now)
        follow(now)
        try draw()
        let isSoon = folder?.isBusy == true || parser.isWaiting
        let limit = isSoon ? EditSession.soon : EditSession.pollInterval
        let wait = host.idleTime(from: now, atMost: limit)
        guard let bytes = try terminal.read(waiting: wait) else { break }
        for input in parser.parse(bytes) { host.take(input, TerminalDevice.now) }
        perform()
        if host.takeSuspension() {
          try terminal.suspend()
          shown = []
        }
      }
      try part(&session)
    } catch {
      throw ToolFailure(.inputOutput, "Error: the terminal failed: \(error.reason)")
    }
    return host.events
  }

  /// Lets a folder have the last edits, if it takes them soon.
  private mutating func part(_ session: inout Session) throws(SystemError) {
    let end = TerminalDevice.now + EditSession.parting
    while let follower = folder, follower.isBusy || !follower.holds(document.list) {
      let now = TerminalDevice.now
      guard now < end, follower.trouble(at: now) == nil else {
        return session.report(
          """
          \(follower.root) has not got the last edits of \(document.name); 'betwixt sync --folder' puts \
          them there

          """)
      }
      host.say("Putting the last edits into \(follower.root).")
      follow(now)
      try draw()
      _ = try terminal.read(waiting: Int(EditSession.soon))
    }
  }

  // MARK: The picture

  /// Writes the lines that differ from what is on the screen.
  private mutating func draw() throws(SystemError) {
    let lines = EditView(host, style: style).lines
    var text = host.takeBell() ? "\u{07}" : ""
    if shown.count != lines.count { text += "\u{1b}[2J" }
    for (number, line) in lines.enumerated() {
      guard shown.count != lines.count || shown[number] != line else { continue }
      // A terminal may give a character other columns than it is reckoned with here.
      text += "\u{1b}[\(number + 1);1H\u{1b}[2K\(line)"
    }
    shown = lines
    if !text.isEmpty { try terminal.write(text) }
  }

  // MARK: The document

  /// Reads what other programs have written since.
  private mutating func poll(_ now: Int64) {
    guard now - lastPoll >= EditSession.pollInterval else { return }
    lastPoll = now
    // Looking for news must not stop the editor while another program writes.
    document.patience = 0
    defer { document.patience = EditSession.patience }
    if let changes = try? document.refresh() { host.showNews(document.list, changes, now) }
  }

  /// Does what the engine has asked for.
  private mutating func perform() {
    while !host.requests.isEmpty {
      let now = TerminalDevice.now
      switch host.requests.removeFirst() {
      case .commit(let id, let edits):
        let added = write { (document, history, me) throws(TripFailure) -> ItemID? in
          try history.commit(id, edits, in: &document, by: &me)
        }
        if let added {
          host.send(.committed(id, added, at: now), now)
          sayTrouble()
        } else {
          let reason = host.message
          host.send(.commitFailed(id, at: now), now)
          host.say("\(host.message) \(reason)")
        }
      case .set(let id, let name, let value): set(name, of: id, to: value, now)
      case .turn(let turn):
        let report = write { (document, history, me) throws(EditFailure) -> TurnReport in
          try history.turn(turn, in: &document, by: &me)
        }
        if let report {
          host.send(.turned(report, at: now), now)
          sayTrouble()
        }
      }
    }
  }

  /// Writes a field, as a step that can be taken back.
  private mutating func set(
    _ name: FieldName, of id: ItemID, to value: FieldValue?, _ now: Int64
  ) {
    let title = document.list[id: id]?.summary ?? ""
    do throws(Document.EditFailed<EditFailure>) {
      let (_, changes) = try document.edit("Change \(title)") { (list, me) throws(EditFailure) in
        try list.set([(name, value)], of: id, by: &me)
      }
      keepingTrouble = takeTrouble()
      host.show(document.list, changes, now)
      host.say("Changed the \(name.text) of \(title).")
      sayTrouble()
    } catch {
      switch error {
      case .refused(let failure): host.say("Not written: \(failure)")
      case .failed(let failure): host.say("Not written: \(ToolFailure(failure).sentence)")
      }
    }
  }

  /// Why steps of earlier or the one just made cannot be taken back, if that happened; what else
  /// there is to tell waits until the screen is given back.
  private mutating func takeTrouble() -> String? {
    let notices = document.takeNotices()
    untold += notices
    return notices.compactMap(\.trouble).last
  }

  /// Says why a step could not be kept, behind what was said of the step.
  private mutating func sayTrouble() {
    if let keepingTrouble { host.say("\(host.message) \(keepingTrouble)") }
  }

  /// Edits the document under its lock; `nil` if that failed, with the reason on the screen.
  private mutating func write<Value, Failure: Error & CustomStringConvertible>(
    _ body: (inout DragDocument, inout CommitHistory, inout Replica) throws(Failure) -> Value
  ) -> Value? {
    // What was not written is no step either. Steps are shared with the commands, which may have
    // made some and taken others since.
    var turned = history
    do throws(Document.EditFailed<Failure>) {
      let (value, changes) = try document.editWithSteps { (list, me, steps) throws(Failure) in
        var changed = DragDocument(list)
        turned = history
        turned.steps = steps
        let value = try body(&changed, &turned, &me)
        (list, steps) = (changed.list, turned.steps)
        return value
      }
      history = turned
      keepingTrouble = takeTrouble()
      host.show(document.list, changes, TerminalDevice.now)
      return value
    } catch {
      switch error {
      case .refused(let failure): host.say("Not written: \(failure)")
      case .failed(let failure): host.say("Not written: \(ToolFailure(failure).sentence)")
      }
      return nil
    }
  }
}

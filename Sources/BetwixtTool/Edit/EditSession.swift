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

  let name: String
  private let terminal: TerminalDevice
  private let style: TextStyle
  private var watched: DocumentFile
  var host: EditHost
  var folder: FolderFollower?
  private var parser = TerminalInputParser()
  private var history = CommitHistory()
  private var shown: [String] = []
  private var lastPoll: Int64 = 0

  init(
    _ name: String, watching file: consuming DocumentFile, _ folder: FolderFollower?,
    on terminal: consuming TerminalDevice, style: TextStyle
  ) {
    self.name = name
    self.folder = folder
    self.style = style
    host = EditHost(Trip(file.list), size: terminal.size)
    watched = file
    self.terminal = terminal
  }

  /// Runs until the user ends it.
  ///
  /// - Returns: Every event that the engine was told.
  /// - Throws: `ToolFailure` if the terminal is lost.
  mutating func run(_ session: inout Session) throws(ToolFailure) -> [DragEvent] {
    do throws(SystemError) {
      while !host.isDone, !terminal.isEndAsked {
        let now = TerminalDevice.now
        host.resize(to: terminal.size, now)
        host.advance(to: now)
        perform(&session)
        poll(now)
        follow(&session, now)
        try draw()
        let isSoon = folder?.isBusy == true || parser.isWaiting
        let limit = isSoon ? EditSession.soon : EditSession.pollInterval
        let wait = host.idleTime(from: now, atMost: limit)
        guard let bytes = try terminal.read(waiting: wait) else { break }
        for input in parser.parse(bytes) { host.take(input, TerminalDevice.now) }
        perform(&session)
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
    while let follower = folder, follower.isBusy || !follower.holds(host.trip.list) {
      let now = TerminalDevice.now
      guard now < end, follower.trouble(at: now) == nil else {
        return session.report(
          """
          \(follower.root) has not got the last edits of \(name); 'betwixt sync --folder' puts \
          them there

          """)
      }
      host.say("Putting the last edits into \(follower.root).")
      follow(&session, now)
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
      text += "\u{1b}[\(number + 1);1H\(line)"
    }
    shown = lines
    if !text.isEmpty { try terminal.write(text) }
  }

  // MARK: The document

  /// Reads what other programs have written since.
  private mutating func poll(_ now: Int64) {
    guard now - lastPoll >= EditSession.pollInterval else { return }
    lastPoll = now
    // A file that is being written is read the next time.
    guard let isNews = try? watched.refresh(), isNews else { return }
    host.showNews(watched.list, now)
  }

  /// Does what the engine has asked for.
  private mutating func perform(_ session: inout Session) {
    while !host.requests.isEmpty {
      let now = TerminalDevice.now
      switch host.requests.removeFirst() {
      case .commit(let id, let edits):
        let added = write(&session) { (document, history, me) throws(TripFailure) -> ItemID? in
          try history.commit(id, edits, in: &document, by: &me)
        }
        if let added {
          host.send(.committed(id, added, at: now), now)
        } else {
          let reason = host.message
          host.send(.commitFailed(id, at: now), now)
          host.say("\(host.message) \(reason)")
        }
      case .turn(let turn):
        let report = write(&session) { (document, history, me) throws(EditFailure) -> TurnReport in
          try history.turn(turn, in: &document, by: &me)
        }
        if let report { host.send(.turned(report, at: now), now) }
      }
    }
  }

  /// Edits the document under its lock; `nil` if that failed, with the reason on the screen.
  private mutating func write<Value, Failure>(
    _ session: inout Session,
    _ body: (inout DragDocument, inout CommitHistory, inout Replica) throws(Failure) -> Value
  ) -> Value? {
    do {
      // Another program must not write between reading and writing.
      var document = try session.openDocument(name, .exclusive, isWriting: true)
      guard let identity = document.identity else { return nil }
      var me = identity.replica(for: document.file.list) { SystemCall.wallClockMilliseconds }
      var changed = DragDocument(document.file.list)
      // What was not written is no step either.
      var history = history
      let value = try body(&changed, &history, &me)
      try document.commit(changed.list)
      self.history = history
      host.show(document.file.list, TerminalDevice.now)
      return value
    } catch {
      host.say("Not written: \((error as? ToolFailure)?.sentence ?? "\(error)")")
      return nil
    }
  }
}

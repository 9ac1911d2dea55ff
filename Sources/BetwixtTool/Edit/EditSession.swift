import Betwixt
import BetwixtDrag
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

/// The editor at work: a terminal, a document file, perhaps a shared folder, and the loop between
/// them.
struct EditSession: ~Copyable {
  /// How long is waited for a key while a folder is read or written, or an escape may be a key.
  private static let soon: Int64 = 50
  /// How long the end waits for a folder that has not got the last edits.
  private static let parting: Int64 = 3_000

  private var terminal: TerminalDevice
  private let style: TextStyle
  var desk: EditDesk
  var host: EditHost
  var folder: FolderFollower?
  private var parser = TerminalInputParser()
  private var picture = TerminalPicture()

  init(
    _ document: consuming Document, folder: FolderFollower?, isRecording: Bool,
    on terminal: consuming TerminalDevice, style: TextStyle
  ) {
    self.folder = folder
    self.style = style
    host = EditHost(
      Trip(document.list), size: terminal.size, isRecording: isRecording)
    desk = EditDesk(document)
    self.terminal = terminal
  }

  /// Runs until the user ends it.
  ///
  /// - Returns: Every event that the engine was told, if they are recorded.
  /// - Throws: `ToolFailure` if the terminal is lost.
  mutating func run(_ session: inout Session) throws(ToolFailure) -> [DragEvent] {
    defer { desk.tellRest(&session) }
    do throws(SystemError) {
      while !host.isDone, !terminal.isEndAsked {
        let now = TerminalDevice.now
        host.resize(to: terminal.size, now: now)
        host.advance(to: now)
        desk.perform(for: &host)
        desk.poll(for: &host, now: now)
        follow(now)
        try draw()
        let isSoon = folder?.isBusy == true || parser.isWaiting
        let limit = isSoon ? EditSession.soon : EditDesk.pollInterval
        let wait = host.idleTime(from: now, atMost: limit)
        guard let bytes = try terminal.read(waiting: wait) else { break }
        for input in parser.parse(bytes, now: TerminalDevice.now) where !host.isDone {
          host.take(input, now: TerminalDevice.now)
          // What is typed ahead finds the document as the key before has left it.
          desk.perform(for: &host)
        }
        if host.takeSuspension() {
          try terminal.suspend()
          picture.forget()
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
    defer { if let words = folder?.waiting { session.warn("\(words.printable)\n") } }
    let end = TerminalDevice.now + EditSession.parting
    while let follower = folder, follower.isBusy || !follower.holds(desk.document.list) {
      let now = TerminalDevice.now
      guard now < end, follower.trouble(at: now) == nil else {
        return session.report(
          """
          \(follower.root) has not got the last edits of \(desk.document.name); 'betwixt sync --folder' puts \
          them there

          """)
      }
      host.say("Putting the last edits into \(follower.root).")
      follow(now)
      try draw()
      _ = try terminal.read(waiting: Int(EditSession.soon))
    }
  }

  private mutating func draw() throws(SystemError) {
    try picture.draw(
      EditView(host, style: style).lines, rings: host.takeBell(), on: terminal)
  }
}

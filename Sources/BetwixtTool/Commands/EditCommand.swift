import Betwixt
import BetwixtDrag
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Command {
  /// Edits a trip on the screen.
  static let edit = Command(
    name: "edit",
    synopsis: "[--folder DIR] [--record LOG] [--beside] [--color WHEN] FILE",
    summary: "Edits a trip on the terminal, by keys or mouse.",
    details: """
      Space lifts an item, the arrow keys carry it to each place where it may go, Space drops it. \
      The mouse drags. While an item is held, '|' marks rows below which it may go and 'x' those \
      below which it may not. Each drop is written at once, and what other programs write meanwhile is \
      shown. The key ? shows all keys: e, t and n edit the title, time and note, / finds, d shows \
      all days. With --folder so is what other devices put into DIR, and each drop is put there; a \
      folder that is slow or gone keeps nobody waiting, and gets all of it later.

      --beside shows what merging is: two devices on one screen, side by side or, if it is narrow, one \
      above the other. The first is FILE; the second is a copy of it with an id of its own, in a \
      temporary folder (TMPDIR) that is thrown away in the end. Tab goes from one to the other. What \
      is done on each stays there until s syncs both; what came is marked '*', and what lost is \
      named. FILE holds what was done on the first device and what was synced. q tells first which \
      edits of the second were not, and a terminal that goes away leaves the copy and says where it is.
      """,
    operands: [("FILE", "A document; 'betwixt new --from' makes one of any trip.")],
    operandCount: 1...1,
    ownOptions: [.followedFolder, .record, .beside, .color],
    examples: [
      "betwixt edit rome.trip", "betwixt edit --folder ~/Dropbox/trips rome.trip",
      "betwixt edit --record session.jsonl rome.trip", "betwixt edit --beside rome.trip",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let name = arguments.operands[0]
      let isBeside = arguments.isSet(.beside)
      if isBeside, arguments.contains(.followedFolder) || arguments.contains(.record) {
        throw session.usage("option '--beside' goes neither with --folder nor with --record")
      }
      let style = try session.style(arguments)
      let log = arguments.value(of: .record)
      if let log { try Command.check(mayRecord: log) }
      if let lack = Command.lack(of: session) {
        throw ToolFailure(
          .usage,
          """
          Error: 'betwixt edit' needs a terminal \(lack)
          'betwixt show \(name.shellPath)' prints the trip, 'betwixt move' moves an item.
          """)
      }
      var document = try session.openForEditor(name)
      if isBeside {
        try Command.runBeside(document, style: style, in: &session)
        return .done
      }
      let folder = try Command.follower(of: &document, arguments: arguments)
      if let log { try Command.begin(log, in: &session) }
      let events = try Command.runEditor(
        on: document, folder: folder, isRecording: log != nil, style: style, in: &session)
      if let log {
        let lines = [DragLog.header] + events.map { DragLog.line(for: $0) }
        try session.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: log)
      }
      return .done
    })

  /// What is missing for a screen to be drawn, in words; `nil` if nothing is.
  private static func lack(of session: borrowing Session) -> String? {
    guard session.outputIsTerminal, TerminalDevice.isPresent else {
      return "on both standard input and output"
    }
    return session.environment.terminalKind == "dumb"
      ? "that can move its cursor, and TERM=dumb says that this one cannot" : nil
  }

  /// Refuses to write a log over anything but a log: above all not over a document, which is what a
  /// name that was forgotten makes of the next one.
  private static func check(mayRecord log: String) throws(ToolFailure) {
    guard log != "-", let status = try? SystemCall.status(of: log), status.kind == .regular
    else { return }
    let start: [UInt8]
    do {
      start = try InputFile.start(of: log)
    } catch {
      throw ToolFailure(FileFailure(.unreadable, at: log, error: error))
    }
    guard start.isEmpty || DragLog.isLog(start) else {
      throw ToolFailure(
        .cannotCreate,
        "Error: \(log.printable) is there and is no log: remove it first, or give another name")
    }
  }

  /// Makes a log before there is anything in it: at the end it would be too late to name another.
  private static func begin(_ log: String, in session: inout Session) throws(ToolFailure) {
    let kind = ((try? SystemCall.status(of: log)) ?? nil)?.kind
    guard log != "-", kind == nil || kind == .regular else { return }
    try session.write(Array("\(DragLog.header)\n".utf8), to: log)
  }

  private static func follower(
    of document: inout Document, arguments: ParsedArguments
  ) throws(ToolFailure) -> FolderFollower? {
    guard let root = arguments.value(of: .followedFolder) else { return nil }
    guard SystemCall.isFolder(root) else {
      throw ToolFailure(.noInput, "Error: there is no folder \(root)")
    }
    do {
      return FolderFollower(try document.folderExchange(in: root))
    } catch {
      throw ToolFailure(error)
    }
  }

  private static func runEditor(
    on document: consuming Document, folder: FolderFollower?, isRecording: Bool,
    style: TextStyle, in session: inout Session
  ) throws(ToolFailure) -> [DragEvent] {
    var editor = EditSession(
      document, folder: folder, isRecording: isRecording, on: try takenTerminal(), style: style)
    return try editor.run(&session)
  }

  private static func takenTerminal() throws(ToolFailure) -> TerminalDevice {
    do {
      return try TerminalDevice()
    } catch {
      throw ToolFailure(.inputOutput, "Error: the terminal failed: \(error.reason)")
    }
  }

  /// Edits a document and a copy of it, and says what becomes of the copy.
  private static func runBeside(
    _ document: consuming Document, style: TextStyle, in session: inout Session
  ) throws(ToolFailure) {
    let (name, words) = (document.name.printable, document.name.shellPath)
    let copy = try BesideCopy(session)
    let end: BesideSession.End
    do {
      let second = try copy.makeDocument(of: document.list, in: &session)
      var editor = BesideSession(document, copy: second, on: try takenTerminal(), style: style)
      end = editor.run(&session)
    } catch {
      copy.remove()
      throw error
    }
    for line in end.losses { session.report("\(line.printable)\n") }
    guard end.wasChosen || end.missing.isEmpty else {
      return session.warn(
        """
        \(name): the second device has edits that are not here (\(end.missing)): \
        'betwixt sync --with \(copy.path.shellPath) \(words)' takes them in, and \
        'rm -r \(copy.folder.shellPath)' gives them up

        """)
    }
    copy.remove()
    session.report(
      end.missing.isEmpty
        ? "\(name): all that both devices did is here; the copy of the second is removed\n"
        : "\(name): not taken over from the second device: \(end.missing); its copy is removed\n")
  }
}

extension Session {
  /// Opens a trip for an editor, which writes in it under the name of this device.
  ///
  /// - Throws: ``ToolFailure``; who is refused has become no writer.
  mutating func openForEditor(_ name: String) throws(ToolFailure) -> Document {
    var document = try openDocument(name, access: .shared, isWriting: false)
    guard PlainDialect(of: document.list) == .trip else {
      throw ToolFailure(
        .badData,
        """
        Error: \(name.printable) holds tasks, and edit shows trips; 'betwixt show' prints tasks, \
        and 'add', 'done', 'move' and 'set' edit them
        """)
    }
    try makeWriter(of: &document)
    tell(&document)
    try writeDeviceName(into: &document)
    return document
  }
}

extension OptionSpec {
  fileprivate static let beside = OptionSpec(
    "beside", help: "Show two devices, FILE and a copy of it, to see how edits are merged.")

  fileprivate static let followedFolder = OptionSpec(
    "folder", placeholder: "DIR",
    help: "Stay in step with DIR, which some other tool copies between devices.")

  fileprivate static let record = OptionSpec(
    "record", placeholder: "LOG",
    help: """
      Write all that happened to LOG in the end, to be replayed by 'betwixt replay'. A file that is \
      there is replaced only if it is such a log.
      """)
}

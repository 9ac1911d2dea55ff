import Betwixt
import BetwixtDrag
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Command {
  /// Edits a trip on the screen.
  static let edit = Command(
    name: "edit",
    synopsis: "[--folder DIR] [--record LOG] [--color WHEN] FILE",
    summary: "Edits a trip on the terminal, by keys or mouse.",
    details: """
      Space lifts an item, the arrow keys carry it to each place where it may go, Space drops it. \
      The mouse drags. While an item is held, '|' marks rows below which it may go and 'x' those \
      below which it may not. Each drop is written at once, and what other programs write meanwhile is \
      shown. The key ? shows all keys: e, t and n edit the title, time and note, / finds, d shows \
      all days. With --folder so is what other devices put into DIR, and each drop is put there; a \
      folder that is slow or gone keeps nobody waiting, and gets all of it later.
      """,
    operands: [("FILE", "A document; 'betwixt new --from' makes one of any trip.")],
    operandCount: 1...1,
    ownOptions: [.followedFolder, .record, .color],
    examples: [
      "betwixt edit rome.trip", "betwixt edit --folder ~/Dropbox/trips rome.trip",
      "betwixt edit --record session.jsonl rome.trip",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let name = arguments.operands[0]
      let style = try session.style(arguments)
      guard session.outputIsTerminal, TerminalDevice.isPresent,
        session.environment.terminalKind != "dumb"
      else {
        throw ToolFailure(
          .usage,
          """
          Error: 'betwixt edit' needs a terminal on both standard input and output
          'betwixt show \(name.printable)' prints the trip, 'betwixt move' moves an item.
          """)
      }
      var document = try session.openDocument(name, .shared, isWriting: true)
      try session.writeDeviceName(into: &document)
      guard PlainDialect(of: document.list) == .trip else {
        throw ToolFailure(.badData, "Error: \(name.printable) holds tasks, and edit shows trips")
      }
      let folder = try Command.follower(of: &document, arguments)
      let events = try Command.runEditor(on: document, folder, style, &session)
      if let log = arguments.value(of: .record) {
        let lines = [DragLog.header] + events.map { DragLog.line(for: $0) }
        try session.write(Array((lines.joined(separator: "\n") + "\n").utf8), to: log)
      }
      return .done
    })

  private static func follower(
    of document: inout Document, _ arguments: ParsedArguments
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
    on document: consuming Document, _ folder: FolderFollower?, _ style: TextStyle,
    _ session: inout Session
  ) throws(ToolFailure) -> [DragEvent] {
    let terminal: TerminalDevice
    do {
      terminal = try TerminalDevice()
    } catch {
      throw ToolFailure(.inputOutput, "Error: the terminal failed: \(error.reason)")
    }
    var editor = EditSession(document, folder, on: terminal, style: style)
    return try editor.run(&session)
  }
}

extension OptionSpec {
  fileprivate static let followedFolder = OptionSpec(
    "folder", placeholder: "DIR",
    help: "Stay in step with DIR, which some other tool copies between devices.")

  fileprivate static let record = OptionSpec(
    "record", placeholder: "LOG",
    help: "Write all that happened to LOG in the end, to be replayed by 'betwixt replay'.")
}

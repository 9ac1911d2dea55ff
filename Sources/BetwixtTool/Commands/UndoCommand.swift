import Betwixt
import BetwixtFiles
import BetwixtSync

extension Command {
  /// Takes a step back.
  static let undo = Command(
    name: "undo",
    synopsis: "[--anyway] [--json] FILE",
    summary: "Takes back what this device did last in a document.",
    details: """
      One step for each command or edit, the newest first, as often as there are steps. What \
      others have changed since is kept and listed; --anyway takes that back as well, and \
      'betwixt redo' brings it again. Ends with 1 if something was kept or nothing is left.
      """,
    operands: [("FILE", "The document.")],
    operandCount: 1...1,
    ownOptions: [.anyway, .json],
    examples: ["betwixt undo rome.trip", "betwixt undo --anyway rome.trip"],
    action: { (arguments, session) throws(ToolFailure) in
      try session.take(.undo, arguments)
    })

  /// Makes a step again.
  static let redo = Command(
    name: "redo",
    synopsis: "[--anyway] [--json] FILE",
    summary: "Does again what was taken back last.",
    details: """
      As long as nothing new was done since. What others have changed since is kept and listed; \
      --anyway changes that as well. Ends with 1 if something was kept or nothing is left.
      """,
    operands: [("FILE", "The document.")],
    operandCount: 1...1,
    ownOptions: [.anyway, .json],
    examples: ["betwixt redo rome.trip"],
    action: { (arguments, session) throws(ToolFailure) in
      try session.take(.redo, arguments)
    })
}

extension OptionSpec {
  fileprivate static let anyway = OptionSpec(
    "anyway", help: "Take what others have changed since as well.")
}

extension Session {
  /// Takes the next step of this device, and says what came of it.
  fileprivate mutating func take(
    _ direction: UndoResult.Direction, _ arguments: ParsedArguments
  ) throws(ToolFailure) -> ExitCode {
    let name = arguments.operands[0]
    var document = try openDocument(name, .exclusive, isWriting: true)
    guard let identity = document.identity else {
      throw ToolFailure(.internalFault, "Error: \(name): nobody writes")
    }
    var history = undoHistory(of: document)
    let before = document.file.list
    var list = before
    var me = identity.replica(for: list) { SystemCall.wallClockMilliseconds }
    var results: [UndoResult] = []
    do throws(EditFailure) {
      let isInsisting = arguments.isSet(.anyway)
      if !isInsisting || history.keptDirection() != direction {
        let result =
          direction == .undo
          ? try history.undo(in: &list, by: &me) : try history.redo(in: &list, by: &me)
        if let result { results.append(result) }
      }
      if isInsisting, history.keptDirection() == direction,
        let result = try history.insist(in: &list, by: &me)
      {
        // What was kept at first is not kept any more.
        results = results.filter { !$0.done.isEmpty } + [result]
      }
    } catch {
      throw ToolFailure(.negative, "Error: \(name): \(error)")
    }
    guard let last = results.last else {
      report("\(name): nothing is left to \(direction == .undo ? "undo" : "redo")\n")
      return .negative
    }
    if list != before { try document.commit(list) }
    keep(history, of: document)
    let isInsisted = arguments.isSet(.anyway)
    for result in results {
      let text = UndoText(result, from: before, to: list, isInsisted: isInsisted)
      print(arguments.isSet(.json) ? text.jsonLines : text.text)
    }
    return last.isWhole ? .done : .negative
  }
}

// MARK: - Where steps are kept

extension Session {
  private static let historyName = "undo"
  private static let historyLimit = 64 << 20

  /// The steps of this device in a document; none if there are none or they cannot be read.
  mutating func undoHistory(of document: borrowing OpenDocument) -> UndoHistory {
    guard let path = historyPath(of: document),
      ((try? SystemCall.status(of: path)) ?? nil) != nil
    else { return UndoHistory() }
    do {
      let bytes = try InputFile.read(path) { _ in Session.historyLimit }
      return try UndoHistory(decoding: bytes, for: document.file.list.id)
    } catch {
      // Another document took the place of this one, which had steps of its own.
      if (error as? DecodeFailure)?.reason != .otherList {
        report("\(document.place.name): earlier edits cannot be undone any more: \(error)\n")
      }
      return UndoHistory()
    }
  }

  /// Keeps the steps beside the identity, once what they did is in the document.
  mutating func keep(_ history: UndoHistory, of document: borrowing OpenDocument) {
    guard let path = historyPath(of: document) else { return }
    do {
      try OutputFile(path).write(try history.encoded(for: document.file.list.id))
    } catch {
      report("\(document.place.name): this edit is done and cannot be undone: \(error)\n")
    }
  }

  private func historyPath(of document: borrowing OpenDocument) -> String? {
    let place = document.place
    return environment.stateDirectory.map {
      "\(place.stateFolder(in: $0))/\(Session.historyName)"
    }
  }
}

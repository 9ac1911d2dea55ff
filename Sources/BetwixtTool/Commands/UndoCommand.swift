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
      One step for each command or edit, the newest first, as often as there are steps; what \
      'betwixt sync' brings is none. What others have changed since is kept and listed; --anyway \
      takes that back as well, and 'betwixt redo' brings it again. What a program \
      did that was stopped before it had kept the step is not known, and said. Ends with 1 if \
      that is so, something was kept or nothing is left.
      """,
    operands: [("FILE", "The document.")],
    operandCount: 1...1,
    ownOptions: [.anyway, .json],
    examples: ["betwixt undo rome.trip", "betwixt undo --anyway rome.trip"],
    action: { (arguments, session) throws(ToolFailure) in
      try session.take(.undo, arguments: arguments)
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
      try session.take(.redo, arguments: arguments)
    })
}

extension OptionSpec {
  fileprivate static let anyway = OptionSpec(
    "anyway", help: "Take what others have changed since as well.")
}

extension Session {
  /// Takes the next step of this device, and says what came of it.
  fileprivate mutating func take(
    _ direction: UndoResult.Direction, arguments: ParsedArguments
  ) throws(ToolFailure) -> ExitCode {
    let name = arguments.operands[0]
    var document = try openDocument(name, access: .exclusive, isWriting: true)
    let before = document.list
    let isInsisting = arguments.isSet(.anyway)
    var results: [UndoResult] = []
    do throws(Document.EditFailed<EditFailure>) {
      if !isInsisting || document.history.keptDirection() != direction {
        let turned = direction == .undo ? try document.undo() : try document.redo()
        if let turned {
          results.append(turned.result)
          hasChanged = true
        }
      }
      if isInsisting, document.history.keptDirection() == direction,
        let insisted = try document.insist()
      {
        // What was kept at first is not kept any more.
        results = results.filter { !$0.done.isEmpty } + [insisted.result]
      }
    } catch {
      tell(&document)
      // What was taken back before is, and stays so.
      show(results, from: before, to: document.list, isInsisted: false, arguments: arguments)
      switch error {
      case .refused(let failure): throw ToolFailure(failure, of: name)
      case .failed(let failure): throw ToolFailure(failure)
      }
    }
    hasChanged = !results.isEmpty
    let notices = document.takeNotices()
    tell(notices, of: document.name)
    guard let last = results.last else {
      // There may be steps left behind one of which nothing is known.
      guard !notices.contains(.lastStepUnknown) else { return .negative }
      report("\(name): nothing is left to \(direction == .undo ? "undo" : "redo")\n")
      return .negative
    }
    show(
      results, from: before, to: document.list, isInsisted: isInsisting, arguments: arguments)
    return last.isWhole ? .done : .negative
  }

  private mutating func show(
    _ results: [UndoResult], from before: ReplicatedList, to after: ReplicatedList,
    isInsisted: Bool, arguments: ParsedArguments
  ) {
    for result in results {
      let text = UndoText(result, from: before, to: after, isInsisted: isInsisted)
      print(arguments.isSet(.json) ? text.jsonLines : text.text)
    }
  }
}

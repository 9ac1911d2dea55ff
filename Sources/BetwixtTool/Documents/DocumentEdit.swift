import Betwixt
import BetwixtFiles

extension Session {
  /// Edits the document that the first operand names, in one commit and as one step of undo.
  ///
  /// - Parameters:
  ///   - arguments: With the document as the first operand, and perhaps `--dry-run`.
  ///   - body: Edits a copy of the list; what it returns is what there is to say. It is called again
  ///     if somebody writes whom no lock kept out.
  /// - Returns: What `body` returned, once all it wrote is on the drive.
  /// - Throws: ``ToolFailure``; the document is as it was.
  mutating func edit<Value>(
    _ arguments: ParsedArguments,
    _ body: (inout ReplicatedList, inout Replica) throws(ToolFailure) -> Value
  ) throws(ToolFailure) -> Value {
    let name = arguments.operands[0]
    if arguments.isSet(.dryRun) { return try tryOut(name, body) }
    var document = try openDocument(name, access: .exclusive, isWriting: true)
    let value = try edit(&document, step: stepName(arguments), body)
    // Behind the edit, so that one that is refused leaves nothing. What it lacks the next one writes.
    try? writeDeviceName(into: &document)
    return value
  }

  /// Edits an open document, in one commit.
  mutating func edit<Value>(
    _ document: inout Document, step: String?,
    _ body: (inout ReplicatedList, inout Replica) throws(ToolFailure) -> Value
  ) throws(ToolFailure) -> Value {
    do throws(Document.EditFailed<ToolFailure>) {
      let value = try document.edit(step, body).value
      hasChanged = true
      tell(&document)
      return value
    } catch {
      tell(&document)
      throw ToolFailure(error)
    }
  }

  /// What a step is called: the command and what it was about, in a few words.
  func stepName(_ arguments: ParsedArguments) -> String {
    let title = arguments.value(of: .title).map { [$0] } ?? []
    let words = (title + arguments.operands.dropFirst()).map { $0.printable.shortened(to: 40) }
    return ([command?.name ?? ""] + words.shortened(to: 3)).joined(separator: " ")
  }

  /// Edits a copy that is thrown away, as somebody who never wrote anything.
  private mutating func tryOut<Value>(
    _ name: String, _ body: (inout ReplicatedList, inout Replica) throws(ToolFailure) -> Value
  ) throws(ToolFailure) -> Value {
    let document = try openDocument(name, access: .readOnly, isWriting: false)
    var list = document.list
    var me = Replica(id: ReplicaID(rawValue: SystemCall.randomBits())) {
      SystemCall.wallClockMilliseconds
    }
    return try body(&list, &me)
  }
}

extension OptionSpec {
  /// Tells what an edit would do.
  static let dryRun = OptionSpec(
    "dry-run", letter: "n", help: "Say what would be done, and change nothing.")
}

import Betwixt
import BetwixtFiles
import BetwixtSync

extension Session {
  /// Edits the document that the first operand names, in one commit and as one step of undo.
  ///
  /// - Parameters:
  ///   - arguments: With the document as the first operand, and perhaps `--dry-run`.
  ///   - body: Edits a copy of the list; what it returns is what there is to say.
  /// - Returns: What `body` returned, once all it wrote is on the drive.
  /// - Throws: ``ToolFailure``; the document is as it was.
  mutating func edit<Value>(
    _ arguments: ParsedArguments,
    _ body: (inout ReplicatedList, inout Replica) throws(ToolFailure) -> Value
  ) throws(ToolFailure) -> Value {
    let name = arguments.operands[0]
    if arguments.isSet(.dryRun) { return try tryOut(name, body) }
    // Whoever writes although this one has the lock, by another name of the file or where there are
    // no locks, shows at the commit: then all is read again.
    for _ in 0..<Session.editAttempts {
      if let value = try editOnce(name, as: stepName(arguments), body) { return value }
    }
    throw ToolFailure(name, DocumentFileFailure.surprise)
  }

  private static let editAttempts = 20

  /// Edits a document; `nil` if somebody else wrote it meanwhile, and nothing was done.
  private mutating func editOnce<Value>(
    _ name: String, as step: String,
    _ body: (inout ReplicatedList, inout Replica) throws(ToolFailure) -> Value
  ) throws(ToolFailure) -> Value? {
    var document = try openDocument(name, .exclusive, isWriting: true)
    guard let identity = document.identity else {
      throw ToolFailure(.internalFault, "Error: \(name): nobody writes")
    }
    var list = document.file.list
    var me = identity.replica(for: list) { SystemCall.wallClockMilliseconds }
    var history = undoHistory(of: document)
    let value = try history.record(step, in: &list, by: &me) {
      (list, me) throws(ToolFailure) in
      try body(&list, &me)
    }
    do throws(DocumentFileFailure) {
      try document.file.commit(list)
    } catch {
      guard error == .surprise else { throw ToolFailure(name, error) }
      return nil
    }
    keep(history, of: document)
    return value
  }

  /// What a step is called: the command and what it was about.
  private func stepName(_ arguments: ParsedArguments) -> String {
    let words = [command?.name ?? ""] + arguments.operands.dropFirst()
    return String(words.joined(separator: " ").prefix(200))
  }

  /// Edits a copy that is thrown away, as somebody who never wrote anything.
  private mutating func tryOut<Value>(
    _ name: String, _ body: (inout ReplicatedList, inout Replica) throws(ToolFailure) -> Value
  ) throws(ToolFailure) -> Value {
    let document = try openDocument(name, .readOnly, isWriting: false)
    var list = document.file.list
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

import Betwixt
import BetwixtSync

extension Session {
  /// Edits the document that the first operand names, in one commit.
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
    var document = try openDocument(name, .exclusive, isWriting: true)
    guard let identity = document.identity else {
      throw ToolFailure(.internalFault, "Error: \(name): nobody writes")
    }
    var list = document.file.list
    var me = identity.replica(for: list) { SystemCall.wallClockMilliseconds }
    let value = try body(&list, &me)
    try document.commit(list)
    return value
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

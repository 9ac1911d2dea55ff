import Betwixt
import BetwixtFiles

extension Command {
  /// Lets go what removed items held.
  static let compact = Command(
    name: "compact",
    synopsis: "[--keep DAYS] [--dry-run] [--json] FILE",
    summary: "Makes a document small: lets go what removed items held.",
    details: """
      What is shown stays, and so does that the others were removed. The fields and the place of \
      an item go whose removal is older than 30 days, or than --keep says, as far as they are \
      that old. No other device is asked or waited for: whoever was away merges as before, however \
      long, and the days are there for a change of mind. With the next sync the other copies let go \
      the same. 'betwixt restore' brings \
      such an item back with what was written later, at the end of the first day; 'betwixt undo' \
      brings back what it removed as it was. Nothing is erased for good: the file before stays \
      beside the document.
      """,
    operands: [("FILE", "The document.")],
    operandCount: 1...1,
    ownOptions: [.keep, .dryRun, .json],
    examples: ["betwixt compact rome.trip", "betwixt compact --keep 365 rome.trip"],
    action: { (arguments, session) throws(ToolFailure) in
      try session.compact(arguments)
    })
}

extension Session {
  fileprivate mutating func compact(
    _ arguments: ParsedArguments
  ) throws(ToolFailure) -> ExitCode {
    let days = try daysToKeep(arguments)
    let name = arguments.operands[0]
    let isDryRun = arguments.isSet(.dryRun)
    var document = try openDocument(
      name, isDryRun ? .readOnly : .exclusive, isWriting: !isDryRun)
    let horizon = max(0, SystemCall.wallClockMilliseconds - days * 86_400_000)
    let floor = document.list.version(olderThan: Timestamp(milliseconds: horizon))
    var list = document.list
    let count = list.forget(below: floor)
    guard count > 0, !isDryRun else {
      show(count, nil, arguments)
      return .done
    }
    let forgotten = try using(&document) { (document) throws(Document.Failure) in
      try document.forget(below: floor)
    }
    show(forgotten.registerCount, forgotten, arguments)
    return .done
  }

  private func daysToKeep(_ arguments: ParsedArguments) throws(ToolFailure) -> Int64 {
    guard let text = arguments.value(of: .keep) else { return 30 }
    guard let days = Int64(text), (0...36_500).contains(days) else {
      throw usage("option '--keep' is 0 to 36500, not '\(text.printable)'")
    }
    return days
  }

  private mutating func show(
    _ count: Int, _ forgotten: Document.Forgotten?, _ arguments: ParsedArguments
  ) {
    let name = arguments.operands[0]
    guard !arguments.isSet(.json) else {
      var line = JSONLine()
      line.add("file", name)
      line.add("forgotten", Int64(count))
      if let forgotten {
        line.add("bytesBefore", Int64(forgotten.byteCountBefore))
        line.add("bytes", Int64(forgotten.byteCount))
      }
      print(line.text)
      return
    }
    let things = "\(count) fields and places of removed items"
    if count == 0 {
      print("\(name.printable): nothing to let go\n")
    } else if let forgotten {
      print(
        "\(name.printable): let go \(things); \(forgotten.byteCountBefore) bytes are "
          + "\(forgotten.byteCount) now\n")
    } else {
      print("\(name.printable): would let go \(things)\n")
    }
  }
}

extension OptionSpec {
  fileprivate static let keep = OptionSpec(
    "keep", placeholder: "DAYS", help: "Keep what is younger than this; 30 if it is left out.")
}

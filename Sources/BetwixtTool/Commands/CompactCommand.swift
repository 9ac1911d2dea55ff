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
      an item go whose removal is older than 30 days, as far as they are that old and every device \
      has acknowledged it that was seen here in the last 90 days: in a sync with this document, or \
      in a shared folder. With --keep only the days count, and nobody is waited for. Both are for \
      a change of mind: whoever was away merges as before, however long. With the next sync the \
      other copies let go the same. 'betwixt restore' brings \
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
  private static let day: Int64 = 86_400_000
  private static let daysSeen: Int64 = 90

  fileprivate mutating func compact(
    _ arguments: ParsedArguments
  ) throws(ToolFailure) -> ExitCode {
    let days = try daysToKeep(arguments)
    let name = arguments.operands[0]
    let isDryRun = arguments.isSet(.dryRun)
    var document = try openDocument(
      name, access: isDryRun ? .readOnly : .exclusive, isWriting: !isDryRun)
    let now = SystemCall.wallClockMilliseconds
    let horizon = Timestamp(milliseconds: max(0, now - (days ?? 30) * Session.day))
    let polite = document.politeFloor(
      olderThan: horizon, seenSince: days == nil ? now - Session.daysSeen * Session.day : .max)
    var list = document.list
    var letting = Letting(
      count: list.forget(below: polite.floor),
      waitingCount: list.forget(below: document.list.version(olderThan: horizon)))
    if letting.waitingCount > 0 {
      letting.waitsFor = polite.waitsFor.map { device in
        let days = ItineraryText.count((now - device.seen) / Session.day, "day")
        return "\(document.list.writer(device.replica)), seen \(days) ago"
      }
    }
    if letting.count > 0, !isDryRun {
      let done = try using(&document) { (document) throws(Document.Failure) in
        try document.forget(below: polite.floor)
      }
      letting.count = done.registerCount
      letting.done = done
    }
    show(letting, arguments: arguments)
    return .done
  }

  private func daysToKeep(_ arguments: ParsedArguments) throws(ToolFailure) -> Int64? {
    guard let text = arguments.value(of: .keep) else { return nil }
    guard let days = Int64(text), (0...36_500).contains(days) else {
      throw usage("option '--keep' is 0 to 36500, not '\(text.printable)'")
    }
    return days
  }

  private mutating func show(_ letting: Letting, arguments: ParsedArguments) {
    let name = arguments.operands[0]
    guard !arguments.isSet(.json) else {
      var line = JSONLine()
      line.add("file", name)
      line.add("forgotten", Int64(letting.count))
      line.add("waiting", Int64(letting.waitingCount))
      if let done = letting.done {
        line.add("bytesBefore", Int64(done.byteCountBefore))
        line.add("bytes", Int64(done.byteCount))
      }
      print(line.text)
      return
    }
    print("\(name.printable): \(letting.text)\n")
    guard letting.waitingCount > 0 else { return }
    let waiting = Letting.things(letting.waitingCount)
    print("\(waiting) wait for these devices to hear of it ('--keep 30' does not wait):\n")
    for device in letting.waitsFor { print("  \(device)\n") }
  }
}

/// What compacting has let go, and what it has not.
private struct Letting {
  var count: Int
  /// How many are old enough, and wait for somebody.
  let waitingCount: Int
  /// For whom, in words.
  var waitsFor: [String] = []
  var done: Document.Forgotten?

  static func things(_ count: Int) -> String { "\(count) fields and places of removed items" }

  var text: String {
    guard count > 0 else { return "nothing to let go" }
    guard let done else { return "would let go \(Letting.things(count))" }
    return """
      let go \(Letting.things(count)); \(done.byteCountBefore) bytes are \(done.byteCount) now
      """
  }
}

extension OptionSpec {
  fileprivate static let keep = OptionSpec(
    "keep", placeholder: "DAYS", help: "Keep what is younger than this; 30 if it is left out.")
}

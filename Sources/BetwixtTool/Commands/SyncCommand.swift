import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Command {
  /// Makes two copies of a document equal.
  static let sync = Command(
    name: "sync",
    synopsis:
      "(--with FILE | --folder DIR | --exec COMMAND | --stdio) [--silence SECONDS] [--create] FILE",
    summary: "Brings a document and its copies elsewhere to the same state.",
    details: """
      Both sides end with all edits of both, and what came here is told with who wrote it \
      ('betwixt identity --name' gives a device a name). What arrives is on the drive before it is \
      acknowledged, and a session that was cut goes on with the next one. What lost is named: of two \
      edits of one thing the earlier one, and edits of an item that the other side removed. A folder is one that some \
      other tool copies between devices: each run puts in what is new here and takes out what is \
      new there; no two devices need to be up at the same time. What is more than a day ahead of the \
      clock here is not put in. Ends with 1 if one side has something that the other did not take.
      """,
    operands: [
      ("FILE", "A document or a .trip file; it becomes a document with the first change.")
    ],
    operandCount: 1...1,
    ownOptions: [.with, .sharedFolder, .exec, .stdio, .silence, .create, .acceptClock, .json],
    examples: [
      "betwixt sync --with /media/stick/rome.trip rome.trip",
      "betwixt sync --folder ~/Dropbox/trips rome.trip",
      "betwixt sync --exec 'ssh host betwixt sync --stdio rome.trip' rome.trip",
      "betwixt sync --exec 'ssh host betwixt serve trips --stdio' rome.trip",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let ways = [.with, .sharedFolder, .exec, .stdio].count { arguments.contains($0) }
      guard ways == 1 else {
        throw session.usage("one of --with, --folder, --exec and --stdio is needed")
      }
      let silence = try session.silence(arguments)
      let name = arguments.operands[0]
      guard name != "-" else { throw session.usage("a document is a file, not a stream") }
      let isMissing = try !DocumentPlace(name).exists
      if isMissing, !arguments.isSet(.create), !arguments.isSet(.stdio),
        !SystemCall.isThere(name + ".previous")
      {
        throw ToolFailure(
          .noInput,
          """
          Error: cannot read \(name): there is no such file; --create makes it, a copy of what the \
          other side has
          """)
      }
      let outcome: SyncOutcomeReport
      if let other = arguments.value(of: .with) {
        outcome = try session.join(
          name, other, isMade: arguments.isSet(.create), admission: session.admission(arguments))
      } else if let folder = arguments.value(of: .sharedFolder) {
        outcome = try session.sync(
          name, through: folder, isMade: arguments.isSet(.create),
          admission: session.admission(arguments))
      } else {
        outcome = try session.converse(
          name, running: arguments.value(of: .exec), isMade: arguments.isSet(.create),
          silence: silence, admission: session.admission(arguments))
      }
      session.show(outcome, of: name, arguments: arguments)
      if let failure = outcome.failure { throw failure }
      return outcome.isWhole ? .done : .negative
    })
}

/// What a sync came to.
struct SyncOutcomeReport {
  /// What the document holds now, and what it held before.
  var list: ReplicatedList
  var before: ReplicatedList

  /// Which writes lost.
  var losses: MergeReport

  /// Which writes lost in the other document of this machine, and what that is called.
  var lossesThere: (name: String, report: MergeReport)?

  /// What ended it before all was done: what had been merged by then is told all the same.
  var failure: ToolFailure?

  /// What was not taken in, and by whom.
  var notTaken: [NotTaken] = []

  /// Files that only a newer version can read, and those of devices that are gone which had to stay.
  var unreadCount = 0

  /// Which writes lost, in words; what lost only in the other document is said of that.
  var lossLines: [String] {
    let (name, lines) = news(\.lossLines)
    return losses.lossLines + lines.map { "\(name): \($0)" }
  }

  /// The same for programs.
  var lossJSONLines: [String] {
    let (name, lines) = news(\.lossJSONLines)
    return losses.lossJSONLines.map { JSONLine.text(of: $0) }
      + lines.map { JSONLine.text(of: $0, in: name) }
  }

  private func news(_ lines: (MergeReport) -> [String]) -> (name: String, lines: [String]) {
    guard let lossesThere else { return ("", []) }
    let told = lines(losses)
    let news = lines(lossesThere.report).filter { line in
      !told.contains { $0.hasSameBytes(as: line) }
    }
    return (lossesThere.name, news)
  }

  /// Whether both sides hold all that there is.
  var isWhole: Bool { notTaken.isEmpty && unreadCount == 0 }

  /// What went to and fro, in words and for programs.
  var traffic: [(name: String, count: Int, words: String)] = []

  /// The same as part of a sentence.
  var trafficText: String {
    traffic.map { part in
      // `1 file read`, `1 byte sent`, `1 old one removed`.
      let words =
        part.count == 1
        ? part.words.split(separator: " ").map { word in
          ["files", "bytes", "ones"].contains(word) ? word.dropLast() : word
        }.joined(separator: " ") : part.words
      return ", \(part.count) \(words)"
    }.joined()
  }
}

extension SyncOutcomeReport {
  /// What a sync came to that failed: what it had merged by then.
  init(failed failure: ToolFailure, on document: inout Document, before: ReplicatedList) {
    let changes = document.takeUntoldChanges()
    self.init(
      list: document.list, before: before,
      losses: changes.losses(in: document.list, calledAsIn: [before]),
      failure: failure)
  }
}

extension Session {
  /// How long the other side may say nothing, in milliseconds; `nil` if nobody said.
  fileprivate func silence(_ arguments: ParsedArguments) throws(ToolFailure) -> Int64? {
    guard let text = arguments.value(of: .silence) else { return nil }
    guard arguments.contains(.exec) || arguments.isSet(.stdio) else {
      throw usage("option '--silence' is for --exec and --stdio, which wait for somebody")
    }
    guard let seconds = Int64(text), (1...86_400).contains(seconds) else {
      throw usage("option '--silence' is a number of seconds from 1 to 86400, not '\(text)'")
    }
    return seconds * 1_000
  }

  mutating func show(
    _ outcome: SyncOutcomeReport, of name: String, arguments: ParsedArguments
  ) {
    let list = outcome.list
    // Standard output belongs to the conversation, and the other side prints the summary.
    defer { show(outcome.notTaken, in: list, arguments: arguments) }
    guard !arguments.isSet(.stdio) else {
      for line in outcome.lossLines { report("\(name): \(line.printable)\n") }
      return
    }
    let arrivals = ArrivalText(from: outcome.before, to: list)
    guard arguments.isSet(.json) else {
      for line in arrivals.lines { report("\(line)\n") }
      for line in outcome.lossLines { report("\(line.printable)\n") }
      guard outcome.failure == nil else { return }
      let items = ItineraryText.count(Int64(list.count), "item")
      report("\(name): \(items), digest \(list.digest)\(outcome.trafficText)\n")
      return
    }
    if outcome.failure == nil {
      var line = JSONLine()
      line.add("file", name)
      line.add("items", Int64(list.count))
      line.add("digest", list.digest.description)
      for part in outcome.traffic { line.add(part.name, Int64(part.count)) }
      print(line.text)
    }
    for line in arrivals.jsonLines { print(line) }
    for line in outcome.lossJSONLines { print(line) }
  }
}

extension OptionSpec {
  fileprivate static let with = OptionSpec(
    "with", placeholder: "FILE", help: "The copy is FILE, a document on this machine.")

  fileprivate static let sharedFolder = OptionSpec(
    "folder", placeholder: "DIR",
    help: "The copies put what is new into DIR, which some other tool copies between devices.")

  fileprivate static let exec = OptionSpec(
    "exec", placeholder: "COMMAND",
    help: "Run COMMAND with the shell and talk to its standard input and output.")

  fileprivate static let silence = OptionSpec(
    "silence", placeholder: "SECONDS",
    help: """
      Give up when the other side of --exec or --stdio says nothing for so long. Without it that \
      is 10 seconds until its first word, and 120 after it; who types a password needs more.
      """)

  static let stdio = OptionSpec(
    "stdio", help: "Talk through standard input and output: for the other end of --exec.")

  static let create = OptionSpec(
    "create", help: "If there is no such document, make it: a copy of what the other side has.")
}

import BetwixtTrips

extension Command {
  /// Draws a trip.
  static let show = Command(
    name: "show",
    synopsis: "[--rows] [--removed] [--json] [--color WHEN] [--tell-errors] FILE",
    summary: "Draws a trip day by day, in the order of the list.",
    details: """
      Items that stand beyond the last day are shown under it, with the day they are stored on; \
      items before the first day likewise. What is out of order is said in brackets where it \
      stands; 'check' lists it. What is not taken of a file of another program is named on \
      standard error.
      """,
    operands: [("FILE", "A trip in any format, or - for standard input.")],
    operandCount: 1...1,
    ownOptions: [.rows, .removed, .json, .color, .tellingErrors],
    examples: ["betwixt show trip.json", "betwixt show --json merged.trip.json"],
    action: { (arguments, session) throws(ToolFailure) in
      guard arguments.isSet(.tellingErrors) else { return try session.show(arguments) }
      var failure: ToolFailure?
      do throws(ToolFailure) { _ = try session.show(arguments) } catch { failure = error }
      if let failure, failure.code == .usage { throw failure }
      session.tellProblems(and: failure, of: arguments.operands[0])
      return .done
    })
}

extension Session {
  fileprivate mutating func show(
    _ arguments: ParsedArguments
  ) throws(ToolFailure) -> ExitCode {
    let style = try style(arguments)
    let file = try open(arguments.operands[0])
    let list = file.list()
    let isForPrograms = arguments.isSet(.json)
    if PlainDialect(of: list) == .tasks {
      let tasks = TasksText(TaskList(list))
      print(isForPrograms ? tasks.jsonLines : tasks.text(style))
    } else {
      let trip = Trip(list)
      print(
        isForPrograms
          ? RowLines(trip: trip).text
          : ItineraryText(trip, style: style, numbersRows: arguments.isSet(.rows)).text)
    }
    if arguments.isSet(.removed) {
      print(RemovedText(list).text(style, isForPrograms: isForPrograms))
    }
    // git compares what is printed of two states of a file.
    if !arguments.isSet(.tellingErrors) { report(notes: file.notes) }
    return .done
  }

  /// Makes what is wrong with a file a part of the answer.
  fileprivate mutating func tellProblems(and failure: ToolFailure?, of path: String) {
    var text = takeProblems()
    if let failure { text += failure.text + "\n" }
    // git shows states of the past from files in a folder of its own, which is gone when this is read.
    let parts = path.split(separator: "/")
    if let name = parts.last, parts.dropLast().contains(where: { $0.hasPrefix("git-blob-") }) {
      text.replace(path, with: name)
    }
    for line in text.split(separator: "\n") { print("\(String(line).printable)\n") }
  }
}

extension OptionSpec {
  fileprivate static let removed = OptionSpec(
    "removed", help: "Show what was removed as well, which 'betwixt restore' brings back.")

  fileprivate static let tellingErrors = OptionSpec(
    "tell-errors",
    help: """
      Print what is wrong with FILE in place of an error, and end with 0, for git: one state of a \
      file that cannot be read would end 'git log -p'.
      """)

  fileprivate static let rows = OptionSpec(
    "rows", help: "Number the rows of each day, by which other commands can name them.")
}

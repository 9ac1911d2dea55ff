import BetwixtTrips

extension Command {
  /// Draws a trip.
  static let show = Command(
    name: "show",
    synopsis: "[--rows] [--removed] [--json] [--color WHEN] FILE",
    summary: "Draws a trip day by day, in the order of the list.",
    details: """
      Items that stand beyond the last day are shown under it, with the day they are stored on; \
      items before the first day likewise. What is out of order is said in brackets where it \
      stands; 'check' lists it.
      """,
    operands: [("FILE", "A trip in any format, or - for standard input.")],
    operandCount: 1...1,
    ownOptions: [.rows, .removed, .json, .color],
    examples: ["betwixt show trip.json", "betwixt show --json merged.trip.json"],
    action: { (arguments, session) throws(ToolFailure) in
      let style = try session.style(arguments)
      let list = try session.open(arguments.operands[0]).list()
      let isForPrograms = arguments.isSet(.json)
      if PlainDialect(of: list) == .tasks {
        let tasks = TasksText(TaskList(list))
        session.print(isForPrograms ? tasks.jsonLines : tasks.text(style))
      } else {
        let trip = Trip(list)
        session.print(
          isForPrograms
            ? RowLines(trip: trip).text
            : ItineraryText(trip, style: style, numbersRows: arguments.isSet(.rows)).text)
      }
      if arguments.isSet(.removed) {
        session.print(RemovedText(list).text(style, isForPrograms: isForPrograms))
      }
      return .done
    })
}

extension OptionSpec {
  fileprivate static let removed = OptionSpec(
    "removed", help: "Show what was removed as well, which 'betwixt restore' brings back.")

  fileprivate static let rows = OptionSpec(
    "rows", help: "Number the rows of each day, by which other commands can name them.")
}

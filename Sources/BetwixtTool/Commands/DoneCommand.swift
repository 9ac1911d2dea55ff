import Betwixt
import BetwixtTrips

extension Command {
  /// Ticks tasks off.
  static let done = Command(
    name: "done",
    synopsis: "FILE TASK...",
    summary: "Ticks tasks off.",
    details: """
      They keep their places. 'betwixt open' opens them again, as not started; 'betwixt undo' puts \
      them back as they were.
      """,
    operands: [
      ("FILE", "The document."),
      ("TASK", "A task: its text, the start of it if no other has it, or its id."),
    ],
    operandCount: 2...Int.max,
    ownOptions: [.dryRun, .json],
    examples: ["betwixt done todo.trip 'Book the hotel'"],
    action: { (arguments, session) throws(ToolFailure) in
      try session.complete(arguments, at: .nowInSeconds)
    })

  /// Opens tasks again.
  static let open = Command(
    name: "open",
    synopsis: "FILE TASK...",
    summary: "Opens tasks again that were ticked off.",
    details: "They stand where they stood.",
    operands: [
      ("FILE", "The document."),
      ("TASK", "A task: its text, the start of it if no other has it, or its id."),
    ],
    operandCount: 2...Int.max,
    ownOptions: [.dryRun, .json],
    examples: ["betwixt open todo.trip 'Book the hotel'"],
    action: { (arguments, session) throws(ToolFailure) in
      try session.complete(arguments, at: nil)
    })
}

extension Session {
  /// Completes or reopens the tasks that the operands name, all of them or none.
  fileprivate mutating func complete(
    _ arguments: ParsedArguments, at time: Moment?
  ) throws(ToolFailure) -> ExitCode {
    let fileName = arguments.operands[0]
    let verb = time == nil ? "opened" : "done"
    let (reports, list) = try edit(arguments) {
      (list, me) throws(ToolFailure) -> ([EditReport], ReplicatedList) in
      guard PlainDialect(of: list) == .tasks else {
        throw ToolFailure(.badData, "Error: \(fileName) is a trip; only tasks are done or open")
      }
      let finder = ItemFinder(list, in: fileName, takesStarts: true)
      var ids: [ItemID] = []
      for words in arguments.operands.dropFirst() {
        let id = try finder.find(words)
        if !ids.contains(id) { ids.append(id) }
      }
      let before = list
      var tasks = TaskList(list)
      do throws(TripFailure) {
        // A second tick would only change when.
        for id in ids where tasks.isCompleted(id) != (time != nil) {
          try tasks.complete(id, at: time, by: &me)
        }
      } catch {
        throw ToolFailure(error, id: nil, in: Trip(list), of: fileName)
      }
      list = tasks.list
      let after = list
      return (ids.map { EditReport(verb, of: $0, from: before, to: after) }, after)
    }
    show(reports, in: list, arguments: arguments)
    return .done
  }
}

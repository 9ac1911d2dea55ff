import Betwixt
import BetwixtTrips

extension Command {
  /// Removes items.
  static let remove = Command(
    name: "remove",
    synopsis: "FILE ITEM...",
    summary: "Removes items from a document.",
    details: """
      They keep what they hold, and 'betwixt restore' brings them back with whatever others edited \
      meanwhile.
      """,
    operands: [
      ("FILE", "The document."), ("ITEM", "An item: its title, row or id."),
    ],
    operandCount: 2...Int.max,
    ownOptions: [.dryRun, .json],
    examples: ["betwixt remove rome.trip Lunch", "betwixt remove rome.trip 2.1 2.2"],
    action: { (arguments, session) throws(ToolFailure) in
      try session.turn(arguments, verb: "removed") { (list, id, me) throws(EditFailure) in
        try list.remove(id, by: &me)
      }
    })

  /// Brings removed items back.
  static let restore = Command(
    name: "restore",
    synopsis: "FILE ITEM...",
    summary: "Brings removed items back.",
    details: """
      They stand where they stood, and hold what was edited meanwhile. What 'betwixt compact' has \
      let go is found by its id, and stands at the end of the first day with what is left of it.
      """,
    operands: [
      ("FILE", "The document."),
      ("ITEM", "A removed item: its title, its id, or the id it was imported with."),
    ],
    operandCount: 2...Int.max,
    ownOptions: [.dryRun, .json],
    examples: ["betwixt restore rome.trip Lunch"],
    action: { (arguments, session) throws(ToolFailure) in
      try session.turn(arguments, verb: "restored") { (list, id, me) throws(EditFailure) in
        let first: Int64 = PlainDialect(of: list) == .trip ? 1 : 0
        try list.restore(id, toSection: first, by: &me)
      }
    })
}

extension Session {
  /// Removes or restores the items that the operands name, all of them or none.
  fileprivate mutating func turn(
    _ arguments: ParsedArguments, verb: String,
    _ body: (inout ReplicatedList, ItemID, inout Replica) throws(EditFailure) -> Void
  ) throws(ToolFailure) -> ExitCode {
    let fileName = arguments.operands[0]
    let (reports, list) = try edit(arguments) {
      (list, me) throws(ToolFailure) -> ([EditReport], ReplicatedList) in
      // Names are looked up before the first change, so that rows mean those that are shown now.
      let finder = ItemFinder(list, in: fileName)
      var ids: [ItemID] = []
      for words in arguments.operands.dropFirst() {
        let id = verb == "removed" ? try finder.find(words) : try finder.findRemoved(words)
        if !ids.contains(id) { ids.append(id) }
      }
      let before = list
      do throws(EditFailure) {
        for id in ids { try body(&list, id, &me) }
      } catch {
        throw ToolFailure(error, of: fileName)
      }
      let after = list
      return (ids.map { EditReport(verb, of: $0, from: before, to: after) }, after)
    }
    show(reports, in: list, arguments: arguments)
    return .done
  }
}

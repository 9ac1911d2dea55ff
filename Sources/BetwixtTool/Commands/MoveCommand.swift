import Betwixt
import BetwixtTrips

extension Command {
  /// Moves an item.
  static let move = Command(
    name: "move",
    synopsis: "(--day DAY [--at N] | --before ITEM | --after ITEM) FILE ITEM",
    summary: "Moves an item to another place of a document.",
    details: """
      It is one write, and nothing else is renumbered. Games stand where their start says, and a \
      leg only where the games of its cities allow it.
      """,
    operands: [
      ("FILE", "The document."),
      (
        "ITEM",
        "The item: its title, its row such as 2.3 (show --rows), its id, or the id it was "
          + "imported with."
      ),
    ],
    operandCount: 2...3,
    ownOptions: PlaceRequest.options + [.dryRun, .json],
    examples: [
      "betwixt move --day 3 rome.trip Lunch", "betwixt move --before 2.1 rome.trip Lunch",
      "betwixt move --day 2026-05-03 --at 1 rome.trip Museum",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      if let word = arguments.operands.dropFirst(2).first {
        throw session.usage(
          "unexpected argument '\(word)'; a day is --day '\(word)', an item --before or --after it")
      }
      let place = try PlaceRequest(arguments, in: session)
      guard !place.isEmpty else {
        throw session.usage("--day, --before or --after is missing")
      }
      let (fileName, words) = (arguments.operands[0], arguments.operands[1])
      let (report, list) = try session.edit(arguments) {
        (list, me) throws(ToolFailure) -> (EditReport, ReplicatedList) in
        let before = list
        let id = try ItemFinder(list, in: fileName).find(words)
        try place.move(id, in: &list, of: fileName, by: &me)
        return (EditReport("moved", of: id, from: before, to: list), list)
      }
      session.show([report], in: list, arguments: arguments)
      return .done
    })
}

extension PlaceRequest {
  /// Moves an item to the place.
  fileprivate func move(
    _ id: ItemID, in list: inout ReplicatedList, of fileName: String, by me: inout Replica
  ) throws(ToolFailure) {
    switch PlainDialect(of: list) {
    case .trip:
      var trip = Trip(list)
      guard let gap = try gap(in: trip, of: fileName, moving: id) else { return }
      do throws(TripFailure) {
        try trip.drop(id, into: gap, by: &me)
      } catch {
        throw ToolFailure(error, id: id, in: trip, of: fileName)
      }
      list = trip.list
    case .tasks:
      var tasks = TaskList(list)
      guard let place = try taskPlace(in: tasks, of: fileName) else { return }
      do throws(TripFailure) {
        if place.above == nil, place.below == nil {
          try tasks.schedule(id, on: place.date, by: &me)
        } else {
          try tasks.drop(id, on: place.date, above: place.above, below: place.below, by: &me)
        }
      } catch {
        throw ToolFailure(error, id: id, in: Trip(list), of: fileName)
      }
      list = tasks.list
    }
  }
}

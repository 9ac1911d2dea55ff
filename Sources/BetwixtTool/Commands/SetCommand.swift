import Betwixt
import BetwixtTrips

extension Command {
  /// Changes fields.
  static let set = Command(
    name: "set",
    synopsis: "FILE ITEM FIELD=VALUE...",
    summary: "Changes fields of an item, or of the trip itself.",
    details: """
      FIELD= takes the value away. Only fields that differ are written, each by itself, so another \
      device's edits of other fields survive. A game that gets another start moves to where that \
      says. With another startDate of the trip all that stands on its days is on other dates. The \
      title of a task is its text.
      """,
    operands: [
      ("FILE", "The document."),
      ("ITEM", "The item: its title, row or id; 'trip' or 'tasks' means the list itself."),
      ("FIELD=VALUE", "A field and what it will hold; FIELD:=JSON for a number or true or false."),
    ],
    operandCount: 2...Int.max,
    ownOptions: [.newField, .dryRun, .json],
    examples: [
      "betwixt set rome.trip Lunch title='Lunch at Trilussa' time=13:30",
      "betwixt set rome.trip trip days=6", "betwixt set rome.trip final start=2026-05-04T20:45",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let (fileName, words) = (arguments.operands[0], arguments.operands[1])
      guard arguments.operands.count > 2 else {
        throw session.usage(
          words.contains("=")
            ? "ITEM is missing before '\(words)'; 'trip' stands for the trip itself"
            : "FIELD=VALUE is missing")
      }
      let given = try FieldAssignment.all(arguments.operands.dropFirst(2), in: session)
      var firstDay: CivilDate?
      let (report, list) = try session.edit(arguments) {
        (list, me) throws(ToolFailure) -> (EditReport, ReplicatedList) in
        let before = list
        let id: ItemID =
          ItemFinder.isRoot(words) ? .root : try ItemFinder(list, in: fileName).find(words)
        let assignments = try FieldAssignment.named(given, in: list, of: id)
        try FieldAssignment.check(
          assignments, in: list, of: id, isInsisting: arguments.isSet(.newField))
        try FieldEdit(id: id, assignments: assignments, fileName: fileName).apply(
          to: &list, by: &me)
        firstDay = Trip(before).startDate
        return (EditReport("changed", of: id, from: before, to: list), list)
      }
      session.show([report], in: list, arguments: arguments)
      session.noteOtherDates(in: Trip(list), since: firstDay, of: fileName)
      return .done
    })
}

extension Session {
  /// Tells what another first day does to a trip: days are counted from it.
  fileprivate mutating func noteOtherDates(
    in trip: Trip, since old: CivilDate?, of fileName: String
  ) {
    guard let old, let new = trip.startDate, old != new else { return }
    let days = abs(new - old)
    let games = trip.list.count { ItemKind($0[.kind]) == .game }
    let others = trip.list.count - games
    if others > 0 {
      let what = ItineraryText.count(Int64(others), "item") + (others == 1 ? " stands" : " stand")
      report(
        """
        note: \(what) \(ItineraryText.count(Int64(days), "day")) \(old < new ? "later" : "earlier") now, \
        as far from the first day as before

        """)
    }
    if games > 0 {
      report(
        """
        note: a game keeps its date, and stands off its day: \
        'betwixt repair \(fileName.shellPath)' puts it there

        """)
    }
  }
}

/// Fields of one item that are to hold something else.
private struct FieldEdit {
  let id: ItemID
  let assignments: [FieldAssignment]
  let fileName: String

  func apply(to list: inout ReplicatedList, by me: inout Replica) throws(ToolFailure) {
    let kind = ItemKind(list[id: id]?[.kind])
    let dialect = PlainDialect(of: list)
    var changes: [(name: FieldName, value: FieldValue?)] = []
    var start: GameStart?
    for assignment in assignments {
      let value = try assignment.value(as: form(of: assignment.name, in: dialect, kind: kind))
      if kind == .game, assignment.name == .gameID {
        throw ToolFailure(.usage, "Error: the gameId is what a game is known by; it never changes")
      }
      if kind == .game, assignment.name == .start, id != .root, dialect == .trip {
        start = value?.string.flatMap { GameStart($0) }
        guard start != nil else { throw ToolFailure(.usage, "Error: a game needs a start") }
      } else {
        changes.append((assignment.name, value))
      }
    }
    try checkDays(changes, in: dialect)
    var trip = Trip(list)
    do throws(TripFailure) {
      if let start { try trip.reschedule(id, to: start, by: &me) }
    } catch {
      throw ToolFailure(error, id: id, in: trip, of: fileName)
    }
    do throws(EditFailure) {
      try trip.list.set(changes, of: id, by: &me)
    } catch {
      throw ToolFailure(error, of: fileName)
    }
    list = trip.list
  }

  private func form(
    of name: FieldName, in dialect: PlainDialect, kind: ItemKind
  ) -> FieldForm? {
    switch dialect {
    case .trip: id == .root ? .ofTrip(name) : FieldAssignment.form(ofItem: name, kind: kind)
    case .tasks: id == .root ? .ofTaskList(name) : .ofTask(name)
    }
  }

  private func checkDays(
    _ changes: [(name: FieldName, value: FieldValue?)], in dialect: PlainDialect
  ) throws(ToolFailure) {
    guard id == .root, dialect == .trip else { return }
    for (name, value) in changes where name == .days {
      guard let days = value?.int64, (1...Trip.maximumDayCount).contains(days) else {
        throw ToolFailure(.usage, "Error: a trip has 1 to \(Trip.maximumDayCount) days")
      }
    }
  }
}

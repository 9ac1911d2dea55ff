import Betwixt
import BetwixtTrips

extension Command {
  /// Adds an item.
  static let add = Command(
    name: "add",
    synopsis: "[--day DAY] [--title TEXT] [OPTIONS] FILE [FIELD=VALUE]...",
    summary: "Adds an item to a document.",
    details: """
      A leg goes below the last game of the city that it leaves, a game where its start says, all \
      else where the options say. Known fields have a form of their own (durationMin is a number, \
      time is a time like 13:00); any other name is kept as a text, or as FIELD:=JSON.
      """,
    operands: [
      ("FILE", "The document."),
      ("FIELD=VALUE", "What the item holds, such as note='by the river' or address=Rome."),
    ],
    operandCount: 1...Int.max,
    ownOptions: PlaceRequest.options + [.title, .kind, .time, .newField, .dryRun, .json],
    examples: [
      "betwixt add rome.trip --day 2 --title Lunch --time 13:00",
      "betwixt add rome.trip --after Lunch --title Museum durationMin=90",
      "betwixt add rome.trip --day 3 --kind travel from=Rome to=Naples mode=train",
      "betwixt add rome.trip --kind game gameId=final start=2026-05-03T20:45+02:00 city=Rome",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let request = try AddRequest(arguments, in: session)
      let (report, list) = try session.edit(arguments) {
        (list, me) throws(ToolFailure) -> (EditReport, ReplicatedList) in
        let before = list
        let id = try request.add(to: &list, by: &me)
        return (EditReport("added", of: id, from: before, to: list), list)
      }
      session.show([report], in: list, arguments: arguments)
      return .done
    })
}

/// What is to be added, and where.
private struct AddRequest {
  let fileName: String
  let place: PlaceRequest
  let title: String?
  let kind: ItemKind?
  let time: String?
  let assignments: [FieldAssignment]
  let isInsisting: Bool

  init(_ arguments: ParsedArguments, in session: borrowing Session) throws(ToolFailure) {
    fileName = arguments.operands[0]
    place = try PlaceRequest(arguments, in: session)
    title = arguments.value(of: .title)
    kind = arguments.value(of: .kind).map { ItemKind(.string($0)) }
    let spoken = arguments.value(of: .time)
    time = spoken.flatMap { ClockTime(spoken: $0) }.map { "\($0)" }
    isInsisting = arguments.isSet(.newField)
    assignments = try FieldAssignment.all(arguments.operands.dropFirst(), in: session)
    if let spoken, time == nil {
      throw session.usage("option '--time' is a time like 13:00, not '\(spoken.printable)'")
    }
    guard title != nil || !assignments.isEmpty else {
      throw session.usage("--title or a FIELD=VALUE is missing")
    }
  }

  func add(
    to list: inout ReplicatedList, by me: inout Replica
  ) throws(ToolFailure) -> ItemID {
    let options = (title == nil ? [] : [FieldName.title]) + (time == nil ? [] : [.time])
    let assignments = try FieldAssignment.named(
      assignments, in: list, of: nil, besides: options)
    try FieldAssignment.check(assignments, in: list, of: nil, isInsisting: isInsisting)
    return switch PlainDialect(of: list) {
    case .tasks: try addTask(assignments, to: &list, by: &me)
    case .trip: try addItem(assignments, to: &list, by: &me)
    }
  }

  private func fields(
    _ assignments: [FieldAssignment], as form: (FieldName) -> FieldForm?
  ) throws(ToolFailure) -> Fields {
    var fields = Fields()
    if let time { fields[.time] = .string(time) }
    for assignment in assignments {
      fields[assignment.name] = try assignment.value(as: form(assignment.name))
    }
    return fields
  }

  // MARK: Trips

  private func addItem(
    _ assignments: [FieldAssignment], to list: inout ReplicatedList, by me: inout Replica
  ) throws(ToolFailure) -> ItemID {
    var trip = Trip(list)
    let kind = kind ?? ItemKind(nil)
    var fields = try fields(assignments) { FieldAssignment.form(ofItem: $0, kind: kind) }
    fields[.kind] = .string(kind.text)
    if let title { fields[.title] = .string(title) }
    let day = try place.day(in: trip, of: fileName)
    let gap = try place.gap(in: trip, of: fileName)
    guard gap != nil || kind == .game else {
      throw ToolFailure(
        .usage, "Error: --day, --before or --after is missing: where is the item to stand?")
    }
    guard gap == nil || kind != .game else {
      throw ToolFailure(.usage, "Error: a game stands where its start says, not where options say")
    }
    if gap == nil { try checkIsNewGame(fields, in: list) }
    do throws(TripFailure) {
      let id: ItemID
      if let gap {
        id =
          if kind == .travel, place.isWholeDay, let day {
            try trip.addLeg(fields, onDay: day, by: &me)
          } else {
            try trip.add(fields, into: gap, by: &me)
          }
      } else {
        id = try trip.addGame(fields, by: &me)
      }
      list = trip.list
      return id
    } catch {
      throw ToolFailure(error, id: nil, in: trip, of: fileName)
    }
  }

  /// Refuses a game that the trip has: it would be written over, or come back with what it held.
  private func checkIsNewGame(
    _ fields: Fields, in list: ReplicatedList
  ) throws(ToolFailure) {
    guard let gameID = fields[.gameID]?.string,
      let game = list[id: ForeignIdentity.game(gameID)], game.isVisible || game.isRemoved
    else { return }
    let file = fileName.printable
    let end = gameID.utf8.first == UInt8(ascii: "-") ? "-- " : ""
    let words = "\(end)\(fileName.shellPath) \(gameID.shellWord)"
    let name = "game '\(gameID.printable)' is “\(game.summary.printable)”"
    // An id that cannot be shown as it is would be another one.
    let isShown = gameID.printable.hasSameBytes(as: gameID)
    let (fact, cure) =
      game.isRemoved
      ? (", which was removed", "'betwixt restore \(words)' brings it back")
      : ("", "'betwixt set \(words) FIELD=VALUE' changes it")
    throw ToolFailure(.negative, "Error: \(file): \(name)\(fact)" + (isShown ? ": \(cure)" : ""))
  }

  // MARK: Tasks

  private func addTask(
    _ assignments: [FieldAssignment], to list: inout ReplicatedList, by me: inout Replica
  ) throws(ToolFailure) -> ItemID {
    guard kind == nil else {
      throw ToolFailure(.usage, "Error: a task has no --kind; only the items of a trip have one")
    }
    var tasks = TaskList(list)
    let fields = try fields(assignments) { .ofTask($0) }
    guard let title = title ?? fields[.taskText]?.string else {
      throw ToolFailure(.usage, "Error: a task needs a --title")
    }
    let place = try place.taskPlace(in: tasks, of: fileName) ?? PlaceRequest.TaskPlace()
    do throws(TripFailure) {
      let id = try tasks.add(title, fields: fields, on: place.date, by: &me)
      if place.above != nil || place.below != nil {
        try tasks.drop(id, on: place.date, above: place.above, below: place.below, by: &me)
      }
      list = tasks.list
      return id
    } catch {
      throw ToolFailure(error, id: nil, in: Trip(list), of: fileName)
    }
  }
}

extension OptionSpec {
  static let title = OptionSpec(
    "title", letter: "t", placeholder: "TEXT", help: "What the item is called.")

  fileprivate static let kind = OptionSpec(
    "kind", placeholder: "KIND",
    help: "custom (the default), travel, game, or a word of your own; tasks have none.")

  fileprivate static let time = OptionSpec(
    "time", placeholder: "HH:MM",
    help: "The time to show, such as 13:00, 8:30 or 9pm; it does not change the order.")
}

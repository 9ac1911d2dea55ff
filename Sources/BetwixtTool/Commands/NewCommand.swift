import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Command {
  /// Makes a document.
  static let new = Command(
    name: "new",
    synopsis: "[--name NAME] [--start DATE] [--days N] [--from SOURCE] FILE",
    summary: "Makes a document that can be edited and synced.",
    details: """
      With --from it starts with what SOURCE holds; the same source gives documents that sync with \
      each other. FILE must not exist yet.
      """,
    operands: [("FILE", "The document to make, such as rome.trip.")],
    operandCount: 1...1,
    ownOptions: [
      .tripName, .startDate, .dayCount, .source, .tasks, .identifier, .acceptClock, .json,
    ],
    examples: [
      "betwixt new --name Rome --start 2026-05-01 --days 5 rome.trip",
      "betwixt new --from trip.json trip.trip",
      "betwixt new --tasks --name 'To do' tasks.trip",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let name = arguments.operands[0]
      guard name != "-" else { throw session.usage("a document is a file, not a stream") }
      let fields = try session.rootFields(arguments)
      let list = try session.startingList(arguments)
      guard
        PlainDialect(of: list) == .trip
          || !arguments.contains(.startDate) && !arguments.contains(.dayCount)
      else {
        throw session.usage("options '--start' and '--days' are for trips, and these are tasks")
      }
      guard try !DocumentPlace(name).exists else { throw ToolFailure(name, because: .exists) }
      var document: Document
      do throws(Document.Failure) {
        document = try Document.create(
          at: name, settings: session.documentSettings(.exclusive), startingWith: list,
          fields.isEmpty
            ? nil
            : { (list, me) throws(EditFailure) in try list.set(fields, of: .root, by: &me) })
      } catch {
        throw ToolFailure(error)
      }
      session.hasChanged = true
      session.tell(&document)
      session.showNew(document.list, named: name, arguments: arguments)
      return .done
    })
}

extension Session {
  /// What the options say about the list itself.
  fileprivate func rootFields(
    _ arguments: ParsedArguments
  ) throws(ToolFailure) -> [(name: FieldName, value: FieldValue?)] {
    var fields: [(name: FieldName, value: FieldValue?)] = []
    if arguments.isSet(.tasks) {
      guard !arguments.contains(.source), !arguments.contains(.startDate),
        !arguments.contains(.dayCount)
      else { throw usage("option '--tasks' makes an empty list, which has no days") }
      fields.append((.type, "tasks"))
    }
    if let text = arguments.value(of: .tripName) { fields.append((.name, .string(text))) }
    if let text = arguments.value(of: .startDate) {
      guard CivilDate(text) != nil else {
        throw usage("option '--start' is a date like 2026-06-11, not '\(text.printable)'")
      }
      fields.append((.startDate, .string(text)))
    }
    if let text = arguments.value(of: .dayCount) {
      guard let days = Int64(text), (1...Trip.maximumDayCount).contains(days) else {
        throw usage("option '--days' is 1 to \(Trip.maximumDayCount), not '\(text.printable)'")
      }
      fields.append((.days, .int64(days)))
    }
    return fields
  }

  /// What the document starts with.
  fileprivate mutating func startingList(
    _ arguments: ParsedArguments
  ) throws(ToolFailure) -> ReplicatedList {
    if let source = arguments.value(of: .source) {
      guard !arguments.contains(.identifier) else {
        throw usage("option '--id' is for an empty document; the source has an id")
      }
      let list: ReplicatedList
      // A source without dates has days from there on.
      var options = ReadingOptions()
      options.undatedStartDate = arguments.value(of: .startDate).flatMap { CivilDate($0) }
      do {
        let imported = try TripImport(try open(source, options: options))
        report(notes: imported.notes)
        list = imported.list
      } catch let failure as DocumentFailure {
        throw ToolFailure(failure)
      } catch let failure as ToolFailure {
        throw failure
      } catch {
        throw ToolFailure(.internalFault, "Error: \(error)")
      }
      try check(list, over: nil, of: source, arguments: arguments)
      return list
    }
    guard let word = arguments.value(of: .identifier) else {
      var random = SystemRandomNumberGenerator()
      return ReplicatedList(id: .random(using: &random))
    }
    guard let id = ListID(word) ?? ListID(uuid: word) else {
      throw usage("option '--id' is a UUID or 32 hexadecimal digits, not '\(word.printable)'")
    }
    return ReplicatedList(id: id)
  }

  fileprivate mutating func showNew(
    _ list: ReplicatedList, named name: String, arguments: ParsedArguments
  ) {
    guard arguments.isSet(.json) else {
      let count = list.count == 0 ? "no items yet" : ItineraryText.count(Int64(list.count), "item")
      print("made \(name.printable), \(count), document \(list.id)\n")
      return
    }
    var line = JSONLine()
    line.add("made", name)
    line.add("document", list.id.description)
    line.add("items", Int64(list.count))
    line.add("digest", list.digest.description)
    print(line.text)
  }
}

extension OptionSpec {
  fileprivate static let tripName = OptionSpec("name", placeholder: "NAME", help: "Its title.")

  fileprivate static let startDate = OptionSpec(
    "start", placeholder: "DATE", help: "The date of day 1, like 2026-06-11.")

  fileprivate static let dayCount = OptionSpec(
    "days", placeholder: "N", help: "How many days the trip has.")

  fileprivate static let source = OptionSpec(
    "from", placeholder: "SOURCE",
    help: "Start with a trip or tasks in any format, or - for standard input.")

  fileprivate static let tasks = OptionSpec("tasks", help: "Make a list of tasks, not a trip.")

  fileprivate static let identifier = OptionSpec(
    "id", placeholder: "ID",
    help: "Make an empty copy of the document with this id, to be filled by 'betwixt sync'.")
}

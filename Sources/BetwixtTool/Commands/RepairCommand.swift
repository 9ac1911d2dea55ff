import Betwixt
import BetwixtFiles
import BetwixtTrips

extension Command {
  /// Mends a trip.
  static let repair = Command(
    name: "repair",
    synopsis: "[--clock [--force]] [--dry-run] [--json] FILE",
    summary: "Moves what is out of order in a trip to where it belongs.",
    details: """
      Games go back to their schedule, items beyond the trip's days come in, and legs go where \
      their games allow them, by ordinary moves. What only a person can mend is listed. Ends with \
      1 if anything is left. With --clock, after this device's clock was ahead and is right again: \
      what was written here in the future is written again, now, as a new writer; nothing else is \
      moved, and the file as it was is kept as FILE.replaced-1 or the next. What this device has put \
      into shared folders of it comes out with the next 'betwixt sync --folder'. Where it may be the \
      clock of now that is wrong, because it fell back, nothing is done without --force.
      """,
    operands: [("FILE", "The document.")],
    operandCount: 1...1,
    ownOptions: [.clock, .despiteDoubt, .dryRun, .json],
    examples: [
      "betwixt repair --dry-run rome.trip", "betwixt repair rome.trip",
      "betwixt repair --clock rome.trip",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      if arguments.isSet(.clock) { return try session.repairClock(arguments) }
      guard !arguments.isSet(.despiteDoubt) else {
        throw session.usage("--force goes with --clock")
      }
      let fileName = arguments.operands[0]
      let (repair, before, after) = try session.edit(arguments) {
        (list, me) throws(ToolFailure) -> (TripRepair, Trip, Trip) in
        let before = Trip(list)
        guard PlainDialect(of: list) == .trip else {
          throw ToolFailure(
            .badData,
            """
            Error: \(fileName.printable) holds tasks; the rules are those of trips, and 'betwixt doctor' \
            looks at the file itself
            """)
        }
        var trip = before
        let repair = trip.repair(Constraints(trip).violations(), by: &me)
        list = trip.list
        return (repair, before, trip)
      }
      session.show(repair, from: before, to: after, arguments: arguments)
      return repair.left.isEmpty ? .done : .negative
    })
}

extension Session {
  fileprivate mutating func show(
    _ repair: TripRepair, from before: Trip, to after: Trip, arguments: ParsedArguments
  ) {
    let isDryRun = arguments.isSet(.dryRun)
    let done = isDryRun ? ("would repair", "planned") : ("repaired", "repaired")
    for ((word, name), violations, trip) in [
      (done, repair.repaired, before), (("left", "left"), repair.left, after),
    ] {
      for violation in violations {
        let text = ViolationText(violation, in: trip)
        print(
          arguments.isSet(.json)
            ? text.json(repair: name) : "\(word): \(text.sentence.printable)\n")
      }
    }
    if repair.repaired.isEmpty, repair.left.isEmpty { report("nothing is out of order\n") }
  }
}

// After a clock that was ahead.

extension Session {
  /// Writes what was written here in the future again, at the present time.
  fileprivate mutating func repairClock(
    _ arguments: ParsedArguments
  ) throws(ToolFailure) -> ExitCode {
    let name = arguments.operands[0]
    let isDryRun = arguments.isSet(.dryRun)
    var document = try openDocument(
      name, access: isDryRun ? .readOnly : .exclusive, isWriting: !isDryRun)
    let list = document.list
    let isForced = arguments.isSet(.despiteDoubt)
    var found = document.writesAhead()
    if !isDryRun {
      try using(&document) { (document) throws(Document.Failure) in
        found = try document.repairClock(force: isForced).writes
      }
    } else if let doubt = found.doubt, !isForced {
      throw ToolFailure(doubt, of: name)
    }
    for (word, writes) in [("repaired", found.own), ("left", found.others)] {
      for write in writes {
        let text = WithheldText(write, in: list)
        print(arguments.isSet(.json) ? text.json(word) : "\(word): \(text.sentence.printable)\n")
      }
    }
    if found.isEmpty { report("nothing was written in the future\n") }
    return found.others.isEmpty ? .done : .negative
  }
}

extension OptionSpec {
  fileprivate static let clock = OptionSpec(
    "clock", help: "Mend what was written here by a clock that was ahead, and nothing else.")
  fileprivate static let despiteDoubt = OptionSpec(
    "force", help: "Believe the clock, even if it seems to have fallen back.")
}

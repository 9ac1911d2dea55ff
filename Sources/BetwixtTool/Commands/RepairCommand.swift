import Betwixt
import BetwixtTrips

extension Command {
  /// Mends a trip.
  static let repair = Command(
    name: "repair",
    synopsis: "[--dry-run] [--json] FILE",
    summary: "Moves what is out of order in a trip to where it belongs.",
    details: """
      Games go back to their schedule, items beyond the trip's days come in, and legs go where \
      their games allow them, by ordinary moves. What only a person can mend is listed. Ends with \
      1 if anything is left.
      """,
    operands: [("FILE", "The document.")],
    operandCount: 1...1,
    ownOptions: [.dryRun, .json],
    examples: ["betwixt repair --dry-run rome.trip", "betwixt repair rome.trip"],
    action: { (arguments, session) throws(ToolFailure) in
      let fileName = arguments.operands[0]
      let (repair, before) = try session.edit(arguments) {
        (list, me) throws(ToolFailure) -> (TripRepair, Trip) in
        let before = Trip(list)
        guard PlainDialect(of: list) == .trip else {
          throw ToolFailure(
            .badData, "Error: \(fileName) holds tasks; the rules are those of trips")
        }
        var trip = before
        let repair: TripRepair
        do throws(TripFailure) {
          repair = try trip.repair(Constraints(trip).violations(), by: &me)
        } catch {
          throw ToolFailure(error, nil, in: trip, of: fileName)
        }
        list = trip.list
        return (repair, before)
      }
      session.show(repair, in: before, arguments)
      return repair.left.isEmpty ? .done : .negative
    })
}

extension Session {
  fileprivate mutating func show(
    _ repair: TripRepair, in trip: Trip, _ arguments: ParsedArguments
  ) {
    for (word, violations) in [("repaired", repair.repaired), ("left", repair.left)] {
      for violation in violations {
        let text = ViolationText(violation, in: trip)
        print(
          arguments.isSet(.json)
            ? text.json(repair: word) : "\(word): \(text.sentence.printable)\n")
      }
    }
    if repair.repaired.isEmpty, repair.left.isEmpty { report("nothing is out of order\n") }
  }
}

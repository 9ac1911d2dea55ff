import Betwixt
import BetwixtTrips

extension Command {
  /// Lists what is out of order in a trip.
  static let check = Command(
    name: "check",
    synopsis: "[--json] FILE",
    summary: "Lists what is out of order in a trip.",
    details: """
      Two valid edits can merge to a trip in which a leg leaves before its game. Nothing is \
      changed. Writes that no later edit can beat are listed too: from a clock that was far ahead, \
      or made to do harm. Ends with 0 if all is well, with 1 if something is not.
      """,
    operands: [("FILE", "A trip in any format, or - for standard input.")],
    operandCount: 1...1,
    ownOptions: [.json],
    examples: ["betwixt check merged.json"],
    action: { (arguments, session) throws(ToolFailure) in
      let file = try session.open(arguments.operands[0])
      let trip = Trip(file.list())
      guard PlainDialect(of: trip.list) == .trip else {
        throw ToolFailure(.badData, "Error: \(file.name) holds tasks; the rules are those of trips")
      }
      let violations = Constraints(trip).violations()
      for violation in violations {
        let text = ViolationText(violation, in: trip)
        session.print(arguments.isSet(.json) ? text.json : "\(text.sentence.printable)\n")
      }
      let policy = AdmissionPolicy(now: SystemCall.wallClockMilliseconds)
      let poisoned = trip.list.poisoned(under: policy)
      for write in poisoned {
        let text = WithheldText(write, in: trip.list)
        session.print(
          arguments.isSet(.json) ? text.json("poisoned") : "\(text.sentence.printable)\n")
      }
      return violations.isEmpty && poisoned.isEmpty ? .done : .negative
    })
}

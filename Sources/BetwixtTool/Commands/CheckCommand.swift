import BetwixtTrips

extension Command {
  /// Lists what is out of order in a trip.
  static let check = Command(
    name: "check",
    synopsis: "[--json] FILE",
    summary: "Lists what is out of order in a trip.",
    details: """
      Two valid edits can merge to a trip in which a leg leaves before its game. Nothing is \
      changed. Ends with 0 if all is well, with 1 if something is not.
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
      return violations.isEmpty ? .done : .negative
    })
}

import Betwixt
import BetwixtTrips

extension Command {
  /// Lists what is out of order in a trip.
  static let check = Command(
    name: "check",
    synopsis: "[--json] FILE...",
    summary: "Lists what is out of order in trips.",
    details: """
      Two valid edits can merge to a trip in which a leg leaves before its game. Nothing is \
      changed. Writes that no later edit can beat are listed too: from a clock that was far ahead, \
      or made to do harm. Of several \
      files each line begins with the name of its file. Ends with 0 if all is well, with 1 if something is not.
      """,
    operands: [("FILE", "A trip in any format, or - for standard input.")],
    operandCount: 1...Int.max,
    ownOptions: [.json],
    examples: ["betwixt check merged.json", "betwixt check trips/*.trip"],
    action: { (arguments, session) throws(ToolFailure) in
      var isSound = true
      for file in try session.open(arguments.operands) {
        isSound = try session.check(file, arguments: arguments) && isSound
      }
      return isSound ? .done : .negative
    })
}

extension Session {
  /// Lists what is out of order in one file.
  ///
  /// - Returns: Whether nothing is.
  fileprivate mutating func check(
    _ file: TripFile, arguments: ParsedArguments
  ) throws(ToolFailure) -> Bool {
    let trip = Trip(file.list())
    guard PlainDialect(of: trip.list) == .trip else {
      throw ToolFailure(
        .badData,
        """
        Error: \(file.name.printable) holds tasks; the rules are those of trips, and 'betwixt doctor' \
        looks at the file itself
        """)
    }
    let violations = Constraints(trip).violations().map { ViolationText($0, in: trip) }
    let policy = AdmissionPolicy(now: SystemCall.wallClockMilliseconds)
    let poisoned = trip.list.poisoned(under: policy).map { WithheldText($0, in: trip.list) }
    let isOne = arguments.operands.count == 1
    if arguments.isSet(.json) {
      let name = isOne ? nil : file.name
      for text in violations { print(text.json(of: name)) }
      for text in poisoned { print(text.json("poisoned", of: name)) }
    } else {
      let name = isOne ? "" : "\(file.name): "
      for text in violations { print("\(name)\(text.sentence)".printable + "\n") }
      for text in poisoned { print("\(name)\(text.sentence)".printable + "\n") }
    }
    return violations.isEmpty && poisoned.isEmpty
  }
}

import BetwixtTrips

extension Command {
  /// Says what differs between two documents.
  static let diff = Command(
    name: "diff",
    synopsis: "[--json] OLD NEW",
    summary: "Says what differs between two trips, item by item.",
    details: "Ends with 0 if nothing differs, with 1 if something does.",
    operands: [
      ("OLD", "A trip in any format, or - for standard input."),
      ("NEW", "A trip in any format, or - for standard input."),
    ],
    operandCount: 2...2,
    ownOptions: [.json],
    examples: ["betwixt diff trip.json phone.json"],
    action: { (arguments, session) throws(ToolFailure) in
      let files = try session.open(arguments.operands)
      let comparison = TripComparison(from: files[0].list(), to: files[1].list())
      let lines =
        arguments.isSet(.json)
        ? comparison.jsonLines : comparison.lines.map(\.printable)
      for line in lines { session.print("\(line)\n") }
      return comparison.isEmpty ? .done : .negative
    })
}

import BetwixtTrips

extension Command {
  /// Writes a document in another format.
  static let export = Command(
    name: "export",
    synopsis: "[--format FORMAT] [-o FILE] SOURCE",
    summary: "Writes a trip in another format.",
    details: """
      What the format has no room for is counted in a message, and what is not taken of a file of \
      another program is named. An output that is a copy of the same document takes the trip in, \
      and what loses by that is said.
      """,
    operands: [("SOURCE", "A trip in any format, or - for standard input.")],
    operandCount: 1...1,
    ownOptions: [
      .output, .force, .format, .distinct, .spreadsheetSafe, .acceptClock,
    ],
    examples: [
      "betwixt export trip.trip -o trip.json", "betwixt export --format md trip.trip | less",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let source = try session.open(arguments.operands[0])
      let format = try session.outputFormat(
        arguments, otherwise: .fullest(of: [source.format]))
      try session.save(source.list(), as: format, arguments: arguments)
      session.report(notes: source.notes)
      return .done
    })
}

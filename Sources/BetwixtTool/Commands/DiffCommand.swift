import BetwixtTrips

extension Command {
  /// Says what differs between two documents.
  static let diff = Command(
    name: "diff",
    synopsis: "[--json] OLD NEW...",
    summary: "Says what differs between trips, item by item.",
    details: """
      Each NEW is compared with OLD; of several the name of each stands above its lines. Ends with \
      0 if nothing differs, with 1 if something does.
      """,
    operands: [
      ("OLD", "A trip in any format, or - for standard input."),
      ("NEW", "A trip in any format, or - for standard input."),
    ],
    operandCount: 2...Int.max,
    ownOptions: [.json],
    examples: [
      "betwixt diff trip.json phone.json", "betwixt diff trip.json phone.json tablet.json",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let files = try session.open(arguments.operands)
      let old = files[0].list()
      var isSame = true
      for file in files.dropFirst() {
        let comparison = TripComparison(from: old, to: file.list())
        isSame = isSame && comparison.isEmpty
        if files.count > 2, !comparison.isEmpty {
          var heading = JSONLine()
          heading.add("file", file.name)
          session.print(
            arguments.isSet(.json) ? heading.text : "\(file.name.printable):\n")
        }
        let lines =
          arguments.isSet(.json)
          ? comparison.jsonLines.map { JSONLine.text(of: $0) }
          : comparison.lines.map { "\($0.printable)\n" }
        for line in lines { session.print(line) }
      }
      return isSame ? .done : .negative
    })
}

import BetwixtTrips

extension Command {
  /// Joins copies of a trip.
  static let merge = Command(
    name: "merge",
    synopsis: "[--base BASE] [-o FILE] COPY...",
    summary: "Joins copies of a trip that were edited apart.",
    details: """
      Every edit of every copy is in the result; where two copies changed the same thing, the \
      later edit wins and the report says what lost. The order of the copies does not matter, a \
      copy may be given twice, and no copy is changed.
      """,
    operands: [("COPY", "A trip in any format, or - for standard input.")],
    operandCount: 1...Int.max,
    ownOptions: [.base, .output, .format, .reportAsJSON],
    examples: [
      "betwixt merge --base trip.json phone.json tablet.json -o merged.json",
      "betwixt merge phone.trip.json tablet.trip.json -o merged.trip.json",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let base = try session.open(.base, of: arguments)
      // A file that is named twice is one copy; as two it would only clutter the report.
      // Names are compared as bytes, because two spellings of "é" are two files.
      var seen: Set<[UInt8]> = []
      let copies = try session.open(
        arguments.operands.filter { $0 == "-" || seen.insert(Array($0.utf8)).inserted })
      let format = try session.outputFormat(arguments, inputs: copies + (base.map { [$0] } ?? []))
      let merge: TripMerge
      do throws(DocumentFailure) { merge = try TripMerge(copies, base: base) } catch {
        throw ToolFailure(error)
      }
      try session.save(merge.list, as: format, to: arguments.value(of: .output))
      let lines =
        arguments.isSet(.reportAsJSON)
        ? merge.report.jsonLines
        : merge.report.lines.map(\.printable) + advice(copies, base: base)
      for line in lines { session.report("\(line)\n") }
      return .done
    })

  /// What someone should know who merges plain files without their common ancestor.
  private static func advice(_ copies: [TripFile], base: TripFile?) -> [String] {
    let plainCount = copies.count { !$0.format.isComplete }
    guard base == nil, plainCount > 1 else { return [] }
    return [
      "note: without --base nothing is removed, and the copy that was modified later wins"
    ]
  }
}

extension OptionSpec {
  /// Prints the report for programs.
  static let reportAsJSON = OptionSpec(
    "json", help: "Print the report, on standard error, as one JSON object per line.")
}

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
    ownOptions: [.base, .output, .force, .format, .acceptClock, .reportAsJSON],
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
      let inputs = copies + (base.map { [$0] } ?? [])
      let format = try session.outputFormat(
        arguments, otherwise: .fullest(of: inputs.map(\.format)))
      try session.merge(copies, base: base, as: format, arguments)
      // What someone should know who merges plain files without their common ancestor.
      if base == nil, copies.count(where: { !$0.format.isComplete }) > 1,
        !arguments.isSet(.reportAsJSON)
      {
        session.report(
          "note: without --base nothing is removed, and the copy that was modified later wins\n")
      }
      return .done
    })

  /// Joins two copies with their base, the way version control calls it.
  static let merge3 = Command(
    name: "merge3",
    synopsis: "[--strict] [-o FILE] BASE OURS THEIRS",
    summary: "Joins two copies with their base, for version control.",
    details: """
      Writes plain JSON unless the output's name or --format says otherwise. As a merge driver of \
      git: betwixt merge3 %O %A %B -o %A
      """,
    operands: [
      ("BASE", "The file that both copies were made from."),
      ("OURS", "One copy."),
      ("THEIRS", "The other copy. Which is which makes no difference."),
    ],
    operandCount: 3...3,
    ownOptions: [.strict, .output, .force, .format, .acceptClock, .reportAsJSON],
    examples: ["betwixt merge3 trip.json mine.json yours.json -o merged.json"],
    action: { (arguments, session) throws(ToolFailure) in
      let files = try session.open(arguments.operands)
      let format = try session.outputFormat(arguments, otherwise: .json)
      let copies = zip(files.dropFirst(), ["ours", "theirs"]).map { file, side in
        file.named(side, ifTemporary: ".merge_file_")
      }
      let report = try session.merge(copies, base: files.first, as: format, arguments)
      return arguments.isSet(.strict) && report.hasConflicts ? .negative : .done
    })
}

extension TripFile {
  /// The file under the name of its side, where version control made up a name for it.
  fileprivate func named(_ side: String, ifTemporary prefix: String) -> TripFile {
    var file = self
    if (name.split(separator: "/").last ?? "").hasPrefix(prefix) { file.name = side }
    return file
  }
}

extension Session {
  /// Merges, writes the result, and reports.
  @discardableResult
  fileprivate mutating func merge(
    _ copies: [TripFile], base: TripFile?, as format: DocumentFormat, _ arguments: ParsedArguments
  ) throws(ToolFailure) -> MergeReport {
    for file in copies + (base.map { [$0] } ?? []) {
      try check(file.list(), over: nil, of: file.name, arguments)
    }
    let merge: TripMerge
    do { merge = try TripMerge(copies, base: base) } catch { throw ToolFailure(error) }
    try save(merge.list, as: format, arguments)
    let lines =
      arguments.isSet(.reportAsJSON)
      ? merge.report.jsonLines : merge.report.lines.map(\.printable)
    for line in lines { report("\(line)\n") }
    return merge.report
  }
}

extension OptionSpec {
  /// Prints the report for programs.
  static let reportAsJSON = OptionSpec(
    "json", help: "Print the report, on standard error, as one JSON object per line.")

  /// Makes a decided conflict an answer of "no".
  static let strict = OptionSpec(
    "strict", help: "End with 1 if a conflict was decided; the result is written all the same.")
}

import Betwixt
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
      let lock = try session.lockText(
        arguments.value(of: .output), amongInputs: arguments.operands)
      let named = DocumentFormat(ofLinesNamedIn: arguments.operands)
      let base = try session.open(.base, of: arguments, otherwise: named)
      // A file that is named twice is one copy; as two it would only clutter the report.
      // Names are compared as bytes, because two spellings of "é" are two files.
      var seen: Set<[UInt8]> = []
      let copies = try session.open(
        arguments.operands.filter { $0 == "-" || seen.insert(Array($0.utf8)).inserted },
        otherwise: named ?? base?.format)
      let inputs = copies + (base.map { [$0] } ?? [])
      let format = try session.outputFormat(
        arguments, otherwise: .fullest(of: inputs.map(\.format)))
      try session.merge(copies, base: base, as: format, arguments: arguments)
      // What someone should know who merges plain files without their common ancestor.
      if base == nil, copies.count(where: { !$0.format.isComplete }) > 1,
        !arguments.isSet(.reportAsJSON)
      {
        session.report(
          "note: without --base nothing is removed, and the copy that was modified later wins\n")
      }
      lock?.release()
      return .done
    })

  /// Joins two copies with their base, the way version control calls it.
  static let merge3 = Command(
    name: "merge3",
    synopsis: "[--strict] [--strict-ties] [--path PATH] [-o FILE] BASE OURS THEIRS",
    summary: "Joins two copies with their base, for version control.",
    details: """
      Writes the format of OURS unless the output's name or --format says otherwise. Plain JSON or \
      Markdown that is written over keeps its layout: two edits change two lines. An empty BASE is \
      none, as where both sides added the file. 'betwixt git setup' makes this the merge driver of \
      git; with \
      --path, a text (Markdown, Org, TaskPaper, todo.txt) that holds more than a list of tasks is \
      merged line by line with 'git merge-file', which knows neither '-X' nor attributes. \
      Ends with 1 if THEIRS is a document that lacks writes of BASE, as in 'git revert': a document \
      keeps its history, and joining takes nothing back.
      """,
    operands: [
      ("BASE", "The file that both copies were made from; an empty one if there is none."),
      ("OURS", "One copy."),
      ("THEIRS", "The other copy. The result is the same, whichever is which."),
    ],
    operandCount: 3...3,
    ownOptions: [
      .strict, .strictTies, .path, .output, .force, .format, .acceptClock, .reportAsJSON,
    ],
    examples: [
      "betwixt merge3 trip.json mine.json yours.json -o merged.json",
      "betwixt merge3 --strict-ties --path=%P -o %A -- %O %A %B",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      do throws(ToolFailure) {
        return try session.mergeSides(arguments)
      } catch {
        // Version control calls the files by names of its own.
        guard let path = arguments.value(of: .path) else { throw error }
        throw ToolFailure(error.code, "\(path.printable): \(error.text)")
      }
    })
}

extension Session {
  /// Merges as `merge3` does.
  fileprivate mutating func mergeSides(
    _ arguments: ParsedArguments
  ) throws(ToolFailure) -> ExitCode {
    if let code = try mergeLines(arguments) { return code }
    var sides: [TripFile?] = []
    for (path, side) in zip(arguments.operands, ["base", "ours", "theirs"]) {
      sides.append(try openSide(path, side: side, arguments: arguments))
    }
    let copies = sides.dropFirst().compactMap { $0 }
    guard copies.count == 2 else {
      throw ToolFailure(.badData, "Error: a copy is empty, and so no trip")
    }
    let own = copies[0].format
    let format = try outputFormat(arguments, otherwise: own.isWritten ? own : .json)
    let report = try merge(copies, base: sides[0], as: format, arguments: arguments)
    let isRefused =
      arguments.isSet(.strict) && report.hasConflicts
      || arguments.isSet(.strictTies) && report.hasTies
    let takesBack = tellOfHistory(base: sides[0], ours: copies[0], theirs: copies[1], arguments)
    return isRefused || takesBack ? .negative : .done
  }

  /// Says what joining does that version control did not ask for.
  ///
  /// Versions are compared, not writes: what was forgotten since was known all the same.
  ///
  /// - Returns: Whether it asked for writes to be taken back. Where a branch is merged, a commit
  ///   rebased or a stash applied, THEIRS was made from BASE and has its writes.
  private mutating func tellOfHistory(
    base: TripFile?, ours: TripFile, theirs: TripFile, _ arguments: ParsedArguments
  ) -> Bool {
    guard case .list(let base)? = base?.content else { return false }
    func lacking(_ side: TripFile) -> Int? {
      guard case .list(let list) = side.content, !list.version.covers(base.version) else {
        return nil
      }
      return base.delta(since: list.version).count
    }
    func writes(_ count: Int) -> String { ItineraryText.count(Int64(count), "write") }
    let path = arguments.value(of: .path).map { "\($0.printable): " } ?? ""
    if let count = lacking(theirs) {
      warn(
        """
        \(path)\(writes(count)) of the base should go, as in 'git revert': a document keeps its \
        history, and joining takes nothing back; 'betwixt remove' and 'betwixt undo' do, by new \
        writes

        """)
      return true
    }
    if let count = lacking(ours), count > 0 {
      report(
        """
        \(path)\(writes(count)) from before came along with theirs, as in 'git cherry-pick': a \
        document keeps its history

        """)
    }
    return false
  }

  /// Reads one side of a merge; `nil` for an empty file, which version control gives for none.
  ///
  /// A copy of lines may be empty: its last task was taken out.
  ///
  /// With `--path`, and where version control made up a name, messages call it by its side.
  private mutating func openSide(
    _ path: String, side: String, arguments: ParsedArguments
  ) throws(ToolFailure) -> TripFile? {
    let likely =
      DocumentFormat(ofLinesNamed: path)
      ?? arguments.value(of: .path).flatMap { DocumentFormat(ofLinesNamed: $0) }
    if let place = try? DocumentPlace(path), place.kind == .regular,
      let start = try? InputFile.start(of: place.path), start.isEmpty,
      side == "base" || likely == nil
    {
      return nil
    }
    let isMadeUp = (path.split(separator: "/").last ?? "").hasPrefix(".merge_file_")
    let name = isMadeUp || arguments.contains(.path) ? side : path
    return try open(path, calling: name, otherwise: likely)
  }

  /// Merges, writes the result, and reports.
  @discardableResult
  fileprivate mutating func merge(
    _ copies: [TripFile], base: TripFile?, as format: DocumentFormat, arguments: ParsedArguments
  ) throws(ToolFailure) -> MergeReport {
    begin(step: "merging")
    let merge: TripMerge
    do { merge = try TripMerge(copies, base: base) } catch { throw ToolFailure(error) }
    try check(copies + (base.map { [$0] } ?? []), joinedTo: merge.list, arguments: arguments)
    try save(merge.list, as: format, arguments: arguments)
    if arguments.isSet(.reportAsJSON) {
      let path = arguments.value(of: .path)
      for note in merge.notes {
        var line = JSONLine()
        if let path { line.add("in", path) }
        line.add("report", "note")
        line.add("note", note)
        report(line.text)
      }
      for line in merge.report.jsonLines { report(JSONLine.text(of: line, in: path)) }
    } else {
      let path = arguments.value(of: .path).map { "\($0.printable): " } ?? ""
      for line in merge.notes + merge.report.lines { report("\(path)\(line.printable)\n") }
    }
    return merge.report
  }
}

extension Session {
  /// Refuses inputs with writes that are not let in.
  ///
  /// An input without a history is only turned into a list for that if the result is suspicious:
  /// a write that is ahead of all clocks is in there, or was beaten by another such.
  private func check(
    _ files: [TripFile], joinedTo result: ReplicatedList, arguments: ParsedArguments
  ) throws(ToolFailure) {
    let isSuspicious = !result.poisoned(under: admission(arguments)).isEmpty
    for file in files where isSuspicious || file.format.isComplete {
      try check(file.list(), over: nil, of: file.name, arguments: arguments)
    }
  }
}

extension OptionSpec {
  /// Prints the report for programs.
  static let reportAsJSON = OptionSpec(
    "json",
    help: """
      Print the report, on standard error, as one JSON object per line, what was not taken of a \
      file as "note"; "in" names the document \
      or the path that one is about, if there is one.
      """)

  /// Makes a decided conflict an answer of "no".
  static let strict = OptionSpec(
    "strict", help: "End with 1 if a conflict was decided; the result is written all the same.")

  /// Makes a conflict that nothing but a rule decides an answer of "no".
  fileprivate static let strictTies = OptionSpec(
    "strict-ties",
    help: """
      End with 1 if both sides wrote something else into one field at one time, so that only a \
      fixed rule decided; the result is written all the same. People who edit by hand seldom \
      change modifiedAt. A removal beats an edit, and is no such case; --strict counts it.
      """)

  /// Names the file that is merged.
  static let path = OptionSpec(
    "path", placeholder: "PATH",
    help: "What messages call the file, whose copies have names that say nothing.")
}

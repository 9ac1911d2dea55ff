import BetwixtTrips

extension Session {
  /// The format to write: `--format`, else the ending of `-o`, else a given one.
  func outputFormat(
    _ arguments: ParsedArguments, otherwise format: DocumentFormat
  ) throws(ToolFailure) -> DocumentFormat {
    if let word = arguments.value(of: .format) {
      guard let format = DocumentFormat(rawValue: word), format.isWritten else {
        let words = DocumentFormat.allCases.filter { $0.isWritten }.map { $0.rawValue }
          .joined(separator: ", ")
        throw usage(
          "option '--format' is one of \(words), not '\(word)'; 'betwixt help formats' says more")
      }
      return format
    }
    guard let output = arguments.value(of: .output) else { return format }
    if let known = DocumentFormat(fileName: output) { return known }
    if try isLiveDocument(output) { return .trip }
    // A copy that is written over keeps its name, whatever that is.
    guard !arguments.operands.contains(output), let ending = Session.ending(of: output) else {
      return format
    }
    throw usage(
      "no format has the ending '.\(ending.printable)'; 'betwixt help formats' lists those that "
        + "have one, and --format says which it is to be")
  }

  /// What stands behind the last dot of a file's name, if that is a word; `nil` for hidden files
  /// and numbers.
  private static func ending(of path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let ending = name[name.index(after: dot)...]
    return ending.contains { $0.isLetter } && !ending.contains(" ") ? String(ending) : nil
  }
}

extension OptionSpec {
  /// Names the common ancestor of the copies.
  static let base = OptionSpec(
    "base", placeholder: "BASE",
    help: """
      The file that the copies were made from. It tells an edit from a value that was always \
      there, and a deletion from an item that is new elsewhere. Needed for plain files only; \
      files with history know it.
      """)

  /// Names the format of the output.
  static let format = OptionSpec(
    "format", placeholder: "FORMAT",
    help: """
      trip (everything, binary), trip.json (everything, text), json (plain, without history), \
      ics, md, csv or gpx; for tasks also todo.txt, taskwarrior, taskpaper or org. The default is \
      the ending of the output's name, else the fullest format among the inputs.
      """)

  /// Replaces a document that is edited in place.
  static let force = OptionSpec(
    "force",
    help: """
      Replace the output even if it is a document that is edited in place; the old one is kept \
      beside it, and named. Without it an output that is a copy of the same document is edited: \
      it keeps its history, and what others write meanwhile.
      """)

  /// Says which clock a calendar's UTC times are for.
  static let utcOffset = OptionSpec(
    "utc-offset", placeholder: "±HH:MM",
    help: "The local time that a calendar's UTC times are turned into. The default is UTC itself.")

  /// Makes plain numbers rise strictly.
  static let distinct = OptionSpec(
    "distinct",
    help: """
      In plain JSON, give no two items of a day one sortOrder: for tools that leave ties to chance.
      """)

  /// Keeps spreadsheets from reading cells as formulas.
  static let spreadsheetSafe = OptionSpec(
    "spreadsheet-safe", help: "In CSV, put ' before a cell that a spreadsheet would calculate.")
}

import BetwixtTrips

extension Session {
  /// The formats that can be written.
  static let writableFormats: [DocumentFormat] = [
    .trip, .tripJSON, .json, .tasks, .markdown, .csv, .gpx,
  ]

  /// The format to write: `--format`, else the ending of `-o`, else a format that the command knows.
  func outputFormat(
    _ arguments: ParsedArguments, otherwise format: DocumentFormat
  ) throws(ToolFailure) -> DocumentFormat {
    if let word = arguments.value(of: .format) {
      guard let format = DocumentFormat(rawValue: word), Session.writableFormats.contains(format)
      else {
        let words = Session.writableFormats.map(\.rawValue).joined(separator: ", ")
        throw usage("option '--format' is one of \(words), not '\(word)'")
      }
      return format
    }
    guard let named = arguments.value(of: .output).flatMap(DocumentFormat.init(fileName:)) else {
      return format
    }
    guard Session.writableFormats.contains(named) else {
      throw usage("format '\(named.rawValue)' cannot be written")
    }
    return named
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
      trip (everything, binary), trip.json (everything, text), json (plain, without history), md, \
      csv or gpx. The default is the ending of the output's name, else the fullest format among \
      the inputs.
      """)

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

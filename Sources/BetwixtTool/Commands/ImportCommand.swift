import BetwixtTrips

extension Command {
  /// Brings a file into the full form, or into a document.
  static let importFile = Command(
    name: "import",
    synopsis: "[--into DOCUMENT] [--base BASE] [-o FILE] SOURCE",
    summary: "Reads a plain file into a document with history.",
    details: """
      Without --into the result is a new document, and one source gives the same document on \
      every machine. With --into the source is merged into DOCUMENT, which is replaced unless -o \
      names another file; what is gone there stays gone.
      """,
    operands: [("SOURCE", "A trip in any format, or - for standard input.")],
    operandCount: 1...1,
    ownOptions: [.into, .base, .utcOffset, .output, .format],
    examples: [
      "betwixt import trip.json -o trip.trip.json",
      "betwixt import --into trip.trip.json --base sent.json returned.json",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let utcOffset = try session.utcOffset(arguments)
      let document = try session.open(.into, of: arguments)
      let base = try session.open(.base, of: arguments)
      let source = try session.open(arguments.operands[0])
      let imported: TripImport
      do throws(DocumentFailure) {
        imported = try TripImport(source, into: document?.list(), base: base, utcOffset: utcOffset)
      } catch {
        throw ToolFailure(error)
      }
      // Without a document to follow this is the full form: the history is the point.
      let format = try session.outputFormat(arguments, otherwise: document?.format ?? .tripJSON)
      try session.save(
        imported.list, as: format, arguments, defaultPath: arguments.value(of: .into))
      for note in imported.notes { session.report("\(note.printable)\n") }
      session.report("\(imported.counts)\n")
      return .done
    })
}

extension Session {
  /// The minutes that `--utc-offset` stands for.
  fileprivate func utcOffset(_ arguments: ParsedArguments) throws(ToolFailure) -> Int? {
    guard let word = arguments.value(of: .utcOffset) else { return nil }
    // A time with an offset is read where games have one; a date before it makes this one.
    guard let offset = GameStart("2000-01-01T00:00\(word)")?.utcOffset else {
      throw usage("option '--utc-offset' is Z or ±HH:MM, not '\(word)'")
    }
    return offset
  }
}

extension OptionSpec {
  static let into = OptionSpec(
    "into", placeholder: "DOCUMENT", help: "The document that takes the source in.")
}

import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

extension Command {
  /// Brings a file into the full form, or into a document.
  static let importFile = Command(
    name: "import",
    synopsis: "[--into DOCUMENT] [--base BASE] [--own] [-o FILE] SOURCE",
    summary: "Reads a plain file into a document with history.",
    details: """
      Calendars, GPX, CSV, reservations of KDE Itinerary and mails, TREK, AdventureLog, todo.txt, \
      Taskwarrior, TaskPaper, Org and Markdown are told by their content, and what is not taken \
      is named. \
      Without --into the result is a new file, and one source gives the same file on every \
      machine. With --into the source is merged into DOCUMENT, which is edited in place unless -o \
      names another file; what is gone there stays gone.
      """,
    operands: [
      (
        "SOURCE",
        "A trip or tasks in any format ('betwixt help formats' lists them), or - for standard input."
      )
    ],
    operandCount: 1...1,
    ownOptions: [
      .into, .base, .own, .input, .utcOffset, .acceptClock, .firstDay, .columns, .output, .force,
      .format,
    ],
    examples: [
      "betwixt import trip.json -o trip.trip.json",
      "betwixt import --into trip.trip.json --base sent.json returned.json",
      "betwixt import --own --into trip.trip --base sent.json returned.json",
      "betwixt import --into trip.trip --base sent.ics returned.ics",
      "betwixt import --columns title=What,date=When --start 2026-05-01 plan.csv -o plan.trip",
    ],
    action: { (arguments, session) throws(ToolFailure) in
      let into = arguments.value(of: .into)
      // Whoever takes something in at the same time reads what this leaves.
      let lock = try session.lockText(
        arguments.value(of: .output) ?? into, amongInputs: [into])
      let options = try session.readingOptions(arguments)
      let request = try session.openRequest(arguments, options: options)
      if let document = try session.documentInPlace(arguments) {
        try session.importInPlace(request, at: document, arguments: arguments)
        return .done
      }
      guard !arguments.isSet(.own) else {
        throw session.usage("option '--own' edits a document in place: name one with --into")
      }
      let document = try session.open(.into, of: arguments)
      let before = document?.list()
      let imported = try request.result(into: before)
      try session.check(imported.list, over: before, of: request.source.name, arguments: arguments)
      // Without a document to follow this is the full form: the history is the point.
      let format = try session.outputFormat(arguments, otherwise: document?.format ?? .tripJSON)
      try session.save(
        imported.list, as: format, arguments: arguments, defaultPath: into)
      lock?.release()
      session.report(imported, isMerged: document != nil)
      return .done
    })
}

/// A file that was read, to be taken in.
private struct ImportRequest {
  let source: TripFile
  let base: TripFile?

  func result(into list: ReplicatedList?) throws(ToolFailure) -> TripImport {
    do {
      return try TripImport(source, into: list, base: base)
    } catch {
      throw ToolFailure(error)
    }
  }
}

extension Session {
  /// Reads the source and what it was made from.
  ///
  /// Of a list that has lost all its tasks nothing but the name may tell what it is, or the other file.
  fileprivate mutating func openRequest(
    _ arguments: ParsedArguments, options: ReadingOptions
  ) throws(ToolFailure) -> ImportRequest {
    let path = arguments.operands[0]
    guard let basePath = arguments.value(of: .base) else {
      return ImportRequest(source: try open(path, options: options), base: nil)
    }
    guard options.format == nil, DocumentFormat(ofLinesNamed: path) == nil else {
      let source = try open(path, options: options)
      let base = try openBase(basePath, options: options, source: source)
      // Of the text of a list nothing is left only in a text of the same format.
      let isOther =
        source.format.isTaskText && base.format.isTaskText && source.format != base.format
      if isOther, source.list().isEmpty, !base.list().isEmpty {
        throw ToolFailure(
          .badData,
          "Error: \(path.printable) has no task, and is no \(base.format.title) as its base is")
      }
      return ImportRequest(source: source, base: base)
    }
    let base = try openBase(basePath, options: options, source: nil)
    return ImportRequest(
      source: try open(path, options: options, otherwise: base.format), base: base)
  }

  /// The file that the source was made from, read as the source is.
  private mutating func openBase(
    _ path: String, options: ReadingOptions, source: TripFile?
  ) throws(ToolFailure) -> TripFile {
    var options = options
    // It may be of another format, which its bytes say; where they do not, its name may, and else it
    // is what the source is.
    let named = DocumentFormat(fileName: path)
    if options.format != named {
      options.likelyFormat = named ?? options.format
      options.format = nil
    }
    return try open(path, options: options, otherwise: source?.format)
  }

  /// The document of `--into`, if it is one that is edited in place.
  fileprivate func documentInPlace(
    _ arguments: ParsedArguments
  ) throws(ToolFailure) -> String? {
    guard let path = arguments.value(of: .into), path != "-" else { return nil }
    let isElsewhere = arguments.contains(.output) || arguments.contains(.format)
    try DocumentPlace(path).checkIsFile()
    let start: [UInt8]
    do {
      start = try InputFile.start(of: path)
    } catch {
      throw ToolFailure(FileFailure(.unreadable, at: path, error: error))
    }
    let isDocument = try isLiveDocument(path) || DocumentFormat.recognize(start) == .trip
    return !isElsewhere && isDocument ? path : nil
  }

  /// Takes a file into a document, as the file's writes or as writes of this installation.
  fileprivate mutating func importInPlace(
    _ request: ImportRequest, at path: String, arguments: ParsedArguments
  ) throws(ToolFailure) {
    let isOwn = arguments.isSet(.own)
    var document = try openDocument(path, access: .exclusive, isWriting: isOwn)
    let imported = try request.result(into: document.list)
    try check(imported.list, over: document.list, of: request.source.name, arguments: arguments)
    if isOwn {
      try edit(&document, step: "import") { (list, me) throws(ToolFailure) in
        do throws(TripFailure) {
          list = try imported.edits(of: list, by: &me)
        } catch {
          throw ToolFailure(error, id: nil, in: Trip(list), of: path)
        }
      }
    } else {
      try using(&document) { (document) throws(Document.Failure) in
        _ = try document.merge(imported.list, step: "import")
      }
    }
    report(imported, isMerged: true)
  }

  /// Says what was done, and which writes lost when a file was merged into a document.
  fileprivate mutating func report(_ imported: TripImport, isMerged: Bool) {
    if isMerged {
      let report = MergeReport(
        imported.losses, in: imported.list, here: "this document", there: "the imported file")
      for line in report.lossLines { self.report("\(line.printable)\n") }
    }
    report(notes: imported.notes)
    report("\(imported.counts)\n")
  }

  /// What the options say that the source does not.
  fileprivate func readingOptions(
    _ arguments: ParsedArguments
  ) throws(ToolFailure) -> ReadingOptions {
    var options = ReadingOptions()
    options.utcOffset = try utcOffset(arguments)
    if let word = arguments.value(of: .input) {
      guard let format = DocumentFormat(rawValue: word), format != .trip else {
        let words = DocumentFormat.allCases.filter { $0 != .trip }.map(\.rawValue)
        throw usage(
          "option '--input' is one of \(words.joined(separator: ", ")), not '\(word.printable)'")
      }
      options.format = format
    }
    if arguments.contains(.columns) {
      // Nothing else has columns.
      guard options.format ?? .csv == .csv else {
        throw usage("option '--columns' is for tables: --input csv")
      }
      options.format = .csv
    }
    if let word = arguments.value(of: .firstDay) {
      guard let date = CivilDate(word) else {
        throw usage("option '--start' is a date like 2026-05-01, not '\(word.printable)'")
      }
      options.startDate = date
    } else {
      options.startDate = startDate(ofDocument: arguments.value(of: .into))
    }
    for part in (arguments.value(of: .columns) ?? "").split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1)
      guard sides.count == 2 else {
        throw usage("option '--columns' is FIELD=HEADING,…, not '\(String(part).printable)'")
      }
      options.columns.append((field: String(sides[0]), heading: String(sides[1])))
    }
    return options
  }

  /// The date of day 1 of the document that takes the source in, which is the one that counts.
  private func startDate(ofDocument path: String?) -> CivilDate? {
    guard let path, path != "-", let place = try? DocumentPlace(path), place.kind == .regular else {
      return nil
    }
    // Whatever is wrong with it is said when it is opened for good.
    var quiet = self
    quiet.isQuiet = true
    return (try? quiet.open(path)).flatMap { Trip($0.list()).startDate }
  }

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

  fileprivate static let input = OptionSpec(
    "input", placeholder: "FORMAT",
    help: """
      Read SOURCE as FORMAT, where its content does not tell: as todo.txt, say, if no line has a \
      mark of it and its name no ending. BASE is read so, too, if neither its content nor its name tells.
      """)

  fileprivate static let firstDay = OptionSpec(
    "start", placeholder: "DATE",
    help: "The date of day 1, for a source that has none, like 2026-05-01.")

  fileprivate static let columns = OptionSpec(
    "columns", placeholder: "FIELD=HEADING,...",
    help: """
      What the columns of a CSV table are, where its headings do not tell, such as \
      title=A,date=B for columns A and B. Columns that nothing is said of become fields of their \
      own names.
      """)

  fileprivate static let own = OptionSpec(
    "own",
    help: """
      Write what the source changes as edits of this installation, and not as those of the source: \
      for servers that take from each device only its own. A later version of the source needs --base \
      then: what was written so counts as edited here.
      """)
}

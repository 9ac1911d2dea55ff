import Betwixt
import BetwixtTrips

/// Opening and saving documents, the same for every command.
extension Session {
  /// Reads a document of any format that can be read.
  ///
  /// - Parameter path: The file, or `-` for standard input.
  /// - Returns: The document.
  /// - Throws: ``ToolFailure``: 66 if it cannot be read, 65 if it is not what it should be.
  mutating func open(_ path: String) throws(ToolFailure) -> TripFile {
    let bytes = try read(path)
    do { return try TripFile(bytes, name: path) } catch { throw ToolFailure(error) }
  }

  /// Reads several documents in the order of their names.
  mutating func open(_ paths: [String]) throws(ToolFailure) -> [TripFile] {
    var files: [TripFile] = []
    for path in paths { files.append(try open(path)) }
    return files
  }

  /// Reads the document that an option names, if it was given.
  mutating func open(
    _ option: OptionSpec, of arguments: ParsedArguments
  ) throws(ToolFailure) -> TripFile? {
    guard let path = arguments.value(of: option) else { return nil }
    return try open(path)
  }

  /// The format to write: `--format`, else the ending of `-o`, else the fullest of the inputs.
  func outputFormat(
    _ arguments: ParsedArguments, inputs: [TripFile]
  ) throws(ToolFailure) -> DocumentFormat {
    let format: DocumentFormat
    if let word = arguments.value(of: .format) {
      guard let named = DocumentFormat(rawValue: word) else {
        throw usage("option '--format' is one of \(Session.formatWords), not '\(word)'")
      }
      format = named
    } else if let named = arguments.value(of: .output).flatMap(DocumentFormat.init(fileName:)) {
      format = named
    } else {
      format = DocumentFormat.fullest(of: inputs.map(\.format))
    }
    guard Session.writableFormats.contains(format) else {
      throw usage("format '\(format.rawValue)' cannot be written; choose \(Session.formatWords)")
    }
    return format
  }

  /// Writes a list in a format, and reports what the format could not hold.
  mutating func save(
    _ list: ReplicatedList, as format: DocumentFormat, to path: String?
  ) throws(ToolFailure) {
    switch format {
    case .tripJSON:
      try write(TripJSON.encode(list), to: path)
    default:
      let export = PlainExport(list)
      try write(export.bytes, to: path)
      if let omissions = export.omissionSummary { report("\(omissions)\n") }
    }
  }

  static let writableFormats: [DocumentFormat] = [.tripJSON, .json, .tasks]

  private static var formatWords: String {
    writableFormats.map(\.rawValue).joined(separator: ", ")
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
      trip.json (everything, with history) or json (plain, without). The default is the ending \
      of the output's name, else the fullest format among the inputs.
      """)
}

extension ToolFailure {
  /// A document that is not what it should be: one line that says where.
  init(_ failure: DocumentFailure) { self.init(.badData, failure.description.printable) }
}

import Betwixt
import BetwixtSync
import BetwixtTrips

/// Opening and saving documents, the same for every command.
extension Session {
  /// The most bytes that a text may have.
  private static let textLimit = 32 << 20

  /// Reads a document of any format that can be read.
  ///
  /// - Parameter path: The file, or `-` for standard input.
  /// - Returns: The document.
  /// - Throws: ``ToolFailure``: 66 if it cannot be read, 65 if it is not what it should be.
  mutating func open(_ path: String) throws(ToolFailure) -> TripFile {
    let bytes = try read(path) { start in
      SealedBlock.isSealedBlock(start) || DocumentExamination.isDocument(start)
        ? FormatLimits.ceiling.byteCount : Session.textLimit
    }
    if DocumentExamination.isDocument(bytes) {
      return noting(try openDocument(bytes, path), path)
    }
    guard SealedBlock.isSealedBlock(bytes) else {
      do { return try TripFile(bytes, name: path) } catch { throw ToolFailure(error) }
    }
    let file: TripFile
    do {
      file = TripFile(list: try SealedBlock.decode(bytes), name: path)
    } catch {
      throw ToolFailure(DocumentFailure(file: path, error))
    }
    return noting(file, path)
  }

  /// Remembers a document that was read, because somebody here may write in it.
  private mutating func noting(_ file: TripFile, _ path: String) -> TripFile {
    // What comes through a pipe has no place, and nobody writes in it.
    if path != "-", let place = try? DocumentPlace(path) { sources.append((place, file.list())) }
    return file
  }

  /// Notes that the writes of this installation leave with what is written now.
  private mutating func publishSources() throws(ToolFailure) {
    for (place, list) in sources {
      guard var identity = try identity(at: place, for: list, isMade: false) else { continue }
      do {
        try identity.publish(upTo: list.version[identity.replica])
      } catch {
        throw ToolFailure(place.name, error)
      }
    }
  }

  /// Reads a document file as it is now, without repairing it.
  private mutating func openDocument(
    _ bytes: [UInt8], _ path: String
  ) throws(ToolFailure) -> TripFile {
    do throws(DecodeFailure) {
      let examination = try DocumentExamination(bytes)
      for problem in examination.problems {
        if case .needsUpgrade(let failure) = problem { throw failure }
        report("\(path): \(problem); 'betwixt doctor' tells more\n")
      }
      return TripFile(list: examination.list, name: path)
    } catch {
      throw ToolFailure(DocumentFailure(file: path, error))
    }
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

  /// Writes a list in a format, and reports what the format could not hold.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - format: The format.
  ///   - arguments: Where `-o` names the output, and the options of single formats.
  ///   - defaultPath: The output without `-o`; without either it is standard output.
  /// - Throws: ``ToolFailure``; an output that stood there before is unharmed.
  mutating func save(
    _ list: ReplicatedList, as format: DocumentFormat, _ arguments: ParsedArguments,
    defaultPath: String? = nil
  ) throws(ToolFailure) {
    if format.isComplete { try publishSources() }
    let path = arguments.value(of: .output) ?? defaultPath
    if format == .trip, path ?? "-" == "-", outputIsTerminal {
      throw usage("format 'trip' is binary and not for a terminal; name a file with -o")
    }
    try write(try encode(list, as: format, arguments), to: path)
  }

  private mutating func encode(
    _ list: ReplicatedList, as format: DocumentFormat, _ arguments: ParsedArguments
  ) throws(ToolFailure) -> [UInt8] {
    switch format {
    case .trip:
      do {
        return try SealedBlock.encode(list)
      } catch {
        throw ToolFailure(.badData, "Error: the result is too large for a file: \(error)")
      }
    case .tripJSON:
      return TripJSON.encode(list)
    case .markdown:
      return MarkdownExport(list).bytes
    case .csv:
      return CSVExport(list, isSpreadsheetSafe: arguments.isSet(.spreadsheetSafe)).bytes
    case .gpx:
      let export = GPXExport(list)
      if export.omittedCount > 0 { report("not written: \(export.omittedCount) without a place\n") }
      return export.bytes
    case .iCalendar:
      let export = CalendarExport(list)
      if export.omittedCount > 0 { report("not written: \(export.omittedCount) without a date\n") }
      return export.bytes
    case .json, .tasks:
      let export = PlainExport(list, distinct: arguments.isSet(.distinct))
      if let omissions = export.omissionSummary { report("\(omissions)\n") }
      return export.bytes
    }
  }
}

extension DocumentFailure {
  /// A binary document that cannot be read, in the stable words of all formats.
  fileprivate init(file: String, _ failure: DecodeFailure) {
    let (reason, words): (Reason, String) =
      switch failure.code {
      case .truncated: (.truncated, "the file ends too early")
      case .malformed: (.syntax, "the file is damaged")
      case .needsUpgrade: (.unsupportedVersion, "a newer version wrote this")
      case .limitExceeded: (.tooLarge, "the file holds too much")
      }
    self.init(
      file: file, place: .binary(offset: failure.offset), reason: reason,
      text: "\(words) (\(failure.reason.rawValue))")
  }
}

extension ToolFailure {
  /// A document that is not what it should be: one line that says where.
  init(_ failure: DocumentFailure) { self.init(.badData, failure.description.printable) }
}

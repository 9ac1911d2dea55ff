import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

/// Opening and saving documents, the same for every command.
extension Session {
  /// The most bytes that a text may have.
  private static let textLimit = 128 << 20

  /// Reads a document of any format that can be read.
  ///
  /// - Parameters:
  ///   - path: The file, or `-` for standard input.
  ///   - name: What messages call it; `nil` calls it by its path.
  ///   - options: What the file does not say; `nil` where nobody could say it.
  ///   - likely: Its format, if neither its content nor the ending of its name tells.
  /// - Returns: The document.
  /// - Throws: ``ToolFailure``: 66 if it cannot be read, 65 if it is not what it should be.
  mutating func open(
    _ path: String, calling name: String? = nil, options: ReadingOptions? = nil,
    otherwise likely: DocumentFormat? = nil
  ) throws(ToolFailure) -> TripFile {
    let name = name ?? path
    begin(step: "reading \(name)")
    let bytes = try read(path) { start in
      SealedBlock.isSealedBlock(start) || DocumentExamination.isDocument(start)
        ? FormatLimits.ceiling.byteCount : Session.textLimit
    }
    // An archive may hold a document as it is, and is none.
    try PackedFile.check(bytes, named: name)
    if path.hasSuffix(".trip"), let words = HollowFile.words(of: bytes, at: path) {
      throw ToolFailure(.badData, "Error: \(name.printable) \(words)")
    }
    if let examination = try examine(bytes, named: name) {
      return try openDocument(examination, at: path, calling: name)
    }
    var reading = options ?? ReadingOptions()
    if reading.likelyFormat == nil {
      let named = DocumentFormat(fileName: path)
      reading.likelyFormat =
        DocumentFormat(ofLinesNamed: path) ?? (named == .tripJSON ? named : likely)
    }
    do {
      return try TripFile(decoding: bytes, name: name, options: reading)
    } catch {
      let failure = ToolFailure(error, isImport: options != nil)
      // A file that is called a document and is no text was one, or would be taken for one.
      guard path.hasSuffix(".trip"), !SealedBlock.isSealedBlock(bytes),
        String(validating: bytes, as: UTF8.self) == nil
      else {
        throw failure
      }
      throw ToolFailure(
        failure.code,
        """
        \(failure.text)
        If \(path.printable) was a document, 'betwixt doctor -o NEW.trip \(path.shellPath)' saves what \
        can be found in it.
        """)
    }
  }

  /// Reads a document file as it is now, without repairing it; `nil` if the bytes are something
  /// else.
  private func examine(
    _ bytes: [UInt8], named name: String
  ) throws(ToolFailure) -> DocumentExamination? {
    guard !DocumentExamination.isDocument(bytes) else {
      do { return try DocumentExamination(bytes) } catch {
        throw ToolFailure(DocumentFailure(file: name, because: error))
      }
    }
    // The first bytes of a damaged document may say nothing; those of a text have no zero.
    let isOther = SealedBlock.isSealedBlock(bytes) || !bytes.prefix(64).contains(0)
    return isOther ? nil : try? DocumentExamination(bytes)
  }

  private mutating func openDocument(
    _ examination: DocumentExamination, at path: String, calling name: String
  ) throws(ToolFailure) -> TripFile {
    var examination = examination
    // What the generation before has of a damaged file is shown as well.
    if !examination.isSound, path != "-", let place = try? DocumentPlace(path),
      let whole = try? DocumentExamination(of: place.path)
    {
      examination = whole
    }
    for problem in examination.problems {
      guard case .needsUpgrade(let failure) = problem else { continue }
      throw ToolFailure(DocumentFailure(file: name, because: failure))
    }
    warn(of: examination.damage, in: name)
    return TripFile(list: examination.list, name: name)
  }

  /// Reads several documents in the order of their names.
  ///
  /// - Parameters:
  ///   - paths: The files.
  ///   - likely: The format of one that does not tell; `nil` takes it from the name of another.
  /// - Returns: The documents.
  /// - Throws: ``ToolFailure``, for the first that cannot be read.
  mutating func open(
    _ paths: [String], otherwise likely: DocumentFormat? = nil
  ) throws(ToolFailure) -> [TripFile] {
    let likely = likely ?? DocumentFormat(ofLinesNamedIn: paths)
    var files: [TripFile] = []
    for path in paths { files.append(try open(path, otherwise: likely)) }
    return files
  }

  /// Reads the document that an option names, if it was given.
  mutating func open(
    _ option: OptionSpec, of arguments: ParsedArguments, otherwise likely: DocumentFormat? = nil
  ) throws(ToolFailure) -> TripFile? {
    guard let path = arguments.value(of: option) else { return nil }
    return try open(path, otherwise: likely)
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
    _ list: ReplicatedList, as format: DocumentFormat, arguments: ParsedArguments,
    defaultPath: String? = nil
  ) throws(ToolFailure) {
    guard let path = arguments.value(of: .output) ?? defaultPath, path != "-" else {
      if format == .trip, outputIsTerminal {
        throw usage("format 'trip' is binary and not for a terminal; name a file with -o")
      }
      return try write(try encode(list, as: format, arguments: arguments), to: nil)
    }
    let keepsLayout = format == .json || format == .tasks || format == .markdown
    let old = keepsLayout ? plainFile(at: path) : nil
    // A copy that version control made for a merge, which is one of the inputs, is nobody's but ours:
    // no lock stays beside it.
    if arguments.contains(.path),
      arguments.operands.contains(where: { $0.hasSameBytes(as: path) })
    {
      return try write(try encode(list, as: format, arguments: arguments, over: old), to: path)
    }
    try save(list, as: format, over: path, arguments: arguments) {
      (session) throws(ToolFailure) in
      try session.encode(list, as: format, arguments: arguments, over: old)
    }
  }

  /// A text that is about to be written over, whose layout is kept if it is a plain file.
  private func plainFile(at path: String) -> [UInt8]? {
    guard let place = try? DocumentPlace(path), place.kind == .regular,
      let start = try? InputFile.start(of: place.path), !start.contains(0)
    else { return nil }
    return try? InputFile.read(place.path) { _ in Session.textLimit }
  }

  private mutating func encode(
    _ list: ReplicatedList, as format: DocumentFormat, arguments: ParsedArguments,
    over old: [UInt8]? = nil
  ) throws(ToolFailure) -> [UInt8] {
    var options = WritingOptions()
    options.replaced = old
    options.isDistinct = arguments.isSet(.distinct)
    options.isSpreadsheetSafe = arguments.isSet(.spreadsheetSafe)
    begin(step: "writing")
    let file: EncodedFile
    do {
      file = try list.encoded(as: format, options: options)
    } catch {
      throw ToolFailure(.badData, "Error: \(error)")
    }
    if let summary = file.summary { report("\(summary.printable)\n") }
    return file.bytes
  }
}

extension DocumentFormat {
  /// The format of lines that the ending of a name asks for: they may be without a mark of it.
  init?(ofLinesNamed name: String) {
    guard let format = DocumentFormat(fileName: name), format.isOfLines else { return nil }
    self = format
  }

  /// The first of several names that asks for one.
  init?(ofLinesNamedIn names: [String]) {
    guard let format = names.lazy.compactMap({ DocumentFormat(ofLinesNamed: $0) }).first else {
      return nil
    }
    self = format
  }
}

/// Files of which nothing is left but the name.
enum HollowFile {
  /// What a file is that holds nothing, and what helps; `nil` if it holds something.
  static func words(of bytes: [UInt8], at path: String) -> String? {
    guard bytes.allSatisfy({ $0 == 0 }) else { return nil }
    let cure = cure(at: path)
    return bytes.isEmpty
      ? "is empty: \(cure)"
      : "holds only zeros, perhaps as a placeholder of what lies elsewhere: \(cure)"
  }

  private static func cure(at path: String) -> String {
    let copy = "take another copy of it, such as that of another device"
    guard DocumentExamination(generationBefore: path) != nil else { return copy }
    return "'betwixt doctor -o NEW.trip \(path.shellPath)' saves the generation before; or \(copy)"
  }

  /// The same for a file that is read for that.
  static func words(at path: String) -> String? {
    (try? InputFile.read(path) { _ in 1 << 26 }).flatMap { words(of: $0, at: path) }
  }
}

/// Files that people have and no format of ours is.
enum PackedFile {
  /// Throws if a file can only be told by its first bytes, with what helps.
  ///
  /// - Parameters:
  ///   - bytes: The file, or its first bytes.
  ///   - name: What it is called.
  /// - Throws: `ToolFailure`, which says what to do with it.
  static func check(_ bytes: [UInt8], named name: String) throws(ToolFailure) {
    guard let words = words(of: bytes) else { return }
    throw ToolFailure(.badData, "Error: \(name.printable) is \(words)")
  }

  private static func words(of bytes: [UInt8]) -> String? {
    if bytes.starts(with: [0xd0, 0xcf, 0x11, 0xe0]) {
      return "a file of an office program, which is not read; save it as CSV"
    }
    guard bytes.starts(with: [0x50, 0x4b, 0x03, 0x04]) else { return nil }
    // The name of the first file in it stands behind 30 bytes.
    let first = bytes.dropFirst(30)
    let isOffice = ["[Content_Types].xml", "_rels/", "xl/", "docProps/", "mimetype"].contains {
      first.starts(with: $0.utf8)
    }
    return isOffice
      ? "a packed file, such as a spreadsheet, which is not read; save it as CSV"
      : "a ZIP archive, which is not read: unpack it first; if it is a spreadsheet, save it as CSV"
  }
}

extension ToolFailure {
  /// A document that is not what it should be: one line that says where.
  init(_ failure: DocumentFailure) { self.init(.badData, failure.description.printable) }

  /// A file that cannot be read as it is.
  ///
  /// - Parameters:
  ///   - failure: What is wrong with it; it may name an option that helps.
  ///   - isImport: Whether the command has the options of 'betwixt import'.
  fileprivate init(_ failure: DocumentFailure, isImport: Bool) {
    self.init(failure)
    let options = ["--input", "--start", "--columns"]
    guard !isImport, let option = options.first(where: { failure.text.contains("(\($0) ") }) else {
      return
    }
    self.init(
      code,
      """
      \(text)
      The option \(option) is one of 'betwixt import', which makes a document of the file.
      """)
  }
}

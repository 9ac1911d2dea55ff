import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

/// Results that are written where a document stands.
extension Session {
  /// Whether a path leads to a document that is edited in place, or to what damage has left of one.
  ///
  /// - Throws: ``ToolFailure`` if there is a file that cannot be read.
  func isLiveDocument(_ path: String) throws(ToolFailure) -> Bool {
    guard let place = try? DocumentPlace(path), let start = try start(of: place) else {
      return false
    }
    return isLive(start, at: place)
  }

  private func isLive(_ start: [UInt8], at place: DocumentPlace) -> Bool {
    if DocumentExamination.isDocument(start) { return true }
    // The first bytes of a damaged document may say anything.
    guard !SealedBlock.isSealedBlock(start) else { return false }
    let mayBeHollow = start.contains(0) && place.path.hasSuffix(".trip")
    if mayBeHollow, HollowFile.words(at: place.path) != nil { return true }
    return PosixFileSystem().mayBeDocument(at: place.path)
  }

  /// The first bytes of the file at a place; `nil` if there is none that could be a document.
  ///
  /// One that cannot be read could be.
  private func start(of place: DocumentPlace) throws(ToolFailure) -> [UInt8]? {
    guard place.kind == .regular else { return nil }
    do {
      return try InputFile.start(of: place.path)
    } catch {
      throw ToolFailure(FileFailure(.unreadable, at: place.name, error: error))
    }
  }

  /// Writes a list to a file.
  ///
  /// A copy of the same document that is edited in place is edited: others may write it at the same
  /// time, and its history stays. So is one that was made while the command ran. Any other document is
  /// replaced only if that is asked for.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - format: The format of the bytes.
  ///   - path: The file.
  ///   - arguments: Whether to replace a document, which is then kept under another name, and whose
  ///     clock is believed.
  ///   - encode: Gives the bytes.
  /// - Throws: ``ToolFailure``; what stood there before is unharmed.
  mutating func save(
    _ list: ReplicatedList, as format: DocumentFormat, over path: String,
    arguments: ParsedArguments,
    _ encode: (inout Session) throws(ToolFailure) -> [UInt8]
  ) throws(ToolFailure) {
    let isForced = arguments.isSet(.force)
    if format == .trip, let place = try? DocumentPlace(path), place.kind == nil,
      try writeNew(try encode(&self), to: path)
    {
      return
    }
    guard let place = try? DocumentPlace(path), let start = try start(of: place) else {
      return try write(try encode(&self), to: path)
    }
    let wasLive = isLive(start, at: place)
    guard wasLive || SealedBlock.isSealedBlock(start) || format == .trip else {
      return try write(try encode(&self), to: path)
    }
    if wasLive, !isForced {
      return try edit(list, as: format, in: path, arguments: arguments)
    }
    let bytes = try encode(&self)
    let lock = try self.lock(place)
    // An edit may have made a document of an export meanwhile, or another command an export.
    let isKept = try isLiveDocument(path) ? true : isNewExport(at: place)
    guard isForced || !isKept else {
      lock.release()
      return try edit(list, as: format, in: path, arguments: arguments)
    }
    if isKept { try keepAside(place, lock: lock) }
    try write(bytes, to: path)
    lock.release()
  }

  /// Notes what stands where the result of a command goes before the command reads anything.
  mutating func noteOutput(of arguments: ParsedArguments) {
    guard let path = arguments.value(of: .output) ?? arguments.value(of: .into),
      let place = try? DocumentPlace(path)
    else { return }
    outputBefore = (try? PosixFileSystem().status(at: place.path)) ?? nil
  }

  /// Whether there is an export that came after this command began: whoever made it was told that it is
  /// there, and nobody meant to replace it.
  private func isNewExport(at place: DocumentPlace) throws(ToolFailure) -> Bool {
    guard let start = try start(of: place), SealedBlock.isSealedBlock(start) else { return false }
    return (try? PosixFileSystem().status(at: place.path)) ?? nil != outputBefore
  }

  private func lock(_ place: DocumentPlace) throws(ToolFailure) -> DocumentLock {
    do {
      return try DocumentLock(at: place.path, settings: documentSettings(.exclusive).file)
    } catch {
      throw ToolFailure(place.name, because: error)
    }
  }

  private mutating func keepAside(
    _ place: DocumentPlace, lock: borrowing DocumentLock
  ) throws(ToolFailure) {
    do {
      warn(
        "\(place.name.printable): the document that was there is kept as \(try lock.keepAside())\n")
    } catch {
      throw ToolFailure(place.name, because: error)
    }
  }

  /// Joins a list into a document that is edited in place, and says which edits lose by that.
  private mutating func edit(
    _ list: ReplicatedList, as format: DocumentFormat, in path: String,
    arguments: ParsedArguments
  ) throws(ToolFailure) {
    guard format == .trip else {
      throw .wouldReplace(path, what: "by one in format '\(format.rawValue)'")
    }
    var document = try openDocument(path, access: .exclusive, isWriting: false)
    guard document.id == list.id else { throw .wouldReplace(path, what: "by another one") }
    let source = arguments.operands.count == 1 ? arguments.operands[0] : path
    try check(list, over: document.list, of: source, arguments: arguments)
    let step = command?.name ?? ""
    let before = document.list
    let changes = try using(&document) { (document) throws(Document.Failure) in
      try document.merge(list, step: step)
    }
    var losses = MergeLosses()
    losses.note(changes, of: before, with: list, in: document.list)
    let report = MergeReport(
      losses, in: document.list, here: "this document", there: "the other copy",
      calledAsIn: [before, list])
    if arguments.isSet(.reportAsJSON) {
      for line in report.jsonLines { self.report(JSONLine.text(of: line, in: path)) }
    } else {
      for line in report.lossLines { self.report("\(path): \(line)".printable + "\n") }
    }
  }
}

extension ToolFailure {
  /// A document that is in the way.
  fileprivate static func wouldReplace(_ path: String, what: String) -> ToolFailure {
    let path = path.printable
    return ToolFailure(
      .cannotCreate,
      """
      Error: \(path) is a document that is edited in place, and would be replaced \(what): name \
      another file, or say --force, which keeps the old one beside it
      """)
  }
}

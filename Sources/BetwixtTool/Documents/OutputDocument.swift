import Betwixt
import BetwixtFiles
import BetwixtSync
import BetwixtTrips

/// Results that are written where a document stands.
extension Session {
  /// Whether a path leads to a document that is edited in place.
  func isLiveDocument(_ path: String) -> Bool {
    guard let place = try? DocumentPlace(path) else { return false }
    return start(of: place).map(DocumentExamination.isDocument) ?? false
  }

  /// The first bytes of the file at a place; `nil` if there is none that could be a document.
  private func start(of place: DocumentPlace) -> [UInt8]? {
    place.kind == .regular ? try? InputFile.start(of: place.path) : nil
  }

  /// Writes a list to a file.
  ///
  /// A copy of the same document that is edited in place is edited: others may write it at the same
  /// time, and its history stays. Any other document is replaced only if that is asked for.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - format: The format of the bytes.
  ///   - path: The file.
  ///   - isForced: Whether to replace a document, which is then kept under another name.
  ///   - encode: Gives the bytes.
  /// - Throws: ``ToolFailure``; what stood there before is unharmed.
  mutating func save(
    _ list: ReplicatedList, as format: DocumentFormat, over path: String, isForced: Bool,
    _ encode: (inout Session) throws(ToolFailure) -> [UInt8]
  ) throws(ToolFailure) {
    guard let place = try? DocumentPlace(path), let start = start(of: place),
      DocumentExamination.isDocument(start) || SealedBlock.isSealedBlock(start)
    else { return try write(try encode(&self), to: path) }
    if DocumentExamination.isDocument(start), !isForced {
      return try edit(list, as: format, in: path)
    }
    let bytes = try encode(&self)
    let lock = try self.lock(place)
    // An edit may have made a document of an export meanwhile.
    let isLive = isLiveDocument(path)
    guard isForced || !isLive else {
      lock.release()
      return try edit(list, as: format, in: path)
    }
    if isLive { try keepAside(place, lock: lock) }
    try write(bytes, to: path)
    lock.release()
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

  /// Joins a list into a document that is edited in place.
  private mutating func edit(
    _ list: ReplicatedList, as format: DocumentFormat, in path: String
  ) throws(ToolFailure) {
    guard format == .trip else {
      throw .wouldReplace(path, what: "by one in format '\(format.rawValue)'")
    }
    var document = try openDocument(path, access: .exclusive, isWriting: false)
    guard document.id == list.id else { throw .wouldReplace(path, what: "by another one") }
    let step = command?.name ?? ""
    try using(&document) { (document) throws(Document.Failure) in
      _ = try document.merge(list, step: step)
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

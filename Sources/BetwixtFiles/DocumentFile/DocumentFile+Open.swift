public import Betwixt
import BetwixtSync

extension DocumentFile {
  /// Makes a new document file of a list; it is on the drive when this returns.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet.
  ///   - list: The first content.
  ///   - settings: How to open it; not for reading only.
  ///   - identity: Who writes in it, if it holds writes of this installation already.
  ///   - other: The path of a file whose rights it gets; without one, those of any new file.
  /// - Returns: The open file.
  /// - Throws: ``DocumentFileFailure``, `exists` if something is there.
  /// - Complexity: O(*n*) for *n* entries
  public static func create(
    at path: String, holding list: ReplicatedList, settings: Settings,
    by identity: Identity? = nil, like other: String? = nil
  ) throws(DocumentFileFailure) -> DocumentFile {
    var file = DocumentFile(path, settings: settings, document: list.id)
    guard settings.access != .readOnly else { throw .readOnly }
    try file.takeLock()
    let status = try attempt { () throws(FileSystemError) in
      try file.fileSystem.status(at: path)
    }
    guard status == nil else { throw .exists }
    file.list = list
    file.identity = identity
    let fileSystem = settings.fileSystem
    let model = other.flatMap { try? fileSystem.open($0, mode: .reading) }
    defer { if let model { fileSystem.close(model) } }
    try file.writeGeneration(keepingOldAs: nil, like: model)
    file.shareLock()
    file.releaseSharedLock()
    return file
  }

  /// Opens a document file, or a sealed block, which becomes a document with the first commit.
  ///
  /// What is damaged is repaired, unless the file is opened for reading; ``report`` tells. All that
  /// verifies is put together, from this generation and the one before; nothing goes back to an
  /// earlier state. A file that is missing is missing, whatever stands beside it.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - settings: How to open it.
  /// - Returns: The open file.
  /// - Throws: ``DocumentFileFailure``
  /// - Complexity: O(*b* log *b*) for *b* bytes
  public static func open(
    at path: String, settings: Settings
  ) throws(DocumentFileFailure) -> DocumentFile {
    var file = DocumentFile(path, settings: settings, document: ListID(high: 0, low: 0))
    if settings.access == .readOnly {
      file.state = .readOnly
    } else {
      try file.checkThatItMayBeOne()
      try file.takeLock()
    }
    try file.load()
    file.shareLock()
    if settings.access != .readOnly, settings.looksForLeftovers { file.removeLeftovers() }
    file.releaseSharedLock()
    return file
  }

  /// Looks whether there is anything to lock: no lock is left beside what is no document.
  private func checkThatItMayBeOne() throws(DocumentFileFailure) {
    let status = try attempt { () throws(FileSystemError) in try fileSystem.status(at: path) }
    guard let status else { throw .notFound }
    guard status.kind == .regular, !fileSystem.mayBeDocument(at: path) else { return }
    throw .unreadable(DecodeFailure(.badMagic, at: 0))
  }

  /// Reads the file from its start and repairs it.
  ///
  /// - Parameter known: What was read of it before; joined if it is damaged now.
  /// - Throws: ``DocumentFileFailure``
  mutating func load(after known: KnownContent? = nil) throws(DocumentFileFailure) {
    checksums = []
    sealedTail = nil
    let bytes = try readFromStart()
    if SealedBlock.isSealedBlock(bytes) { return try loadSealed(bytes) }
    let content: DocumentContent
    do {
      content = try DocumentContent(bytes, cache: settings.snapshots)
    } catch {
      // Whatever stands beside such a file, nothing says that it is of the same document.
      throw error.code == .needsUpgrade ? .needsUpgrade(error) : .unreadable(error)
    }
    try take(content, after: known)
  }

  /// All bytes of the file at the path, which is then the open one.
  private mutating func readFromStart() throws(DocumentFileFailure) -> [UInt8] {
    if let handle { fileSystem.close(handle) }
    handle = nil
    do {
      handle = try fileSystem.open(path, mode: state == .readOnly ? .reading : .appending)
    } catch {
      throw error.reason == .notFound ? .notFound : .fileSystem(error)
    }
    guard let handle else { throw .notFound }
    try lockContent()
    // Who only reads keeps nobody from writing meanwhile.
    let bytes =
      try state == .readOnly
      ? fileSystem.settledDocumentBytes(of: handle) : fileSystem.documentBytes(of: handle)
    size = bytes.count
    isDoubtful = state != .readOnly
    return bytes
  }

  static var sizeLimit: Int { 3 << 30 }

  /// How many bytes of a file are looked at together.
  static var readSize: Int { 65_536 }

  /// What a file may grow to by commits: half of what a snapshot may have.
  package static var growthLimit: Int { CommitFrame.payloadLimit / 2 }

  private mutating func loadSealed(_ bytes: [UInt8]) throws(DocumentFileFailure) {
    do {
      list = try SealedBlock.decode(bytes)
    } catch {
      guard error.code != .needsUpgrade else { throw .needsUpgrade(error) }
      throw .unreadable(error)
    }
    header.document = list.id
    sealedTail = UInt32(truncatingIfNeeded: UInt64(bigEndianBytes: bytes.suffix(4)))
    if state != .readOnly { state = .sealed }
  }

  private mutating func take(
    _ content: consuming DocumentContent, after known: KnownContent?
  ) throws(DocumentFileFailure) {
    header = content.header
    snapshotSize = content.snapshotSize
    nextOrdinal = content.nextOrdinal
    checksums = content.scan.commits.map(\.checksum)
    if let failure = content.needsUpgrade {
      report.findings.append(.needsUpgrade(failure))
      state = .readOnly
    }
    if content.isSound {
      list = content.list
    } else {
      try recover(&content, after: known)
    }
    settleCompactionSize()
  }

  private mutating func recover(
    _ content: inout DocumentContent, after known: KnownContent?
  ) throws(DocumentFileFailure) {
    let previous = PreviousGeneration(beside: path, of: header.document, in: fileSystem)
    report.findings += content.recover(with: previous, after: known)
    list = content.list
    if content.headerDamage != nil {
      let generations = [previous?.generation, known?.generation(of: header.log)]
      header.generation = generations.compactMap(\.self).max() ?? 0
    }
    try rewriteDamaged()
  }

  /// Writes the file again, of which not even the header is left.
  ///
  /// - Parameter known: What was read of it before.
  /// - Returns: Whether the file is the beginning of what was read, and no other one.
  /// - Throws: ``DocumentFileFailure``
  mutating func restore(_ known: KnownContent) throws(DocumentFileFailure) -> Bool {
    guard let handle else { return false }
    let bytes = try attempt { () throws(FileSystemError) in
      let status = try fileSystem.status(of: handle)
      guard status.kind == .regular, status.size < DocumentHeader.size else { return [UInt8]?.none }
      return try fileSystem.readAll(handle, limit: DocumentHeader.size)
    }
    guard let bytes, known.header.bytes.starts(with: bytes) else { return false }
    header = known.header
    size = bytes.count
    report.findings += [.tornTail(bytes: bytes.count), .usedOpen]
    list = known.list
    try rewriteDamaged()
    return true
  }

  /// Writes what was recovered as a new generation and keeps the damaged file.
  ///
  /// Also if only the end is cut: a write that never returned leaves the same as a copy that lacks the
  /// end of a commit which was acknowledged.
  private mutating func rewriteDamaged() throws(DocumentFileFailure) {
    guard state != .readOnly else { return }
    let kept = try attempt { () throws(FileSystemError) in
      try KeptCopies(of: path, because: .damaged, in: fileSystem).freePath()
    }
    try writeGeneration(keepingOldAs: kept)
    report.findings.append(.kept(path: kept))
  }
}

public import Betwixt

extension DocumentFile {
  /// Makes a new document file of a list; it is on the drive when this returns.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet.
  ///   - list: The first content.
  ///   - settings: How to open it; not for reading only.
  /// - Returns: The open file.
  /// - Throws: ``DocumentFileFailure``, `exists` if something is there.
  /// - Complexity: O(*n*) for *n* entries
  public static func create(
    _ path: String, _ list: ReplicatedList, _ settings: Settings
  ) throws(DocumentFileFailure) -> DocumentFile {
    var file = DocumentFile(path, settings, document: list.id)
    guard settings.access != .readOnly else { throw .readOnly }
    try file.takeLock()
    let status = try attempt { () throws(FileSystemError) in
      try file.fileSystem.status(at: path)
    }
    guard status == nil else { throw .exists }
    file.list = list
    try file.writeGeneration(keepingOldAs: nil)
    file.releaseSharedLock()
    return file
  }

  /// Opens a document file, or a sealed block, which becomes a document with the first commit.
  ///
  /// What is damaged is repaired, unless the file is opened for reading; ``report`` tells.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - settings: How to open it.
  /// - Returns: The open file.
  /// - Throws: ``DocumentFileFailure``
  /// - Complexity: O(*b* log *b*) for *b* bytes
  public static func open(
    _ path: String, _ settings: Settings
  ) throws(DocumentFileFailure) -> DocumentFile {
    var file = DocumentFile(path, settings, document: ListID(high: 0, low: 0))
    if settings.access == .readOnly {
      file.state = .readOnly
    } else {
      try file.takeLock()
      file.removeLeftovers()
    }
    try file.load()
    file.releaseSharedLock()
    return file
  }

  /// Reads the file from its start and repairs it.
  mutating func load() throws(DocumentFileFailure) {
    guard let bytes = try readFromStart() else {
      return try loadPrevious(instead: nil)
    }
    if SealedBlock.isSealedBlock(bytes) { return try loadSealed(bytes) }
    let content: DocumentContent
    do {
      content = try DocumentContent(bytes)
    } catch {
      guard error.code != .needsUpgrade else { throw .needsUpgrade(error) }
      return try loadPrevious(instead: error)
    }
    try take(content)
  }

  /// All bytes of the file at the path, which is then the open one; `nil` if there is none.
  private mutating func readFromStart() throws(DocumentFileFailure) -> [UInt8]? {
    if let handle { fileSystem.close(handle) }
    handle = nil
    let opened: OpenFile
    do {
      opened = try fileSystem.open(path, state == .readOnly ? .reading : .appending)
    } catch {
      guard error.reason == .notFound else { throw .fileSystem(error) }
      return nil
    }
    handle = opened
    let fileSystem = fileSystem
    let bytes = try attempt { () throws(FileSystemError) in
      guard try fileSystem.status(of: opened).kind == .regular else {
        throw FileSystemError("open", .wrongKind)
      }
      return try fileSystem.readAll(opened, limit: DocumentFile.sizeLimit)
    }
    size = bytes.count
    isDoubtful = state != .readOnly
    return bytes
  }

  static var sizeLimit: Int { 3 << 30 }

  private mutating func loadSealed(_ bytes: [UInt8]) throws(DocumentFileFailure) {
    do {
      list = try SealedBlock.decode(bytes)
    } catch {
      guard error.code != .needsUpgrade else { throw .needsUpgrade(error) }
      throw .unreadable(error)
    }
    header.document = list.id
    if state != .readOnly { state = .sealed }
  }

  private mutating func take(_ content: DocumentContent) throws(DocumentFileFailure) {
    header = content.header
    list = content.list
    snapshotSize = content.snapshotSize
    nextOrdinal = content.nextOrdinal
    if let failure = content.needsUpgrade {
      report.findings.append(.needsUpgrade(failure))
      state = .readOnly
    }
    switch content.tail {
    case .clean where content.hasSnapshot:
      break
    case .torn(let bytes) where content.hasSnapshot:
      report.findings.append(.tornTail(bytes: bytes))
      try cutTail(to: content.scan.end)
    case .damaged(let place, let salvaged, let lost):
      report.findings.append(
        .damage(at: place, salvagedCommits: salvaged, lostBytes: lost))
      try joinPrevious(hasSnapshot: content.hasSnapshot)
      try rewriteDamaged()
    case .clean, .torn:
      // Only a header, which no crash leaves: the snapshot itself is gone.
      try loadPrevious(instead: DecodeFailure(.truncated, at: DocumentHeader.size))
    }
    list.settleDigest()
    settleCompactionSize()
  }

  private mutating func cutTail(to end: Int) throws(DocumentFileFailure) {
    guard state != .readOnly, let handle else { return }
    let fileSystem = fileSystem
    try attempt { () throws(FileSystemError) in
      try fileSystem.truncate(handle, to: end)
      try fileSystem.sync(handle)
    }
    size = end
  }

  // MARK: Earlier generations

  /// The list of the generation before, if there is one that can be read.
  private func readPrevious() -> ReplicatedList? {
    guard let bytes = try? fileSystem.contents(of: previousPath, limit: DocumentFile.sizeLimit)
    else { return nil }
    if SealedBlock.isSealedBlock(bytes) { return try? SealedBlock.decode(bytes) }
    guard let content = try? DocumentContent(bytes), content.hasSnapshot else { return nil }
    return content.list
  }

  private mutating func joinPrevious(hasSnapshot: Bool) throws(DocumentFileFailure) {
    guard !hasSnapshot, let previous = readPrevious(), previous.id == list.id else { return }
    report.findings.append(.usedPrevious(reason: nil))
    list.merge(previous)
  }

  private mutating func loadPrevious(instead reason: DecodeFailure?) throws(DocumentFileFailure) {
    guard let previous = readPrevious() else {
      if let reason { throw .unreadable(reason) }
      throw .notFound
    }
    list = previous
    header = DocumentHeader(document: previous.id, log: header.log, generation: header.generation)
    report.findings.append(.usedPrevious(reason: reason))
    try rewriteDamaged()
  }

  /// Writes what was recovered as a new generation and keeps the damaged file.
  private mutating func rewriteDamaged() throws(DocumentFileFailure) {
    guard state != .readOnly else { return }
    guard handle != nil else { return try writeGeneration(keepingOldAs: nil) }
    let kept = try damagedPath()
    try writeGeneration(keepingOldAs: kept)
    report.findings.append(.kept(path: kept))
  }
}

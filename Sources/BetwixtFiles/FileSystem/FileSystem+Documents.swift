import Betwixt
import BetwixtSync

// Which files are documents, told without believing their names.

extension FileSystem {
  /// All bytes of a file that may be a document.
  ///
  /// A file that holds no commit anywhere is read to its end and not kept in memory.
  ///
  /// - Throws: ``DocumentFileFailure``: `unreadable` if it is no document.
  /// - Complexity: O(the bytes of the file)
  func documentBytes(at path: String) throws(DocumentFileFailure) -> [UInt8] {
    let file = try attempt { () throws(FileSystemError) in try open(path, mode: .reading) }
    defer { close(file) }
    return try documentBytes(of: file)
  }

  /// The same, of an open file.
  func documentBytes(of file: OpenFile) throws(DocumentFileFailure) -> [UInt8] {
    let size = try attempt { () throws(FileSystemError) -> Int? in
      let status = try status(of: file)
      guard status.kind == .regular else { throw FileSystemError("open", because: .wrongKind) }
      guard status.size <= DocumentFile.sizeLimit else {
        throw FileSystemError("read", because: .failed)
      }
      return try holdsDocument(file) ? status.size : nil
    }
    guard let size else { throw .unreadable(DecodeFailure(.badMagic, at: 0)) }
    return try attempt { () throws(FileSystemError) in
      try readAll(file, expecting: size, limit: DocumentFile.sizeLimit)
    }
  }

  /// All bytes of a file that may be a document, for who reads it without its lock: as soon as nobody is
  /// just writing a commit.
  ///
  /// - Throws: ``DocumentFileFailure``: `unreadable` if it is no document.
  func settledDocumentBytes(of file: OpenFile) throws(DocumentFileFailure) -> [UInt8] {
    try settled(file) { () throws(DocumentFileFailure) in try documentBytes(of: file) }
  }

  /// The bytes of a file, read again while they end within a commit that somebody is writing.
  ///
  /// What a stopped program has left of one stays as it is, and is read again at most a few times.
  func settled<Failure: Error>(
    _ file: OpenFile, _ read: () throws(Failure) -> [UInt8]
  ) throws(Failure) -> [UInt8] {
    var bytes = try read()
    for _ in 0..<10 {
      guard CommitScan.isCut(bytes), isBeingWritten(file, since: bytes.count) else { break }
      bytes = try read()
    }
    return bytes
  }

  /// Whether somebody is writing a file, or has written since it had a size; waits a little to see that.
  private func isBeingWritten(_ file: OpenFile, since size: Int) -> Bool {
    let isLocked: Bool
    do {
      try lock(file)
      unlock(file)
      isLocked = false
    } catch {
      isLocked = error.reason == .locked
      pause(milliseconds: 20)
    }
    return isLocked || (try? status(of: file).size) != size
  }

  /// Whether a file begins as a document or a sealed block does, or holds the head of a commit.
  private func holdsDocument(_ file: OpenFile) throws(FileSystemError) -> Bool {
    var start = try read(file, at: 0, count: DocumentFile.readSize)
    if SealedBlock.isSealedBlock(start) || DocumentExamination.isDocument(start) { return true }
    var offset = 0
    // A head may stand across two parts.
    while start.count >= CommitFrame.headSize {
      if CommitHead.firstOffset(in: start, from: 0) != nil { return true }
      offset += start.count - (CommitFrame.headSize - 1)
      start = try read(file, at: offset, count: DocumentFile.readSize)
    }
    return false
  }

  /// Whether a file is a document or what is left of one; one that cannot be read may be.
  ///
  /// - Complexity: O(the bytes of the file), unless it starts as a document does
  package func mayBeDocument(at path: String) -> Bool {
    guard let status = try? status(at: path), status.kind == .regular else { return false }
    guard let file = try? open(path, mode: .reading) else { return true }
    defer { close(file) }
    return (try? holdsDocument(file)) ?? true
  }

  /// Fails if no file can be made where nothing is: makes one, and takes it away.
  func checkMayCreate(_ path: String) throws(FileSystemError) {
    close(try open(path, mode: .creatingPrivately))
    try unlink(path)
  }

  /// Whether a file is one of a document's, so that it may be replaced or taken away.
  ///
  /// - Complexity: O(1), unless the header is damaged
  func isFile(at path: String, of document: ListID) -> Bool {
    guard let file = try? open(path, mode: .reading) else { return false }
    defer { close(file) }
    guard (try? status(of: file))?.kind == .regular,
      let start = try? read(file, at: 0, count: DocumentHeader.size)
    else { return false }
    if let header = try? DocumentHeader(start) { return header.document == document }
    guard let bytes = try? documentBytes(of: file),
      let examination = try? DocumentExamination(bytes)
    else { return false }
    return examination.list.id == document
  }
}

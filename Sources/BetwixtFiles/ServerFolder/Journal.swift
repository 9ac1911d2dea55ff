import Betwixt
import BetwixtSync

/// What was stored last, of many documents, in one file: one sync to the drive serves them all.
///
/// It is a header and frames as those of a document's commits: each is whole or does not count, and
/// proves its place. It is locked as long as it is open, also for who has made a lock of another name:
/// whoever opens the folder puts another one in its place.
struct Journal: Sendable {
  private let fileSystem: any FileSystem
  let path: String
  private let log: LogID
  private let handle: OpenFile
  private var ordinal: UInt32 = 0
  /// The bytes of the file.
  private(set) var size: Int
  /// After a failure that leaves it open what is on the drive.
  private(set) var isEnded = false

  /// The most bytes that the file may come to have: those that ``content(of:in:)`` reads.
  let limit: Int

  static let recordLimit = 1 << 30
  static let sizeLimit = 2 << 30

  /// Makes one in place of what has that name, with some records already in it.
  init(
    at path: String, in fileSystem: any FileSystem, limit: Int = sizeLimit,
    holding records: [[UInt8]] = [], _ random: () -> UInt64
  ) throws(FileSystemError) {
    self.limit = limit
    self.fileSystem = fileSystem
    self.path = path
    log = LogID(rawValue: random())
    var bytes = JournalHeader(log: log).bytes
    for record in records {
      bytes += CommitFrame.encode(record, ordinal: ordinal, in: log)
      ordinal += 1
    }
    let temporary = "\(path).tmp-\(Hex.encode(random()))"
    let handle = try fileSystem.creating(temporary, holding: bytes, like: path)
    do {
      try fileSystem.lockContentIfPossible(handle)
      try fileSystem.rename(temporary, to: path)
    } catch {
      fileSystem.close(handle)
      try? fileSystem.unlink(temporary)
      throw error
    }
    do {
      try fileSystem.syncDirectory(Path.directory(of: path))
    } catch {
      fileSystem.close(handle)
      throw error
    }
    self.handle = handle
    size = bytes.count
  }

  /// Brings one record to the drive: the whole of it, or an error; `surprise` if that is not where the
  /// next opening looks.
  mutating func append(_ payload: [UInt8]) throws(DocumentFileFailure) {
    guard !isEnded else { throw .ended }
    guard ordinal < .max, payload.count < Journal.recordLimit,
      payload.count <= limit - size - CommitFrame.overhead
    else { throw .tooLarge }
    let frame = CommitFrame.encode(payload, ordinal: ordinal, in: log)
    do {
      try fileSystem.appendAll(handle, bytes: frame)
    } catch {
      // What was written of it must not stand before the next one.
      do { try fileSystem.truncate(handle, to: size) } catch { isEnded = true }
      throw .fileSystem(error)
    }
    do {
      try fileSystem.sync(handle)
    } catch {
      // Who asks again after a failed sync may be told that all is well, and it is not.
      isEnded = true
      throw .fileSystem(error)
    }
    try checkPlace(upTo: size + frame.count)
    size += frame.count
    ordinal += 1
  }

  /// Makes sure that it ends where its last record does, and still has its name: who restores a copy
  /// of the folder takes that away, and so does another process that no lock kept out.
  private mutating func checkPlace(upTo end: Int) throws(DocumentFileFailure) {
    let (mine, there): (FileStatus, FileStatus?)
    do throws(FileSystemError) {
      (mine, there) = (try fileSystem.status(of: handle), try fileSystem.status(at: path))
    } catch {
      isEnded = true
      throw .fileSystem(error)
    }
    guard let there, mine.isSameFile(as: there), mine.size == end else {
      isEnded = true
      throw .surprise
    }
  }

  func close() { fileSystem.close(handle) }
}

// MARK: - Reading

extension Journal {
  /// What a journal holds.
  struct Content {
    var records: [[UInt8]] = []
    /// How many bytes were read.
    var byteCount = 0
    /// Whether more may be missing than a record that was about to be written.
    var isDamaged = false
  }

  /// Reads what a process left, which may have been killed at any time; `nil` if there is none.
  ///
  /// - Complexity: O(*b*) for *b* bytes
  static func content(
    of path: String, in fileSystem: any FileSystem
  ) throws(DocumentFileFailure) -> Content? {
    let file: OpenFile
    do {
      file = try fileSystem.open(path, mode: .reading)
    } catch {
      guard error.reason == .notFound else { throw .fileSystem(error) }
      return nil
    }
    defer { fileSystem.close(file) }
    return try content(of: file, in: fileSystem)
  }

  /// The same, of an open file.
  static func content(
    of file: OpenFile, in fileSystem: any FileSystem
  ) throws(DocumentFileFailure) -> Content {
    let bytes = try attempt { () throws(FileSystemError) in
      try fileSystem.contents(of: file, limit: sizeLimit)
    }
    var log: LogID?
    do throws(DecodeFailure) {
      log = try JournalHeader(bytes).log
    } catch {
      if error.code == .needsUpgrade { throw .needsUpgrade(error) }
    }
    let scan = CommitScan(bytes, of: log)
    var content = Content(byteCount: bytes.count)
    // As in a document, all but what a write leaves that was cut may have been acknowledged.
    content.isDamaged = log.map { !scan.isTorn(bytes, of: $0) } ?? true
    for frame in scan.commits + scan.islands where log == nil || frame.log == log {
      content.records.append(Array(bytes[frame.payload]))
    }
    return content
  }
}

/// The first bytes of a journal, as many as a document's.
///
/// ```
/// magic 8 · version 2 · flags 2 · log 8 · zero 40 · CRC32C 4
/// ```
struct JournalHeader {
  static let size = DocumentHeader.size
  private static let magic: [UInt8] = [0x89, 0x42, 0x54, 0x4a, 0x0d, 0x0a, 0x1a, 0x0a]
  private static let version: UInt16 = 1

  let log: LogID

  init(log: LogID) { self.log = log }

  init(_ bytes: [UInt8]) throws(DecodeFailure) {
    var reader = Reader(bytes, in: 0..<min(bytes.count, JournalHeader.size))
    try reader.expect(JournalHeader.magic, because: .badMagic)
    let version = try reader.uint16()
    let flags = try reader.uint16()
    log = LogID(rawValue: try reader.uint64())
    _ = try reader.take(40)
    guard try reader.uint32() == CRC32C.checksum(bytes[..<(JournalHeader.size - 4)]) else {
      throw reader.failure(.badChecksum, at: JournalHeader.size - 4)
    }
    guard version <= JournalHeader.version, flags == 0 else {
      throw reader.failure(.newerVersion, at: 8)
    }
  }

  var bytes: [UInt8] {
    var bytes = JournalHeader.magic
    bytes.appendBigEndian(JournalHeader.version)
    bytes.appendBigEndian(UInt16(0))
    bytes += log.bytes
    bytes += [UInt8](repeating: 0, count: 40)
    bytes.appendBigEndian(CRC32C.checksum(bytes[...]))
    return bytes
  }
}

public import Betwixt

/// What a document file or a sealed block holds, and what is wrong with it; nothing is changed.
///
///     let examination = try DocumentExamination(of: "trip.trip")
///     print(examination.isSound, examination.problems)
///     let rescued = examination.list
public struct DocumentExamination: Sendable {
  /// What kind of file it is.
  public enum Container: Hashable, Sendable {
    /// A snapshot and commits.
    case document(generation: UInt64)

    /// One sealed block.
    case sealedBlock
  }

  /// One whole commit.
  public struct Commit: Hashable, Sendable {
    /// Its number, from 0, the snapshot.
    public let ordinal: UInt32

    /// The first of its bytes.
    public let offset: Int

    /// How many bytes it has.
    public let byteCount: Int
  }

  /// What kind of file it is.
  public let container: Container

  /// All that can be recovered of the list.
  public let list: ReplicatedList

  /// The commits that follow each other without a gap.
  public let commits: [Commit]

  /// Whole commits behind damaged bytes.
  public let salvaged: [Commit]

  /// What is wrong, as opening the file would report it.
  public let problems: [RecoveryReport.Finding]

  /// How many bytes the file has.
  public let byteCount: Int

  /// Whether nothing is wrong.
  public var isSound: Bool { problems.isEmpty }

  /// Whether bytes start as those of a document file do; a sealed block starts otherwise.
  public static func isDocument(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: DocumentHeader.magic)
  }

  /// Examines a file.
  ///
  /// - Parameters:
  ///   - path: Where it is.
  ///   - fileSystem: Where its file system is.
  /// - Throws: ``DocumentFileFailure`` if nothing of it can be read.
  /// - Complexity: O(*b* log *b*) for *b* bytes
  public init(
    of path: String, in fileSystem: any FileSystem = PosixFileSystem()
  ) throws(DocumentFileFailure) {
    let bytes: [UInt8]
    do {
      bytes = try fileSystem.contents(of: path, limit: DocumentFile.sizeLimit)
    } catch {
      throw error.reason == .notFound ? .notFound : .fileSystem(error)
    }
    do {
      try self.init(bytes)
    } catch {
      throw error.code == .needsUpgrade ? .needsUpgrade(error) : .unreadable(error)
    }
  }

  /// Examines the bytes of a file.
  ///
  /// - Parameter bytes: All of them.
  /// - Throws: ``DecodeFailure`` if nothing of it can be read.
  /// - Complexity: O(*b* log *b*) for *b* bytes
  public init(_ bytes: [UInt8]) throws(DecodeFailure) {
    byteCount = bytes.count
    if SealedBlock.isSealedBlock(bytes) {
      container = .sealedBlock
      list = try SealedBlock.decode(bytes)
      commits = []
      salvaged = []
      problems = []
      return
    }
    let content = try DocumentContent(bytes)
    container = .document(generation: content.header.generation)
    list = content.list
    commits = content.scan.commits.map(Commit.init)
    salvaged = content.scan.islands.map(Commit.init)
    problems = DocumentExamination.problems(content)
  }

  private static func problems(_ content: DocumentContent) -> [RecoveryReport.Finding] {
    var problems: [RecoveryReport.Finding] = []
    switch content.tail {
    case .clean:
      if !content.hasSnapshot {
        problems.append(.damage(at: DocumentHeader.size, salvagedCommits: 0, lostBytes: 0))
      }
    case .torn(let bytes):
      problems.append(.tornTail(bytes: bytes))
    case .damaged(let place, let salvaged, let lost):
      problems.append(.damage(at: place, salvagedCommits: salvaged, lostBytes: lost))
    }
    if let failure = content.needsUpgrade { problems.append(.needsUpgrade(failure)) }
    return problems
  }

  /// Writes what can be recovered into a new document file.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet.
  ///   - settings: How to make it.
  /// - Throws: ``DocumentFileFailure``
  /// - Complexity: O(*n*) for *n* entries
  public func salvage(
    to path: String, _ settings: DocumentFile.Settings
  ) throws(DocumentFileFailure) {
    try DocumentFile.create(path, list, settings).close()
  }
}

extension DocumentExamination.Commit {
  fileprivate init(_ frame: CommitFrame) {
    byteCount = frame.payload.count + CommitFrame.overhead
    offset = frame.end - byteCount
    ordinal = frame.ordinal
  }
}

extension RecoveryReport.Finding: CustomStringConvertible {
  /// One line for people.
  public var description: String {
    switch self {
    case .tornTail(let bytes):
      "the last \(bytes) bytes never were a whole commit"
    case .damage(let place, let salvaged, let lost):
      "damaged at offset \(place): \(lost) bytes lost, \(salvaged) commits behind them are whole"
    case .usedPrevious(let reason):
      "the generation before was read" + (reason.map { ": \($0)" } ?? "")
    case .kept(let path):
      "the damaged file was kept as \(path)"
    case .needsUpgrade(let failure):
      "a newer version is needed: \(failure)"
    }
  }
}

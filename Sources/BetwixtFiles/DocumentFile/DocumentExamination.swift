public import Betwixt
public import BetwixtSync

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

  /// All that can be recovered of the list, what the generation before has included.
  public let list: ReplicatedList

  /// The commits that follow each other without a gap.
  public let commits: [Commit]

  /// Whole commits behind damaged bytes.
  public let salvaged: [Commit]

  /// What is wrong, as opening the file would report it.
  public private(set) var problems: [RecoveryReport.Finding]

  /// How many bytes the file has.
  public let byteCount: Int

  /// What is wrong with the file itself, without what is remembered of earlier damage and of copies
  /// that were put back.
  public var damage: [RecoveryReport.Finding] {
    problems.filter {
      switch $0 {
      case .keptEarlier, .branch: false
      default: true
      }
    }
  }

  /// Whether nothing is wrong.
  public var isSound: Bool { problems.isEmpty }

  /// How many of a file's first bytes ``isDocument(_:)`` looks at.
  public static let startByteCount = DocumentHeader.size + CommitFrame.headSize

  /// Whether bytes start as those of a document file do, whose header may be damaged; a sealed block
  /// starts otherwise.
  ///
  /// - Complexity: O(1)
  public static func isDocument(_ bytes: [UInt8]) -> Bool {
    if bytes.starts(with: DocumentHeader.magic) { return true }
    return CommitHead(bytes, at: DocumentHeader.size)?.ordinal == 0
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
      let file = try attempt { () throws(FileSystemError) in
        try fileSystem.open(path, mode: .reading)
      }
      defer { fileSystem.close(file) }
      bytes = try fileSystem.settledDocumentBytes(of: file)
    } catch {
      guard case .fileSystem(let cause) = error, cause.reason == .notFound else { throw error }
      throw .notFound
    }
    do {
      try self.init(bytes) { document in
        PreviousGeneration(beside: path, of: document, in: fileSystem)
      }
    } catch {
      throw error.code == .needsUpgrade ? .needsUpgrade(error) : .unreadable(error)
    }
    problems += KeptCopies(of: path, because: .damaged, in: fileSystem).paths
      .filter { fileSystem.isFile(at: $0, of: list.id) }
      .map { .keptEarlier(path: $0) }
    problems += KeptCopies(of: path, because: .branch, in: fileSystem).paths
      .filter { other in
        PreviousGeneration(at: other, of: list.id, in: fileSystem).map { !$0.isHeld(by: list) }
          ?? false
      }
      .map { .branch(path: $0) }
  }

  /// Examines the generation before of a file of which nothing can be read any more.
  ///
  /// Of which document the file was nothing says, so no program takes that for it by itself; somebody
  /// who asks what can be saved gets it. There is none if nothing stands beside the file, or more than one
  /// that are not of the same document.
  ///
  /// - Parameters:
  ///   - path: Where the file is.
  ///   - fileSystem: Where its file system is.
  public init?(generationBefore path: String, in fileSystem: any FileSystem = PosixFileSystem()) {
    guard let status = try? fileSystem.status(at: path),
      let previous = PreviousGeneration(besideWhatIsGone: path, in: fileSystem)
    else { return nil }
    container = previous.generation.map { .document(generation: $0) } ?? .sealedBlock
    (list, commits, salvaged, byteCount) = (previous.list, [], [], status.size)
    problems = [.usedPrevious, .missingCommits(first: 0, last: nil)]
  }

  /// Examines the bytes of a file.
  ///
  /// - Parameter bytes: All of them.
  /// - Throws: `DecodeFailure` if nothing of it can be read.
  /// - Complexity: O(*b* log *b*) for *b* bytes
  public init(_ bytes: [UInt8]) throws(DecodeFailure) {
    try self.init(bytes) { _ in nil }
  }

  private init(
    _ bytes: [UInt8], previous: (ListID) -> PreviousGeneration?
  ) throws(DecodeFailure) {
    byteCount = bytes.count
    if SealedBlock.isSealedBlock(bytes) {
      container = .sealedBlock
      list = try SealedBlock.decode(bytes)
      commits = []
      salvaged = []
      problems = []
      return
    }
    var content = try DocumentContent(bytes)
    problems =
      content.isSound ? [] : content.recover(with: previous(content.header.document))
    if let failure = content.needsUpgrade { problems.append(.needsUpgrade(failure)) }
    container = .document(generation: content.header.generation)
    list = content.list
    commits = content.scan.commits.map(Commit.init)
    salvaged = content.scan.islands.map(Commit.init)
  }

  /// Writes what can be recovered into a new document file.
  ///
  /// - Parameters:
  ///   - path: Where nothing is yet.
  ///   - settings: How to make it.
  ///   - other: The path of the file that was examined: whoever may read that may read this.
  /// - Throws: ``DocumentFileFailure``
  /// - Complexity: O(*n*) for *n* entries
  public func salvage(
    to path: String, settings: DocumentFile.Settings, like other: String? = nil
  ) throws(DocumentFileFailure) {
    try DocumentFile.create(at: path, holding: list, settings: settings, like: other).close()
  }
}

extension DocumentExamination.Commit {
  fileprivate init(_ frame: CommitFrame) {
    byteCount = frame.payload.count + CommitFrame.overhead
    offset = frame.end - byteCount
    ordinal = frame.ordinal
  }
}

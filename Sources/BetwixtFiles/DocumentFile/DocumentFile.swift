public import Betwixt
package import BetwixtSync

/// A list in one file: a snapshot and the commits behind it.
///
///     var file = try DocumentFile.open(at: "trip.trip", settings: .init(random: { generator.next() }))
///     var list = file.list
///     try list.append(["title": "Lunch"], by: &me)
///     try file.commit(list)     // returns when it is on the drive
///
/// # Promises
/// Whatever kills the process or cuts the power, opening the file again gives the list of exactly
/// the commits that returned, plus perhaps one that was about to. Damaged bytes are detected,
/// wherever they are; every whole commit of the file and of the generation before is recovered,
/// ``report`` names the commits that are missing, and the damaged file is kept. Whenever an error is
/// thrown, ``list`` is that of the last commit.
///
/// # Two programs
/// A file opened for writing is locked until it is closed; others may read. Programs that live
/// beside each other open it with ``Access/shared`` and lock it only for the time of a commit. Where
/// a lock does not reach, a commit notices another writer by what it finds at its place in the file,
/// takes itself back, and fails with ``DocumentFileFailure/surprise``: open the file again.
///
/// # Where not to put it
/// Not into a folder that a tool copies between devices: that is what ``SharedFolder`` is for.
public struct DocumentFile: ~Copyable, Sendable {
  /// What a file is opened for.
  public enum Access: Hashable, Sendable {
    /// For writing; nobody else may write until it is closed.
    case exclusive

    /// For writing beside others; each commit first reads what they wrote.
    case shared

    /// For reading; nothing is repaired.
    case readOnly
  }

  /// When a commit returns.
  public enum SyncLevel: Hashable, Sendable {
    /// When it is on the drive.
    case full

    /// When it is sure to come before the next one, and neither torn.
    case ordered

    /// When the operating system has it.
    case none
  }

  /// How a file is opened.
  public struct Settings: Sendable {
    /// Where the files are.
    public var fileSystem: any FileSystem {
      get { drive.value }
      set { drive = Indirect(newValue) }
    }

    private var drive = Indirect<any FileSystem>(PosixFileSystem())

    /// What the file is opened for.
    public var access = Access.exclusive

    /// When a commit returns.
    public var syncLevel = SyncLevel.full

    /// How long to wait for another's lock.
    public var lockWaitMilliseconds = 0

    /// Whether the folder is searched, when the file is opened, for what a crash left of others that
    /// were about to replace it.
    var looksForLeftovers = true

    /// Where decoded snapshots are found again.
    package var snapshots: SnapshotCache?

    /// Random bits, for the names of generations and of temporary files.
    public var random: @Sendable () -> UInt64

    /// Makes settings: exclusive access, full sync, no waiting.
    ///
    /// - Parameter random: Random bits, different in every run of a program.
    public init(random: @escaping @Sendable () -> UInt64) { self.random = random }
  }

  /// What a handle can still do.
  enum State: Hashable {
    case ready
    case readOnly
    /// The file is a sealed block; the first commit makes a document of it.
    case sealed
    case ended
  }

  /// Where the file is.
  public let path: String

  /// The list as of the last commit.
  public internal(set) var list: ReplicatedList

  /// What opening the file found.
  public internal(set) var report = RecoveryReport()

  /// Who writes here; `nil` until ``identify(in:evidence:random:)`` was called.
  ///
  /// It may change whenever the file is read anew.
  public var identity: Identity?

  var settings: Settings
  var state = State.ready
  var handle: OpenFile?
  var lockFile: OpenFile?

  var header: DocumentHeader
  var size = 0
  var snapshotSize = 0
  var nextOrdinal = 0
  // The last bytes of each commit of this generation, by ordinal.
  var checksums: [UInt32] = []
  // Those of a sealed list, which has no commits.
  var sealedTail: UInt32?

  /// How often something was put in the place of the file that held less than this handle had read of
  /// it.
  package internal(set) var goneBackCount = 0

  // By how many of the findings it was found out who writes.
  var judgedFindingCount = 0

  // How often the file was read again: so often the list may have become another one.
  var readCount = 0
  // What was known of the file when it was to be read again, until that was done.
  var unsettled: KnownContent?
  // Whether the lock is kept from one operation to the next.
  var isHeld = false

  // Whether what was read may be in the memory of the operating system only: a program that wrote it
  // may have ended before it was on the drive.
  var isDoubtful = false
  // The next compaction is due when the file is larger.
  var compactionSize = 0
  // Whether one was due that only the owner of the file may make, and nobody was told.
  var awaitsOwner = false

  var fileSystem: any FileSystem { settings.fileSystem }

  init(_ path: String, settings: Settings, document: ListID) {
    self.path = path
    self.settings = settings
    list = ReplicatedList(id: document)
    header = DocumentHeader(
      document: document, log: LogID(rawValue: 0), generation: 0)
  }

  deinit {
    if let handle { settings.fileSystem.close(handle) }
    if let lockFile { settings.fileSystem.close(lockFile) }
  }

  /// Ends the use of the file and frees its lock.
  ///
  /// Going out of scope does the same.
  public consuming func close() {}

  /// Whether nothing can be committed through this handle.
  public var isReadOnly: Bool { state == .readOnly }

  /// The bytes of the file.
  public var byteCount: Int { size }
}

// MARK: - Names beside the file

extension DocumentFile {
  static func lockPath(of path: String) -> String { path + ".lock" }
  static func temporaryPrefix(of path: String) -> String { path + ".tmp-" }
  var temporaryPrefix: String { DocumentFile.temporaryPrefix(of: path) }

  func temporaryPath() -> String { temporaryPrefix + Hex.encode(settings.random()) }
}

// MARK: - Failures

/// Runs operations of a file system and throws their failures as those of a document file.
func attempt<Result>(
  _ body: () throws(FileSystemError) -> Result
) throws(DocumentFileFailure) -> Result {
  do {
    return try body()
  } catch {
    throw switch error.reason {
    case .locked: .locked
    default: .fileSystem(error)
    }
  }
}

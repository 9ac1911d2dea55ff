public import Betwixt
public import BetwixtSync

/// A list in a folder that some other tool copies between devices, whenever and however it likes.
///
///     var folder = SharedFolder("Sync", list: list.id, replica: identity.replica, settings: settings)
///     let reading = try folder.read(into: &list, now: now)
///     // commit the list, then:
///     try folder.write(list)
///
/// Each replica makes files in a directory of its own, changes none of them ever, and touches
/// nobody else's. What a file says counts, not its name or place: conflict copies are the same file
/// again, half a file is one that is not here yet. There are no locks and no order.
///
/// Own writes leave the device with ``write(_:admission:)``: commit them before.
public struct SharedFolder: Sendable {
  /// How a folder is used.
  public struct Settings: Sendable {
    /// Where the folder is.
    public var fileSystem: any FileSystem = PosixFileSystem()

    /// How large a segment gets before another one is begun: 64 KiB to 64 MiB.
    ///
    /// Tools that copy files start again with a whole file after each interruption.
    public var segmentByteCount = 1 << 20

    /// Random bits, for the names of temporary files.
    public var random: @Sendable () -> UInt64

    /// Makes settings: segments of 1 MiB.
    public init(random: @escaping @Sendable () -> UInt64) { self.random = random }
  }

  /// What reading the folder found.
  public struct Reading: Hashable, Sendable {
    /// How many files were read that were not known.
    public internal(set) var newFiles = 0

    /// Files that are not whole yet, rising.
    public internal(set) var pending: [String] = []

    /// Those of them that have not grown for ten minutes.
    public internal(set) var stalled: [String] = []

    /// Files with writes that were not let in, each with the first of them; they are looked at
    /// again the next time.
    public internal(set) var withheld: [Withheld] = []

    /// Files that a newer version wrote.
    public internal(set) var needsUpgrade: [String] = []

    /// Concurrent writes of one register, of which one lost when the files were joined, in order.
    public internal(set) var conflicts: [Conflict] = []

    /// Items that are removed, with edits that whoever removed them had not seen, in order.
    public internal(set) var removalConflicts: [RemovalConflict] = []

    /// What the files in the own directory show about the own id.
    public internal(set) var evidence: IdentityEvidence?
  }

  /// A file that waits because of what it holds.
  public struct Withheld: Hashable, Sendable {
    /// Where it is.
    public let path: String

    /// The first write that was not let in.
    public let write: WithheldWrite

    /// How many there are.
    public let count: Int
  }

  /// A file that did not verify, since when it has its size, and when to look again.
  private struct Pending {
    var size: Int
    var since: Int64
    var pause: Int64
    var retry: Int64

    init(_ size: Int, after earlier: Pending?, now: Int64) {
      self.size = size
      let same = earlier.flatMap { $0.size == size ? $0 : nil }
      since = same?.since ?? now
      pause = same.map { min($0.pause * 2, SharedFolder.longestPause) } ?? SharedFolder.firstPause
      retry = now + pause
    }
  }

  /// Which list.
  public let list: ListID

  /// Whose directory this writes into.
  public let replica: ReplicaID

  /// The newest own file.
  ///
  /// Keep it beside the identity and give it back when opening this folder or another one: the numbers
  /// of a writer's files are one sequence for all folders that it writes to.
  public internal(set) var ownHead: FolderHeads.Head?

  /// What the last ``write(_:admission:)`` left out, because nobody would have let it in yet: rising by
  /// item and register.
  public internal(set) var heldBack: [WithheldWrite] = []

  let settings: Settings
  let directory: String
  var index: FolderIndex
  // By path: what was read needs no second look, for files never change; another file under the
  // same name does.
  var known: [PathKey: FolderFile] = [:]
  private var pending: [PathKey: Pending] = [:]
  // Files that are not whole, of a newer version, or with writes that were not let in.
  var unread: Set<PathKey> = []
  // Own writes that were made again, and in whose directories some of them were found.
  var mended = MendedWrites()
  var spoiled: Set<ReplicaID> = []

  static let fileLimit = 64 << 20
  static let stallMilliseconds: Int64 = 600_000
  private static let firstPause: Int64 = 1_000
  private static let longestPause: Int64 = 60_000

  /// Opens a shared folder; nothing is read or made yet.
  ///
  /// - Parameters:
  ///   - root: The folder that is copied.
  ///   - list: Which list.
  ///   - replica: Who writes.
  ///   - ownHead: The newest file that this replica wrote, as kept; `nil` if it wrote none.
  ///   - settings: How to use it.
  public init(
    _ root: String, list: ListID, replica: ReplicaID, ownHead: FolderHeads.Head? = nil,
    settings: Settings
  ) {
    self.list = list
    self.replica = replica
    self.ownHead = ownHead
    self.settings = settings
    directory = Path.joining(Path.joining(root, "betwixt-1"), list.description)
    index = FolderIndex(list: list)
  }

  /// Joins all that has arrived in the folder.
  ///
  /// - Parameters:
  ///   - list: The list to join it to.
  ///   - now: Milliseconds of any clock, for telling files that never become whole.
  ///   - admission: What is let in. A file with a write that is not waits as a whole. Of replicas of
  ///     which nothing is known each file may name a number, and what else it claims is left.
  /// - Returns: What was found. If it holds evidence, take a new id and open the folder with that.
  /// - Throws: ``SharedFolderFailure``
  /// - Complexity: O(the bytes of files that were not known)
  @discardableResult
  public mutating func read(
    into list: inout ReplicatedList, now: Int64,
    admission: AdmissionPolicy = AdmissionPolicy(now: nil)
  ) throws(SharedFolderFailure) -> Reading {
    precondition(list.id == self.list, "a folder is read for one list")
    var reading = Reading()
    let files = try files()
    let before = known
    let held = list
    try read(
      files, into: &list, reading: &reading, now: now, admission: admission, holding: held)
    if hasLost(before, files: files) {
      // What a file held that is gone may be in no other one: only what is there counts.
      index = FolderIndex(list: self.list)
      known = [:]
      var again = Reading()
      try read(
        files, into: &list, reading: &again, now: now, admission: admission, holding: held)
      again.newFiles = reading.newFiles
      // A write that lost is not in the list, and loses once more.
      again.conflicts = reading.conflicts.joined(with: again.conflicts)
      again.removalConflicts = reading.removalConflicts.joined(with: again.removalConflicts)
      reading = again
    }
    reading.pending = pending.keys.map(\.path).sorted { $0.precedesInBytes($1) }
    reading.stalled = reading.pending.filter { path in
      pending[PathKey(path)].map { now - $0.since >= SharedFolder.stallMilliseconds } ?? false
    }
    let unread = reading.pending + reading.needsUpgrade + reading.withheld.map(\.path)
    self.unread = Set(unread.map { PathKey($0) })
    join(index.settle(), to: &list)
    reading.evidence = ownEvidence()
    return reading
  }

  /// Joins those of the files that were not read before; what is void of them, the document tells.
  private mutating func read(
    _ files: [(path: String, status: FileStatus)], into list: inout ReplicatedList,
    reading: inout Reading, now: Int64, admission: AdmissionPolicy, holding held: ReplicatedList
  ) throws(SharedFolderFailure) {
    let mended = mended.known(to: held)
    for (file, content) in try arrivals(among: files, reading: &reading, now: now) {
      let isFormer = file.heads.directory != replica && mended.names(file.heads.directory)
      let delta = mended.rest(of: content, isOwn: isFormer, holding: held)
      if delta.count < content.count { spoiled.insert(file.heads.directory) }
      let admitted = admission.admit(delta, to: list)
      let withheld = admitted.withheld
      if let write = withheld.first {
        reading.withheld.append(Withheld(path: file.path, write: write, count: withheld.count))
        continue
      }
      known[PathKey(file.path)] = file
      let taken = admitted.delta
      index.add(file, holding: taken)
      let changes = list.join(taken.withoutRanges)
      reading.conflicts += changes.conflicts
      reading.removalConflicts += changes.removalConflicts
      reading.newFiles += 1
    }
    reading.withheld.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  /// The folder as it would be with the files of some writers alone, and what these hold.
  ///
  /// Nothing is in it that was not read before, so all of it was let in, by whichever clock and beside
  /// whatever was there.
  func reread(
    of isWanted: (ReplicaID) -> Bool, holding held: ReplicatedList
  ) throws(SharedFolderFailure) -> (SharedFolder, ReplicatedList) {
    let files = try files().filter { file in
      guard let known = known[PathKey(file.path)], isWanted(known.heads.directory) else {
        return false
      }
      return known.inode == file.status.inode && known.size == file.status.size
    }
    var rest = self
    (rest.index, rest.known) = (FolderIndex(list: list), [:])
    var (scratch, reading) = (ReplicatedList(id: list), Reading())
    var admission = AdmissionPolicy(now: nil)
    admission.newReplicaCount = .max
    admission.incompleteItemCount = .max
    admission.lifeSlack = .max
    try rest.read(
      files, into: &scratch, reading: &reading, now: 0, admission: admission, holding: held)
    rest.pending = pending
    _ = rest.index.settle()
    return (rest, scratch)
  }

  /// Those of the files that were not read before and are whole, as their writers had read each other's.
  private mutating func arrivals(
    among files: [(path: String, status: FileStatus)], reading: inout Reading, now: Int64
  ) throws(SharedFolderFailure) -> [FolderArrivals.Arrival] {
    var arrivals = FolderArrivals()
    var stillPending: [PathKey: Pending] = [:]
    var newer = Set(reading.needsUpgrade.map { PathKey($0) })
    for (path, status) in files {
      let (size, key) = (status.size, PathKey(path))
      if let known = known[key], known.inode == status.inode, known.size == size { continue }
      // What has not grown is not read each time again.
      if let waiting = pending[key], waiting.size == size, now < waiting.retry {
        stillPending[key] = waiting
        continue
      }
      switch try file(path, status: status) {
      case .whole(let file, let delta): arrivals.add(file, holding: delta)
      case .newer:
        if newer.insert(key).inserted { reading.needsUpgrade.append(path) }
      case .partial:
        stillPending[key] = Pending(size, after: pending[key], now: now)
      case .foreign:
        break
      }
    }
    pending = stillPending
    return arrivals.inOrder()
  }

  /// Whether a file that was read before is gone, or another one, and no snapshot has replaced it.
  private func hasLost(
    _ before: [PathKey: FolderFile], files: [(path: String, status: FileStatus)]
  ) -> Bool {
    let present = Dictionary(
      files.map { (PathKey($0.path), $0.status.inode) }, uniquingKeysWith: { first, _ in first })
    let lost = before.values.filter { present[PathKey($0.path)] != $0.inode }
    return lost.contains { file in
      !known.values.contains {
        $0.isSnapshot && $0.heads.directory == file.heads.directory
          && $0.heads.ordinal > file.heads.ordinal && present[PathKey($0.path)] != nil
      }
    }
  }

  private func join(_ ranges: [CoveredRange], to list: inout ReplicatedList) {
    guard !ranges.isEmpty else { return }
    var builder = Delta.Builder()
    for range in ranges {
      builder.cover(range.replica, after: range.after, through: range.through)
    }
    list.merge(builder.build())
  }

  private func ownEvidence() -> IdentityEvidence? {
    if index.newestOrdinal(replica) > ownHead?.ordinal ?? 0 { return .foreignFile }
    guard let ownHead else { return nil }
    let hashes = index.hashes(replica, ordinal: ownHead.ordinal)
    return hashes.allSatisfy { $0 == ownHead.hash } ? nil : .foreignFile
  }
}

extension Array where Element: Hashable {
  /// These elements, and behind them those of the others that are not among them.
  fileprivate func joined(with others: [Element]) -> [Element] {
    let known = Set(self)
    return self + others.filter { !known.contains($0) }
  }
}

/// Why a shared folder could not be used.
///
/// The list has what was joined before.
public enum SharedFolderFailure: Error, Hashable, Sendable {
  /// The folder shows that the own id is in use elsewhere; nothing was written.
  case identity(IdentityEvidence)

  /// The content is larger than a file of a folder may be.
  case tooLarge

  /// A file that was written could not be read back through the folder.
  case notVerified

  /// The file system failed.
  case fileSystem(FileSystemError)
}

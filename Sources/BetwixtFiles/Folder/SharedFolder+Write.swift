public import Betwixt
public import BetwixtSync

extension SharedFolder {
  /// Puts into the folder what the list holds and the files that were read do not.
  ///
  /// The folder is looked at first; what has arrived meanwhile is for the next ``read(into:now:admission:)``.
  /// What is more than a segment holds goes into several. If writing fails, keep ``ownHead`` all
  /// the same: the segments before stay, and the next call goes on behind them.
  ///
  /// - Parameters:
  ///   - list: The list, with all that was read joined.
  ///   - admission: What others let in. What is too far ahead of its clock is not put in before its time
  ///     has come: ``heldBack`` names it. It is in the folder already where a clock was wrong that is
  ///     right now, or the other way round; that stays as it is.
  /// - Returns: The new own head, to be kept, or `nil` if there was nothing to write.
  /// - Throws: ``SharedFolderFailure``; `identity` if the own directory shows another writer.
  /// - Complexity: O(*n* log *n*) for *n* entries
  @discardableResult
  public mutating func write(
    _ list: ReplicatedList, admission: AdmissionPolicy = AdmissionPolicy(now: nil)
  ) throws(SharedFolderFailure) -> FolderHeads.Head? {
    try checkOwnFiles()
    // Compared one by one, because a version may hide what came under a cloned id.
    let missing = list.entries(missingIn: index.covered)
    let early = missing.filter { admission.isEarly($0) }
    heldBack = early.map { WithheldWrite($0, because: .timeAhead) }
    let news = early.isEmpty ? missing : missing.filter { !admission.isEarly($0) }
    let claims = claims(of: list, holdingBack: !early.isEmpty)
    let floor =
      !early.isEmpty || index.covered.floor.covers(list.floor) ? VersionVector() : list.floor
    guard !news.isEmpty || !index.claimed.covers(claims) || !floor.isEmpty else { return nil }
    return try write(news, of: list, claims: claims, floor: floor, admission: admission)
  }

  /// What files may say that the folder holds.
  ///
  /// Whoever holds something back cannot know which numbers it has replaced: only what was believed
  /// before is certain, and the rest is claimed once it is there.
  func claims(of list: ReplicatedList, holdingBack: Bool) -> VersionVector {
    holdingBack ? list.version.intersection(index.believed) : list.version
  }

  /// Puts entries of a list into files of their own.
  ///
  /// - Parameters:
  ///   - entries: Any of its entries, perhaps none.
  ///   - list: The list.
  ///   - claims: What they say that the folder holds with them.
  ///   - floor: What is put in of its floor.
  ///   - admission: What others let in: a file with a write that is not waits as a whole, so such
  ///     writes go into files of their own.
  /// - Returns: The new own head.
  /// - Throws: ``SharedFolderFailure``
  @discardableResult
  mutating func write(
    _ entries: [Entry], of list: ReplicatedList, claims: VersionVector, floor: VersionVector,
    admission: AdmissionPolicy
  ) throws(SharedFolderFailure) -> FolderHeads.Head? {
    let late = entries.filter { admission.objection(to: $0) != nil }
    let news = late.isEmpty ? entries : entries.filter { admission.objection(to: $0) == nil } + late
    removeUnfinished()
    var head: FolderHeads.Head?
    var start = 0
    repeat {
      // The two kinds do not mix.
      let kindEnd = start < news.count - late.count ? news.count - late.count : news.count
      let end = min(endOfSegment(news, start: start), kindEnd)
      // Only the last segment claims: what is in an early one may have been replaced by what is in
      // a later one. A floor goes no further than what is claimed.
      let isLast = end == news.count
      head = try write(
        .segment, entries: Array(news[start..<end]), claims: isLast ? claims : [:],
        knowing: list.version,
        floor: isLast ? floor : [:])
      start = end
    } while start < news.count
    return head
  }

  private func endOfSegment(_ news: [Entry], start: Int) -> Int {
    let limit = min(max(settings.segmentByteCount, 1 << 16), SharedFolder.fileLimit / 2)
    var end = start
    var size = 0
    while end < news.count {
      size += news[end].value.canonicalBytes.count + news[end].register.nameBytes.count + 64
      if end > start, size > limit { break }
      end += 1
    }
    return end
  }

  /// Puts the whole list into the folder, in place of all files that were read.
  ///
  /// - Parameter list: The list, with all that was read joined.
  /// - Returns: The new own head, to be kept.
  /// - Throws: ``SharedFolderFailure``; `identity` if the own directory shows another writer.
  /// - Complexity: O(*n* log *n*) for *n* entries
  @discardableResult
  public mutating func writeSnapshot(
    _ list: ReplicatedList
  ) throws(SharedFolderFailure) -> FolderHeads.Head {
    try checkOwnFiles()
    removeUnfinished()
    let all = list.merging(index.covered)
    return try write(
      .folderSnapshot, entries: all.delta(since: VersionVector()).entries, claims: list.version,
      knowing: list.version, floor: all.floor)
  }

  /// Whether the own segments weigh more than the newest own snapshot, and none of them waits.
  ///
  /// What an own file holds that waits, as the clock was behind when it was read or its content had
  /// not arrived, is in no list: a snapshot would stand for the file and lack it.
  public var isSnapshotDue: Bool {
    guard !unread.contains(where: { Path.directory(of: $0.path) == ownDirectory }) else {
      return false
    }
    let own = known.values.filter { $0.heads.directory == replica }
    let snapshot = own.filter(\.isSnapshot).max { $0.heads.ordinal < $1.heads.ordinal }
    let segments = own.filter { !$0.isSnapshot && $0.heads.ordinal > snapshot?.heads.ordinal ?? 0 }
    let smallest = 65_536
    return segments.reduce(0) { $0 + $1.size } > max(snapshot?.size ?? 0, smallest)
  }

  /// Takes own files away that an own snapshot replaces, once all others have read it.
  ///
  /// - Parameters:
  ///   - now: Milliseconds since 1970: a snapshot that is 30 days old replaces files also for those
  ///     who have not read it; `nil` waits for all.
  ///   - evenUnread: Whether to wait for nobody.
  /// - Returns: How many files were taken away.
  /// - Throws: ``SharedFolderFailure``
  /// - Complexity: O(*f*) for *f* files, and O(the bytes of the snapshot)
  @discardableResult
  public mutating func removeReplaced(
    now: Int64? = nil, evenUnread: Bool = false
  ) throws(SharedFolderFailure) -> Int {
    let others = Set(known.values.map(\.heads.directory)).subtracting([replica])
    let readers = index.readBy[replica] ?? [:]
    let own = known.values.filter { $0.heads.directory == replica }
    let snapshots = own.filter { snapshot in
      snapshot.isSnapshot
        && (evenUnread || others.allSatisfy { readers[$0] ?? 0 >= snapshot.heads.ordinal }
          || isOld(snapshot, now: now))
    }
    guard let snapshot = snapshots.max(by: { $0.heads.ordinal < $1.heads.ordinal }) else {
      return 0
    }
    // Only what can be read through the folder replaces anything.
    try verify(snapshot)
    let replaced = own.filter { $0.heads.ordinal < snapshot.heads.ordinal }
      .filter { Path.directory(of: $0.path) == ownDirectory }
    for file in replaced {
      try reaching { fileSystem throws(FileSystemError) in
        try fileSystem.unlinkIfPresent(file.path)
      }
      known[PathKey(file.path)] = nil
    }
    return replaced.count
  }
}

extension SharedFolder {
  private static let patience: Int64 = 30 * 86_400_000

  /// Whether a file has lain here for 30 days, by its time of birth.
  private func isOld(_ file: FolderFile, now: Int64?) -> Bool {
    guard let now, let status = try? settings.fileSystem.status(at: file.path),
      status.birthTime > 0
    else { return false }
    // The clock may show anything.
    return now >= status.birthTime / 1_000_000 + SharedFolder.patience
  }

  var ownDirectory: String { Path.joining(directory, replica.description) }

  private var temporaryPrefix: String { "betwixt-tmp-\(replica)-" }

  /// Whether a name in the own directory is that of a file whose writing was cut.
  func isUnfinished(_ name: String) -> Bool {
    name.utf8.starts(with: temporaryPrefix.utf8)
  }

  private func removeUnfinished() {
    // They are harmless; if they cannot be removed, writing goes on.
    for name in (try? names(ownDirectory)) ?? [] where isUnfinished(name) {
      try? settings.fileSystem.unlink(Path.joining(ownDirectory, name))
    }
  }

  /// Looks into the own directory for what this replica did not write.
  func checkOwnFiles() throws(SharedFolderFailure) {
    // On a copy: what has just arrived is not in the caller's list and must not count as read.
    var ahead = self
    var unread = ReplicatedList(id: list)
    if let evidence = try ahead.read(into: &unread, now: 0).evidence { throw .identity(evidence) }
  }

  private mutating func write(
    _ kind: Block.Kind, entries: [Entry], claims: VersionVector, knowing seen: VersionVector,
    floor: VersionVector
  ) throws(SharedFolderFailure) -> FolderHeads.Head {
    let (ordinal, overflow) = (ownHead?.ordinal ?? 0).addingReportingOverflow(1)
    guard !overflow else { throw .tooLarge }
    let heads = FolderHeads(
      directory: replica, ordinal: ordinal, heads: Array(index.heads.values))
    let content = try delta(entries, claims: claims, known: seen).forgetting(below: floor)
    let block = Block(kind, of: list, holding: content, heads: heads)
    let bytes: [UInt8]
    do {
      bytes = try SealedBlock.encode(block: block)
    } catch {
      throw .tooLarge
    }
    guard bytes.count <= SharedFolder.fileLimit else { throw .tooLarge }
    let hash = SHA256.hash(bytes)
    let path = Path.joining(ownDirectory, name(kind, ordinal: heads.ordinal, hash: hash))
    let head = FolderHeads.Head(directory: replica, ordinal: heads.ordinal, hash: hash)
    // However writing ends, something may have seen the file: no other one gets its number.
    ownHead = head
    let inode: UInt64
    do throws(SharedFolderFailure) {
      try place(bytes, at: path)
      inode = try status(path)?.inode ?? 0
    } catch {
      try? settings.fileSystem.unlinkIfPresent(path)
      throw error
    }
    let file = FolderFile(
      path: path, size: bytes.count, inode: inode, hash: hash, heads: heads,
      isSnapshot: kind == .folderSnapshot)
    known[PathKey(path)] = file
    index.add(file, holding: block.delta)
    // These are the list's own ranges: it believes them already.
    _ = index.settle()
    return head
  }

  func status(_ path: String) throws(SharedFolderFailure) -> FileStatus? {
    do {
      return try settings.fileSystem.status(at: path)
    } catch {
      throw .fileSystem(error)
    }
  }

  private func delta(
    _ entries: [Entry], claims: VersionVector, known: VersionVector
  ) throws(SharedFolderFailure) -> Delta {
    var builder = Delta.Builder()
    do {
      for entry in entries { try builder.add(entry) }
    } catch {
      throw .tooLarge
    }
    for component in claims {
      builder.cover(component.replica, after: 0, through: component.sequence)
    }
    // Which writes these answer, and which they are concurrent with, is told with each part.
    builder.know(known)
    return builder.build()
  }

  private func name(_ kind: Block.Kind, ordinal: Int64, hash: [UInt8]) -> String {
    let digits = String(ordinal)
    let padding = String(repeating: "0", count: max(0, 8 - digits.utf8.count))
    let suffix = kind == .segment ? "segment" : "snapshot"
    return "\(padding)\(digits)-\(Hex.encode(hash.prefix(8))).\(suffix)"
  }

  /// Writes a file under another name and moves it to its place when it is whole.
  private func place(_ bytes: [UInt8], at path: String) throws(SharedFolderFailure) {
    let name = temporaryPrefix + Hex.encode(settings.random())
    let ownDirectory = ownDirectory
    try reaching { fileSystem throws(FileSystemError) in
      try fileSystem.makeDirectories(ownDirectory, for: .usersOfParent)
      try fileSystem.replace(
        path, with: bytes, temporary: Path.joining(ownDirectory, name), like: ownDirectory)
    }
  }

  private func reaching(
    _ body: (any FileSystem) throws(FileSystemError) -> Void
  ) throws(SharedFolderFailure) {
    do {
      try body(settings.fileSystem)
    } catch {
      throw .fileSystem(error)
    }
  }
}

extension AdmissionPolicy {
  /// Whether a write is one that others let in later.
  func isEarly(_ entry: Entry) -> Bool { objection(to: entry) == .timeAhead }
}

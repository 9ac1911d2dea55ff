import Betwixt
import BetwixtSync

extension DocumentFile {
  /// Writes the file anew with one snapshot in place of all commits, and keeps the old one as
  /// `NAME.previous`.
  ///
  /// Commits do it by themselves when it is worth it.
  ///
  /// - Throws: ``DocumentFileFailure``; nothing is lost.
  /// - Complexity: O(*n*) for *n* entries
  public mutating func compact() throws(DocumentFileFailure) {
    try beginWriting()
    defer { releaseSharedLock() }
    try writeGeneration(keepingOldAs: freePreviousPath())
    if state == .sealed { state = .ready }
  }

  /// Compacts when commits weigh so much that who opens the file would wait for them.
  ///
  /// - Parameter before: How large the file was before the last commit.
  mutating func compactIfDue(since before: Int) {
    guard size > compactionSize else { return }
    do throws(DocumentFileFailure) {
      try writeGeneration(keepingOldAs: freePreviousPath())
    } catch {
      if case .fileSystem(let error) = error, error.reason == .notOwner {
        awaitsOwner = awaitsOwner || hasGrownByHalf(since: before)
      }
      // The commit itself is done. What failed is tried again when the file has grown by half; if
      // it left anything open, the handle has ended.
      compactionSize = size + size / 2
    }
  }

  /// Whether the file has just become half as large again as when a compaction was due, or as it was then:
  /// programs that each make one commit tell of it no more often than one that stays.
  private func hasGrownByHalf(since before: Int) -> Bool {
    var step = compactionSize
    while step < before { step += step / 2 }
    return size > step
  }

  /// Commits may weigh an eighth of the snapshot: each byte of them takes some ten times as long to
  /// read, and is written eight more times in all.
  mutating func settleCompactionSize() {
    compactionSize = snapshotSize + max(snapshotSize / 8, DocumentFile.smallestCompaction)
  }

  private static var smallestCompaction: Int { 65_536 }

  /// Replaces the file by one that holds the list as a snapshot, once that was read back.
  ///
  /// The old file gets the name `kept`; it loses that of the document only when the new one has
  /// it. What had the name `kept` goes only if nothing in it is missing in `old`, what the old file
  /// holds; without it the list says that.
  mutating func writeGeneration(
    keepingOldAs kept: String?, holding old: ReplicatedList? = nil, like model: OpenFile? = nil
  ) throws(DocumentFileFailure) {
    if handle != nil {
      try attempt { () throws(FileSystemError) in try fileSystem.checkMayReplace(path) }
    }
    let next = DocumentHeader(
      document: list.id, log: LogID(rawValue: settings.random()),
      generation: header.generation &+ 1)
    let bytes = try generationBytes(next)
    let temporary = temporaryPath()
    let fresh = try writeVerified(bytes, to: temporary, like: model ?? handle)
    do throws(DocumentFileFailure) {
      if let kept {
        try setAside(kept, unlessHeldBy: old ?? list)
        try keepOld(as: kept)
      }
      try noteEvidence(bytes, under: next, in: fresh)
      try checkNothingCame()
      try giveName(to: temporary)
    } catch {
      fileSystem.close(fresh)
      try? fileSystem.unlink(temporary)
      throw error
    }
    if let handle { fileSystem.close(handle) }
    handle = fresh
    // What was made by edits lies loose until then.
    list.pack()
    header = next
    size = bytes.count
    snapshotSize = bytes.count
    nextOrdinal = 1
    checksums = [UInt32(truncatingIfNeeded: UInt64(bigEndianBytes: bytes.suffix(4)))]
    settleCompactionSize()
    let directory = Path.directory(of: path)
    try endingOnFailure { fileSystem throws(FileSystemError) in
      try fileSystem.syncDirectory(directory)
    }
    isDoubtful = false
  }

  /// Gives a new file the name of the old one; where there was none, nothing else is replaced that has the
  /// name by now: not everybody who writes there asks for the lock.
  private func giveName(to temporary: String) throws(DocumentFileFailure) {
    do throws(FileSystemError) {
      if handle == nil {
        try fileSystem.rename(temporary, toFree: path)
      } else {
        try fileSystem.rename(temporary, to: path)
      }
    } catch {
      throw error.reason == .exists ? .exists : .fileSystem(error)
    }
  }

  /// Makes sure that nobody has written into the old file or replaced it while the new one was made.
  ///
  /// Only where there are no locks: what was acknowledged there would have no name any more.
  private func checkNothingCame() throws(DocumentFileFailure) {
    guard lockFile == nil, let handle else { return }
    let isAsItWas = try attempt { () throws(FileSystemError) in
      guard try fileSystem.isFile(handle, at: path) else { return false }
      return try fileSystem.status(of: handle).size == size
    }
    guard isAsItWas else { throw .surprise }
  }

  private func generationBytes(_ header: DocumentHeader) throws(DocumentFileFailure) -> [UInt8] {
    do {
      let snapshot = try SealedBlock.encode(list, as: .snapshot)
      guard snapshot.count <= CommitFrame.payloadLimit else { throw DocumentFileFailure.tooLarge }
      return header.bytes + CommitFrame.encode(snapshot, ordinal: 0, in: header.log)
    } catch {
      throw .tooLarge
    }
  }

  /// Writes a new file and reads it back: what cannot be read must never replace what can.
  private func writeVerified(
    _ bytes: [UInt8], to temporary: String, like model: OpenFile?
  ) throws(DocumentFileFailure) -> OpenFile {
    let fresh = try attempt { () throws(FileSystemError) in
      try fileSystem.open(temporary, mode: model == nil ? .creating : .creatingPrivately)
    }
    if let model { fileSystem.protect(fresh, like: model) }
    do throws(DocumentFileFailure) {
      let written = try attempt { () throws(FileSystemError) in
        try fileSystem.appendAll(fresh, bytes: bytes)
        try fileSystem.sync(fresh)
        return try fileSystem.readAll(fresh, expecting: bytes.count, limit: bytes.count)
      }
      try lockContent(of: fresh)
      guard let content = try? DocumentContent(written), content.isSound,
        content.list.holdsSameEntries(as: list), content.list.version == list.version,
        content.list.floor == list.floor
      else { throw DocumentFileFailure.notVerified }
    } catch {
      fileSystem.close(fresh)
      try? fileSystem.unlink(temporary)
      throw error
    }
    return fresh
  }

  /// The name for the generation that is about to be replaced: one that nothing has, or an older
  /// generation of the same document; `nil` if somebody else's files have them all.
  func freePreviousPath() -> String? {
    PreviousGeneration.paths(beside: path, of: list.id).first { candidate in
      do throws(FileSystemError) {
        guard let there = try fileSystem.status(at: candidate) else { return true }
        return there.kind == .regular && fileSystem.isFile(at: candidate, of: list.id)
      } catch {
        // Whatever has the name, nothing says that it may go.
        return false
      }
    }
  }

  /// Gives a file of this document another name, `NAME.branch-1` or the next, if it holds writes that
  /// a list lacks: it may be the last that has them.
  ///
  /// That name may be one of a file of which this one holds everything.
  func setAside(_ name: String, unlessHeldBy list: ReplicatedList) throws(DocumentFileFailure) {
    guard let there = PreviousGeneration(at: name, of: list.id, in: fileSystem),
      !there.isHeld(by: list)
    else { return }
    try attempt { () throws(FileSystemError) in
      let kept = try KeptCopies(of: path, because: .branch, in: fileSystem).freePath { other in
        PreviousGeneration(at: other, of: list.id, in: fileSystem)?.isHeld(by: there.list) ?? false
      }
      try fileSystem.rename(name, to: kept)
      // What takes the name next must not be on the drive before.
      try fileSystem.syncDirectory(Path.directory(of: kept))
    }
  }

  /// Gives the old file a second name, in place of what had that name.
  private func keepOld(as name: String) throws(DocumentFileFailure) {
    let temporary = temporaryPath()
    try attempt { () throws(FileSystemError) in
      try fileSystem.keep(path, as: name, temporary: temporary)
    }
  }
}

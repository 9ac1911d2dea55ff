public import Betwixt
import BetwixtSync

extension DocumentFile {
  /// Writes all that a list holds and the file does not.
  ///
  /// - Parameter other: A copy of ``list`` that was edited or merged.
  /// - Returns: What changed in ``list``, after what others had written was read.
  /// - Throws: ``DocumentFileFailure``; the file's list is then that of the last commit. `surprise`
  ///   if the file was changed since and the numbers of own writes in `other` are taken: make the edit
  ///   again, on ``list`` as it is then, with a writer of ``identity``.
  /// - Complexity: O(*k*) for *k* new entries, and O(*n*) if a compaction is due or the list holds
  ///   writes that its version hides
  @discardableResult
  public mutating func commit(
    _ other: ReplicatedList
  ) throws(DocumentFileFailure) -> ListChanges {
    let writer = identity?.replica
    try beginWriting()
    defer { releaseSharedLock() }
    var news = other.delta(since: list.version, floor: list.floor)
    var merged = list
    merged.merge(news)
    // Under a cloned identity a list may hold writes that both versions claim.
    if !merged.holdsSameEntries(as: other), !merged.holds(other) {
      news = other.delta(since: VersionVector())
    }
    try checkNumbers(of: news, by: writer)
    return try write(news)
  }

  /// Writes the entries and ranges of a delta.
  ///
  /// - Parameter delta: Any delta of this list. An empty one writes nothing.
  /// - Returns: What changed in ``list``.
  /// - Throws: ``DocumentFileFailure``; the file's list is then that of the last commit.
  /// - Complexity: O(*k* log *n*) for *k* entries, and O(*n*) if a compaction is due
  @discardableResult
  public mutating func commit(_ delta: Delta) throws(DocumentFileFailure) -> ListChanges {
    try beginWriting()
    defer { releaseSharedLock() }
    return try write(delta)
  }

  /// Reads what other programs wrote since; for files opened with ``Access/shared``.
  ///
  /// - Returns: Whether ``list`` is another one now.
  /// - Throws: ``DocumentFileFailure``
  /// - Complexity: O(1) if nobody wrote, else O(*b* log *b*) for the *b* bytes of the file
  @discardableResult
  public mutating func refresh() throws(DocumentFileFailure) -> Bool {
    let (before, count) = (list, readCount)
    try begin()
    releaseSharedLock()
    return readCount != count && !list.isSame(as: before)
  }

  /// Makes sure that all commits are on the drive, whatever the sync level, and who made them: before
  /// an answer or a write of mine leaves the device.
  ///
  /// - Throws: ``DocumentFileFailure``; the handle has ended then, but for `identity`.
  public mutating func makeDurable() throws(DocumentFileFailure) {
    if state == .ended { throw .ended }
    try settleWhatWasRead()
    do {
      try identity?.makeDurable()
    } catch {
      throw .identity(error)
    }
    guard state == .ready, settings.syncLevel != .full, let handle else { return }
    try endingOnFailure { fileSystem throws(FileSystemError) in try fileSystem.sync(handle) }
  }
}

// MARK: - Writing

extension DocumentFile {
  /// Locks the file if need be, and makes sure that it is as this handle left it, or as it was read
  /// again, and may be written.
  mutating func beginWriting() throws(DocumentFileFailure) {
    try begin()
    do {
      // What was read just now may be of a newer version.
      try checkState()
    } catch {
      releaseSharedLock()
      throw error
    }
  }

  private func checkState() throws(DocumentFileFailure) {
    switch state {
    case .ready, .sealed: break
    case .readOnly: throw .readOnly
    case .ended: throw .ended
    }
  }

  /// The same, for who reads what others wrote before writing anything.
  private mutating func begin() throws(DocumentFileFailure) {
    try checkState()
    try takeLock()
    do {
      try checkUnchanged()
    } catch {
      releaseSharedLock()
      throw error
    }
  }

  private mutating func checkUnchanged() throws(DocumentFileFailure) {
    guard let handle else { throw .ended }
    let (mine, there) = try attempt { () throws(FileSystemError) in
      (try fileSystem.status(of: handle), try fileSystem.status(at: path))
    }
    let isSame = there.map { mine.isSameFile(as: $0) } ?? false
    if isSame, mine.size == size, try hasSameTail(handle) { return }
    guard settings.access == .shared else {
      state = .ended
      throw .surprise
    }
    try readNews()
  }

  /// Reads the file again: what others wrote, or whatever stands in its place.
  mutating func readNews() throws(DocumentFileFailure) {
    // After a failure it is still what was known before.
    let known = unsettled ?? KnownContent(self)
    unsettled = known
    readCount += 1
    do throws(DocumentFileFailure) {
      state = .ready
      do throws(DocumentFileFailure) {
        try load(after: known)
      } catch {
        guard case .unreadable = error, try restore(known) else { throw error }
      }
      guard header.document == known.list.id else { throw .surprise }
    } catch {
      state = .ended
      list = known.list
      throw error
    }
    let isLess = !list.holds(known.list)
    try identifyAgain()
    if isLess { try settleLoss(of: known) }
    unsettled = nil
  }

  /// The file is whole, and holds less than was read of it before: somebody put it there, unless that
  /// is another program which has repaired what was read here, and had read less of it.
  private mutating func settleLoss(of known: KnownContent) throws(DocumentFileFailure) {
    let damaged = KeptCopies(of: path, because: .damaged, in: fileSystem)
    guard known.wasRepaired(as: damaged, to: header, in: fileSystem) else {
      goneBackCount += 1
      return
    }
    do {
      try checkState()
      try write(known.list.delta(since: VersionVector()))
    } catch {
      state = .ended
      throw error
    }
    report.findings.append(.usedOpen)
  }

  @discardableResult
  private mutating func write(_ delta: Delta) throws(DocumentFileFailure) -> ListChanges {
    if settings.syncLevel == .full { try settleWhatWasRead() }
    let delta = list.floor.covers(delta.floor) ? delta.forgetting(below: VersionVector()) : delta
    guard !delta.isEmpty else { return list.merge(delta) }
    if state == .sealed { return try writeFirst(delta) }
    guard nextOrdinal < Int(UInt32.max), let handle else { throw .tooLarge }
    let frame = CommitFrame.encode(
      try payload(of: delta), ordinal: UInt32(truncatingIfNeeded: nextOrdinal), in: header.log)
    // What is taken must fit into one snapshot later.
    guard frame.count <= DocumentFile.growthLimit - size else { throw .tooLarge }
    let evidence = try noteEvidence(frame, of: delta)
    try append(frame, to: handle, after: evidence)
    try settle(frame, in: handle)
    size += frame.count
    nextOrdinal += 1
    checksums.append(UInt32(truncatingIfNeeded: UInt64(bigEndianBytes: frame.suffix(4))))
    let changes = list.isDigestSettled ? list.mergeSettling(delta) : list.merge(delta)
    compactIfDue(since: size - frame.count)
    return changes
  }

  /// Brings what was read to the drive, and the name it was read by.
  private mutating func settleWhatWasRead() throws(DocumentFileFailure) {
    guard isDoubtful, let handle else { return }
    let directory = Path.directory(of: path)
    try endingOnFailure { fileSystem throws(FileSystemError) in
      try fileSystem.sync(handle)
      try fileSystem.syncDirectory(directory)
    }
    isDoubtful = false
  }

  private func payload(of delta: Delta) throws(DocumentFileFailure) -> [UInt8] {
    do {
      // The commits before it are what it was made for, and say what was forgotten before.
      return try Block(.delta, of: header.document, holding: delta.withoutKnowledge).encoded()
    } catch {
      throw .tooLarge
    }
  }

  /// Writes a commit behind the others, or nothing.
  ///
  /// - Parameters:
  ///   - frame: The commit.
  ///   - handle: The document.
  ///   - evidence: What was kept about the writer before the commit was noted; `nil` if it was not.
  /// - Throws: ``DocumentFileFailure``; the handle has ended if a part of it may stand there.
  private mutating func append(
    _ frame: [UInt8], to handle: OpenFile, after evidence: IdentityRecord?
  ) throws(DocumentFileFailure) {
    do {
      try fileSystem.appendAll(handle, bytes: frame)
    } catch {
      cutOff(frame, in: handle, after: evidence)
      throw .fileSystem(error)
    }
  }

  /// Takes away what stands of a commit that was refused, so that it is not before the next one.
  ///
  /// Only if it is the commit's own: somebody may have written meanwhile whom no lock kept out. Where all
  /// of it stood, whoever read it knows its numbers, so that they are not given again: the handle ends,
  /// as it does where anything stays.
  private mutating func cutOff(
    _ frame: [UInt8], in handle: OpenFile, after evidence: IdentityRecord?
  ) {
    do throws(FileSystemError) {
      let count = try fileSystem.status(of: handle).size - size
      guard (0...frame.count).contains(count),
        try frame.starts(with: fileSystem.read(handle, at: size, count: count))
      else {
        state = .ended
        return
      }
      try fileSystem.truncate(handle, to: size)
      if count < frame.count { forgetNote(since: evidence) } else { state = .ended }
    } catch {
      state = .ended
    }
  }

  /// Makes sure that a commit is where it belongs and on the drive, as far as the sync level says.
  private mutating func settle(
    _ frame: [UInt8], in handle: OpenFile
  ) throws(DocumentFileFailure) {
    try checkPlace(of: frame, in: handle)
    let (level, size) = (settings.syncLevel, size)
    try endingOnFailure { fileSystem throws(FileSystemError) in
      do throws(FileSystemError) {
        switch level {
        case .full: try fileSystem.sync(handle)
        case .ordered: try fileSystem.barrier(handle)
        case .none: break
        }
      } catch {
        // Nobody is told that it is there, so whoever looks is not to find it; unless somebody has
        // written behind it whom no lock kept out.
        if let end = try? fileSystem.status(of: handle).size, end == size + frame.count {
          try? fileSystem.truncate(handle, to: size)
        }
        throw error
      }
    }
  }

  /// Makes sure that a commit stands where it was meant to: somebody may have written in between
  /// whom no lock kept out, as one who knows the file by another name, or have given the name to a new
  /// generation.
  private mutating func checkPlace(
    of frame: [UInt8], in handle: OpenFile
  ) throws(DocumentFileFailure) {
    let (fileSystem, start, isLocked, path) = (fileSystem, size, lockFile != nil, path)
    try endingOnFailure { _ throws(FileSystemError) in
      if try fileSystem.read(handle, at: start, count: frame.count) == frame {
        // Whoever has the lock alone gives the name away.
        if isLocked { return }
        if try fileSystem.isFile(handle, at: path) { return }
      }
      // Taken back if nobody has written behind it; else it is found by whoever reads the file.
      let end = try fileSystem.status(of: handle).size
      let last = try fileSystem.read(handle, at: end - frame.count, count: frame.count)
      if last == frame { try fileSystem.truncate(handle, to: end - frame.count) }
      throw FileSystemError("append", because: .foreignWrite)
    }
  }

  /// Runs what may leave it open what is on the drive: its failure ends the handle.
  mutating func endingOnFailure(
    _ body: (any FileSystem) throws(FileSystemError) -> Void
  ) throws(DocumentFileFailure) {
    do {
      try body(fileSystem)
    } catch {
      state = .ended
      throw error.reason == .foreignWrite ? .surprise : .fileSystem(error)
    }
  }

  /// Makes a document of a sealed block.
  private mutating func writeFirst(_ delta: Delta) throws(DocumentFileFailure) -> ListChanges {
    let before = list
    let changes = list.merge(delta)
    do {
      try writeGeneration(keepingOldAs: freePreviousPath())
    } catch {
      list = before
      throw error
    }
    if state == .sealed { state = .ready }
    return changes
  }
}

extension ReplicatedList {
  /// Whether merging the other list would change nothing here.
  ///
  /// - Complexity: O(*n* log *n*)
  func holds(_ other: ReplicatedList) -> Bool { merging(other).holdsSameEntries(as: self) }
}

extension FileSystem {
  /// Whether an open file is the one that has a name.
  func isFile(_ file: OpenFile, at path: String) throws(FileSystemError) -> Bool {
    let mine = try status(of: file)
    return try status(at: path).map { mine.isSameFile(as: $0) } ?? false
  }
}

// MARK: - Several operations under one lock

extension DocumentFile {
  /// Takes the lock until ``letGo()``, with all read that others wrote.
  mutating func hold() throws(DocumentFileFailure) {
    try begin()
    isHeld = true
  }

  /// Gives a lock back that was held.
  mutating func letGo() {
    isHeld = false
    releaseSharedLock()
  }

  /// Reads the file again after a failure that left open what is on the drive.
  mutating func readAgain() throws(DocumentFileFailure) {
    guard state != .readOnly else { throw .readOnly }
    try takeLock()
    defer { releaseSharedLock() }
    try readNews()
  }
}

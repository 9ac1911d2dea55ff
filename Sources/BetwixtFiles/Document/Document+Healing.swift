public import Betwixt

extension Document {
  /// Writes that nobody lets in whose clock is like the one here: some clock was ahead when they were
  /// made, or the one here has fallen back.
  public struct WritesAhead: Hashable, Sendable {
    /// Those of this installation: ``repairClock(force:)`` makes them again.
    public internal(set) var own: [WithheldWrite] = []

    /// Those of others, which were taken in without asking; only who wrote them can mend them.
    public internal(set) var others: [WithheldWrite] = []

    /// What speaks against the clock here, if there are own ones.
    public internal(set) var doubt: ClockDoubt?

    /// Whether there are none.
    public var isEmpty: Bool { own.isEmpty && others.isEmpty }
  }

  /// Why it may be the clock here that is wrong, and not the one that the writes were made by.
  ///
  /// A clock falls back where its battery is empty. What is made again by it would lose against itself as
  /// soon as others bring it back, with all that was edited upon it.
  public enum ClockDoubt: Hashable, Sendable {
    /// Writes of others are ahead of it, too.
    case othersAreAhead

    /// Others have let in own writes that are ahead of it.
    case othersHaveThem

    /// Nothing in the document was written before those writes at a time that it has passed.
    case allIsAhead
  }

  /// What was written too far in the future.
  ///
  /// A write that follows one of the year 6000 is one of the year 6000, so such a register stays out
  /// of reach for everybody until that time comes, or until it is mended:
  ///
  ///     if !trip.writesAhead().own.isEmpty { try trip.repairClock() }  // once the clock is right
  ///
  /// - Returns: The writes, by item and register.
  /// - Complexity: O(*n*) for *n* entries
  public func writesAhead() -> WritesAhead {
    // Who only reads has no identity open, and yet one that wrote.
    let record =
      host.file.identity?.record
      ?? (try? state?.identityStore(settings).record(of: host.file.list.id))
    let own = record?.replicasEver ?? []
    var found = host.file.writesAhead(at: settings.clock(), writtenHereBy: own)
    // A life that is too long is so by any clock.
    let early = found.own.filter { $0.reason == .timeAhead }
    guard !early.isEmpty else { return found }
    if found.others.contains(where: { $0.reason == .timeAhead }) {
      found.doubt = .othersAreAhead
    } else if isAcknowledged(early, besides: own) {
      found.doubt = .othersHaveThem
    } else if !isAnythingOlder(than: early, besides: own, writingAs: record?.replica) {
      found.doubt = .allIsAhead
    }
    return found
  }

  /// Whether something was written before writes that are ahead of the clock, and is not.
  ///
  /// What came after them was written when the clock showed what it does now, right or wrong.
  private func isAnythingOlder(
    than early: [WithheldWrite], besides own: Set<ReplicaID>, writingAs replica: ReplicaID?
  ) -> Bool {
    let dots = Set(early.map { $0.entry.dot })
    var first: [ReplicaID: Int64] = [:]
    for dot in dots { first[dot.replica] = min(first[dot.replica] ?? dot.sequence, dot.sequence) }
    return host.file.list.allItems().contains { item in
      item.entries.contains { entry in
        guard !dots.contains(entry.dot) else { return false }
        let writer = entry.stamp.replica
        guard own.contains(writer) else { return true }
        // Under the present id all was written after what was written under others.
        return first[writer].map { entry.dot.sequence < $0 } ?? (writer != replica)
      }
    }
  }

  /// Whether somebody else has said to hold one of some writes.
  private func isAcknowledged(_ writes: [WithheldWrite], besides own: Set<ReplicaID>) -> Bool {
    let devices = state?.roster(of: id).devices ?? []
    return devices.contains { device in
      !own.contains(device.replica) && writes.contains { device.version.covers($0.entry.dot) }
    }
  }

  /// Writes what this installation has written in the future again: the same values, now, under a new
  /// id.
  ///
  /// Set the clock right first. Items stay where they are. Others take the new writes in; who holds
  /// an old one, because nothing judged it there, keeps that. What this installation has put into shared
  /// folders of the old ones comes out of each with the next sync. The file as it was is kept as
  /// `NAME.replaced-1` or the next, which ``takeNotices()`` tells.
  ///
  /// - Parameter force: Whether to do it even if something speaks against the clock:
  ///   ``WritesAhead/doubt``.
  /// - Returns: What was there: the own writes are mended, those of others are not. And what changed in
  ///   ``list``.
  /// - Throws: ``Failure``, `doubtfulClock` if something does; the list is as it was.
  /// - Complexity: O(*n*) for *n* entries
  @discardableResult
  public mutating func repairClock(force: Bool = false) throws(Failure)
    -> (writes: WritesAhead, changes: ListChanges)
  {
    try lock()
    defer { unlock() }
    try makeWriter()
    let writes = writesAhead()
    guard !writes.own.isEmpty else { return (writes, show()) }
    if let doubt = writes.doubt, !force { throw Failure(name, cause: .doubtfulClock(doubt)) }
    do throws(FileSystemError) {
      // Before an id is given up for it.
      try settings.fileSystem.checkMayReplace(path)
      try settings.fileSystem.checkMayCreate(
        DocumentFile.temporaryPrefix(of: path) + Hex.encode(settings.random()))
    } catch {
      throw Failure(name, cause: .file(.fileSystem(error)))
    }
    readSteps()
    let entries = writes.own.map { $0.entry }
    // The numbers of the old id may be claimed elsewhere, and stand for the old times.
    if try !isUnknownWriter() { try takeNewWriter() }
    try noteMended()
    try rewrite(entries)
    // To a step its write is still the one that it made.
    keepWithoutStep(
      entries.compactMap { old in
        host.file.list.entry(at: RegisterAddress(old.item, register: old.register))
          .map { UndoHistory.Rewrite(old: old, new: $0) }
      })
    isToldOfWritesAhead = false
    return (writes, show())
  }

  /// Whether whoever writes here has neither written in the document nor put a file into a folder, as after
  /// a repair that failed late: such an id is as good as a new one.
  private func isUnknownWriter() throws(Failure) -> Bool {
    guard let writer = host.file.identity?.record.writer, writer.tail == nil,
      host.file.list.version[writer.replica] == 0
    else { return false }
    do throws(FileSystemError) {
      return try state?.headFile(of: id).head(of: writer.replica) == nil
    } catch {
      throw Failure(name, cause: .folderState(error))
    }
  }

  /// Notes which own writes are void in shared folders.
  ///
  /// Before they are made again, so that none is forgotten: they are void where the document knows the
  /// writer who makes them again, and what is still in it never is.
  private func noteMended() throws(Failure) {
    guard let heads = state?.headFile(of: id), let record = host.file.identity?.record,
      let horizon = AdmissionPolicy(now: settings.clock()).horizon
    else { return }
    let former = record.former.reversed() + record.earlierReplicas.sorted()
    do throws(FileSystemError) {
      var mended = try heads.mended()
      mended.note(
        host.file.list, writtenBy: former, from: horizon.milliseconds, by: record.replica)
      try heads.keep(mended)
    } catch {
      throw Failure(name, cause: .folderState(error))
    }
  }

  /// Writes some entries again, at the present time, in place of those that the file holds.
  private mutating func rewrite(_ entries: [Entry]) throws(Failure) {
    guard let identity = host.file.identity else { throw Failure(name, cause: .noStateDirectory) }
    var me = identity.replica(for: host.file.list, clock: settings.clock)
    let healed: ReplicatedList
    do throws(EditFailure) {
      healed = try host.file.list.rewriting(entries, by: &me)
    } catch {
      throw Failure(name, cause: .edit(error))
    }
    do throws(DocumentFileFailure) {
      let kept = try host.file.replace(by: healed)
      note(.kept(path: kept))
    } catch {
      throw Failure(name, cause: .file(error))
    }
  }

  /// Notes, once, that own writes are ahead of the clock: looked for when something is exchanged.
  mutating func noteWritesAhead() {
    guard !isToldOfWritesAhead else { return }
    isToldOfWritesAhead = true
    let count = writesAhead().own.count
    if count > 0 { note(.writesAhead(count)) }
  }
}

extension DocumentFile {
  /// What was written too far in the future, by this installation and by others.
  fileprivate func writesAhead(
    at now: Int64, writtenHereBy mine: Set<ReplicaID>
  ) -> Document.WritesAhead {
    var found = Document.WritesAhead()
    for write in list.poisoned(under: AdmissionPolicy(now: now)) {
      if mine.contains(write.entry.stamp.replica) {
        found.own.append(write)
      } else {
        found.others.append(write)
      }
    }
    return found
  }
}

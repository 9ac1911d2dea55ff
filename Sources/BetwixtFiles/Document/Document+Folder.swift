public import Betwixt
import BetwixtSync

extension Document {
  /// What a shared folder brought, and what it got.
  public struct FolderSync: Hashable, Sendable {
    /// What changed in ``Document/list``, with the concurrent writes that lost.
    public internal(set) var changes: ListChanges

    /// What reading the folder found: files that wait, and why.
    public internal(set) var reading: SharedFolder.Reading

    /// How many files were put into the folder.
    public internal(set) var writtenCount: Int

    /// How many own files that a newer one replaces were taken out of it, or that held what
    /// ``Document/repairClock(force:)`` has written again.
    public internal(set) var removedCount: Int

    /// Writes that are too far ahead of the clock here: they stay in the document, and are put into the
    /// folder when their time has come or they were made again.
    public internal(set) var heldBack: [WithheldWrite]

    /// How many files of writers that were absorbed were taken out of it.
    public internal(set) var absorbedCount: Int

    /// How many files of such writers stay: they cannot be read, or came meanwhile.
    public internal(set) var unabsorbedCount: Int
  }

  /// Takes in what a shared folder has, and puts into it what it lacks: see ``SharedFolder``.
  ///
  ///     let changes = try trip.sync(folder: "Dropbox/trips").changes
  ///
  /// The document is locked only for its commit: a slow folder keeps nobody from editing. Called
  /// again, it reads only what is new, unless an older copy was put in the place of the document.
  ///
  /// - Parameters:
  ///   - root: The folder that some other tool copies between devices.
  ///   - admission: What is let in; by default what the clock of ``Settings`` allows. A file with a
  ///     write that is not waits as a whole.
  ///   - writers: Devices that are gone for good: their files are taken out of the folder once their
  ///     content is in others. Those of whom none stays are waited for no longer when something is to be
  ///     forgotten. One
  ///     that comes back all the same loses nothing: see ``SharedFolder/absorb(_:holding:admission:)``.
  /// - Returns: What changed, and what went to and fro.
  /// - Throws: ``Failure``, `missingFolder` if there is none.
  /// - Complexity: O(the bytes of files that were not known), and O(*n* log *n*) for *n* entries
  @discardableResult
  public mutating func sync(
    folder root: String, admission: AdmissionPolicy? = nil,
    absorbing writers: Set<ReplicaID> = []
  ) throws(Failure) -> FolderSync {
    guard settings.fileSystem.isDirectory(root) else { throw Failure(root, cause: .missingFolder) }
    let policy = admission ?? defaultAdmission
    guard let heads = state?.headFile(of: id) else { throw Failure(name, cause: .noStateDirectory) }
    let settings = settings
    return try settings.whileLocked(root, heads: heads, patience: 10_000) {
      () throws(Failure) -> FolderSync in
      // A new id begins anew, in another directory of the folder. What shows that one is needed
      // cannot show it for the new one.
      for _ in 0..<3 {
        if let outcome = try exchange(in: root, admission: policy, absorbing: writers) {
          return outcome
        }
      }
      throw Failure(root, cause: .contestedFolder)
    }
  }

  /// Reads, commits and writes, in this order.
  ///
  /// - Returns: What went to and fro; `nil` if another id was taken, and nothing was written.
  private mutating func exchange(
    in root: String, admission: AdmissionPolicy, absorbing writers: Set<ReplicaID>
  ) throws(Failure) -> FolderSync? {
    // Another program may have taken a new id before the lock was held.
    try identify(isMade: true)
    var list = heldList
    var exchange = try folderExchange(in: root)
    _ = try exchange.catchUp()
    let reading = try exchange.read(into: &list, admission: admission)
    let before = self.list
    guard let changes = try take(list, reading: reading, of: exchange.goneBackCount) else {
      return nil
    }
    do throws(Failure) {
      // Not before: what is not in the document has to be read again.
      keep(exchange)
      let written = try exchange.write(self.list)
      keep(exchange)
      guard let evidence = written.evidence else {
        let absorbed = try absorb(writers, through: &exchange)
        return FolderSync(
          changes: changes, reading: reading,
          writtenCount: written.fileCount + absorbed.fileCount,
          removedCount: written.removedCount, heldBack: written.heldBack,
          absorbedCount: absorbed.removedCount,
          unabsorbedCount: absorbed.remaining.values.reduce(0, +))
      }
      try takeNewWriter(evidence)
    } catch {
      tellLater(since: before, losing: changes)
      throw error
    }
    tellLater(since: before, losing: changes)
    return nil
  }

  /// Takes the files of devices that are gone out of a folder that was read and written.
  private mutating func absorb(
    _ writers: Set<ReplicaID>, through exchange: inout FolderExchange
  ) throws(Failure) -> FolderExchange.Absorbed {
    guard !writers.isEmpty else { return FolderExchange.Absorbed() }
    let absorbed: FolderExchange.Absorbed
    do throws(Failure) {
      absorbed = try exchange.absorb(writers, holding: list)
    } catch {
      keep(exchange)
      throw error
    }
    keep(exchange)
    // Of whom something stays, something may come.
    forgetDevices(writers.subtracting(absorbed.remaining.keys))
    return absorbed
  }

  /// The own half of a folder, with what was read of it already.
  ///
  /// After the document went back it begins anew: what it had read is in the document no longer, and
  /// would never be read again.
  package mutating func folderExchange(in root: String) throws(Failure) -> FolderExchange {
    try makeWriter()
    guard let writer, let heads = state?.headFile(of: id) else {
      throw Failure(name, cause: .noStateDirectory)
    }
    if let known = exchanges[PathKey(root)], known.replica == writer,
      known.goneBackCount == goneBackCount
    {
      return known
    }
    return try FolderExchange(
      of: id, by: writer, in: root, heads: heads, settings: settings,
      goneBackCount: goneBackCount)
  }

  /// Keeps what was read of a folder, so that it needs no second look.
  package mutating func keep(_ exchange: FolderExchange) {
    exchanges[PathKey(exchange.root)] = exchange
    noteDevices(exchange.acknowledgements, isRead: true)
  }

  /// What the file held when it was looked at last, whether or not that was told: what a folder is read
  /// into.
  package var heldList: ReplicatedList { host.file.list }

  /// What is let in unless somebody says otherwise.
  package var defaultAdmission: AdmissionPolicy { AdmissionPolicy(now: settings.clock()) }

  /// Commits what was read from a folder, so that all may be written there.
  ///
  /// - Parameters:
  ///   - list: ``heldList`` with what was read.
  ///   - reading: What reading found.
  ///   - goneBackCount: How often the document had gone back when that was read.
  /// - Returns: What changed, with all that has lost: when the folder's files were joined, and against
  ///   what other programs have written here meanwhile; `nil` if another id writes now, or the document
  ///   went back, and all is to be read anew.
  /// - Throws: ``Failure``
  package mutating func take(
    _ list: ReplicatedList, reading: SharedFolder.Reading, of goneBackCount: Int
  ) throws(Failure) -> ListChanges? {
    // The list holds what the document held then; to commit that now would undo the going back.
    try lock()
    defer { unlock() }
    guard self.goneBackCount == goneBackCount else { return nil }
    if let evidence = reading.evidence {
      try takeNewWriter(evidence)
      return nil
    }
    let writer = writer
    // Another program of this installation may have written what the folder has of it; that was read
    // with the lock.
    try takeNewWriter(onEvidenceIn: list.delta(since: VersionVector()))
    guard self.writer == writer else { return nil }
    let before = self.list
    var losses = ListChanges()
    losses.addLosses(reading.conflicts, removals: reading.removalConflicts)
    var changes: ListChanges
    do throws(Failure) {
      changes = try merge(list)
    } catch {
      tellIfDone(losses)
      throw error
    }
    changes.addLosses(losses)
    do throws(Failure) {
      try makeDurable()
    } catch {
      tellLater(since: before, losing: changes)
      throw error
    }
    noteWritesAhead()
    // Another program may have taken a new id meanwhile.
    guard self.writer == writer else {
      tellLater(since: before, losing: changes)
      return nil
    }
    return changes
  }
}

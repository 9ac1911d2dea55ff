public import Betwixt
import BetwixtSync

/// A list that is edited, saved, synced, and says what changed: what an app opens.
///
///     var trip = try Document.openOrCreate(at: "rome.trip", settings: settings)
///     let (lunch, changes) = try trip.edit("Add Lunch") { list, me in
///       try list.append(["title": "Lunch"], by: &me)
///     }                                        // on the drive when this returns
///     changes.apply(to: &rows) { $0 }          // rows == trip.list.map(\.id)
///     try trip.sync(folder: "Dropbox/trips")   // what other devices have put there, and back
///
/// It is a ``DocumentFile`` together with the ``Identity`` that writes in it here, the steps that
/// can be taken back, and how far this installation has written into shared folders. The last three
/// lie in ``Settings/stateDirectory`` and are taken care of.
///
/// # Changes
/// ``list`` is what the app was told last. Whatever brings it further (an edit, an undo, a merge,
/// another document, a folder, a session, other programs that write the file) returns
/// `ListChanges` from the old list to the new one, so nobody ever compares lists. If an operation
/// fails, ``list`` stays; what other programs wrote in the meantime comes with the next one.
///
/// # Other programs
/// By default the file is shared: it is locked for the time of each operation, which first reads what
/// others wrote. A command, a second window and a second process of the app may edit it meanwhile.
///
/// # Durability
/// What returned is on the drive; the promises are those of ``DocumentFile``. A failure names the
/// file, what went wrong and what helps: ``Failure``.
public struct Document: ~Copyable, Sendable {
  /// The path as the caller named it, for messages.
  public let name: String

  /// The path without symbolic links, so that a file has one lock and one writer whatever it is
  /// called.
  public let path: String

  /// The list as the caller was told last.
  public private(set) var list: ReplicatedList

  /// What there is to tell the user, oldest first; see ``takeNotices()``.
  private(set) var notices: [Notice] = []

  let settings: Settings
  var host: DocumentHost
  // The folders that were synced with, by path: what was read needs no second look.
  var exchanges: [PathKey: FolderExchange] = [:]
  // What others have said there that they hold, as it was kept last.
  var lastRead: [ReplicaID: VersionVector] = [:]
  var steps = KeptSteps()
  // Which file the steps were read from or written to.
  var stepsStatus: FileStatus?
  // Whether it was looked for own writes that are ahead of the clock.
  var isToldOfWritesAhead = false
  // Why the last steps could not be kept.
  var toldStepFailure: String?
  // How often the file had been read when the list was told.
  private var toldReadCount: Int
  // What lost in operations that told nothing: the next one that does names it.
  private var untold = ListChanges()
  // What has lost if commits that failed have come to the drive all the same.
  private var uncertain = ListChanges()
  private var toldRotation: IdentityRotation?
  private var toldFindingCount: Int

  init(name: String, file: consuming DocumentFile, settings: Settings) {
    self.name = name
    self.settings = settings
    path = file.path
    list = file.list
    toldReadCount = file.readCount
    toldFindingCount = file.report.findings.count
    host = DocumentHost(file)
  }

  /// Who writes in this file here; `nil` before the first edit.
  ///
  /// It may become another one whenever the file turns out not to be as it was left here; see
  /// ``Notice/newWriter(_:)``.
  public var writer: ReplicaID? { host.file.identity?.replica }

  /// All ids that this installation writes or has written under here; `nil` before the first edit.
  // No property gives out the file or the identity as a whole: behind another module's optimizer a
  // copy of a part of this type, which cannot be copied, was released twice.
  package var record: IdentityRecord? { host.file.identity?.record }

  /// How often something was put in the place of the file that held less than was read of it here.
  package var goneBackCount: Int { host.file.goneBackCount }

  /// Which list it is.
  public var id: ListID { list.id }

  /// What opening and reading the file found, all of it; what is found after it was opened is told
  /// by ``Notice/repaired(_:)``, too.
  public var report: RecoveryReport { host.file.report }

  /// Whether nothing can be written: it was opened for reading, or a newer version wrote what only
  /// that one may change.
  public var isReadOnly: Bool { host.file.isReadOnly }

  /// How long an operation waits for another program that has the lock, in milliseconds.
  public var patience: Int {
    get { host.file.settings.lockWaitMilliseconds }
    set { host.file.settings.lockWaitMilliseconds = newValue }
  }

  /// Ends the use of the document and frees its lock.
  ///
  /// Going out of scope does the same.
  public consuming func close() {}
}

// MARK: - Telling

extension Document {
  /// Something that an app may want to show, and that is no failure.
  public enum Notice: Hashable, Sendable {
    /// New writes are under another id, and why.
    case newWriter(IdentityRotation)

    /// The file was damaged while it was open. What could be read of it and all that was known here
    /// were written anew, and the damaged file was kept: what was found, as in ``Document/report``.
    case repaired([RecoveryReport.Finding])

    /// Steps of earlier runs cannot be taken back any more, and why.
    case stepsLost(String)

    /// The last step is done and on the drive, but could not be kept for being taken back later by another
    /// program, and so none is; told once, until one can be kept again or fails for another reason.
    case stepNotKept(String)

    /// The last act of this installation cannot be taken back: the program that did it ended before it
    /// had kept the step. ``Document/undo(window:)`` has taken back nothing; the next one goes on with the
    /// step before.
    case lastStepUnknown

    /// So many own writes are too far ahead of the clock here. Either it is right, and was ahead when they
    /// were made: then nobody takes them in before their time has come, and
    /// ``Document/repairClock(force:)`` makes them again. Or it has fallen back: then it is to be set right,
    /// and nothing else.
    case writesAhead(Int)

    /// The file as it was before ``Document/repairClock(force:)`` wrote it anew, kept under another name.
    case kept(path: String)

    /// The file grows with each edit, because it lies in a sticky folder, where only its owner and that of
    /// the folder may replace it by a smaller one; the next edit of one of them does. Told when it has
    /// grown by half.
    case awaitsOwner
  }

  /// Hands out what there is to tell, each once.
  public mutating func takeNotices() -> [Notice] {
    noteRepair()
    noteRotation()
    if host.file.awaitsOwner { notices.append(.awaitsOwner) }
    host.file.awaitsOwner = false
    defer { notices = [] }
    return notices
  }

  mutating func note(_ notice: Notice) { notices.append(notice) }

  /// Notes that another id writes from now on.
  mutating func noteRotation() {
    guard let rotation = host.file.identity?.rotation, rotation != toldRotation else { return }
    toldRotation = rotation
    notices.append(.newWriter(rotation))
  }

  /// Notes what was found while the file was read again; what was found at first is in the report.
  mutating func noteRepair() {
    let findings = host.file.report.findings
    guard findings.count > toldFindingCount else { return }
    let news = findings[toldFindingCount...]
    toldFindingCount = findings.count
    // A newer version has written it, and nothing was written anew: whoever writes is told that.
    if news.contains(where: \.isDamage) { notices.append(.repaired(Array(news))) }
  }

  /// Takes back that something was told: nobody was given the changes, so the next ones hold them.
  ///
  /// - Parameters:
  ///   - before: The list that was told last.
  ///   - losses: Changes whose losses nobody was given either.
  mutating func tellLater(since before: ReplicatedList, losing losses: ListChanges? = nil) {
    list = before
    toldReadCount = -1
    if let losses { untold.addLosses(losses) }
  }

  /// Notes what a commit would have brought that failed: if it has come to the drive all the same, the
  /// next changes hold it, and name what has lost.
  mutating func tellIfDone(_ losses: ListChanges) {
    toldReadCount = -1
    uncertain.addLosses(losses)
  }

  /// What an operation that failed has changed all the same, and no operation has told yet: for who will
  /// not do another one.
  package mutating func takeUntoldChanges() -> ListChanges { show() }

  /// Shows what the file holds now.
  ///
  /// - Parameter changes: What the last commit changed, if there was one.
  /// - Returns: What changes for whoever was told the list before.
  /// - Complexity: O(1), and O(*n* log *n*) if something else than the commit has changed the file
  mutating func show(after changes: ListChanges? = nil) -> ListChanges {
    defer {
      list = host.file.list
      toldReadCount = host.file.readCount
      untold = ListChanges()
      uncertain = ListChanges()
    }
    if let changes, toldReadCount == host.file.readCount { return changes }
    var all = untold
    all.addLosses(uncertain.losses(metBy: host.file.list))
    if let changes { all.addLosses(changes) }
    // Who only looks whether there is news mostly finds none.
    if changes == nil, list.holdsSameEntries(as: host.file.list) { return all }
    return list.difference(to: host.file.list, losing: all)
  }
}

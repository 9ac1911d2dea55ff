package import Betwixt
import BetwixtSync

/// What one writer does in a shared folder: the half of a sync that touches no document.
///
/// A folder may be slow, or gone. Nobody who edits is kept waiting for it, because no lock of the
/// document is held here; ``locked(patience:_:)`` keeps other programs of this installation out.
package struct FolderExchange: Sendable {
  /// What writing came to.
  package struct Written: Hashable, Sendable {
    package var fileCount = 0

    /// How many own files were taken away that a newer one replaces, or that held what was made again.
    package var removedCount = 0

    /// What was not put in, as nobody would have let it in yet.
    package var heldBack: [WithheldWrite] = []

    /// What shows that another id is needed; then nothing was written.
    package var evidence: IdentityEvidence?
  }

  /// Where the folder is.
  package let root: String

  /// How often the document had gone back before anything was read here; once more, and what was read
  /// may be in it no longer.
  package let goneBackCount: Int

  private let heads: FolderHeadFile
  private let settings: Document.Settings
  private var folder: SharedFolder

  /// Begins with nothing read.
  ///
  /// - Throws: `Document.Failure` if it cannot be told which files are from here.
  package init(
    of list: ListID, by replica: ReplicaID, in root: String, heads: FolderHeadFile,
    settings: Document.Settings, goneBackCount: Int = 0
  ) throws(Document.Failure) {
    self.root = root
    self.goneBackCount = goneBackCount
    self.heads = heads
    self.settings = settings
    var ways = SharedFolder.Settings(random: settings.random)
    ways.fileSystem = settings.fileSystem
    folder = SharedFolder(
      root, list: list, replica: replica,
      ownHead: try FolderExchange.head(of: replica, in: heads, root: root), settings: ways)
    do {
      folder.mended = try heads.mended()
    } catch {
      throw Document.Failure(root, cause: .folderState(error))
    }
  }

  private static func head(
    of replica: ReplicaID, in heads: FolderHeadFile, root: String
  ) throws(Document.Failure) -> FolderHeads.Head? {
    do {
      return try heads.head(of: replica)
    } catch {
      throw Document.Failure(root, cause: .folderState(error))
    }
  }

  /// Who writes.
  package var replica: ReplicaID { folder.replica }

  /// What each writer of the folder has said that it holds.
  package var acknowledgements: [ReplicaID: VersionVector] { folder.index.acknowledgements }

  /// Begins anew if another program has written here under the same id.
  ///
  /// - Returns: Whether one has; then all is to be read before anything is written.
  /// - Throws: `Document.Failure` if that cannot be told.
  package mutating func catchUp() throws(Document.Failure) -> Bool {
    let head = try FolderExchange.head(of: replica, in: heads, root: root)
    guard head != folder.ownHead else { return false }
    self = try FolderExchange(
      of: folder.list, by: replica, in: root, heads: heads, settings: settings,
      goneBackCount: goneBackCount)
    return true
  }

  /// Joins what has arrived to a list.
  package mutating func read(
    into list: inout ReplicatedList, admission: AdmissionPolicy
  ) throws(Document.Failure) -> SharedFolder.Reading {
    do {
      return try folder.read(into: &list, now: PipeDriver.now(), admission: admission)
    } catch {
      throw Document.Failure(root, cause: .folder(error))
    }
  }

  /// Puts what is new in a list into the folder; its own writes are on the drive before.
  ///
  /// Own files with writes that were made again come out of it: whatever else they hold is put in before.
  package mutating func write(_ list: ReplicatedList) throws(Document.Failure) -> Written {
    let before = folder.ownHead
    var written = Written()
    var failure: SharedFolderFailure?
    do throws(SharedFolderFailure) {
      let admission = AdmissionPolicy(now: settings.clock())
      try folder.write(list, admission: admission)
      try compactIfDue(list, admission: admission)
    } catch {
      failure = error
    }
    try keepHead(after: before)
    do throws(SharedFolderFailure) {
      if let failure { throw failure }
      written.removedCount = try folder.removeReplaced(now: settings.clock())
    } catch {
      guard case .identity(let evidence) = error else {
        throw Document.Failure(root, cause: .folder(error))
      }
      written.evidence = evidence
    }
    written.heldBack = folder.heldBack
    if written.evidence == nil, !folder.spoiled.isEmpty {
      written.removedCount += try absorb(folder.spoiled, holding: list).removedCount
    }
    written.fileCount = newFileCount(since: before)
    return written
  }

  private func newFileCount(since before: FolderHeads.Head?) -> Int {
    Int(clamping: (folder.ownHead?.ordinal ?? 0) - (before?.ordinal ?? 0))
  }

  /// What taking the files of others out came to.
  struct Absorbed {
    /// How many files were put in for them.
    var fileCount = 0

    /// How many were taken away.
    var removedCount = 0

    /// How many stay of each of those who have any: they cannot be read, or came meanwhile.
    var remaining: [ReplicaID: Int] = [:]
  }

  /// Takes the files of others out of the folder, whose content a list holds that is on the drive.
  mutating func absorb(
    _ writers: Set<ReplicaID>, holding list: ReplicatedList
  ) throws(Document.Failure) -> Absorbed {
    let before = folder.ownHead
    let absorption = try putIn(what: writers, hold: list)
    var absorbed = Absorbed(fileCount: newFileCount(since: before))
    do throws(SharedFolderFailure) {
      if let absorption { absorbed.removedCount = try folder.finish(absorption) }
    } catch {
      throw Document.Failure(root, cause: .folder(error))
    }
    for writer in folder.writers where writers.contains(writer.replica) {
      absorbed.remaining[writer.replica] = writer.fileCount + writer.unreadCount
    }
    return absorbed
  }

  /// Puts in what files of others hold, and notes the new ones as being from here: whoever is killed
  /// while the others go finds them so.
  private mutating func putIn(
    what writers: Set<ReplicaID>, hold list: ReplicatedList
  ) throws(Document.Failure) -> SharedFolder.Absorption? {
    let before = folder.ownHead
    let absorption: SharedFolder.Absorption?
    do throws(SharedFolderFailure) {
      absorption = try folder.putIn(
        what: writers, hold: list, admission: AdmissionPolicy(now: settings.clock()))
    } catch {
      try keepHead(after: before)
      throw Document.Failure(root, cause: .folder(error))
    }
    do throws(Document.Failure) {
      try keepHead(after: before)
    } catch {
      if let absorption { folder.takeBack(absorption) }
      throw error
    }
    return absorption
  }

  /// Notes the files that were written as being from here, however writing them ended.
  private func keepHead(after before: FolderHeads.Head?) throws(Document.Failure) {
    guard let head = folder.ownHead, head != before else { return }
    do {
      try heads.keep(head)
    } catch {
      throw Document.Failure(root, cause: .folderState(error))
    }
  }

  private mutating func compactIfDue(
    _ list: ReplicatedList, admission: AdmissionPolicy
  ) throws(SharedFolderFailure) {
    // A file waits as a whole: what others let in stays in files without what they do not.
    guard folder.isSnapshotDue, list.poisoned(under: admission).isEmpty else { return }
    do throws(SharedFolderFailure) {
      try folder.writeSnapshot(list)
    } catch {
      // What is too large for one file stays in segments, of which there may be any number.
      guard error == .tooLarge else { throw error }
    }
  }

  /// Does something while no other program does it under the same id: two of them would both make
  /// the same next file.
  ///
  /// - Parameters:
  ///   - patience: How long to wait for another's lock, in milliseconds.
  ///   - body: Reads and writes.
  /// - Returns: What the body returns.
  /// - Throws: `Document.Failure`: `missingFolder`, `busyFolder`, `folderState`, and what the body
  ///   throws.
  package mutating func locked<Value>(
    patience: Int, _ body: (inout FolderExchange) throws(Document.Failure) -> Value
  ) throws(Document.Failure) -> Value {
    let (settings, root, heads) = (settings, root, heads)
    return try settings.whileLocked(root, heads: heads, patience: patience) {
      () throws(Document.Failure) in try body(&self)
    }
  }
}

extension Document.Settings {
  /// Does something in a folder while no other program of this installation does.
  func whileLocked<Value>(
    _ root: String, heads: FolderHeadFile, patience: Int,
    _ body: () throws(Document.Failure) -> Value
  ) throws(Document.Failure) -> Value {
    // A folder that was taken away is not made anew: it may be a drive that comes back.
    guard fileSystem.isDirectory(root) else { throw Document.Failure(root, cause: .missingFolder) }
    let lock: OpenFile?
    do {
      lock = try heads.lock(patience: patience)
    } catch {
      // The lock lies beside what is kept here; the folder itself is not touched yet.
      throw Document.Failure(
        root, cause: error.reason == .locked ? .busyFolder(error) : .folderState(error))
    }
    defer { if let lock { fileSystem.close(lock) } }
    return try body()
  }
}

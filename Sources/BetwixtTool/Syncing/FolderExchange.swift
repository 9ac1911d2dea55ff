package import Betwixt
package import BetwixtFiles
import BetwixtSync
import BetwixtTrips

/// What one writer does in a shared folder: the half of a sync that touches no document.
///
/// A folder may be slow, or gone. Nobody who edits is kept waiting for it, because no lock of the
/// document is held here; ``FolderHeadFile/lock(patience:)`` is held instead.
package struct FolderExchange: Sendable {
  /// What writing came to.
  package struct Written: Hashable, Sendable {
    package var fileCount = 0
    package var removedCount = 0

    /// What shows that another id is needed; then nothing was written.
    package var evidence: IdentityEvidence?
  }

  let root: String
  let heads: FolderHeadFile
  private var folder: SharedFolder

  /// Begins with nothing read.
  package init(
    _ list: ListID, by replica: ReplicaID, in root: String, _ heads: FolderHeadFile
  ) {
    self.root = root
    self.heads = heads
    folder = SharedFolder(
      root, list: list, replica: replica, ownHead: heads.head(of: replica),
      SharedFolder.Settings(random: SystemCall.randomBits))
  }

  /// Who writes.
  var replica: ReplicaID { folder.replica }

  /// Begins anew if another program has written here under the same id.
  ///
  /// - Returns: Whether one has; then all is to be read before anything is written.
  mutating func catchUp() -> Bool {
    let head = heads.head(of: replica)
    guard head != folder.ownHead else { return false }
    self = FolderExchange(folder.list, by: replica, in: root, heads)
    return true
  }

  /// Joins what has arrived to a list.
  mutating func read(
    into list: inout ReplicatedList, _ admission: AdmissionPolicy
  ) throws(ToolFailure) -> SharedFolder.Reading {
    do throws(SharedFolderFailure) {
      return try folder.read(into: &list, now: PipeDriver.now(), admission: admission)
    } catch {
      throw ToolFailure(root, error)
    }
  }

  /// Puts what is new in a list into the folder; its own writes are on the drive before.
  mutating func write(_ list: ReplicatedList) throws(ToolFailure) -> Written {
    let before = folder.ownHead
    var written = Written()
    var failure: SharedFolderFailure?
    do throws(SharedFolderFailure) {
      try folder.write(list)
      try compactIfDue(list)
    } catch {
      failure = error
    }
    // However it ended: the files that were written are known to be from here.
    if let head = folder.ownHead, head != before { try heads.keep(head) }
    do throws(SharedFolderFailure) {
      if let failure { throw failure }
      written.removedCount = try folder.removeReplaced(now: SystemCall.wallClockMilliseconds)
    } catch {
      guard case .identity(let evidence) = error else { throw ToolFailure(root, error) }
      written.evidence = evidence
    }
    written.fileCount = Int(clamping: (folder.ownHead?.ordinal ?? 0) - (before?.ordinal ?? 0))
    return written
  }

  private mutating func compactIfDue(_ list: ReplicatedList) throws(SharedFolderFailure) {
    guard folder.isSnapshotDue else { return }
    do throws(SharedFolderFailure) {
      try folder.writeSnapshot(list)
    } catch {
      // What is too large for one file stays in segments, of which there may be any number.
      guard error == .tooLarge else { throw error }
    }
  }
}

extension SharedFolder.Reading {
  /// The files that wait because of what they hold.
  var notTaken: [NotTaken] {
    withheld.map { file in
      NotTaken(
        source: "not taken from \(file.path)", writes: [file.write],
        isPostponed: file.write.isPostponed)
    }
  }

  /// Which writes lost when the files were joined.
  func losses(in list: ReplicatedList) -> MergeReport {
    var losses = MergeLosses()
    losses.note(conflicts, removalConflicts)
    return MergeReport(losses, in: list, here: "this copy", there: "another copy")
  }

  /// What there is to tell about files that were not read.
  ///
  /// - Parameters:
  ///   - root: The folder.
  ///   - told: What was told before.
  /// - Returns: A sentence for each file.
  func messages(about root: String, _ told: ToldFiles) -> [String] {
    var messages = told.news(pending, in: root).map {
      "\(root): \($0) is not whole yet; it is read when it is"
    }
    if !needsUpgrade.isEmpty {
      messages.append(
        """
        \(root): \(needsUpgrade.count) files are by a newer version of betwixt and were not read
        """)
    }
    return messages
  }
}

extension ToolFailure {
  /// A shared folder that could not be used.
  init(_ root: String, _ failure: SharedFolderFailure) {
    switch failure {
    case .identity(let evidence): self.init(.tryAgain, "Error: \(root): \(evidence.sentence)")
    case .tooLarge: self.init(.badData, "Error: \(root): the document is too large for a folder")
    case .notVerified:
      self.init(.inputOutput, "Error: \(root): what was written there reads differently")
    case .fileSystem(let error): self.init(.inputOutput, "Error: \(root): \(error.sentence)")
    }
  }
}

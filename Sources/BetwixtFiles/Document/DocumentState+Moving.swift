import Betwixt
import BetwixtSync

// A document that was moved or renamed, and what is kept of it under its old path.

extension DocumentState {
  /// Goes on with what is kept of a document under the path that it had before.
  ///
  /// A file that was renamed, or moved on its drive, is still the file in which the last commit was
  /// made: whatever was kept of it comes along, the identity too. It is never copied, and no program
  /// goes on under an identity that was taken from under it; so there is one writer, whichever file
  /// the next program opens.
  ///
  /// Of any other file with that last commit, of which nothing is left under the old path, nothing
  /// tells whether it was moved or is a copy: it came from another drive, or the app's whole folder
  /// was restored. Then the writer is a new one. From there are taken the steps, which any copy can take
  /// back; who wrote here before, so that those stay the user's own writes; and what was mended of them.
  ///
  /// - Parameters:
  ///   - document: Which document is at the path now.
  ///   - file: Its file.
  ///   - commits: What it holds.
  ///   - isWriting: Whether somebody is about to write in it.
  ///   - settings: How it is opened.
  /// - Throws: ``IdentityStoreFailure``
  /// - Complexity: O(*d*) for *d* documents of which something is kept
  func takeOver(
    _ document: ListID, in file: FileStatus, holding commits: CommitsPresent, isWriting: Bool,
    settings: Document.Settings
  ) throws(IdentityStoreFailure) {
    var latest: (state: DocumentState, tail: CommitTail)?
    for other in others {
      guard let record = try? other.identityStore(settings).record(of: document),
        let standing = other.standing
      else { continue }
      // The other path may hold something else by now, but not the same file: that has two names.
      if record.file == FileMark(file), standing?.isSameFile(as: file) != true {
        return try takeAll(from: other, of: document, settings: settings)
      }
      guard standing == nil, let tail = record.writer.tail, commits.holds(tail) else { continue }
      if latest.map({ $0.tail.isBefore(tail) }) ?? true { latest = (other, tail) }
    }
    guard let latest, takeSteps(from: latest.state, of: document) || isWriting else { return }
    try takeWriters(from: latest.state, of: document, settings: settings)
  }

  /// Keeps what can be taken back of a document as it is kept elsewhere.
  ///
  /// - Returns: Whether it is kept; if not, it is looked for again the next time.
  private func takeSteps(from other: DocumentState, of document: ListID) -> Bool {
    guard stepsStatus == nil else { return true }
    var (steps, failure) = other.steps(of: document)
    guard failure == nil, !steps.isEmpty else { return true }
    steps.history.bringAll()
    return keep(&steps, insteadOf: KeptSteps(), of: document, .full) == nil
  }

  /// Begins as a new writer, who knows under which ids this installation has written elsewhere.
  ///
  /// None of them is ever taken again.
  private func takeWriters(
    from other: DocumentState, of document: ListID, settings: Document.Settings
  ) throws(IdentityStoreFailure) {
    guard let old = try other.identityStore(settings).record(of: document) else { return }
    try noteOwner()
    // Where that fails, others tell what they hold, and what was mended comes back with its time.
    let mended = try? other.headFile(of: document).mended()
    if let mended, !mended.mendings.isEmpty { try? headFile(of: document).keep(mended) }
    let roster = other.roster(of: document)
    if roster != DeviceRoster() { keep(roster, of: document) }
    var known = old.former
    for replica in old.earlier.reversed().map({ $0.replica }) + [old.replica]
    where !known.contains(replica) { known.append(replica) }
    var record = IdentityRecord(
      document: document, replica: ReplicaID(rawValue: settings.random()), former: known,
      place: StorePlace(machine: [], device: 0, inode: 0))
    record.followsUnreadable = old.followsUnreadable
    _ = try identityStore(settings).save(record, durably: true)
  }

  /// What stands at the path that this is about; `nil` if that cannot be told.
  private var standing: FileStatus?? {
    do throws(FileSystemError) {
      return .some(try fileSystem.status(at: path))
    } catch {
      return .none
    }
  }

  /// What is kept of files at other paths.
  private var others: [DocumentState] {
    let names = (try? fileSystem.list(directory)) ?? []
    return names.compactMap { name in
      let folder = Path.joining(directory, name)
      guard folder != self.folder, DocumentState.isName(name),
        let path = DocumentState.owner(of: folder, in: fileSystem)
      else { return nil }
      return DocumentState(at: path, keptIn: folder, like: self)
    }
  }

  private func takeAll(
    from other: DocumentState, of document: ListID, settings: Document.Settings
  ) throws(IdentityStoreFailure) {
    let (here, there) = (identityStore(settings), other.identityStore(settings))
    // Whose it is comes first, so that no identity is left of which nobody knows that.
    try noteOwner()
    // The identity goes last, for where one is nothing is taken over: whoever is stopped on the way is
    // followed by one who takes the rest. The steps go behind what they name.
    let steps = other.stepsStatus.map { _ in other.steps(of: document) }
    var names: [String] = []
    if let steps, steps != (KeptSteps(), nil) {
      names = steps.0.history.stepsApart.sorted { ($0.high, $0.low) < ($1.high, $1.low) }
        .map { DocumentState.name(of: $0) }
      names.append(DocumentState.stepsName)
    }
    names += [
      "\(document).head", FolderHeadFile.mendedName(document), DocumentState.rosterName(document),
      DocumentState.imageName,
    ]
    // What is not there any more was taken before; what cannot be taken is missed by nobody: others
    // send it again, and steps are no writes.
    for name in names {
      try? fileSystem.rename(Path.joining(other.folder, name), to: Path.joining(folder, name))
    }
    guard try there.move(document, to: here) else { return }
    other.removeIfEmpty(of: document)
  }

  /// Removes the folder, unless something is kept in it of another document.
  private func removeIfEmpty(of document: ListID) {
    let names = (try? fileSystem.list(folder)) ?? []
    guard !names.contains(where: { $0.hasSuffix(".identity") }) else { return }
    for name in names { try? fileSystem.unlink(Path.joining(folder, name)) }
    try? fileSystem.removeDirectory(folder)
  }
}

import Betwixt
import BetwixtSync

// The steps that can be taken back. What large ones hold lies in files of its own, which only they are
// written and read for: an import of many rows is no weight on the edits after it.

extension DocumentState {
  static let stepsName = "undo"
  private static let stepsLimit = 64 << 20
  private static let largeStepName = "undo-"
  private static let largeStepLimit = 1 << 30
  /// About how many bytes a step holds that is kept in a file of its own.
  static let largeStep = 16 << 10

  private var stepsPath: String { Path.joining(folder, DocumentState.stepsName) }

  /// The file of what a large step holds: its hash is the name, so it never changes.
  static func name(of key: UndoStep.Key) -> String {
    largeStepName + Hex.encode(key.high) + Hex.encode(key.low)
  }

  /// Which file holds the steps; `nil` if there is none.
  var stepsStatus: FileStatus? { (try? fileSystem.status(at: stepsPath)) ?? nil }

  /// The steps that were kept of a document, and why there are none if they cannot be read.
  ///
  /// What large steps hold is read once they are taken.
  func steps(of document: ListID) -> (KeptSteps, failure: String?) {
    do throws(FileSystemError) {
      let bytes = try fileSystem.contents(of: stepsPath, limit: DocumentState.stepsLimit)
      do throws(DecodeFailure) {
        var steps = try KeptSteps(bytes, for: document)
        steps.history.store = largeSteps(of: document)
        return (steps, nil)
      } catch {
        // Another document took the place of this one, which had steps of its own.
        return (KeptSteps(), error.reason == .otherList ? nil : "\(error)")
      }
    } catch {
      return (KeptSteps(), error.reason == .notFound ? nil : "\(error)")
    }
  }

  /// Keeps the steps, once what they did is in the document; where that fails, none are kept.
  ///
  /// Steps are no writes: without the last one less can be taken back. So the drive is waited for
  /// only where each commit waits, and only until it has the bytes: a power cut leaves the new file or
  /// the one before, which ``KeptSteps/meet(_:of:)`` finds out.
  ///
  /// - Parameters:
  ///   - steps: All of them. What large ones hold is in files afterwards, unless it failed.
  ///   - old: Those that are kept now.
  ///   - document: What they were made in.
  ///   - level: When a commit of the document returns.
  /// - Returns: Why that failed; `nil` if it did not.
  func keep(
    _ steps: inout KeptSteps, insteadOf old: KeptSteps, of document: ListID,
    _ level: DocumentFile.SyncLevel
  ) -> String? {
    var kept = steps
    var made: [String] = []
    do {
      let large = try kept.history.putApart(from: DocumentState.largeStep, for: document)
      let (before, after) = (old.history.stepsApart, kept.history.stepsApart)
      if !large.isEmpty { removeLeftovers(except: before.union(after)) }
      for (key, bytes) in large where !before.contains(key) {
        made.append(DocumentState.name(of: key))
        try put(DocumentState.name(of: key), bytes, isSynced: level == .full)
      }
      if level == .full, !made.isEmpty { try fileSystem.syncDirectory(folder) }
      try put(
        DocumentState.stepsName, try kept.bytes(for: document), isSynced: level == .full)
      remove(before.subtracting(after), level)
      kept.history.store = largeSteps(of: document)
      steps = kept
      return nil
    } catch {
      // Whoever takes back the last step must not get the one before.
      try? fileSystem.unlinkIfPresent(stepsPath)
      for name in made { try? fileSystem.unlinkIfPresent(Path.joining(folder, name)) }
      return (error as? FileSystemError).map { "\($0.at(folder))" } ?? "\(error)"
    }
  }

  /// Replaces the steps by others whose large ones lie in files already, and removes no file.
  ///
  /// Behind it a document is written, which must not come to the drive before it.
  ///
  /// - Returns: Whether they were replaced; if not, they are as they were.
  func replace(
    _ steps: KeptSteps, of document: ListID, _ level: DocumentFile.SyncLevel
  ) -> Bool {
    guard let bytes = try? steps.bytes(for: document) else { return false }
    do throws(FileSystemError) {
      try put(DocumentState.stepsName, bytes, isSynced: level == .full)
      if level == .full { try fileSystem.syncDirectory(folder) }
      return true
    } catch {
      return false
    }
  }

  private func largeSteps(of document: ListID) -> UndoStep.Store {
    UndoStep.Store { key in
      let path = Path.joining(folder, DocumentState.name(of: key))
      let bytes = try? fileSystem.contents(of: path, limit: DocumentState.largeStepLimit)
      return bytes.flatMap { try? UndoStep.items(decoding: $0, named: key, for: document) }
    }
  }

  /// Removes what no step names any more, once no power cut brings back those that did.
  private func remove(_ keys: Set<UndoStep.Key>, _ level: DocumentFile.SyncLevel) {
    guard !keys.isEmpty else { return }
    do throws(FileSystemError) {
      if level == .full { try fileSystem.syncDirectory(folder) }
      for key in keys {
        try fileSystem.unlinkIfPresent(Path.joining(folder, DocumentState.name(of: key)))
      }
    } catch {
      // They are looked for again with the next large step.
    }
  }

  /// Removes what programs left that were stopped while they kept steps.
  private func removeLeftovers(except keys: Set<UndoStep.Key>) {
    let names = Set(keys.map { DocumentState.name(of: $0) })
    for name in (try? fileSystem.list(folder)) ?? [] where !names.contains(name) {
      guard
        name.hasPrefix(DocumentState.largeStepName)
          || name.hasPrefix("\(DocumentState.stepsName).tmp-")
      else { continue }
      try? fileSystem.unlinkIfPresent(Path.joining(folder, name))
    }
  }

  /// Replaces a file, whose new name need not be on the drive when this returns.
  private func put(
    _ name: String, _ bytes: [UInt8], isSynced: Bool
  ) throws(FileSystemError) {
    try put(name, isSynced: isSynced) { file throws(FileSystemError) in
      try fileSystem.appendAll(file, bytes: bytes)
    }
  }

  /// The same with what is written step by step.
  func put(
    _ name: String, isSynced: Bool, _ write: (OpenFile) throws(FileSystemError) -> Void
  ) throws(FileSystemError) {
    let target = Path.joining(folder, name)
    let temporary = "\(target).tmp-\(Hex.encode(random()))"
    let file: OpenFile
    do {
      file = try fileSystem.open(temporary, mode: .creatingPrivately)
    } catch {
      guard error.reason == .notFound else { throw error }
      try fileSystem.makeDirectories(folder, for: .owner)
      file = try fileSystem.open(temporary, mode: .creatingPrivately)
    }
    defer { fileSystem.close(file) }
    do throws(FileSystemError) {
      try write(file)
      if isSynced { try fileSystem.sync(file) }
      try fileSystem.rename(temporary, to: target)
    } catch {
      try? fileSystem.unlink(temporary)
      throw error
    }
  }
}

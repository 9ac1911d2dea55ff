import Betwixt
import BetwixtSync

/// The generation of a document file before the present one, which is kept beside it.
///
/// A name proves nothing: what stands there counts only if it is of the same document.
struct PreviousGeneration {
  let list: ReplicatedList

  /// Its number; `nil` for a sealed block, which has none.
  let generation: UInt64?

  /// Whether nothing of it is missing.
  let isSound: Bool

  /// Whether it may hold more than ``list``, for newer versions.
  let needsUpgrade: Bool

  /// Where it may stand: under the plain name, or, if somebody else's file has that, under one with
  /// the document's id.
  static func paths(beside path: String, of document: ListID) -> [String] {
    [plainPath(beside: path), plainPath(beside: path) + "-\(document)"]
  }

  /// The first of them, which is known before the document is.
  static func plainPath(beside path: String) -> String { path + ".previous" }

  /// Whether what was in a file that is gone may still stand beside its place; of which document it was
  /// nothing says.
  static func mayStand(beside path: String, in fileSystem: any FileSystem) -> Bool {
    candidates(beside: path, in: fileSystem).contains { fileSystem.mayBeDocument(at: $0) }
  }

  /// Where that of any document may stand.
  private static func candidates(beside path: String, in fileSystem: any FileSystem) -> [String] {
    let (plain, directory) = (plainPath(beside: path), Path.directory(of: path))
    let prefix = Path.name(of: plain) + "-"
    let others = ((try? fileSystem.list(directory)) ?? []).filter { name in
      name.utf8.starts(with: prefix.utf8)
        && Hex.decode(name.utf8.dropFirst(prefix.utf8.count))?.count == 16
    }
    return [plain] + others.map { Path.joining(directory, $0) }
  }

  /// Reads the generation before of a file that does not say any more of which document it is; `nil`
  /// unless all that stands beside it is of one.
  init?(besideWhatIsGone path: String, in fileSystem: any FileSystem) {
    let all = PreviousGeneration.candidates(beside: path, in: fileSystem).compactMap {
      PreviousGeneration(at: $0, of: nil, in: fileSystem)
    }
    guard let first = all.first, all.allSatisfy({ $0.list.id == first.list.id }) else { return nil }
    self = first
  }

  /// Reads the generation before of the document file at a path.
  init?(beside path: String, of document: ListID, in fileSystem: some FileSystem) {
    // Each is read once: the first of a lazy sequence would be read twice, and may be gone by then.
    for candidate in PreviousGeneration.paths(beside: path, of: document) {
      guard let found = PreviousGeneration(at: candidate, of: document, in: fileSystem) else {
        continue
      }
      self = found
      return
    }
    return nil
  }

  /// Reads any generation of a document; `nil` for any document.
  init?(at path: String, of document: ListID?, in fileSystem: some FileSystem) {
    guard let bytes = try? fileSystem.documentBytes(at: path) else { return nil }
    if SealedBlock.isSealedBlock(bytes) {
      guard let sealed = try? SealedBlock.decode(bytes) else { return nil }
      (list, generation, isSound, needsUpgrade) = (sealed, nil, true, false)
    } else {
      guard let content = try? DocumentContent(bytes) else { return nil }
      (list, generation, isSound) = (content.list, content.header.generation, content.isSound)
      needsUpgrade = content.needsUpgrade != nil
    }
    guard document.map({ $0 == list.id }) ?? true else { return nil }
  }

  /// Whether a list has all that is here, so that this may go.
  ///
  /// - Complexity: O(*n* log *n*)
  func isHeld(by list: ReplicatedList) -> Bool { !needsUpgrade && list.holds(self.list) }
}

extension DocumentContent {
  /// What is wrong, once all is joined that this one lacks: what the generation before has, and what
  /// was read of the file before it was damaged.
  mutating func recover(
    with previous: PreviousGeneration?, after known: KnownContent? = nil
  ) -> [RecoveryReport.Finding] {
    var findings: [RecoveryReport.Finding] = []
    if let headerDamage { findings.append(.damagedHeader(headerDamage)) }
    switch tail {
    case .clean: break
    case .torn(let bytes): findings.append(.tornTail(bytes: bytes))
    case .damaged(let place, let salvaged, let lost):
      findings.append(.damage(at: place, salvagedCommits: salvaged, lostBytes: lost))
    }
    var missing = missing
    if !missing.isEmpty, let previous {
      let before = list
      join(previous.list)
      if !list.holdsSameEntries(as: before) { findings.append(.usedPrevious) }
      if holdsSnapshot(previous), missing[0].first == 0 {
        if let rest = missing[0].withoutSnapshot {
          missing[0] = rest
        } else {
          missing.removeFirst()
        }
      }
    }
    if let known, known.list.id == header.document {
      let before = list
      join(known.list)
      if !list.holdsSameEntries(as: before) { findings.append(.usedOpen) }
      missing = known.missing(missing, in: self)
    }
    return findings + missing.map { .missingCommits(first: $0.first, last: $0.last) }
  }

  /// Whether the snapshot says no more than the generation before: it was made of all of that.
  private func holdsSnapshot(_ previous: PreviousGeneration) -> Bool {
    guard headerDamage == nil, previous.isSound, let generation = previous.generation else {
      return false
    }
    return generation < header.generation && header.generation - generation == 1
  }
}

extension MissingCommits {
  /// The same without number 0; `nil` if there is no other.
  fileprivate var withoutSnapshot: MissingCommits? {
    last == 0 ? nil : MissingCommits(1, last: last)
  }
}

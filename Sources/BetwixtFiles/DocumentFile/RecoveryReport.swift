public import BetwixtSync

/// What opening a document file had to repair or could not.
public struct RecoveryReport: Hashable, Sendable {
  /// One thing that was found.
  public enum Finding: Hashable, Sendable {
    /// The last bytes are the beginning of a commit, as a write leaves that was cut, and so does a
    /// copy that ends too early.
    case tornTail(bytes: Int)

    /// The first 64 bytes are damaged; the commits say what they were.
    case damagedHeader(DecodeFailure)

    /// Bytes behind the commits that follow each other are damaged; whole commits behind them were
    /// joined.
    case damage(at: Int, salvagedCommits: Int, lostBytes: Int)

    /// Commits of which nothing is left, by their numbers: number 0 is the snapshot. Without a last
    /// one, nothing tells how many followed.
    case missingCommits(first: Int, last: Int?)

    /// The generation before was joined, because this one is damaged.
    case usedPrevious

    /// What was read of the file before it was damaged was joined, by the program that had it open.
    case usedOpen

    /// The damaged file was kept under this path.
    case kept(path: String)

    /// An earlier repair has kept a damaged file of this document under this path.
    case keptEarlier(path: String)

    /// A file of this document, kept under this path, has writes that are missing here: an older copy
    /// was put in the place of what held them.
    case branch(path: String)

    /// Some content needs a newer version; the file is open for reading only.
    case needsUpgrade(DecodeFailure)
  }

  /// What was found, in the order of finding.
  public internal(set) var findings: [Finding] = []

  /// Whether bytes were left out that may have held writes: then write under a new replica id.
  public var droppedAnything: Bool {
    findings.contains(where: \.isLoss)
  }

  /// Whether the file is not as it was written, whether or not anything is missing.
  public var hasDamage: Bool {
    findings.contains(where: \.isDamage)
  }
}

extension RecoveryReport.Finding {
  /// Whether it is a sign that the file is not as it was written.
  var isDamage: Bool { if case .needsUpgrade = self { false } else { true } }

  /// Whether bytes were left out that may have held writes.
  var isLoss: Bool {
    switch self {
    case .tornTail, .damage, .missingCommits, .usedPrevious: true
    case .damagedHeader, .usedOpen, .kept, .keptEarlier, .branch, .needsUpgrade: false
    }
  }
}

extension RecoveryReport.Finding: CustomStringConvertible {
  /// One line for people.
  public var description: String {
    switch self {
    case .tornTail(bytes: 0): "nothing was left in the file"
    case .tornTail(let bytes):
      """
      the last \(bytes) bytes are the beginning of a commit that was never written to its end, \
      or was cut by a copy
      """
    case .damagedHeader(let failure):
      "the first 64 bytes are damaged (\(failure)); the commits say what stood there"
    case .damage(let place, let salvaged, let lost):
      "damaged at offset \(place): \(lost) bytes lost, \(salvaged) commits behind them are whole"
    case .missingCommits(let first, let last):
      RecoveryReport.missing(first, last: last)
    case .usedPrevious:
      "the generation before was joined, as far as it goes"
    case .usedOpen:
      "what had been read of the file before it was damaged was joined"
    case .kept(let path):
      "the damaged file was kept as \(path)"
    case .keptEarlier(let path):
      """
      it was damaged before, and what was then lost may be missing: the file as it was is \
      \(path), to be deleted when nothing is missed
      """
    case .branch(let path):
      """
      \(path) has writes that are missing here, since an older copy took the place of this \
      document: to be merged, or deleted when nothing is missed
      """
    case .needsUpgrade(let failure):
      "a newer version is needed: \(failure)"
    }
  }
}

extension RecoveryReport {
  fileprivate static func missing(_ first: Int, last: Int?) -> String {
    let name = first == 0 ? "the snapshot" : "commit \(first)"
    guard let last else { return "\(name) is missing, and perhaps commits behind it" }
    guard last > first else { return "\(name) is missing" }
    return first == 0
      ? "the snapshot and the commits 1 to \(last) are missing"
      : "the commits \(first) to \(last) are missing"
  }
}

/// What opening a document file had to repair or could not.
public struct RecoveryReport: Hashable, Sendable {
  /// One thing that was found.
  public enum Finding: Hashable, Sendable {
    /// The last bytes never were a whole commit and were cut off.
    case tornTail(bytes: Int)

    /// Bytes in the middle are damaged; whole commits behind them were joined.
    case damage(at: Int, salvagedCommits: Int, lostBytes: Int)

    /// The file is missing or unreadable; the generation before it was taken.
    case usedPrevious(reason: DecodeFailure?)

    /// The damaged file was kept under this path.
    case kept(path: String)

    /// Some content needs a newer version; the file is open for reading only.
    case needsUpgrade(DecodeFailure)
  }

  /// What was found, in the order of finding.
  public internal(set) var findings: [Finding] = []

  /// Whether bytes were left out that may have held writes: then write under a new replica id.
  public var droppedAnything: Bool {
    findings.contains { finding in
      switch finding {
      case .tornTail, .damage, .usedPrevious: true
      case .kept, .needsUpgrade: false
      }
    }
  }
}

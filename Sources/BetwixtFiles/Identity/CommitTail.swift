import BetwixtSync

/// One commit of one generation of a document file: enough to find it again, and to tell that
/// another one stands in its place.
public struct CommitTail: Hashable, Sendable {
  let log: LogID
  let generation: UInt64
  let ordinal: UInt32

  /// The last four bytes of the commit.
  let checksum: UInt32

  /// Whether the other was made later by the same writer.
  func isBefore(_ other: CommitTail) -> Bool {
    (generation, ordinal) < (other.generation, other.ordinal)
  }
}

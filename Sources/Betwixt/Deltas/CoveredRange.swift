/// A claim of a delta about the writes `after + 1 ... through` of a replica.
///
/// Whoever knew all up to `after`, and whatever else the delta was made for, holds, once it has
/// merged the delta, each of those writes or one that replaced it.
public struct CoveredRange: Hashable, Sendable {
  /// Whose writes.
  public let replica: ReplicaID

  /// What the receiver must know already.
  public let after: Int64

  /// What it knows afterwards; greater than `after`.
  public let through: Int64

  package init(replica: ReplicaID, after: Int64, through: Int64) {
    self.replica = replica
    self.after = after
    self.through = through
  }
}

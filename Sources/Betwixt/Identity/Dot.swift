/// The name of one write: its replica, and its sequence: which write of that replica it is.
public struct Dot: Hashable, Sendable {
  /// Who wrote.
  public let replica: ReplicaID

  /// The number of the write, from 1; rising by one with each write of the replica.
  public let sequence: Int64

  /// Makes a dot.
  public init(replica: ReplicaID, sequence: Int64) {
    self.replica = replica
    self.sequence = sequence
  }
}

extension Dot: Comparable {
  /// Replica first, then sequence number.
  public static func < (left: Dot, right: Dot) -> Bool {
    left.replica != right.replica
      ? left.replica < right.replica : left.sequence < right.sequence
  }
}

extension Dot: CustomStringConvertible {
  /// `replica:sequence`.
  public var description: String { "\(replica):\(sequence)" }
}

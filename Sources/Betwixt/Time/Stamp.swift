/// What decides between two writes of one register: the later time, then the greater replica.
public struct Stamp: Hashable, Sendable {
  /// When it was written, by the writer's clock.
  public let time: Timestamp

  /// Who wrote it.
  public let replica: ReplicaID

  /// Makes a stamp.
  public init(time: Timestamp, replica: ReplicaID) {
    self.time = time
    self.replica = replica
  }
}

extension Stamp: Comparable {
  /// Time first, then replica.
  public static func < (left: Stamp, right: Stamp) -> Bool {
    left.time != right.time ? left.time < right.time : left.replica < right.replica
  }
}

extension Stamp: CustomStringConvertible {
  /// `time@replica`, both hexadecimal.
  public var description: String { "\(time)@\(replica)" }
}

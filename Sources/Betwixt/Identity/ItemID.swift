/// The name of one item: 128 bits that never change and are never used again.
///
/// An item that a replica creates is named after the write that created it: the replica's id and
/// the sequence number of its first `life` entry. An imported item keeps its UUID, or the first 16
/// bytes of a SHA-256 over its foreign id, so that importing a file twice makes the same items.
public struct ItemID: Identifier128 {
  /// The first eight bytes, as a big-endian number.
  public let high: UInt64

  /// The last eight bytes, as a big-endian number.
  public let low: UInt64

  /// Makes an id from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// The id of an item created by `replica` with the `life` entry of number `sequence`.
  public init(replica: ReplicaID, sequence: Int64) {
    self.init(high: replica.rawValue, low: UInt64(bitPattern: sequence))
  }

  /// The reserved item, id all zero, whose fields are the list's own metadata.
  ///
  /// It is never visible; a `life` or `position` of it is kept and ignored.
  public static let root = ItemID(high: 0, low: 0)
}

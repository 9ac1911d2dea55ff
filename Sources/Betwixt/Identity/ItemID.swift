/// The name of one item: 128 bits that never change and are never used again.
///
/// An item that a replica creates has a *family*, random bits that its writer draws for each commit,
/// and the sequence number of its first `life` entry. So the numbers of a writer may go back, as
/// after a restored backup, and no two items get one name. An imported item keeps its UUID, or the
/// first 16 bytes of a SHA-256 over its foreign id, so that importing a file twice makes the same
/// items.
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

  /// The id of an item of a family, created with the `life` entry of number `sequence`.
  public init(family: UInt64, sequence: Int64) {
    self.init(high: family, low: UInt64(bitPattern: sequence))
  }

  /// The reserved item, id all zero, whose fields are the list's own metadata.
  ///
  /// It is never visible; a `life` or `position` of it is kept and ignored.
  public static let root = ItemID(high: 0, low: 0)
}

/// Where an item stands in its section (replaced in the next commit).
public struct SortKey: Hashable, Sendable {
  public let bytes: [UInt8]
}

public import Betwixt

/// A commit that was done.
public struct AppliedCommit: Hashable, Sendable {
  /// The item that it added.
  public let addedItem: ItemID?

  /// The writes that it made.
  public let writes: [Write]
}

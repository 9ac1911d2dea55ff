public import Betwixt

/// A place between two neighbours of one day, in the list without the item that is to stand there.
///
/// Gaps name ids and never row numbers, so a gap means the same place after others have edited.
public struct Gap: Hashable, Sendable {
  /// The day.
  public let day: Int64

  /// The item directly above; `nil` at the start of the day.
  public let above: ItemID?

  /// The item directly below; `nil` at the end of the day.
  public let below: ItemID?

  /// Names a gap.
  public init(day: Int64, above: ItemID?, below: ItemID?) {
    self.day = day
    self.above = above
    self.below = below
  }
}

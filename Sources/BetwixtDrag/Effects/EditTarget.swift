public import Betwixt
public import BetwixtTrips

/// Whose text is edited.
public enum EditTarget: Hashable, Sendable {
  /// An item's.
  case item(ItemID)
  /// That of an item which is not written yet.
  case draft(Gap)
}

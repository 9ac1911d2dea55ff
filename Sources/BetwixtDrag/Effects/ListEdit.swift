public import Betwixt
public import BetwixtTrips

/// One write of a commit.
public enum ListEdit: Hashable, Sendable {
  /// An item goes into a gap.
  case move(ItemID, Gap)
  /// A new item goes into a gap.
  case insert(Fields, Gap)
  /// A game goes where its start says.
  case addGame(Fields)
  /// A field of an item gets a value.
  case set(ItemID, FieldName, FieldValue)
  /// An item is removed.
  case remove(ItemID)
}

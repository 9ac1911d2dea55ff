public import Betwixt
public import BetwixtTrips

/// Whose text is edited.
public enum EditTarget: Hashable, Sendable {
  /// An item's.
  case item(ItemID)
  /// That of an item which is not written yet.
  case draft(Gap)
}

/// Why a field for text closes.
public enum EditEnd: Hashable, Sendable {
  /// The user is done with it, one way or the other.
  case finished
  /// Its item or its day is gone; this was typed, and is the user's to keep.
  case lost(text: String)
}

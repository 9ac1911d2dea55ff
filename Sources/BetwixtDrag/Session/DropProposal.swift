public import BetwixtTrips

/// What would happen if the drag ended now.
public enum DropProposal: Hashable, Sendable {
  /// The item stays where it stands.
  case stay
  /// It goes into a gap.
  case move(Gap)
  /// Something from another program is added in a gap.
  case copy(Gap)
  /// It cannot go here, and goes back.
  case forbidden
  /// The pointer is over a tab: the item goes back.
  case tab(TaskTab)
  /// The pointer is over nothing: the item goes back.
  case none

  /// The gap that the item would go into.
  public var gap: Gap? {
    switch self {
    case .move(let gap), .copy(let gap): gap
    case .stay, .forbidden, .tab, .none: nil
    }
  }
}

import Betwixt

/// Where the keys of a gap leave room for an item, by the rule of the zones.
///
/// Numbers below 0 are for what stands above the first game of a day, numbers from 0 for all else.
enum Placement {
  /// Directly below an item.
  case after(ItemID)
  /// Directly above an item.
  case before(ItemID)
  /// Between two keys, of which one is the end of a zone.
  case between(SortKey?, SortKey?)

  /// The end of the zone below 0.
  ///
  /// No item has this key: an item's id is never zero.
  static let zero: SortKey? = try? SortKey(importing: 0, of: .root)
}

extension Trip {
  /// Where an item goes in a gap whose neighbours stand side by side.
  ///
  /// - Parameters:
  ///   - gap: A resolved gap.
  ///   - moved: The item, if it is in the list already.
  ///   - isAboveGames: Whether the day has games and all of them stand below the gap; `nil` to look.
  /// - Returns: What the new key stands between.
  /// - Complexity: O(log *n*), and O(*d*) for *d* items of the day to look for games where the gap
  ///   crosses 0
  func placement(
    in gap: Gap, moving moved: ItemID? = nil, isAboveGames: Bool? = nil
  ) -> Placement {
    let above = gap.above.flatMap { list[id: $0]?.key }
    let below = gap.below.flatMap { list[id: $0]?.key }
    // Where both neighbours are on one side of 0 there is nothing to clip: either the zone is
    // theirs, or it has no room here and the order matters more than the sign.
    if let id = gap.above, let above, let zero = Placement.zero, above >= zero { return .after(id) }
    if let id = gap.below, let below, let zero = Placement.zero, below < zero { return .before(id) }
    return isAboveGames ?? self.isAboveGames(gap, moved: moved)
      ? .between(above, Placement.zero) : .between(Placement.zero, below)
  }

  // Whether the day has games and all of them stand below the gap.
  private func isAboveGames(_ gap: Gap, moved: ItemID?) -> Bool {
    let places = list.indices(inSection: gap.day)
    let first = places.first { index in
      list[index].id != moved && ItemKind(list[index][.kind]) == .game
    }
    guard let first else { return false }
    guard let above = gap.above.flatMap({ list.index(id: $0) }) else { return true }
    return above < first
  }
}

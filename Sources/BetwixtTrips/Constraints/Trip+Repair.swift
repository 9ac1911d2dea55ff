public import Betwixt

/// What a repair did.
public struct TripRepair: Hashable, Sendable {
  /// The violations that are gone, in the order in which they were repaired.
  public internal(set) var repaired: [Violation] = []

  /// The violations that stay: only a person can mend them, there is no place for it, or the list
  /// refuses the move, as that of an item which somebody has moved at the end of all times.
  public internal(set) var left: [Violation] = []
}

extension Trip {
  /// Mends what moving items can mend, by ordinary moves.
  ///
  /// Games go back to their schedule first, then items beyond the trip's days come in, then legs
  /// go to their home intervals, those too that only the games have put out of place. A second
  /// repair writes nothing.
  ///
  /// - Parameters:
  ///   - violations: What to mend; ``Constraints/violations()`` of this trip or some of them.
  ///   - replica: Who writes.
  /// - Returns: What was mended and what was left.
  /// - Complexity: O(*n*), O(log *n*) for each item that moves, O(*n*) for each route of a leg, and for
  ///   each leg as many steps as there are games in its cities and routes in all
  public mutating func repair(
    _ violations: [Violation], by replica: inout Replica
  ) -> TripRepair {
    var repair = TripRepair()
    var strays: [(id: ItemID, violation: Violation)] = []
    var legs: [(id: ItemID, violation: Violation)] = []
    // Only where something else moves a leg can come to stand out of place.
    let movesOthers = violations.contains { violation in
      switch violation {
      case .gameOffSchedule, .dayOutOfRange: true
      case .travelOutOfPlace, .badField, .badTrip, .clockOrder: false
      }
    }
    let brokenBefore = movesOthers ? Set(legsOutOfPlace()) : []
    var games: [ItemID] = []
    var strayGames: [Violation] = []
    for violation in violations {
      switch violation {
      case .gameOffSchedule(let id, let slot):
        // What one item refuses keeps no other from being mended.
        repair.note(violation, isMended: (try? reanchor(id, at: slot, by: &replica)) ?? false)
        games.append(id)
      case .dayOutOfRange(let id, _):
        switch kind(of: id) {
        case .game:
          strayGames.append(violation)
          games.append(id)
        case .travel: legs.append((id, violation))
        case .custom, .other: strays.append((id, violation))
        }
      case .travelOutOfPlace(let id): legs.append((id, violation))
      case .badField, .badTrip, .clockOrder: repair.left.append(violation)
      }
    }
    let beyond = gamesOutOfRange(games)
    let leftGames = Set(beyond.map { $0.item })
    repair.repaired += strayGames.filter { !leftGames.contains($0.item) }
    repair.left += beyond
    // What stands above day 1 goes to its start one by one, the last one first.
    // Asked once for all: none of them is a game.
    let startsAboveGames = !strays.isEmpty && hasGames(onDay: 1)
    for (id, violation) in Trip.turned(strays, in: list) {
      let isMended = try? bringIn(id, startsAboveGames: startsAboveGames, by: &replica)
      repair.note(violation, isMended: isMended ?? false)
    }
    for id in movesOthers ? legsOutOfPlace() : [] where !brokenBefore.contains(id) {
      legs.append((id, .travelOutOfPlace(id)))
    }
    if legs.isEmpty { return repair }
    var homes = LegHomes(self)
    for (id, violation) in Trip.turned(sortedByPlace(legs), in: list) {
      repair.note(violation, isMended: (try? bringHome(id, to: &homes, by: &replica)) ?? false)
    }
    return repair
  }

  /// What can only be mended with more days, as the schedule says: also where it has only just put a
  /// game there.
  private func gamesOutOfRange(_ games: [ItemID]) -> [Violation] {
    var seen: Set<ItemID> = []
    return games.compactMap { id in
      guard seen.insert(id).inserted, let day = list[id: id]?.section,
        !(1...dayCount).contains(day)
      else { return nil }
      return .dayOutOfRange(id, day: day)
    }
  }

  private func hasGames(onDay day: Int64) -> Bool {
    list.indices(inSection: day).contains { ItemKind(list[$0][.kind]) == .game }
  }

  private func legsOutOfPlace() -> [ItemID] {
    Constraints(self).violations().compactMap {
      if case .travelOutOfPlace(let id) = $0 { id } else { nil }
    }
  }

  private func sortedByPlace(
    _ items: [(id: ItemID, violation: Violation)]
  ) -> [(id: ItemID, violation: Violation)] {
    items.map { (list.index(id: $0.id) ?? .max, $0) }.sorted { $0.0 < $1.0 }.map { $0.1 }
  }

  // Items above day 1 in reverse, the others as they are.
  private static func turned(
    _ items: [(id: ItemID, violation: Violation)], in list: ReplicatedList
  ) -> [(id: ItemID, violation: Violation)] {
    let isAbove = { (id: ItemID) in (list[id: id]?.section ?? 1) < 1 }
    return items.filter { isAbove($0.id) }.reversed() + items.filter { !isAbove($0.id) }
  }

  private mutating func reanchor(
    _ id: ItemID, at slot: Violation.Slot, by replica: inout Replica
  ) throws(TripFailure) -> Bool {
    guard let item = list[id: id], item.isVisible,
      let day = slot.day ?? item.section
    else { return false }
    try edit(by: &replica) { list, me throws(EditFailure) in
      try list.place(id, atSortOrder: slot.sortOrder, inSection: day, by: &me)
    }
    return true
  }

  /// Brings an item that may stand anywhere to the nearest day.
  ///
  /// The caller says whether day 1 has games, so that its start is above them.
  private mutating func bringIn(
    _ id: ItemID, startsAboveGames: Bool, by replica: inout Replica
  ) throws(TripFailure) -> Bool {
    guard list.contains(id: id), let day = list[id: id]?.section else { return false }
    if (1...dayCount).contains(day) { return true }
    if day < 1 {
      _ = try move(id, into: firstGap(ofDay: 1), isAboveGames: startsAboveGames, by: &replica)
    } else {
      _ = try move(id, into: lastGap(ofDay: dayCount), by: &replica)
    }
    return true
  }

  /// Brings a leg to the nearest gap of its home interval.
  private mutating func bringHome(
    _ id: ItemID, to homes: inout LegHomes, by replica: inout Replica
  ) throws(TripFailure) -> Bool {
    switch homes.home(of: id, in: self) {
    case .here: return true
    case .nowhere: return false
    case .gap(let gap):
      try homes.move(id, in: &self) { trip throws(TripFailure) in
        _ = try trip.move(id, into: gap, by: &replica)
      }
      return true
    }
  }
}

extension TripRepair {
  fileprivate mutating func note(_ violation: Violation, isMended: Bool) {
    if isMended { repaired.append(violation) } else { left.append(violation) }
  }
}

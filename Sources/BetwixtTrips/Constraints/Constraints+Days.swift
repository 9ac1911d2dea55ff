public import Betwixt

extension Constraints {
  /// The days on which an item may stand, as the nearest stretch of them.
  ///
  /// For a game it is its own day, for a leg the days of its home interval: from the day of the
  /// game above to the day of the game below.
  ///
  /// - Returns: `nil` for an item that is not there, and where the games that bound a leg stand
  ///   beyond the trip.
  /// - Complexity: O(*n*)
  public func validDayRange(_ id: ItemID) -> ClosedRange<Int64>? {
    guard let index = indices[id] else { return nil }
    switch places[index].rule {
    case .anchored: return places[index].day...places[index].day
    case .free: return 1...dayCount
    case .leg: return homeIntervals(of: index).flatMap { days(of: $0.home(of: index)) }
    }
  }

  /// The days of every stretch in which an item may stand, in order.
  ///
  /// - Complexity: O(*b* + log *n*) for *b* games of the leg's cities
  public func validDayRanges(_ id: ItemID) -> [ClosedRange<Int64>] {
    guard let index = indices[id] else { return [] }
    guard case .leg(let from, let to) = places[index].rule else {
      return validDayRange(id).map { [$0] } ?? []
    }
    let route = Route(from: from, to: to, games: games)
    return route.intervals().filter { $0.isValid }.compactMap { days(of: $0) }
  }

  /// The games that bound the home interval of a leg, none to two; a front end shows them while
  /// the leg is dragged.
  ///
  /// - Complexity: O(*n*)
  public func barrierGames(_ id: ItemID) -> [ItemID] {
    guard let index = indices[id], let home = homeIntervals(of: index)?.home(of: index) else {
      return []
    }
    return [home.left, home.right].compactMap { $0.map { places[$0].id } }
  }

  private func days(of interval: Route.Interval) -> ClosedRange<Int64>? {
    let first = Swift.max(interval.left.map { places[$0].day } ?? 1, 1)
    let last = Swift.min(interval.right.map { places[$0].day } ?? dayCount, dayCount)
    return first <= last ? first...last : nil
  }
}

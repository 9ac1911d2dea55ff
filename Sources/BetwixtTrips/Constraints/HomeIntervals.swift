import Betwixt

/// For each interval of a route, the interval that a leg standing there belongs to.
///
/// An interval where the leg may stand is its own home. Else it is the nearest one in which no
/// other leg of the route stands; of two equally near ones the one that is bounded on both sides,
/// then the earlier. If all are taken, it is the nearest by the same ties.
struct HomeIntervals {
  let intervals: [Route.Interval]
  private let homes: [Int]

  /// - Parameters:
  ///   - intervals: All intervals of the route.
  ///   - legs: The places of all legs of the route.
  /// - Complexity: O(*b* + *l* log *b*) for *b* intervals and *l* legs
  init(_ intervals: [Route.Interval], legs: [Int]) {
    self.intervals = intervals
    var isFree = intervals.map { $0.isValid }
    for leg in legs { isFree[HomeIntervals.index(of: leg, in: intervals)] = false }
    let candidates = isFree.contains(true) ? isFree : intervals.map { $0.isValid }
    let above = HomeIntervals.nearest(candidates)
    let below = HomeIntervals.nearest(candidates.reversed()).reversed()
      .map { $0.map { candidates.count - 1 - $0 } }
    homes = intervals.indices.map { index in
      if intervals[index].isValid { return index }
      guard let upper = above[index] else { return below[index] ?? index }
      guard let lower = below[index] else { return upper }
      let toUpper = index - upper
      let toLower = lower - index
      if toUpper != toLower { return toUpper < toLower ? upper : lower }
      let isLowerBetter = intervals[lower].isBounded && !intervals[upper].isBounded
      return isLowerBetter ? lower : upper
    }
  }

  /// The home of what stands at a place.
  func home(of place: Int) -> Route.Interval {
    intervals[homes[HomeIntervals.index(of: place, in: intervals)]]
  }

  // For each element, the last one up to it that is true.
  private static func nearest(_ flags: some Sequence<Bool>) -> [Int?] {
    var last: Int?
    return flags.enumerated().map { index, flag in
      if flag { last = index }
      return last
    }
  }

  private static func index(of place: Int, in intervals: [Route.Interval]) -> Int {
    var low = 0
    var high = intervals.count - 1
    while low < high {
      let middle = (low + high) / 2
      if let right = intervals[middle].right, right < place {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}

extension Constraints {
  /// The legs that go from one city to another, by place.
  ///
  /// - Complexity: O(*n*)
  func legs(from: City, to: City) -> [Int] {
    places.indices.filter { index in
      guard case .leg(let otherFrom, let otherTo) = places[index].rule else { return false }
      return from.matches(otherFrom) && to.matches(otherTo)
    }
  }

  /// The intervals of a leg's route and the homes in them; `nil` for what is no leg.
  ///
  /// - Complexity: O(*n*)
  func homeIntervals(of index: Int) -> HomeIntervals? {
    guard case .leg(let from, let to) = places[index].rule else { return nil }
    let others = legs(from: from, to: to).filter { $0 != index }
    return HomeIntervals(Route(from: from, to: to, games: games).intervals(), legs: others)
  }
}

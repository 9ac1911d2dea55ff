import Betwixt

/// For each interval of a route, the interval that a leg standing there belongs to.
///
/// An interval where the leg may stand is its own home. Else it is the nearest one in which no
/// other leg of the route stands; of two equally near ones the one that is bounded on both sides,
/// then the earlier. If all are taken, it is the nearest by the same ties.
struct HomeIntervals {
  let intervals: [Route.Interval]
  private var legCounts: [Int]
  // How many intervals a leg may stand in and none does.
  private var freeCount: Int

  /// - Parameters:
  ///   - intervals: All intervals of the route.
  ///   - legs: The places of all legs of the route.
  /// - Complexity: O(*b* + *l* log *b*) for *b* intervals and *l* legs
  init(_ intervals: [Route.Interval], legs: [Int]) {
    self.intervals = intervals
    legCounts = Array(repeating: 0, count: intervals.count)
    freeCount = intervals.count { $0.isValid }
    for leg in legs { addLeg(to: HomeIntervals.index(of: leg, in: intervals)) }
  }

  /// Counts one more leg in an interval.
  mutating func addLeg(to index: Int) {
    if legCounts[index] == 0, intervals[index].isValid { freeCount -= 1 }
    legCounts[index] += 1
  }

  /// Counts one leg less in an interval.
  mutating func removeLeg(from index: Int) {
    legCounts[index] -= 1
    if legCounts[index] == 0, intervals[index].isValid { freeCount += 1 }
  }

  /// The home of what stands at a place.
  ///
  /// - Complexity: O(*b*) for *b* intervals
  func home(of place: Int) -> Route.Interval {
    intervals[homeIndex(from: HomeIntervals.index(of: place, in: intervals))]
  }

  /// The home of what stands in an interval.
  ///
  /// - Complexity: O(*b*) for *b* intervals
  func homeIndex(from index: Int) -> Int {
    if intervals[index].isValid { return index }
    func isHome(_ other: Int) -> Bool {
      intervals.indices.contains(other) && intervals[other].isValid
        && (freeCount == 0 || legCounts[other] == 0)
    }
    var (upper, lower) = (index - 1, index + 1)
    while upper >= 0 || lower < intervals.count {
      switch (isHome(upper), isHome(lower)) {
      case (true, false): return upper
      case (false, true): return lower
      case (true, true):
        let isLowerBetter = intervals[lower].isBounded && !intervals[upper].isBounded
        return isLowerBetter ? lower : upper
      case (false, false): (upper, lower) = (upper - 1, lower + 1)
      }
    }
    return index
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

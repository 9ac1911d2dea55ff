import Betwixt

/// The games that a travel leg has to do with: those in its two cities.
///
/// They are its barriers and cut the list into intervals, in each of which all gaps are alike.
package struct Route {
  /// What lies between two barriers.
  package struct Interval {
    /// The place of the barrier above.
    package let left: Int?
    /// The place of the barrier below.
    package let right: Int?
    package let isValid: Bool

    var isBounded: Bool { left != nil && right != nil }
  }

  private let fromGames: [[Int]]
  private let toGames: [[Int]]
  // From a city to itself: no game is in the way.
  private let isShuttle: Bool

  package init(from: City, to: City, games: CityIndex) {
    isShuttle = from.matches(to)
    fromGames = games.places(of: from)
    toGames = games.places(of: to)
  }

  /// Whether the nearest barriers of a boundary allow the leg there.
  ///
  /// - Complexity: O(log *n*)
  package func isValid(at boundary: Int) -> Bool {
    if isShuttle { return true }
    if let to = Route.last(before: boundary, in: toGames) {
      guard let from = Route.last(before: boundary, in: fromGames), from >= to else {
        return false
      }
    }
    if let from = Route.first(from: boundary, in: fromGames) {
      guard let to = Route.first(from: boundary, in: toGames), to <= from else { return false }
    }
    return true
  }

  /// Whether all games in A stand above a boundary and all in B below.
  ///
  /// - Complexity: O(log *n*)
  package func isLiterallyValid(at boundary: Int) -> Bool {
    isShuttle
      || Route.first(from: boundary, in: fromGames) == nil
        && Route.last(before: boundary, in: toGames) == nil
  }

  /// What lies between the barriers, top to bottom; never empty.
  ///
  /// - Complexity: O(*b*) for *b* barriers
  package func intervals() -> [Interval] {
    guard !isShuttle else { return [Interval(left: nil, right: nil, isValid: true)] }
    let from = Route.merged(fromGames)
    let to = Route.merged(toGames)
    var intervals: [Interval] = []
    var left: Int?
    var isOpen = true
    var nextFrom = 0
    var nextTo = 0
    while nextFrom < from.count || nextTo < to.count {
      let place = min(
        nextFrom < from.count ? from[nextFrom] : .max, nextTo < to.count ? to[nextTo] : .max)
      let isFrom = nextFrom < from.count && from[nextFrom] == place
      let isTo = nextTo < to.count && to[nextTo] == place
      intervals.append(Interval(left: left, right: place, isValid: isOpen && isTo))
      left = place
      isOpen = isFrom
      if isFrom { nextFrom += 1 }
      if isTo { nextTo += 1 }
    }
    intervals.append(Interval(left: left, right: nil, isValid: isOpen))
    return intervals
  }

  private static func merged(_ lists: [[Int]]) -> [Int] {
    lists.count == 1 ? lists[0] : lists.flatMap { $0 }.sorted()
  }

  private static func last(before boundary: Int, in lists: [[Int]]) -> Int? {
    lists.compactMap { list in
      let count = lowerBound(boundary, in: list)
      return count > 0 ? list[count - 1] : nil
    }.max()
  }

  private static func first(from boundary: Int, in lists: [[Int]]) -> Int? {
    lists.compactMap { list in
      let count = lowerBound(boundary, in: list)
      return count < list.count ? list[count] : nil
    }.min()
  }

  private static func lowerBound(_ value: Int, in list: [Int]) -> Int {
    var low = 0
    var high = list.count
    while low < high {
      let middle = (low + high) / 2
      if list[middle] < value { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// Which of some values rise along with their places.
package enum Rise {
  /// The places of one longest rising subsequence.
  ///
  /// - Parameter values: Numbers, each at its place.
  /// - Returns: The places, rising.
  /// - Complexity: O(*n* log *n*)
  package static func longest(_ values: [Int]) -> [Int] {
    heaviest(values.map { ($0, 1) })
  }

  /// The places of a rising subsequence whose weights have the greatest sum.
  ///
  /// - Parameter values: Numbers, each at its place, and the weight of each, at least 1.
  /// - Returns: The places, rising.
  /// - Complexity: O(*n* log *n*)
  static func heaviest(_ values: [(index: Int, weight: Int64)]) -> [Int] {
    // Most lists are in order.
    if zip(values, values.dropFirst()).allSatisfy({ $0.index < $1.index }) {
      return Array(values.indices)
    }
    var ranks: [Int: Int] = [:]
    for (rank, index) in values.map({ $0.index }).sorted().enumerated() { ranks[index] = rank + 1 }
    // The best rise that ends at or below a rank, by a Fenwick tree.
    var best = [End](repeating: End(), count: values.count + 1)
    func end(through rank: Int) -> End {
      var found = End()
      var node = rank
      while node > 0 {
        found = found.heavier(than: best[node])
        node -= node & -node
      }
      return found
    }
    var before = [Int?](repeating: nil, count: values.count)
    for (place, value) in values.enumerated() {
      let rank = ranks[value.index] ?? 1
      let previous = end(through: rank - 1)
      before[place] = previous.place
      let next = End(weight: previous.weight + value.weight, rank: rank, place: place)
      var node = rank
      while node <= values.count {
        best[node] = next.heavier(than: best[node])
        node += node & -node
      }
    }
    var rise: [Int] = []
    var place = end(through: values.count).place
    while let last = place {
      rise.append(last)
      place = before[last]
    }
    return rise.reversed()
  }

  /// Where a rise ends.
  private struct End {
    // The sum may be the square of a count, which 32 bits do not hold.
    var weight: Int64 = 0
    var rank = 0
    var place: Int?

    /// The heavier one; of two alike that which ends lower, as more can follow it.
    func heavier(than other: End) -> End {
      (other.weight, -other.rank) > (weight, -rank) ? other : self
    }
  }
}

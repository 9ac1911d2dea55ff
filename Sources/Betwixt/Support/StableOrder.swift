/// The order in which things stand when they are sorted; those of which neither precedes the other
/// keep theirs.
///
/// - Parameters:
///   - count: How many there are.
///   - precedes: Whether one stands before another, both by their indices.
/// - Returns: Their indices, sorted.
/// - Complexity: O(`count` log `count`); O(`count`) calls when they are in order already.
@inline(never)
package func stableOrder(_ count: Int, by precedes: (Int, Int) -> Bool) -> [Int] {
  var order = Array(0..<count)
  var merged = order
  var width = 1
  while width < count {
    var start = 0
    while start < count {
      let middle = min(start + width, count)
      let end = min(middle + width, count)
      merge(order, start..<middle, middle..<end, to: &merged, by: precedes)
      start = end
    }
    swap(&order, &merged)
    width *= 2
  }
  return order
}

/// Merges two sorted runs that are neighbours.
private func merge(
  _ order: [Int], _ left: Range<Int>, _ right: Range<Int>, to merged: inout [Int],
  by precedes: (Int, Int) -> Bool
) {
  var (next, other) = (left.lowerBound, right.lowerBound)
  if right.isEmpty || !precedes(order[other], order[other - 1]) {
    for index in next..<right.upperBound { merged[index] = order[index] }
    return
  }
  for index in left.lowerBound..<right.upperBound {
    let takesOther =
      next == left.upperBound
      || other < right.upperBound && precedes(order[other], order[next])
    merged[index] = order[takesOther ? other : next]
    if takesOther { other += 1 } else { next += 1 }
  }
}

#if hasFeature(Embedded)

// The sort of the standard library is compiled for each kind of element, at 2 to 7 kB each. In a page
// that is more than all else a sort is there for, so these stand before it there: what is compiled
// for a kind of element is no more than how two of them compare, and how they are put in order.

extension Array {
  package mutating func sort(by precedes: (Element, Element) -> Bool) {
    guard count > 1 else { return }
    let order = stableOrder(count) { precedes(self[$0], self[$1]) }
    self = order.map { self[$0] }
  }
}

extension Array where Element: Comparable {
  package mutating func sort() { sort { $0 < $1 } }
}

extension Sequence {
  package func sorted(by precedes: (Element, Element) -> Bool) -> [Element] {
    var elements = Array(self)
    elements.sort(by: precedes)
    return elements
  }
}

extension Sequence where Element: Comparable {
  package func sorted() -> [Element] { sorted { $0 < $1 } }
}

#endif

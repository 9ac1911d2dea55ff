/// Finds the name that someone who mistyped probably meant.
package enum NearestName {
  /// The known name with the fewest edits to a given one, if these are few.
  ///
  /// An edit is a letter too many, a letter too few, a wrong letter, or two neighbours swapped.
  /// Of names that are equally near the first counts.
  ///
  /// - Complexity: O(*k* · *m*²) for *k* names of *m* letters.
  package static func of(_ typed: String, among names: [String]) -> String? {
    let typed = Array(typed.utf8.prefix(64))
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(typed, Array(name.utf8))
      guard distance <= max(1, name.utf8.count / 3), distance < best?.distance ?? Int.max
      else { continue }
      best = (name, distance)
    }
    return best?.name
  }

  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: right.count + 1)
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var cost = min(
          last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforeLast[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforeLast, last) = (last, current)
    }
    return last[right.count]
  }
}

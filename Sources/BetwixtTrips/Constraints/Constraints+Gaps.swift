import Betwixt

extension Constraints {
  /// The gaps at some boundaries, in list order, those of empty days included.
  ///
  /// - Parameters:
  ///   - boundaries: Boundaries between places within the trip's days.
  ///   - index: A place that counts as if it were not there.
  /// - Returns: The gaps; days outside the trip have none.
  /// - Complexity: O(*b* + *g*) for *b* boundaries and *g* gaps
  package func gaps(_ boundaries: ClosedRange<Int>, without index: Int) -> [Gap] {
    var gaps: [Gap] = []
    for boundary in boundaries where boundary != index + 1 || boundary == boundaries.lowerBound {
      var above = boundary - 1
      if above == index { above -= 1 }
      var below = boundary
      if below == index { below += 1 }
      let upper = inRange.contains(above) ? places[above] : nil
      let lower = inRange.contains(below) ? places[below] : nil
      if let upper, let lower, upper.day == lower.day {
        gaps.append(Gap(day: upper.day, above: upper.id, below: lower.id))
        continue
      }
      if let upper { gaps.append(Gap(day: upper.day, above: upper.id, below: nil)) }
      let emptyDays = ((upper?.day ?? 0) + 1)..<(lower?.day ?? dayCount + 1)
      for day in emptyDays { gaps.append(Gap(day: day, above: nil, below: nil)) }
      if let lower { gaps.append(Gap(day: lower.day, above: nil, below: lower.id)) }
    }
    return gaps
  }
}

/// Rows that are shifted to open a gap.
struct RowShift: Hashable, Sendable {
  let rows: Range<Int>
  let distance: Double

  /// How far a row moves; one without a place does not.
  static func distance(_ shift: RowShift?, at place: Int?) -> Double {
    guard let shift, let place, shift.rows.contains(place) else { return 0 }
    return shift.distance
  }

  /// The stretches of rows whose distance differs between two shifts, with the new one.
  static func changes(from old: RowShift?, to new: RowShift?) -> [RowShift] {
    let edges = Set(
      [old, new].flatMap { $0.map { [$0.rows.lowerBound, $0.rows.upperBound] } ?? [] })
    let sorted = edges.sorted()
    var changes: [RowShift] = []
    for (low, high) in zip(sorted, sorted.dropFirst()) {
      let after = distance(new, at: low)
      guard distance(old, at: low) != after else { continue }
      if let last = changes.last, last.rows.upperBound == low, last.distance == after {
        changes[changes.count - 1] = RowShift(
          rows: last.rows.lowerBound..<high, distance: after)
      } else {
        changes.append(RowShift(rows: low..<high, distance: after))
      }
    }
    return changes
  }
}

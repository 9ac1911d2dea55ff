/// Rows that can be found by place and by name.
struct RowTable: Sendable {
  let rows: [RowFrame]
  private let places: [RowRef: Int]

  /// Where a row begins above the end of the one before, as rows do whose heights were guessed, it
  /// is cut off there.
  ///
  /// - Returns: `nil` if the rows are not in order, are named twice or have no usable numbers.
  /// - Complexity: O(*n*)
  init?(_ rows: [RowFrame]) {
    var places: [RowRef: Int] = [:]
    places.reserveCapacity(rows.count)
    var bottom = -Double.infinity
    var cut = rows
    for (place, row) in rows.enumerated() {
      guard row.minY.isFinite, row.maxY.isFinite, bottom <= row.maxY, row.minY <= row.maxY,
        places.updateValue(place, forKey: row.ref) == nil
      else { return nil }
      if row.minY < bottom { cut[place] = RowFrame(row.ref, minY: bottom, maxY: row.maxY) }
      bottom = row.maxY
    }
    self.rows = cut
    self.places = places
  }

  /// The place of a row.
  func place(of ref: RowRef) -> Int? { places[ref] }

  /// The last row that begins at or above a height.
  ///
  /// - Complexity: O(log *n*)
  func lastRow(from y: Double) -> Int? {
    var low = 0
    var high = rows.count
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].minY <= y { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }

  /// The row that contains a height: its upper edge is part of it, its lower one is not.
  ///
  /// - Complexity: O(log *n*)
  func row(at y: Double) -> Int? {
    lastRow(from: y).flatMap { y < rows[$0].maxY ? $0 : nil }
  }

  /// The rows of which something lies between two heights.
  ///
  /// - Complexity: O(log *n*)
  func rows(from top: Double, to bottom: Double) -> Range<Int> {
    guard top < bottom else { return 0..<0 }
    var low = lastRow(from: top) ?? 0
    if low < rows.count, rows[low].maxY <= top { low += 1 }
    var high = (lastRow(from: bottom) ?? -1) + 1
    if high > 0, rows[high - 1].minY >= bottom { high -= 1 }
    return low..<max(low, high)
  }

  /// The same rows and those of another table that are not among them; rows of this table keep
  /// their frames.
  ///
  /// A front end that has guessed heights finds out better: where a new row overlaps known ones it
  /// is cut off, so that it is known and nothing else moves.
  ///
  /// - Returns: `nil` if there is nothing new.
  /// - Complexity: O(*n* log *n*)
  func adding(_ other: [RowFrame]) -> RowTable? {
    let unknown = other.filter { places[$0.ref] == nil }
    guard !unknown.isEmpty else { return nil }
    var merged: [RowFrame] = []
    merged.reserveCapacity(rows.count + unknown.count)
    var next = 0
    for row in unknown {
      while next < rows.count, rows[next].middle <= row.middle {
        merged.append(rows[next])
        next += 1
      }
      let limit = next < rows.count ? rows[next].minY : .infinity
      let top = min(max(row.minY, merged.last?.maxY ?? row.minY), limit)
      merged.append(RowFrame(row.ref, minY: top, maxY: max(top, min(row.maxY, limit))))
    }
    merged += rows[next...]
    return RowTable(merged)
  }
}

/// Rows that can be found by place and by name.
struct RowTable: Sendable {
  let rows: [RowFrame]
  private let places: [RowRef: Int]

  /// - Returns: `nil` if the rows overlap, are named twice or have no usable numbers.
  /// - Complexity: O(*n*)
  init?(_ rows: [RowFrame]) {
    var places: [RowRef: Int] = [:]
    places.reserveCapacity(rows.count)
    var bottom = -Double.infinity
    for (place, row) in rows.enumerated() {
      guard row.minY.isFinite, row.maxY.isFinite, bottom <= row.minY, row.minY <= row.maxY,
        places.updateValue(place, forKey: row.ref) == nil
      else { return nil }
      bottom = row.maxY
    }
    self.rows = rows
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
  /// - Returns: `nil` if the new ones do not fit between the known ones.
  /// - Complexity: O(*n* log *n*)
  func adding(_ other: [RowFrame]) -> RowTable? {
    let unknown = other.filter { places[$0.ref] == nil }
    guard !unknown.isEmpty else { return self }
    return RowTable((rows + unknown).sorted { ($0.minY, $0.maxY) < ($1.minY, $1.maxY) })
  }
}

/// Rows that can be found by place and by name.
package struct RowTable: Sendable {
  package let rows: [RowFrame]
  private let places: [RowRef: Int]

  /// Makes a table; `nil` if the rows are not in order, are named twice or have no usable numbers.
  ///
  /// Where a row begins above the end of the one before, as rows do whose heights were guessed, it
  /// is cut off there.
  ///
  /// - Parameters:
  ///   - rows: The rows, top to bottom.
  ///   - known: A table of mostly the same rows: what has its place there is not looked up anew.
  /// - Complexity: O(*n*); only rows between the first and the last one that is another one than in
  ///   the known table are hashed, if there are as many rows
  package init?(_ rows: [RowFrame], like known: RowTable? = nil) {
    var bottom = -Double.infinity
    var cut = rows
    for (index, row) in rows.enumerated() {
      guard row.minY.isFinite, row.maxY.isFinite, bottom <= row.maxY, row.minY <= row.maxY
      else { return nil }
      if row.minY < bottom { cut[index] = RowFrame(row.ref, minY: bottom, maxY: row.maxY) }
      bottom = row.maxY
    }
    guard let places = RowTable.places(of: rows, like: known) else { return nil }
    self.rows = cut
    self.places = places
  }

  /// The place of each row; `nil` if two have one name.
  private static func places(of rows: [RowFrame], like known: RowTable?) -> [RowRef: Int]? {
    var (first, last) = (0, rows.count)
    var places: [RowRef: Int] = [:]
    if let known, known.rows.count == rows.count {
      while first < last, rows[first].ref == known.rows[first].ref { first += 1 }
      while first < last, rows[last - 1].ref == known.rows[last - 1].ref { last -= 1 }
      places = known.places
      for index in first..<last { places[known.rows[index].ref] = nil }
    } else {
      places.reserveCapacity(rows.count)
    }
    for index in first..<last {
      guard places.updateValue(index, forKey: rows[index].ref) == nil else { return nil }
    }
    return places
  }

  /// The place of a row.
  package func place(of ref: RowRef) -> Int? { places[ref] }

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

/// Where a row or an item stands among those of its text.
struct TextSpot: Comparable {
  let section: Int64
  let index: Int

  static func < (left: TextSpot, right: TextSpot) -> Bool {
    (left.section, left.index) < (right.section, right.index)
  }
}

/// Rows and items of a text that mean each other for sure, and what lies between them.
///
/// Rows of one text that say nothing else are told apart by what stands above and below them.
struct TextAlignment {
  private let rows: [TextSpot]
  private let items: [TextSpot]

  // Fewer tell nothing of a log: a row that was moved to the end and changed looks alike.
  private static let leastCountOfLog = 4

  /// - Complexity: O(*n* log *n*)
  init(_ pairs: [(row: TextSpot, item: TextSpot)]) {
    rows = pairs.map { $0.row }.sorted()
    items = pairs.map { $0.item }.sorted()
  }

  /// How many pairs lie between a row and an item.
  ///
  /// - Parameters:
  ///   - row: The row.
  ///   - item: The item; `nil` if it was dragged, or removed, so that its place tells nothing.
  /// - Returns: How many.
  /// - Complexity: O(log *n*)
  func distance(_ row: TextSpot, _ item: TextSpot?) -> Int {
    guard let item else { return min(rows.count, 1) }
    return abs(rows.count(before: row) - items.count(before: item))
  }

  /// Whether all pairs lie between a row and an item: a log loses its oldest rows and gets new ones at
  /// its end, which are none of those that went.
  func isOfLog(_ row: TextSpot, _ item: TextSpot?) -> Bool {
    guard rows.count >= TextAlignment.leastCountOfLog, item != nil else { return false }
    return distance(row, item) == rows.count
  }
}

extension [TextSpot] {
  /// How many of these, which rise, stand before another one.
  fileprivate func count(before spot: TextSpot) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < spot { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

/// One number of each of some packed records: where it lies is found once for all of them.
struct PackedColumn {
  private let words: [UInt64]
  private let rowBits: Int
  private let offset: Int
  private let least: UInt64
  private let mask: UInt64

  init(_ words: [UInt64], _ column: Int) {
    self.words = words
    rowBits = RowForm.rowBits(words)
    (least, offset, mask) = RowForm.column(column, words)
  }

  /// The least number of those that count; the greatest there is if none does.
  var minimum: UInt64 { least }

  /// The greatest number of those that count; 0 if none does.
  ///
  /// - Complexity: O(*n*)
  var maximum: UInt64 {
    guard mask > 0 else { return least == .max ? 0 : least }
    // Those that do not count are read as the least.
    var greatest = least
    for row in 0..<Int(truncatingIfNeeded: words[0] >> 32) { greatest = max(greatest, self[row]) }
    return greatest
  }

  @inline(__always)
  subscript(row: Int) -> UInt64 {
    let bit = row &* rowBits &+ offset
    return words[RowForm.headCount &+ bit >> 6] &>> UInt64(bit & 63) & mask &+ least
  }
}

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

  @inline(__always)
  subscript(row: Int) -> UInt64 {
    let bit = row &* rowBits &+ offset
    return words[RowForm.headCount &+ bit >> 6] &>> UInt64(bit & 63) & mask &+ least
  }
}

/// A record that can be kept as up to eight numbers.
protocol PackableRecord {
  static var columnCount: Int { get }

  init(_ numbers: SIMD8<UInt64>)

  var numbers: RecordNumbers { get }
}

/// The numbers of a record.
struct RecordNumbers {
  var values: SIMD8<UInt64>
  /// Which of them count, a bit for each: those of a register that was never written do not, and are
  /// read back as anything.
  var columns: UInt8

  init(_ values: SIMD8<UInt64>, columns: UInt8) {
    self.values = values
    self.columns = columns
  }
}

/// The least and the largest numbers of some records, column by column.
struct NumberRange {
  private(set) var least = SIMD8<UInt64>(repeating: .max)
  private(set) var most = SIMD8<UInt64>()

  @inline(__always)
  mutating func include(_ numbers: RecordNumbers) {
    for column in 0..<8 where numbers.columns & 1 << UInt8(column) != 0 {
      least[column] = min(least[column], numbers.values[column])
      most[column] = max(most[column], numbers.values[column])
    }
  }
}

/// How the numbers of some records lie in rows of bits.
struct RowForm {
  /// What is subtracted from the numbers of each column.
  private let least: SIMD8<UInt64>
  /// Where each column begins in a row.
  private let offsets: SIMD8<UInt64>
  /// How many bits it has there.
  private let widths: SIMD8<UInt64>
  /// How many bits a row has: a power of two, or whole words.
  ///
  /// No number lies in two words.
  let rowBits: Int

  init(_ range: NumberRange) {
    var widths = SIMD8<UInt64>()
    var offsets = SIMD8<UInt64>()
    var end: UInt64 = 0
    // What is the same everywhere takes no bit, and is read where the row begins.
    for column in 0..<8 where range.most[column] > range.least[column] {
      let width = UInt64(64 - (range.most[column] - range.least[column]).leadingZeroBitCount)
      if end / 64 != (end + width - 1) / 64 { end = (end + 63) / 64 * 64 }
      widths[column] = width
      offsets[column] = end
      end += width
    }
    var rowBits: UInt64 = 1
    while rowBits < end { rowBits += min(rowBits, 64) }
    least = range.least
    self.widths = widths
    self.offsets = offsets
    self.rowBits = Int(rowBits)
  }

  // MARK: Writing

  /// Appends the numbers of the record that follows those that are there.
  func append(_ numbers: RecordNumbers, at row: Int, to words: inout [UInt64]) {
    let start = row * rowBits
    while words.count * 64 < RowForm.headCount * 64 + start + rowBits { words.append(0) }
    for column in 0..<8 where widths[column] > 0 && numbers.columns & 1 << UInt8(column) != 0 {
      let bit = start + Int(offsets[column])
      words[RowForm.headCount + bit >> 6] |=
        (numbers.values[column] &- least[column]) &<< UInt64(bit & 63)
    }
  }

  // MARK: The head

  // How many rows there are and how long they are, the least number of each column, and of each two
  // columns where they lie.
  static let headCount = 13

  func appendHead(rowCount: Int, to words: inout [UInt64]) {
    words.append(UInt64(rowCount) << 32 | UInt64(rowBits))
    for column in 0..<8 { words.append(least[column]) }
    for column in [0, 2, 4, 6] { words.append(lie(of: column) | lie(of: column + 1) << 32) }
  }

  private func lie(of column: Int) -> UInt64 { offsets[column] << 8 | 64 - widths[column] }

  @inline(__always)
  static func rowBits(_ words: [UInt64]) -> Int { Int(words[0] & 0xffff_ffff) }

  /// What is subtracted from a column's numbers, where they lie in a row, and which bits they have
  /// when they are shifted to the end.
  @inline(__always)
  static func column(
    _ column: Int, _ words: [UInt64]
  ) -> (least: UInt64, offset: Int, mask: UInt64) {
    let lie = words[9 &+ column >> 1] &>> UInt64(column & 1 &* 32)
    return (words[1 &+ column], Int(lie >> 8 & 0xffff), UInt64.max >> (lie & 0xff))
  }
}

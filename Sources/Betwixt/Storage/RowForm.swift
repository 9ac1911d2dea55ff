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

/// The numbers of some records, eight to a row.
struct NumberTable {
  private var rows: [SIMD8<UInt64>] = []
  /// Which numbers of all rows count, a bit for each.
  private var common = UInt8.max
  // Of each row, once they differ.
  private var columns: [UInt8] = []

  var rowCount: Int { rows.count }

  mutating func reserve(_ rowCount: Int) { rows.reserveCapacity(rowCount) }

  /// Forgets everything, and keeps the memory.
  mutating func removeAll() {
    rows.removeAll(keepingCapacity: true)
    columns.removeAll(keepingCapacity: true)
  }

  @inline(__always)
  mutating func append(_ row: RecordNumbers) {
    if row.columns != common { noteColumns(row.columns) }
    if !columns.isEmpty { columns.append(row.columns) }
    rows.append(row.values)
  }

  // The first row says what is common; the first that differs ends that.
  private mutating func noteColumns(_ new: UInt8) {
    if rows.isEmpty {
      common = new
    } else if columns.isEmpty {
      columns.append(contentsOf: repeatElement(common, count: rows.count))
    }
  }

  /// Calls a closure with each number of a column that counts, and its row: those of a register that
  /// was never written do not.
  @inline(__always)
  func forEachNumber(of column: Int, _ body: (_ row: Int, _ number: UInt64) -> Void) {
    let mark = 1 &<< UInt8(column)
    guard column < 8, !columns.isEmpty || common & mark != 0 else { return }
    // A column that is known only at run time takes all eight numbers of a vector through memory.
    unsafe rows.withUnsafeBytes { bytes in
      for row in rows.indices where columns.isEmpty || columns[row] & mark != 0 {
        body(row, unsafe bytes.load(fromByteOffset: 64 &* row &+ 8 &* column, as: UInt64.self))
      }
    }
  }

  /// The least and the largest number of a column, if any counts.
  func range(of column: Int) -> ClosedRange<UInt64>? {
    var least = UInt64.max
    var most: UInt64 = 0
    forEachNumber(of: column) { _, number in
      least = min(least, number)
      most = max(most, number)
    }
    return least <= most ? least...most : nil
  }
}

/// How the numbers of some records lie in rows of bits.
struct RowForm {
  /// What is subtracted from the numbers of each column.
  private var least = SIMD8<UInt64>(repeating: .max)
  /// Where each column begins in a row.
  private var offsets = SIMD8<UInt64>()
  /// How many bits it has there.
  private var widths = SIMD8<UInt64>()
  /// How many bits a row has: a power of two, or whole words.
  ///
  /// No number lies in two words.
  private var rowBits = 1

  init(_ table: NumberTable) {
    var end: UInt64 = 0
    for column in 0..<8 {
      guard let range = table.range(of: column) else { continue }
      least[column] = range.lowerBound
      // What is the same everywhere takes no bit, and is read where the row begins.
      guard range.upperBound > range.lowerBound else { continue }
      let width = UInt64(64 - (range.upperBound - range.lowerBound).leadingZeroBitCount)
      if end / 64 != (end + width - 1) / 64 { end = (end + 63) / 64 * 64 }
      widths[column] = width
      offsets[column] = end
      end += width
    }
    while rowBits < end { rowBits += min(rowBits, 64) }
  }

  // MARK: Writing

  /// The head and all rows.
  func words(of table: NumberTable) -> [UInt64] {
    let count = RowForm.headCount + (table.rowCount * rowBits + 63) / 64
    var words: [UInt64] = []
    words.reserveCapacity(count)
    appendHead(rowCount: table.rowCount, to: &words)
    words.append(contentsOf: repeatElement(0, count: count - words.count))
    for column in 0..<8 where widths[column] > 0 {
      write(column, of: table, to: &words)
    }
    return words
  }

  private func write(_ column: Int, of table: NumberTable, to words: inout [UInt64]) {
    let least = least[column]
    let start = RowForm.headCount * 64 + Int(offsets[column])
    table.forEachNumber(of: column) { row, number in
      let bit = start + row * rowBits
      words[bit >> 6] |= (number &- least) &<< UInt64(bit & 63)
    }
  }

  // MARK: The head

  // How many rows there are and how long they are, the least number of each column, and of each two
  // columns where they lie.
  static let headCount = 13

  private func appendHead(rowCount: Int, to words: inout [UInt64]) {
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

/// Records of one kind in a row of bits for each, to be read only.
///
/// What the records of a page hold is much alike: ids and numbers that follow each other, one clock,
/// a few authors. So a row holds, for each number of its record, by how much it exceeds the least of
/// its column, in as many bits as the differences of that column need (frame of reference). Any
/// record is read where it lies.
struct PackedRows<Record: PackableRecord>: Sendable {
  // How the rows are read, then the rows: in one array, so that none at all is no object, and this
  // no more than one pointer in a page.
  let words: [UInt64]

  /// No records.
  init() { words = [] }

  /// Records that were packed before.
  init(words: [UInt64]) { self.words = words }

  /// Some records, each column as narrow as it can be.
  ///
  /// - Complexity: O(*n*)
  init(_ records: [Record]) {
    // All numbers first, so that each column is looked through by itself.
    var table = NumberTable()
    table.reserve(records.count)
    for record in records { table.append(record.numbers) }
    self.init(table)
  }

  /// The records whose numbers these are.
  init(_ table: NumberTable) {
    words = table.rowCount == 0 ? [] : RowForm(table).words(of: table)
  }

  var isEmpty: Bool { words.isEmpty }

  var count: Int { words.isEmpty ? 0 : Int(truncatingIfNeeded: words[0] >> 32) }

  /// Whether the same numbers are packed in the same way.
  func isSame(as other: PackedRows) -> Bool { words == other.words }

  /// All records.
  ///
  /// - Complexity: O(*n*)
  var records: [Record] {
    (0..<count).map { self[$0] }
  }

  /// One number of a record.
  ///
  /// - Complexity: O(1)
  @inline(__always)
  func number(_ row: Int, _ column: Int) -> UInt64 {
    PackedRows.number(row &* RowForm.rowBits(words), column, in: words)
  }

  /// The greatest of those numbers of all records that count; 0 if none does.
  func maximum(_ column: Int) -> UInt64 { isEmpty ? 0 : PackedColumn(words, column).maximum }

  /// The least of them; the greatest number there is if none counts.
  func minimum(_ column: Int) -> UInt64 { isEmpty ? .max : PackedColumn(words, column).minimum }

  /// One number of all records, to be looked through.
  func column(_ column: Int) -> PackedColumn { PackedColumn(words, column) }

  // Not inlined: what reads records mostly finds them as they are.
  subscript(row: Int) -> Record {
    @inline(never) get {
      let start = row &* RowForm.rowBits(words)
      var numbers = SIMD8<UInt64>()
      for column in 0..<Record.columnCount {
        numbers[column] = PackedRows.number(start, column, in: words)
      }
      return Record(numbers)
    }
  }

  @inline(__always)
  private static func number(_ start: Int, _ column: Int, in words: [UInt64]) -> UInt64 {
    let (least, offset, mask) = RowForm.column(column, words)
    let bit = start &+ offset
    return words[RowForm.headCount &+ bit >> 6] &>> UInt64(bit & 63) & mask &+ least
  }
}

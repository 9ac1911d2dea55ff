import Testing

@testable import Betwixt

/// Numbers of which some do not count.
private struct Numbers: PackableRecord, Equatable {
  static var columnCount: Int { 8 }

  var values: [UInt64]
  var columns: UInt8 = .max

  init(_ values: [UInt64], columns: UInt8 = .max) {
    self.values = values
    self.columns = columns
  }

  init(_ numbers: SIMD8<UInt64>) { values = (0..<8).map { numbers[$0] } }

  var numbers: RecordNumbers { RecordNumbers(SIMD8(values), columns: columns) }

  /// Whether another one has the numbers of this one that count.
  func isRead(as other: Numbers) -> Bool {
    (0..<8).allSatisfy { columns & 1 << UInt8($0) == 0 || values[$0] == other.values[$0] }
  }
}

@Suite("Records in rows of bits")
struct PackedRowsTests {
  private static func check(_ records: [Numbers], _ comment: Comment) {
    let rows = PackedRows(records)
    #expect(rows.count == records.count, comment)
    #expect(rows.isEmpty == records.isEmpty, comment)
    let all = rows.records
    #expect(all.count == records.count, comment)
    for (record, other) in zip(records, all) { #expect(record.isRead(as: other), comment) }
    for (row, record) in records.enumerated() {
      #expect(record.isRead(as: rows[row]), comment)
      for column in 0..<8 where record.columns & 1 << UInt8(column) != 0 {
        #expect(rows.number(row, column) == record.values[column], comment)
      }
    }
  }

  /// Records whose columns are each about as wide as one of a few widths.
  private static func records(_ source: inout ChoiceSource, count: Int) -> [Numbers] {
    let starts: [UInt64] = (0..<8).map { _ in
      source.pick([0, 1, 1 << 41, .max >> 1, .max - 300, .max])
    }
    let widths: [UInt64] = (0..<8).map { _ in
      source.pick([0, 0, 1, 3, 7, 8, 20, 31, 32, 33, 48, 63, 64])
    }
    let isSparse = source.next(below: 3) == 0
    return (0..<count).map { _ in
      var record = Numbers(starts)
      for column in 0..<8 where widths[column] > 0 {
        let number = UInt64(source.next(below: Int.max)) << 1
        record.values[column] &+= number >> (64 - widths[column])
      }
      if isSparse { record.columns = UInt8(source.next(below: 256)) }
      return record
    }
  }

  @Test("all numbers that count are read back", arguments: 0..<200 as Range<UInt64>)
  func readingBack(seed: UInt64) {
    var source = ChoiceSource(seed: seed)
    let count = source.pick([0, 1, 2, 7, 63, 64, 65, 400])
    Self.check(Self.records(&source, count: count), "seed \(seed)")
  }

  @Test("numbers from one end of the words to the other, and columns that fill them all")
  func extremes() {
    let ends = [
      Numbers(Array(repeating: 0, count: 8)), Numbers(Array(repeating: .max, count: 8)),
    ]
    Self.check(ends, "both ends")
    Self.check([ends[1]], "one")
    Self.check(Array(repeating: ends[1], count: 64), "all the same")
    // A column of no width behind a row that is full to the last bit.
    let full = (0..<64).map { row in Numbers([row % 2 == 0 ? 0 : .max, 5, 5, 5, 5, 5, 5, 5]) }
    Self.check(full, "a full word")
    Self.check(
      [Numbers([9, 0, 0, 0, 0, 0, 0, 0], columns: 0), ends[1], ends[0]], "none that counts first")
  }

  @Test("what is alike takes few bits, and what has nothing in common no more than its words")
  func sizes() {
    let head = 13 * 8
    let alike = (0..<64 as Range<UInt64>).map {
      Numbers([7, 1_000 + 3 * $0, 1 << 41, 90 + $0, 1, 0, $0, 0])
    }
    // 8 bits of one number, 6 of two others: 32 a row.
    #expect(PackedRows(alike).byteCount == head + 64 * 4)
    #expect(PackedRows(Array(repeating: alike[0], count: 64)).byteCount == head + 8)
    var source = ChoiceSource(seed: 1)
    let wild = (0..<64).map { _ in
      Numbers((0..<8).map { _ in UInt64(source.next(below: Int.max)) << 1 })
    }
    #expect(PackedRows(wild).byteCount <= head + 64 * 64)
  }
}

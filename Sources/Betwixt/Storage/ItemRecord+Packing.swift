// The numbers of the records of a page, one to a column. What says whether a register was written has
// a column of its own, so that the others keep the least of what was.

extension ItemRecord: PackableRecord {
  static var columnCount: Int { 7 }

  /// Its columns.
  enum Column {
    static let high = 0
    static let low = 1
    static let time = 2
    static let sequence = 3
    static let length = 4
    static let replica = 5
    static let rest = 6
  }

  @inline(__always)
  init(_ numbers: SIMD8<UInt64>) {
    id = ItemID(high: numbers[Column.high], low: numbers[Column.low])
    if numbers[Column.length] > 0 {
      life = LifeRecord(
        time: numbers[Column.time], sequence: Int64(bitPattern: numbers[Column.sequence]),
        length: numbers[Column.length], replica: UInt32(truncatingIfNeeded: numbers[Column.replica])
      )
    }
    (content, hasPosition) = ItemRecord.unpacked(rest: numbers[Column.rest])
  }

  var numbers: RecordNumbers {
    var numbers = life.numbers
    numbers.values[Column.high] = id.high
    numbers.values[Column.low] = id.low
    numbers.values[Column.rest] = packedRest
    numbers.columns |= 1 << 0 | 1 << 1 | 1 << 6
    return numbers
  }

  /// The index of its content, one higher, and whether it has a position.
  private var packedRest: UInt64 {
    let index = content == ItemRecord.noContent ? 0 : UInt64(content) + 1
    return index << 1 | (hasPosition ? 1 : 0)
  }

  private static func unpacked(rest: UInt64) -> (UInt8, Bool) {
    let content = UInt8(truncatingIfNeeded: rest >> 1 &- 1)
    return (content, rest & 1 != 0)
  }
}

extension LifeRecord {
  /// Its numbers among those of an item.
  @inline(__always)
  var numbers: RecordNumbers {
    RecordNumbers(
      SIMD8(0, 0, time, UInt64(bitPattern: sequence), length, UInt64(replica), 0, 0),
      columns: isWritten ? 0b011_1100 : 0b001_0000)
  }
}

extension ContentRecord: PackableRecord {
  static var columnCount: Int { 7 }

  enum Column {
    static let time = 0
    static let sequence = 1
    static let section = 2
    static let start = 3
    static let length = 4
    static let replica = 5
    static let rest = 6
  }

  @inline(__always)
  init(_ numbers: SIMD8<UInt64>) {
    firstField = ContentRecord.firstField(numbers[Column.rest])
    guard ContentRecord.hasPosition(numbers[Column.rest]) else { return }
    position = PositionRecord(
      time: numbers[Column.time], sequence: Int64(bitPattern: numbers[Column.sequence]),
      section: Int64(bitPattern: numbers[Column.section] ^ 1 << 63),
      key: ByteArena.Reference(start: numbers[Column.start], packedLength: numbers[Column.length]),
      replica: UInt32(truncatingIfNeeded: numbers[Column.replica]))
  }

  @inline(__always)
  var numbers: RecordNumbers {
    RecordNumbers(
      SIMD8(
        position.time, UInt64(bitPattern: position.sequence),
        UInt64(bitPattern: position.section) ^ 1 << 63, UInt64(position.key.start),
        position.key.packedLength, UInt64(position.replica),
        UInt64(UInt32(bitPattern: firstField &+ 1)) << 1 | (position.isWritten ? 1 : 0), 0),
      columns: position.isWritten ? 0b111_1111 : 0b100_0000)
  }

  @inline(__always)
  static func hasPosition(_ rest: UInt64) -> Bool { rest & 1 != 0 }

  @inline(__always)
  static func firstField(_ rest: UInt64) -> Int32 { Int32(truncatingIfNeeded: rest >> 1) - 1 }
}

extension FieldRecord: PackableRecord {
  static var columnCount: Int { 7 }

  enum Column {
    static let time = 0
    static let sequence = 1
    static let start = 2
    static let length = 3
    static let replica = 4
    static let name = 5
    static let next = 6
  }

  @inline(__always)
  init(_ numbers: SIMD8<UInt64>) {
    self.init(
      time: numbers[Column.time], sequence: Int64(bitPattern: numbers[Column.sequence]),
      value: ByteArena.Reference(
        start: numbers[Column.start], packedLength: numbers[Column.length]),
      replica: UInt32(truncatingIfNeeded: numbers[Column.replica]),
      name: UInt32(truncatingIfNeeded: numbers[Column.name]),
      next: FieldRecord.next(numbers[Column.next]))
  }

  @inline(__always)
  static func next(_ number: UInt64) -> Int32 { Int32(truncatingIfNeeded: number) - 1 }

  @inline(__always)
  var numbers: RecordNumbers {
    RecordNumbers(
      SIMD8(
        time, UInt64(bitPattern: sequence), UInt64(value.start), value.packedLength,
        UInt64(replica), UInt64(name), UInt64(UInt32(bitPattern: next &+ 1)), 0),
      columns: 0b111_1111)
  }
}

extension ByteArena.Reference {
  /// Its length, and in the lowest bit whether it is large.
  @inline(__always)
  var packedLength: UInt64 { UInt64(lengthAndKind << 1 | lengthAndKind >> 31) }

  @inline(__always)
  init(start: UInt64, packedLength: UInt64) {
    let packed = UInt32(truncatingIfNeeded: packedLength)
    self.init(
      start: UInt32(truncatingIfNeeded: start), lengthAndKind: packed >> 1 | packed << 31)
  }
}

import Betwixt

/// One register as a row: `item, kind, name, length, time, replica, value, sequence`.
struct RegisterRow {
  let entry: Entry

  /// The top bit is flipped, so that signed numbers have the order of unsigned ones.
  static func column(_ replica: ReplicaID) -> Int64 {
    Int64(bitPattern: replica.rawValue ^ 1 << 63)
  }

  static func replica(_ column: Int64) -> ReplicaID {
    ReplicaID(rawValue: UInt64(bitPattern: column) ^ 1 << 63)
  }

  /// The causal length of a life, which decides before the time; 0 of all others.
  var length: Int64 {
    if case .life(let length) = entry.value { Int64(clamping: length) } else { 0 }
  }

  init(_ entry: Entry) { self.entry = entry }

  /// Reads the columns from a place on.
  init(_ columns: ArraySlice<SQLValue>, row: Int) throws(SQLFailure) {
    var reader = ColumnReader(columns, row: row)
    let item = try reader.identifier(ItemID.self)
    let kind = try reader.integer()
    let name = try reader.bytes()
    let length = try reader.integer()
    let (time, replica) = (try reader.integer(), try reader.integer())
    let value = try reader.bytes()
    let sequence = try reader.integer()
    guard let kind = UInt8(exactly: kind), let bits = UInt64(exactly: time),
      let time = Timestamp(rawValue: bits)
    else { throw SQLFailure(.bounds, row: row) }
    do throws(EntryFailure) {
      let register = try Register(kind: kind, name: name)
      entry = Entry(
        item: item, register: register,
        value: try RegisterValue(canonicalBytes: value, of: register),
        stamp: Stamp(time: time, replica: RegisterRow.replica(replica)), sequence: sequence)
    } catch {
      throw SQLFailure(.entry(error), row: row)
    }
    guard length == self.length else { throw SQLFailure(.bounds, row: row) }
  }
}

/// Takes the columns of one row, the first one first.
struct ColumnReader {
  private var columns: ArraySlice<SQLValue>
  private let row: Int

  init(_ columns: ArraySlice<SQLValue>, row: Int) {
    self.columns = columns
    self.row = row
  }

  mutating func integer() throws(SQLFailure) -> Int64 {
    guard case .integer(let number)? = columns.popFirst() else {
      throw SQLFailure(.columns, row: row)
    }
    return number
  }

  mutating func bytes() throws(SQLFailure) -> [UInt8] {
    guard case .bytes(let bytes)? = columns.popFirst() else {
      throw SQLFailure(.columns, row: row)
    }
    return bytes
  }

  mutating func identifier<ID: Identifier128>(_ type: ID.Type) throws(SQLFailure) -> ID {
    guard let id = ID(bytes: try bytes()) else { throw SQLFailure(.bounds, row: row) }
    return id
  }
}

public import Betwixt

extension SQLRegisters {
  /// Asks for the sum of all entries that ``SQLSchema/digestTriggers`` keep; for PostgreSQL only.
  ///
  /// - Returns: A statement whose row ``sum(_:)`` takes.
  public func sum() -> SQLStatement {
    SQLStatement(
      """
      SELECT coalesce(sum(count), 0)::bigint, coalesce(sum(lanes[1]), 0)::bigint,
        coalesce(sum(lanes[2]), 0)::bigint, coalesce(sum(lanes[3]), 0)::bigint,
        coalesce(sum(lanes[4]), 0)::bigint, coalesce(sum(lanes[5]), 0)::bigint,
        coalesce(sum(lanes[6]), 0)::bigint, coalesce(sum(lanes[7]), 0)::bigint,
        coalesce(sum(lanes[8]), 0)::bigint
      FROM betwixt_sum WHERE list = $1::bytea
      """, [id])
  }

  /// Reads the row that ``sum()`` has brought: `Digest` of it is that of the list.
  ///
  /// - Parameter rows: The row.
  /// - Returns: The sum.
  /// - Throws: ``SQLFailure`` if it is none of ours.
  public func sum(_ rows: [[SQLValue]]) throws(SQLFailure) -> EntrySum {
    var reader = ColumnReader((rows.first ?? [])[...], row: 0)
    let count = try reader.integer()
    var lanes: [Int64] = []
    for _ in 0..<8 { lanes.append(try reader.integer()) }
    guard let count = UInt64(exactly: count), let sum = EntrySum(count: count, lanes: lanes) else {
      throw SQLFailure(.bounds, row: 0)
    }
    return sum
  }
}

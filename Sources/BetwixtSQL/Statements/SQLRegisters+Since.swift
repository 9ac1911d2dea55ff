public import Betwixt

extension SQLRegisters {
  // MARK: The version

  /// Asks what the database claims to hold.
  ///
  /// That may be less than what a process remembers which has stored everything: news of others came
  /// before what they continue, or the database was put back to an older state. What the process
  /// holds beyond it is merged again, with its entries:
  ///
  ///     let stored = try rows.version(try await driver.perform([rows.version()])[0])
  ///     if !stored.covers(list.version) {
  ///       _ = try await driver.perform(rows.merge([list.delta(since: stored)]))
  ///     }
  ///
  /// - Returns: A statement whose rows ``version(_:)`` takes.
  public func version() -> SQLStatement {
    SQLStatement(
      """
      SELECT replica, known FROM betwixt_version
      WHERE list = \(dialect == .postgres ? "$1::bytea" : "?1") AND known > 0
      ORDER BY replica
      """, [id])
  }

  /// Reads the rows that ``version()->SQLStatement`` has brought.
  ///
  /// - Parameter rows: All of them.
  /// - Returns: The version.
  /// - Throws: ``SQLFailure`` if a row is none of ours.
  public func version(_ rows: [[SQLValue]]) throws(SQLFailure) -> VersionVector {
    var version = VersionVector()
    for (number, row) in rows.enumerated() {
      var reader = ColumnReader(row[...], row: number)
      let replica = RegisterRow.replica(try reader.integer())
      let known = try reader.integer()
      guard known > 0 else { throw SQLFailure(.bounds, row: number) }
      version[replica] = known
    }
    return version
  }

  // MARK: What is new

  /// Asks for what a list of a given version lacks, entries and version in one statement.
  ///
  /// In two statements the version would be that of another moment, and claim writes that the entries
  /// do not hold.
  ///
  /// - Parameter version: What the reader knows. An empty one asks for everything.
  /// - Returns: A statement whose rows ``delta(_:since:)`` takes.
  public func since(_ version: VersionVector) -> SQLStatement {
    guard dialect == .postgres else {
      let asked = version.map { [RegisterRow.column($0.replica), $0.sequence] }
      return SQLStatement(Self.sqliteSince, [id, .text(SQLClaims.json(asked))])
    }
    return SQLStatement(
      Self.postgresSince,
      [
        id, .integers(version.map { RegisterRow.column($0.replica) }),
        .integers(version.map { $0.sequence }),
      ])
  }

  /// Reads the rows that ``since(_:)`` has brought.
  ///
  /// - Parameters:
  ///   - rows: All of them, in any order.
  ///   - version: What was asked by.
  /// - Returns: A delta that claims what the database claims, for whoever knows the version.
  /// - Throws: ``SQLFailure`` if a row is none of ours.
  /// - Complexity: O(*k* log *k*) for *k* rows
  public func delta(
    _ rows: [[SQLValue]], since version: VersionVector
  ) throws(SQLFailure) -> Delta {
    var builder = Delta.Builder()
    for (number, row) in rows.enumerated() {
      guard case .integer(let part)? = row.first else { throw SQLFailure(.columns, row: number) }
      if part == 0 {
        var reader = ColumnReader(row.dropFirst(5), row: number)
        let (known, replica) = (try reader.integer(), RegisterRow.replica(try reader.integer()))
        builder.cover(replica, after: version[replica], through: known)
        continue
      }
      let entry = try RegisterRow(row.dropFirst(), row: number).entry
      do throws(EntryFailure) {
        try builder.add(entry)
      } catch {
        throw SQLFailure(.entry(error), row: number)
      }
    }
    builder.require(version)
    return builder.build()
  }

  // No number is above the one that was seen, and nobody but the planner needs to hear it: between two
  // bounds it expects few rows, above one a third of the table.
  //
  // A row of the version stands in the columns of a register: its number in that of the time.
  package static let postgresSince = """
    WITH behind AS (
      SELECT v.replica, v.known, v.seen, coalesce(asked.sequence, 0) AS start
      FROM betwixt_version AS v LEFT JOIN unnest($2::bigint[], $3::bigint[]) AS asked (replica, sequence) USING (replica)
      WHERE v.list = $1::bytea AND v.seen > coalesce(asked.sequence, 0))
    SELECT 0 AS part, ''::bytea AS item, 0::smallint AS kind, ''::bytea AS name, 0::bigint AS length,
      known AS time, replica, ''::bytea AS value, start AS sequence FROM behind
    UNION ALL
    SELECT 1, r.item, r.kind, r.name, r.length, r.time, r.replica, r.value, r.sequence
    FROM behind CROSS JOIN LATERAL (
      SELECT * FROM betwixt_register AS r
      WHERE r.list = $1::bytea AND r.replica = behind.replica
        AND r.sequence > behind.start AND r.sequence <= behind.seen OFFSET 0
    ) AS r
    """

  package static let sqliteSince = """
    WITH asked (replica, sequence) AS MATERIALIZED (
      SELECT value ->> 0, value ->> 1 FROM json_each(?2)),
    behind AS MATERIALIZED (
      SELECT v.replica, v.known, coalesce(asked.sequence, 0) AS start FROM betwixt_version AS v
      LEFT JOIN asked ON asked.replica = v.replica
      WHERE v.list = ?1 AND v.seen > coalesce(asked.sequence, 0))
    SELECT 0, x'', 0, x'', 0, known, replica, x'', start FROM behind
    UNION ALL
    SELECT 1, r.item, r.kind, r.name, r.length, r.time, r.replica, r.value, r.sequence
    FROM behind CROSS JOIN betwixt_register AS r
      ON r.list = ?1 AND r.replica = behind.replica AND r.sequence > behind.start
    """
}

public import Betwixt

extension SQLRegisters {
  // MARK: The version

  /// Asks what the database claims to hold.
  ///
  /// That may be less than what a process remembers which has stored everything: news of others came
  /// before what they continue, or the database was put back to an older state. What the process
  /// holds beyond it is merged again, with its entries:
  ///
  ///     let answer = try await driver.perform([rows.version()])
  ///     let (stored, floor) = (try rows.version(answer[0]), try rows.floor(answer[0]))
  ///     if !stored.covers(list.version) || !floor.covers(list.floor) {
  ///       _ = try await driver.perform(rows.merge([list.delta(since: stored, floor: floor)]))
  ///     }
  ///
  /// - Returns: A statement whose rows ``version(_:)`` takes.
  public func version() -> SQLStatement {
    SQLStatement(
      """
      SELECT replica, known, floor FROM betwixt_version
      WHERE list = \(dialect == .postgres ? "$1::bytea" : "?1") AND (known > 0 OR floor > 0)
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
    for (replica, known, _) in try SQLRegisters.versions(rows) { version[replica] = known }
    return version
  }

  /// Reads from the same rows up to where the database has forgotten what removed items held.
  ///
  /// - Parameter rows: Those that ``version()->SQLStatement`` has brought.
  /// - Returns: The floor.
  /// - Throws: ``SQLFailure`` if a row is none of ours.
  public func floor(_ rows: [[SQLValue]]) throws(SQLFailure) -> VersionVector {
    var floor = VersionVector()
    for (replica, _, below) in try SQLRegisters.versions(rows) { floor[replica] = below }
    return floor
  }

  private static func versions(
    _ rows: [[SQLValue]]
  ) throws(SQLFailure) -> [(ReplicaID, known: Int64, floor: Int64)] {
    var versions: [(ReplicaID, known: Int64, floor: Int64)] = []
    for (number, row) in rows.enumerated() {
      var reader = ColumnReader(row[...], row: number)
      let replica = RegisterRow.replica(try reader.integer())
      let (known, floor) = (try reader.integer(), try reader.integer())
      guard known >= 0, floor >= 0 else { throw SQLFailure(.bounds, row: number) }
      versions.append((replica, known, floor))
    }
    return versions
  }

  // MARK: What is new

  /// Asks for what a list of a given version lacks, entries and version in one statement.
  ///
  /// In two statements the version would be that of another moment, and claim writes that the entries
  /// do not hold.
  ///
  /// Where something was forgotten, an item that was restored comes whole, as it does from a list.
  ///
  /// - Parameters:
  ///   - version: What the reader knows. An empty one asks for everything.
  ///   - floor: What the reader has forgotten: it is told what goes beyond.
  /// - Returns: A statement whose rows ``delta(_:since:)`` takes.
  public func since(_ version: VersionVector, floor: VersionVector = [:]) -> SQLStatement {
    guard dialect == .postgres else {
      return SQLStatement(
        Self.sqliteSince,
        [version, floor].reduce(into: [id]) { parameters, vector in
          let rows = vector.map { [RegisterRow.column($0.replica), $0.sequence] }
          parameters.append(.text(SQLClaims.json(rows)))
        })
    }
    return SQLStatement(
      Self.postgresSince,
      [version, floor].reduce(into: [id]) { parameters, vector in
        parameters.append(.integers(vector.map { RegisterRow.column($0.replica) }))
        parameters.append(.integers(vector.map { $0.sequence }))
      })
  }

  /// Reads the rows that ``since(_:floor:)`` has brought.
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
        var reader = ColumnReader(row.dropFirst(4), row: number)
        let (floor, known) = (try reader.integer(), try reader.integer())
        let replica = RegisterRow.replica(try reader.integer())
        builder.cover(replica, after: version[replica], through: known)
        if floor > 0 { builder.forget(below: [replica: floor]) }
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
  // A row of the version stands in the columns of a register: its floor in that of the length, its
  // number in that of the time.
  package static let postgresSince = """
    WITH behind AS (
      SELECT v.replica, v.known, v.seen, v.floor, coalesce(asked.sequence, 0) AS start
      FROM betwixt_version AS v
      LEFT JOIN unnest($2::bigint[], $3::bigint[]) AS asked (replica, sequence) USING (replica)
      LEFT JOIN unnest($4::bigint[], $5::bigint[]) AS told (replica, floor) USING (replica)
      WHERE v.list = $1::bytea
        AND (v.seen > coalesce(asked.sequence, 0) OR v.floor > coalesce(told.floor, 0))),
    restored AS (
      SELECT DISTINCT life.item FROM behind CROSS JOIN LATERAL (
        SELECT r.item, r.kind, r.length FROM betwixt_register AS r
        WHERE r.list = $1::bytea AND r.replica = behind.replica
          AND r.sequence > behind.start AND r.sequence <= behind.seen OFFSET 0
      ) AS life
      WHERE life.kind = 0 AND life.length > 2 AND cardinality($2::bigint[]) > 0
        AND (cardinality($4::bigint[]) > 0 OR EXISTS (
          SELECT FROM betwixt_version AS v WHERE v.list = $1::bytea AND v.floor > 0)))
    SELECT 0 AS part, ''::bytea AS item, 0::smallint AS kind, ''::bytea AS name, floor AS length,
      known AS time, replica, ''::bytea AS value, start AS sequence FROM behind
    UNION ALL
    SELECT 1, r.item, r.kind, r.name, r.length, r.time, r.replica, r.value, r.sequence
    FROM behind CROSS JOIN LATERAL (
      SELECT * FROM betwixt_register AS r
      WHERE r.list = $1::bytea AND r.replica = behind.replica
        AND r.sequence > behind.start AND r.sequence <= behind.seen OFFSET 0
    ) AS r
    UNION ALL
    SELECT 1, r.item, r.kind, r.name, r.length, r.time, r.replica, r.value, r.sequence
    FROM restored CROSS JOIN LATERAL (
      SELECT * FROM betwixt_register AS r
      WHERE r.list = $1::bytea AND r.item = restored.item OFFSET 0
    ) AS r
    """

  package static let sqliteSince = """
    WITH asked (replica, sequence) AS MATERIALIZED (
      SELECT value ->> 0, value ->> 1 FROM json_each(?2)),
    told (replica, floor) AS MATERIALIZED (
      SELECT value ->> 0, value ->> 1 FROM json_each(?3)),
    behind AS MATERIALIZED (
      SELECT v.replica, v.known, v.floor, coalesce(asked.sequence, 0) AS start
      FROM betwixt_version AS v
      LEFT JOIN asked ON asked.replica = v.replica LEFT JOIN told ON told.replica = v.replica
      WHERE v.list = ?1
        AND (v.seen > coalesce(asked.sequence, 0) OR v.floor > coalesce(told.floor, 0))),
    restored AS MATERIALIZED (
      SELECT DISTINCT life.item FROM behind CROSS JOIN betwixt_register AS life
        ON life.list = ?1 AND life.replica = behind.replica AND life.sequence > behind.start
      WHERE life.kind = 0 AND life.length > 2 AND EXISTS (SELECT 1 FROM asked)
        AND (EXISTS (SELECT 1 FROM told) OR EXISTS (
          SELECT 1 FROM betwixt_version AS v WHERE v.list = ?1 AND v.floor > 0)))
    SELECT 0, x'', 0, x'', floor, known, replica, x'', start FROM behind
    UNION ALL
    SELECT 1, r.item, r.kind, r.name, r.length, r.time, r.replica, r.value, r.sequence
    FROM behind CROSS JOIN betwixt_register AS r
      ON r.list = ?1 AND r.replica = behind.replica AND r.sequence > behind.start
    UNION ALL
    SELECT 1, r.item, r.kind, r.name, r.length, r.time, r.replica, r.value, r.sequence
    FROM restored CROSS JOIN betwixt_register AS r ON r.list = ?1 AND r.item = restored.item
    """
}

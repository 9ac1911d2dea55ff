public import Betwixt

extension SQLRegisters {
  // A statement of more rows would need much memory in the database.
  private static let rowsAtOnce = 10_000

  /// Merges deltas: of each register the greater write stays, and the version grows as far as they
  /// prove it.
  ///
  /// - Parameter deltas: Any deltas of this list, in any order and any number of times.
  /// - Returns: The statements of one transaction.
  /// - Complexity: O(*k* log *k*) for *k* entries
  public func merge(_ deltas: [Delta]) -> [SQLStatement] {
    let entries = Delta(joining: deltas, for: [:]).entries
    var statements: [SQLStatement] = []
    // Rows of the version are locked in one order too: all of them with the first statement.
    var claims = deltas.map { SQLClaims($0) }
    if claims.count > 1 { claims.insert(SQLClaims(noting: deltas), at: 0) }
    guard dialect == .postgres else {
      for entry in entries { statements.append(SQLStatement(Self.sqliteMerge, row(entry))) }
      for claim in claims { statements.append(sqlite(claim)) }
      return statements
    }
    var start = 0
    while entries.count - start > Self.rowsAtOnce {
      let part = entries[start..<start + Self.rowsAtOnce]
      statements.append(SQLStatement(Self.postgresMerge, columns(part)))
      start += Self.rowsAtOnce
    }
    for (place, claim) in claims.enumerated() {
      let rest = place == 0 ? entries[start...] : []
      statements.append(
        SQLStatement(Self.postgresMergeAndClaim, columns(rest) + claim.parameters))
    }
    return statements
  }

  // MARK: PostgreSQL

  private func columns(_ entries: ArraySlice<Entry>) -> [SQLValue] {
    [
      id,
      .byteStrings(entries.map { $0.item.bytes }),
      .integers(entries.map { Int64($0.register.kind) }),
      .byteStrings(entries.map { $0.register.nameBytes }),
      .integers(entries.map { RegisterRow($0).length }),
      .integers(entries.map { Int64(bitPattern: $0.stamp.time.rawValue) }),
      .integers(entries.map { RegisterRow.column($0.stamp.replica) }),
      .byteStrings(entries.map { $0.value.canonicalBytes }),
      .integers(entries.map { $0.sequence }),
    ]
  }

  // Without ORDER BY two transactions that meet in two registers can wait for each other. Without
  // value and sequence the writes of a replica that was cloned end differently on two machines.
  package static let postgresMerge = """
    INSERT INTO betwixt_register AS present
      (list, item, kind, name, length, time, replica, value, sequence)
    SELECT $1::bytea, new.* FROM unnest($2::bytea[], $3::smallint[], $4::bytea[], $5::bigint[],
      $6::bigint[], $7::bigint[], $8::bytea[], $9::bigint[])
      AS new (item, kind, name, length, time, replica, value, sequence)
    ORDER BY item, kind, name
    ON CONFLICT (list, item, kind, name) DO UPDATE SET
      length = excluded.length, time = excluded.time, replica = excluded.replica,
      value = excluded.value, sequence = excluded.sequence
    WHERE (excluded.length, excluded.time, excluded.replica, excluded.value, excluded.sequence)
        > (present.length, present.time, present.replica, present.value, present.sequence)
    """

  // The rows of the version come after those of the registers in every transaction.
  package static let postgresMergeAndClaim = """
    WITH merged AS (\(postgresMerge) RETURNING 1),
    needed (is_known) AS (SELECT NOT EXISTS (
      SELECT FROM unnest($14::bigint[], $15::bigint[]) AS need (replica, sequence)
      LEFT JOIN betwixt_version AS v ON v.list = $1::bytea AND v.replica = need.replica
      WHERE coalesce(v.known, 0) < need.sequence)),
    claim (replica, start, through) AS (
      SELECT replica, start, through FROM needed, unnest($11::bigint[], $12::bigint[], $13::bigint[])
        AS new (replica, start, through) WHERE is_known)
    INSERT INTO betwixt_version AS present (list, replica, known, seen)
    SELECT $1::bytea, noted.replica, coalesce(
      (SELECT max(through) FROM claim WHERE claim.replica = noted.replica AND start = 0), 0), seen
    FROM (SELECT count(*) FROM merged) AS first,
      unnest($10::bigint[], $16::bigint[]) AS noted (replica, seen)
    ORDER BY noted.replica
    ON CONFLICT (list, replica) DO UPDATE SET
      known = greatest(present.known, (SELECT max(through) FROM claim
        WHERE claim.replica = excluded.replica AND start <= present.known)),
      seen = greatest(present.seen, excluded.seen)
    """

  // MARK: SQLite

  private func row(_ entry: Entry) -> [SQLValue] {
    [
      id, .bytes(entry.item.bytes), .integer(Int64(entry.register.kind)),
      .bytes(entry.register.nameBytes), .integer(RegisterRow(entry).length),
      .integer(Int64(bitPattern: entry.stamp.time.rawValue)),
      .integer(RegisterRow.column(entry.stamp.replica)), .bytes(entry.value.canonicalBytes),
      .integer(entry.sequence),
    ]
  }

  package static let sqliteMerge = """
    INSERT INTO betwixt_register AS present
      (list, item, kind, name, length, time, replica, value, sequence)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    ON CONFLICT (list, item, kind, name) DO UPDATE SET
      length = excluded.length, time = excluded.time, replica = excluded.replica,
      value = excluded.value, sequence = excluded.sequence
    WHERE (excluded.length, excluded.time, excluded.replica, excluded.value, excluded.sequence)
        > (present.length, present.time, present.replica, present.value, present.sequence)
    """

  private func sqlite(_ claims: SQLClaims) -> SQLStatement {
    SQLStatement(Self.sqliteClaim, [id] + claims.texts)
  }

  package static let sqliteClaim = """
    INSERT INTO betwixt_version AS present (list, replica, known, seen)
    SELECT ?1, noted.value ->> 0, coalesce((SELECT max(claim.value ->> 2) FROM json_each(?3) AS claim
      WHERE claim.value ->> 0 = noted.value ->> 0 AND claim.value ->> 1 = 0 AND \(sqliteIsKnown)), 0),
      noted.value ->> 1
    FROM json_each(?2) AS noted WHERE true
    ON CONFLICT (list, replica) DO UPDATE SET
      known = max(present.known, coalesce((SELECT max(claim.value ->> 2) FROM json_each(?3) AS claim
        WHERE claim.value ->> 0 = excluded.replica AND claim.value ->> 1 <= present.known
        AND \(sqliteIsKnown)), 0)),
      seen = max(present.seen, excluded.seen)
    """

  private static let sqliteIsKnown = """
    NOT EXISTS (SELECT 1 FROM json_each(?4) AS need
      LEFT JOIN betwixt_version AS v ON v.list = ?1 AND v.replica = need.value ->> 0
      WHERE coalesce(v.known, 0) < need.value ->> 1)
    """
}

public import Betwixt

extension SQLRegisters {
  // A statement of more rows would need much memory in the database.
  private static let rowsAtOnce = 10_000

  /// Merges deltas: of each register the greater write stays, the version grows as far as they
  /// prove it, and what they have forgotten goes.
  ///
  /// The floors join first; then what removed items held below them goes, as in a list. What comes
  /// too late from one who knows nothing of that is not stored.
  ///
  /// - Parameter deltas: Any deltas of this list, in any order and any number of times.
  /// - Returns: The statements of one transaction.
  /// - Complexity: O(*k* log *k*) for *k* entries, and O(*n*) if there is a floor
  public func merge(_ deltas: [Delta]) -> [SQLStatement] {
    let joined = Delta(joining: deltas, for: [:])
    let incoming = IncomingRows(joined)
    var statements = locks(incoming, isForgetting: !joined.floor.isEmpty)
    if !joined.floor.isEmpty { statements += join(floor: joined.floor) }
    // Rows of the version are locked in one order too: all of them with the first statement.
    var claims = deltas.map { SQLClaims($0) }
    if claims.count > 1 { claims.insert(SQLClaims(noting: deltas), at: 0) }
    guard dialect == .postgres else {
      for row in incoming.lives { statements.append(sqlite(row)) }
      statements += incoming.removed.map { forgetItems([$0]) }
      for row in incoming.others { statements.append(sqlite(row)) }
      return statements + claims.map { sqlite($0) }
    }
    var others = incoming.others
    if incoming.isTurning {
      for part in incoming.lives.chunks(of: Self.rowsAtOnce) { statements.append(postgres(part)) }
    } else {
      others = incoming.lives + others
    }
    for part in incoming.removed.chunks(of: Self.rowsAtOnce) {
      statements.append(forgetItems(Array(part)))
    }
    var parts = others.chunks(of: Self.rowsAtOnce)
    let last = parts.popLast() ?? []
    statements += parts.map { postgres($0) }
    for (place, claim) in claims.enumerated() {
      statements.append(
        SQLStatement(
          Self.postgresMergeAndClaim, columns(place == 0 ? last : []) + claim.parameters))
    }
    return statements
  }

  // MARK: PostgreSQL

  private func postgres(_ rows: ArraySlice<IncomingRows.Row>) -> SQLStatement {
    SQLStatement(Self.postgresMerge, columns(rows))
  }

  private func columns(_ rows: ArraySlice<IncomingRows.Row>) -> [SQLValue] {
    let entries = rows.map { $0.entry }
    return [
      id,
      .byteStrings(entries.map { $0.item.bytes }),
      .integers(entries.map { Int64($0.register.kind) }),
      .byteStrings(entries.map { $0.register.nameBytes }),
      .integers(entries.map { RegisterRow($0).length }),
      .integers(entries.map { Int64(bitPattern: $0.stamp.time.rawValue) }),
      .integers(entries.map { RegisterRow.column($0.stamp.replica) }),
      .byteStrings(entries.map { $0.value.canonicalBytes }),
      .integers(entries.map { $0.sequence }),
      .integers(rows.map { $0.remover }),
      .integers(rows.map { $0.removal }),
    ]
  }

  // Without ORDER BY two transactions that meet in two registers can wait for each other; lives come
  // first, because of some merges they are stored by a statement of their own. Without
  // value and sequence the writes of a replica that was cloned end differently on two machines.
  package static let postgresMerge = """
    INSERT INTO betwixt_register AS present
      (list, item, kind, name, length, time, replica, value, sequence)
    SELECT $1::bytea, item, kind, name, length, time, replica, value, sequence
    FROM unnest($2::bytea[], $3::smallint[], $4::bytea[], $5::bigint[],
      $6::bigint[], $7::bigint[], $8::bytea[], $9::bigint[], $10::bigint[], $11::bigint[])
      AS new (item, kind, name, length, time, replica, value, sequence, remover, removal)
    WHERE kind = 0 OR NOT (\(isBelow("new.replica", sequence: "new.sequence", in: .postgres)) AND (
      removal > 0 AND \(isBelow("new.remover", sequence: "new.removal", in: .postgres))
      OR \(isForgotten("new.item", in: .postgres))))
    ORDER BY kind <> 0, item, kind, name
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
      SELECT FROM unnest($16::bigint[], $17::bigint[]) AS need (replica, sequence)
      LEFT JOIN betwixt_version AS v ON v.list = $1::bytea AND v.replica = need.replica
      WHERE coalesce(v.known, 0) < need.sequence)),
    claim (replica, start, through) AS (
      SELECT replica, start, through FROM needed, unnest($13::bigint[], $14::bigint[], $15::bigint[])
        AS new (replica, start, through) WHERE is_known)
    INSERT INTO betwixt_version AS present (list, replica, known, seen)
    SELECT $1::bytea, noted.replica, coalesce(
      (SELECT max(through) FROM claim WHERE claim.replica = noted.replica AND start = 0), 0), seen
    FROM (SELECT count(*) FROM merged) AS first,
      unnest($12::bigint[], $18::bigint[]) AS noted (replica, seen)
    ORDER BY noted.replica
    ON CONFLICT (list, replica) DO UPDATE SET
      known = greatest(present.known, (SELECT max(through) FROM claim
        WHERE claim.replica = excluded.replica AND start <= present.known)),
      seen = greatest(present.seen, excluded.seen)
    """

  // MARK: SQLite

  private func sqlite(_ row: IncomingRows.Row) -> SQLStatement {
    let entry = row.entry
    return SQLStatement(
      Self.sqliteMerge,
      [
        id, .bytes(entry.item.bytes), .integer(Int64(entry.register.kind)),
        .bytes(entry.register.nameBytes), .integer(RegisterRow(entry).length),
        .integer(Int64(bitPattern: entry.stamp.time.rawValue)),
        .integer(RegisterRow.column(entry.stamp.replica)), .bytes(entry.value.canonicalBytes),
        .integer(entry.sequence), .integer(row.remover), .integer(row.removal),
      ])
  }

  package static let sqliteMerge = """
    INSERT INTO betwixt_register AS present
      (list, item, kind, name, length, time, replica, value, sequence)
    SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9
    WHERE ?3 = 0 OR NOT (\(isBelow("?7", sequence: "?9", in: .sqlite)) AND (
      ?11 > 0 AND \(isBelow("?10", sequence: "?11", in: .sqlite)) OR \(isForgotten("?2", in: .sqlite))))
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

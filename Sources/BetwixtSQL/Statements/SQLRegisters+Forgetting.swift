public import Betwixt

extension SQLRegisters {
  /// Lets go what removed items held, as `ReplicatedList.forget(below:)` does.
  ///
  /// Of each item whose removal lies at or below the floor only its life is kept, and what was written
  /// above the floor. The floor is stored with the version, so what comes later below it is not
  /// stored, and who asks for news hears of it. It is for those who let the database forget without a
  /// list in memory; of others the floor comes with the deltas that they merge.
  ///
  /// - Parameter floor: For each replica the number up to which. What goes beyond what the database
  ///   claims to hold does not count.
  /// - Returns: The statements of one transaction.
  /// - Complexity: O(*n*)
  public func forget(below floor: VersionVector) -> [SQLStatement] {
    let known = dialect == .postgres ? Self.postgresKnownFloor : Self.sqliteKnownFloor
    return alone() + [SQLStatement(known, vector(floor.believable)), forgetAll()]
  }

  /// Joins a floor, whatever the database holds, and brings all items into normal form.
  func join(floor: VersionVector) -> [SQLStatement] { [raise(floor.believable), forgetAll()] }

  package func raise(_ floor: VersionVector) -> SQLStatement {
    SQLStatement(dialect == .postgres ? Self.postgresFloor : Self.sqliteFloor, vector(floor))
  }

  private func vector(_ floor: VersionVector) -> [SQLValue] {
    let rows = floor.map { (RegisterRow.column($0.replica), $0.sequence) }.sorted { $0.0 < $1.0 }
    guard dialect == .postgres else {
      return [id, .text(SQLClaims.json(rows.map { [$0.0, $0.1] }))]
    }
    return [id, .integers(rows.map { $0.0 }), .integers(rows.map { $0.1 })]
  }

  // MARK: Floors

  private static let postgresFloor = """
    INSERT INTO betwixt_version AS present (list, replica, known, seen, floor)
    SELECT $1::bytea, replica, 0, 0, floor
    FROM unnest($2::bigint[], $3::bigint[]) AS new (replica, floor) ORDER BY replica
    ON CONFLICT (list, replica) DO UPDATE SET floor = greatest(present.floor, excluded.floor)
    """

  private static let sqliteFloor = """
    INSERT INTO betwixt_version AS present (list, replica, known, seen, floor)
    SELECT ?1, value ->> 0, 0, 0, value ->> 1 FROM json_each(?2) WHERE true
    ON CONFLICT (list, replica) DO UPDATE SET floor = max(present.floor, excluded.floor)
    """

  private static let postgresKnownFloor = """
    UPDATE betwixt_version AS present
    SET floor = greatest(present.floor, least(new.floor, present.known))
    FROM unnest($2::bigint[], $3::bigint[]) AS new (replica, floor)
    WHERE present.list = $1::bytea AND present.replica = new.replica
    """

  private static let sqliteKnownFloor = """
    UPDATE betwixt_version AS present
    SET floor = max(present.floor, min(new.floor, present.known))
    FROM (SELECT value ->> 0 AS replica, value ->> 1 AS floor FROM json_each(?2)) AS new
    WHERE present.list = ?1 AND present.replica = new.replica
    """

  /// Whether a write lies at or below the floor, in SQL.
  static func isBelow(_ replica: String, sequence: String, in dialect: SQLDialect) -> String {
    let list = dialect == .postgres ? "$1::bytea" : "?1"
    return """
      coalesce((SELECT v.floor FROM betwixt_version AS v
          WHERE v.list = \(list) AND v.replica = \(replica)), 0) >= \(sequence)
      """
  }

  /// Whether an item was removed at or below the floor, in SQL.
  static func isForgotten(_ item: String, in dialect: SQLDialect) -> String {
    let (list, none, root) =
      dialect == .postgres
      ? ("$1::bytea", "''::bytea", "'\\x00000000000000000000000000000000'::bytea")
      : ("?1", "x''", "x'00000000000000000000000000000000'")
    return """
      \(item) <> \(root) AND coalesce((
        SELECT life.length % 2 = 0 AND \(isBelow("life.replica", sequence: "life.sequence", in: dialect))
        FROM betwixt_register AS life WHERE life.list = \(list) AND life.item = \(item)
          AND life.kind = 0 AND life.name = \(none)), false)
      """
  }

  // MARK: Normal form

  /// Brings all items into normal form.
  package func forgetAll() -> SQLStatement {
    SQLStatement(dialect == .postgres ? Self.postgresForgetAll : Self.sqliteForgetAll, [id])
  }

  /// Brings some items into normal form: for SQLite one.
  package func forgetItems(_ items: [ItemID]) -> SQLStatement {
    dialect == .postgres
      ? SQLStatement(Self.postgresForgetItems, [id, .byteStrings(items.map { $0.bytes })])
      : SQLStatement(Self.sqliteForgetItem, [id, .bytes(items.first?.bytes ?? [])])
  }

  private static let postgresForgetAll = """
    DELETE FROM betwixt_register AS r
    USING betwixt_register AS life, betwixt_version AS above, betwixt_version AS below
    WHERE life.list = $1::bytea AND life.kind = 0 AND life.length % 2 = 0
      AND life.item <> '\\x00000000000000000000000000000000'::bytea
      AND above.list = $1::bytea AND above.replica = life.replica AND above.floor >= life.sequence
      AND r.list = $1::bytea AND r.item = life.item AND r.kind <> 0
      AND below.list = $1::bytea AND below.replica = r.replica AND below.floor >= r.sequence
    """

  private static let sqliteForgetAll = """
    DELETE FROM betwixt_register AS r WHERE r.list = ?1 AND r.kind <> 0
      AND \(isBelow("r.replica", sequence: "r.sequence", in: .sqlite)) AND \(isForgotten("r.item", in: .sqlite))
    """

  private static let postgresForgetItems = """
    DELETE FROM betwixt_register AS r USING unnest($2::bytea[]) AS removed (item)
    WHERE r.list = $1::bytea AND r.item = removed.item AND r.kind <> 0
      AND \(isBelow("r.replica", sequence: "r.sequence", in: .postgres))
      AND \(isForgotten("removed.item", in: .postgres))
    """

  private static let sqliteForgetItem = """
    DELETE FROM betwixt_register AS r WHERE r.list = ?1 AND r.item = ?2 AND r.kind <> 0
      AND \(isBelow("r.replica", sequence: "r.sequence", in: .sqlite)) AND \(isForgotten("?2", in: .sqlite))
    """

  // MARK: Locks

  // Two transactions that neither sees the other would leave what none of them may: one removes an
  // item below the floor, the other brings a field of it from below the floor. So, for PostgreSQL,
  // everyone holds two locks of the list until the end. Who raises the floor holds the first one
  // alone. Who removes or restores holds the second one alone, if there is a floor; nobody waits in a
  // list that never forgets. All locks are taken before any row is. The statements have no rows: a
  // lock is not null, and both are taken, since the first one never makes the condition true.

  /// What a merge locks before it does anything.
  func locks(_ incoming: IncomingRows, isForgetting: Bool) -> [SQLStatement] {
    if isForgetting { return alone() }
    guard dialect == .postgres else { return [] }
    return incoming.isTurning ? [floorLock(), turningLock()] : [together()]
  }

  /// Keeps all others from the list.
  package func alone() -> [SQLStatement] {
    guard dialect == .postgres else { return [] }
    return [
      SQLStatement("SELECT WHERE pg_advisory_xact_lock($1::bigint) IS NULL", [.integer(lock(0))])
    ]
  }

  /// Keeps others from raising the floor, and from removing something if there is one.
  package func together() -> SQLStatement {
    SQLStatement(
      """
      SELECT WHERE pg_advisory_xact_lock_shared($1::bigint) IS NULL
        OR pg_advisory_xact_lock_shared($2::bigint) IS NULL
      """, [.integer(lock(0)), .integer(lock(1))])
  }

  /// Keeps others from raising the floor.
  package func floorLock() -> SQLStatement {
    SQLStatement(
      "SELECT WHERE pg_advisory_xact_lock_shared($1::bigint) IS NULL", [.integer(lock(0))])
  }

  /// Keeps all others from the list if there is a floor, which does not change any more.
  package func turningLock() -> SQLStatement {
    SQLStatement(
      """
      SELECT WHERE CASE WHEN EXISTS (
        SELECT FROM betwixt_version WHERE list = $1::bytea AND floor > 0)
      THEN pg_advisory_xact_lock($2::bigint) ELSE pg_advisory_xact_lock_shared($2::bigint) END IS NULL
      """, [id, .integer(lock(1))])
  }

  /// The name of a lock of this list: two lists with one name only wait for each other.
  private func lock(_ number: UInt64) -> Int64 {
    let mixed = (list.high ^ list.low &* 0x9e37_79b9_7f4a_7c15) &* 0xbf58_476d_1ce4_e5b9
    return Int64(truncatingIfNeeded: (mixed >> 2) << 1 | number)
  }
}

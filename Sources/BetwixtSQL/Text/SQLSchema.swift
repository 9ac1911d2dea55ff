/// The tables.
public enum SQLSchema {
  /// The statements that make the tables where they are not there yet.
  ///
  /// - Parameter dialect: Which database they are for.
  /// - Returns: The statements.
  public static func tables(_ dialect: SQLDialect) -> [SQLStatement] {
    let bytes = dialect == .postgres ? "bytea" : "BLOB"
    let number = dialect == .postgres ? "bigint" : "INTEGER"
    let kind = dialect == .postgres ? "smallint" : "INTEGER"
    // The index of writes does not begin with the list: of a list that its statistics do not know yet
    // PostgreSQL expects one row, and would look up items by any index that does.
    let end = dialect == .postgres ? ")" : ") WITHOUT ROWID"
    return [
      """
      CREATE TABLE IF NOT EXISTS betwixt_register (
        list \(bytes) NOT NULL, item \(bytes) NOT NULL, kind \(kind) NOT NULL, name \(bytes) NOT NULL,
        length \(number) NOT NULL, time \(number) NOT NULL, replica \(number) NOT NULL,
        value \(bytes) NOT NULL, sequence \(number) NOT NULL,
        PRIMARY KEY (list, item, kind, name)\(end)
      """,
      """
      CREATE INDEX IF NOT EXISTS betwixt_register_write
        ON betwixt_register (replica, list, sequence)
      """,
      """
      CREATE INDEX IF NOT EXISTS betwixt_register_place
        ON betwixt_register (list, value, item) WHERE kind = 1
      """,
      """
      CREATE TABLE IF NOT EXISTS betwixt_version (
        list \(bytes) NOT NULL, replica \(number) NOT NULL,
        known \(number) NOT NULL, seen \(number) NOT NULL, floor \(number) NOT NULL DEFAULT 0,
        PRIMARY KEY (list, replica)\(end)
      """,
      """
      CREATE TABLE IF NOT EXISTS betwixt_log (
        list \(bytes) NOT NULL, name \(bytes) NOT NULL, bytes \(bytes) NOT NULL,
        PRIMARY KEY (list, name))
      """,
      """
      CREATE TABLE IF NOT EXISTS betwixt_owner (
        list \(bytes) NOT NULL, replica \(number) NOT NULL, principal \(bytes) NOT NULL,
        PRIMARY KEY (list, replica)\(end)
      """,
    ].map { SQLStatement($0) }
  }

  /// The triggers that keep the sum of all entries, for audits: see ``SQLRegisters/sum()``.
  ///
  /// For PostgreSQL 14 or newer; SQLite knows no SHA-256. Connections add to rows of their own, so that they do
  /// not wait for each other, each up to 2^31 writes of one list. Where nothing was summed yet, what
  /// the table holds already is. To have it all summed anew, do three things in one transaction, so that
  /// nobody writes between: `LOCK TABLE betwixt_register IN SHARE ROW EXCLUSIVE MODE`, delete the rows of
  /// `betwixt_sum`, and perform these again.
  public static let digestTriggers: [SQLStatement] = [
    """
    CREATE TABLE IF NOT EXISTS betwixt_sum (
      list bytea NOT NULL, shard integer NOT NULL, count bigint NOT NULL, lanes bigint[] NOT NULL,
      PRIMARY KEY (list, shard))
    """,
    """
    CREATE OR REPLACE FUNCTION betwixt_entry_lanes(r betwixt_register, sign bigint)
    RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $lanes$
      SELECT array_agg(
        sign * (('x' || encode(substr(h, 1 + 4 * lane, 4), 'hex'))::bit(32)::bigint) ORDER BY lane)
      FROM generate_series(0, 7) AS lane, sha256(
        r.item || substr(int2send(r.kind), 2, 1) || substr(int2send(length(r.name)::smallint), 2, 1)
        || r.name || int8send(r.time) || int8send(r.replica # (-9223372036854775808))
        || int8send(r.sequence) || int4send(length(r.value)) || r.value) AS h
    $lanes$
    """,
    """
    CREATE OR REPLACE FUNCTION betwixt_add_lanes(a bigint[], b bigint[])
    RETURNS bigint[] LANGUAGE sql IMMUTABLE AS $lanes$
      SELECT ARRAY[a[1]+b[1], a[2]+b[2], a[3]+b[3], a[4]+b[4],
                   a[5]+b[5], a[6]+b[6], a[7]+b[7], a[8]+b[8]]
    $lanes$
    """,
    """
    CREATE OR REPLACE AGGREGATE betwixt_sum_lanes(bigint[]) (
      sfunc = betwixt_add_lanes, stype = bigint[], initcond = '{0,0,0,0,0,0,0,0}')
    """,
    """
    CREATE OR REPLACE FUNCTION betwixt_keep_sum() RETURNS trigger LANGUAGE plpgsql AS $keep$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO betwixt_sum AS present
          SELECT r.list, pg_backend_pid() % 16, count(*), betwixt_sum_lanes(betwixt_entry_lanes(r, 1))
          FROM new_rows AS r GROUP BY r.list ORDER BY r.list
          ON CONFLICT (list, shard) DO UPDATE SET count = present.count + excluded.count,
            lanes = betwixt_add_lanes(present.lanes, excluded.lanes);
      ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO betwixt_sum AS present
          SELECT r.list, pg_backend_pid() % 16, -count(*), betwixt_sum_lanes(betwixt_entry_lanes(r, -1))
          FROM old_rows AS r GROUP BY r.list ORDER BY r.list
          ON CONFLICT (list, shard) DO UPDATE SET count = present.count + excluded.count,
            lanes = betwixt_add_lanes(present.lanes, excluded.lanes);
      ELSE
        INSERT INTO betwixt_sum AS present
          SELECT list, pg_backend_pid() % 16, sum(one), betwixt_sum_lanes(part)
          FROM (SELECT list, 1 AS one, betwixt_entry_lanes(r, 1) AS part FROM new_rows AS r
                UNION ALL
                SELECT list, -1, betwixt_entry_lanes(r, -1) FROM old_rows AS r) AS parts
          GROUP BY list ORDER BY list
          ON CONFLICT (list, shard) DO UPDATE SET count = present.count + excluded.count,
            lanes = betwixt_add_lanes(present.lanes, excluded.lanes);
      END IF;
      RETURN NULL;
    END $keep$
    """,
    // One statement, which nobody writes beside: a write is either summed here or by a trigger.
    """
    DO $fill$
    BEGIN
      LOCK TABLE betwixt_register IN SHARE ROW EXCLUSIVE MODE;
      IF NOT EXISTS (SELECT FROM betwixt_sum) THEN
        INSERT INTO betwixt_sum
          SELECT r.list, 0, count(*), betwixt_sum_lanes(betwixt_entry_lanes(r, 1))
          FROM betwixt_register AS r GROUP BY r.list;
      END IF;
      CREATE OR REPLACE TRIGGER betwixt_sum_insert AFTER INSERT ON betwixt_register
        REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION betwixt_keep_sum();
      CREATE OR REPLACE TRIGGER betwixt_sum_update AFTER UPDATE ON betwixt_register
        REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
        FOR EACH STATEMENT EXECUTE FUNCTION betwixt_keep_sum();
      CREATE OR REPLACE TRIGGER betwixt_sum_delete AFTER DELETE ON betwixt_register
        REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION betwixt_keep_sum();
    END $fill$
    """,
  ].map { SQLStatement($0) }
}

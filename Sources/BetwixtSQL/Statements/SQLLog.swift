public import Betwixt
public import BetwixtSync

/// The rows of a `DeltaLog` in a table: the statements that read, add and fold them.
///
///     var log = DeltaLog(of: id)
///     let rows = SQLLog(.postgres, list: id)
///     while true {
///       let names = try rows.names(await driver.perform([rows.names()])[0])
///       let missing = log.missing(among: names)
///       if missing.isEmpty { break }
///       try log.take(try rows.rows(await driver.perform([rows.rows(missing)])[0]))
///     }
public struct SQLLog: Sendable {
  /// Which database it is for.
  public let dialect: SQLDialect

  /// Which list.
  public let list: ListID

  /// Makes the statements of a list.
  ///
  /// - Parameters:
  ///   - dialect: Which database they are for.
  ///   - list: Which list.
  public init(_ dialect: SQLDialect, list: ListID) {
    self.dialect = dialect
    self.list = list
  }

  private var id: SQLValue { .bytes(list.bytes) }

  // MARK: Reading

  /// Asks for the names of all rows.
  public func names() -> SQLStatement {
    SQLStatement("SELECT name FROM betwixt_log WHERE list = \(dialect.parameter(1))", [id])
  }

  /// Reads the rows that ``names()`` has brought.
  ///
  /// - Parameter rows: All of them.
  /// - Returns: The names, for `DeltaLog.missing(among:)`.
  /// - Throws: ``SQLFailure`` if a row is none of ours.
  public func names(_ rows: [[SQLValue]]) throws(SQLFailure) -> [RowName] {
    var names: [RowName] = []
    for (number, row) in rows.enumerated() {
      var reader = ColumnReader(row[...], row: number)
      names.append(try reader.identifier(RowName.self))
    }
    return names
  }

  /// Asks for rows by their names.
  ///
  /// - Parameter names: Those that are missing.
  /// - Returns: A statement; it may bring less than was asked for.
  public func rows(_ names: [RowName]) -> SQLStatement {
    SQLStatement(
      "SELECT name, bytes FROM betwixt_log WHERE list = \(dialect.parameter(1)) AND \(isNamed)",
      [id, among(names)])
  }

  /// Reads the rows that ``rows(_:)->SQLStatement`` has brought.
  ///
  /// - Parameter rows: All of them.
  /// - Returns: The rows, for `DeltaLog.take(_:)`.
  /// - Throws: ``SQLFailure`` if a row is none of ours.
  public func rows(_ rows: [[SQLValue]]) throws(SQLFailure) -> [LogRow] {
    var found: [LogRow] = []
    for (number, row) in rows.enumerated() {
      var reader = ColumnReader(row[...], row: number)
      let name = try reader.identifier(RowName.self)
      found.append(LogRow(name: name, bytes: try reader.bytes()))
    }
    return found
  }

  private var isNamed: String {
    dialect == .postgres
      ? "name = ANY ($2::bytea[])" : "lower(hex(name)) IN (SELECT value FROM json_each(?2))"
  }

  private func among(_ names: [RowName]) -> SQLValue {
    guard dialect == .sqlite else { return .byteStrings(names.map { $0.bytes }) }
    var text = "["
    for name in names { text += (text.utf8.count > 1 ? "," : "") + "\"\(name)\"" }
    return .text(text + "]")
  }

  // MARK: Writing

  /// Adds a row; one that is there already is not stored again.
  public func append(_ row: LogRow) -> SQLStatement {
    let (list, name, bytes) = (dialect.parameter(1), dialect.parameter(2), dialect.parameter(3))
    return SQLStatement(
      """
      INSERT INTO betwixt_log (list, name, bytes) VALUES (\(list), \(name), \(bytes))
      ON CONFLICT (list, name) DO NOTHING
      """,
      [id, .bytes(row.name.bytes), .bytes(row.bytes)])
  }

  /// Puts one row in place of many, if all of them are there; else it does nothing.
  ///
  /// - Parameter fold: What `DeltaLog.fold()` says.
  /// - Returns: The statements of one transaction.
  public func fold(_ fold: LogFold) -> [SQLStatement] {
    let parameters: [SQLValue] = [
      id, among(fold.removing), .integer(Int64(fold.removing.count)),
      .bytes(fold.adding.name.bytes), .bytes(fold.adding.bytes),
    ]
    guard dialect == .sqlite else { return [SQLStatement(Self.postgresFold, parameters)] }
    return [
      SQLStatement(
        """
        DELETE FROM betwixt_log WHERE list = ?1 AND \(isNamed) AND ?3 = (
          SELECT count(*) FROM betwixt_log WHERE list = ?1 AND \(isNamed))
        """, Array(parameters.prefix(3))),
      SQLStatement(
        """
        INSERT INTO betwixt_log (list, name, bytes) SELECT ?1, ?4, ?5 WHERE changes() = ?3
        ON CONFLICT (list, name) DO NOTHING
        """, parameters),
    ]
  }

  // Who waits for a row that another one deletes finds it gone, and there are less than there should
  // be: nothing happens.
  private static let postgresFold = """
    WITH locked AS MATERIALIZED (
      SELECT name FROM betwixt_log WHERE list = $1::bytea AND name = ANY ($2::bytea[])
      ORDER BY name FOR UPDATE),
    complete AS (SELECT count(*) = $3 AS yes FROM locked),
    gone AS (
      DELETE FROM betwixt_log USING complete
      WHERE complete.yes AND list = $1::bytea AND name = ANY ($2::bytea[]))
    INSERT INTO betwixt_log (list, name, bytes)
    SELECT $1::bytea, $4::bytea, $5::bytea FROM complete WHERE yes
    ON CONFLICT (list, name) DO NOTHING
    """

  /// Removes the whole list.
  ///
  /// - Returns: The statements of one transaction.
  public func remove() -> [SQLStatement] {
    ["betwixt_log", "betwixt_owner"].map {
      SQLStatement("DELETE FROM \($0) WHERE list = \(dialect.parameter(1))", [id])
    }
  }
}

public import Betwixt

/// Who owns which replicas of a list, as a hub tells with the first write of a replica.
public struct SQLOwners: Sendable {
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

  /// Stores whose a replica is, if nobody owns it; the first one stays.
  ///
  /// - Parameters:
  ///   - replica: Which replica.
  ///   - principal: Whose it is.
  /// - Returns: A statement.
  public func add(_ replica: ReplicaID, principal: String) -> SQLStatement {
    let (list, key, name) = (dialect.parameter(1), dialect.parameter(2), dialect.parameter(3))
    return SQLStatement(
      """
      INSERT INTO betwixt_owner (list, replica, principal) VALUES (\(list), \(key), \(name))
      ON CONFLICT (list, replica) DO NOTHING
      """,
      [
        .bytes(self.list.bytes), .integer(RegisterRow.column(replica)),
        .bytes(Array(principal.utf8)),
      ])
  }

  /// Stores whose some replicas are, if nobody owns them: all that a process knows, when the database was
  /// put back to an older state.
  ///
  /// - Parameter owners: The principals.
  /// - Returns: Statements, rising by replica, so that two processes do not wait for each other.
  public func add(_ owners: [ReplicaID: String]) -> [SQLStatement] {
    owners.sorted { $0.key < $1.key }.map { add($0.key, principal: $0.value) }
  }

  /// Stores whose a replica is, in the transaction that stores its first write, which fails if another
  /// process has stored that it is another's.
  ///
  /// That process heard of a write under it first. This one hears of it with the next news, and then
  /// tells its client that the id is in use.
  ///
  /// - Parameters:
  ///   - replica: Which replica.
  ///   - principal: Whose it is.
  /// - Returns: A statement.
  public func claim(_ replica: ReplicaID, principal: String) -> SQLStatement {
    let (list, key, name) = (dialect.parameter(1), dialect.parameter(2), dialect.parameter(3))
    // The column takes no NULL.
    return SQLStatement(
      """
      INSERT INTO betwixt_owner (list, replica, principal) VALUES (\(list), \(key), \(name))
      ON CONFLICT (list, replica) DO UPDATE SET principal =
        CASE WHEN betwixt_owner.principal = excluded.principal THEN excluded.principal END
      """,
      [
        .bytes(self.list.bytes), .integer(RegisterRow.column(replica)),
        .bytes(Array(principal.utf8)),
      ])
  }

  /// Stores whose some replicas are, in the transaction that stores their first writes: see
  /// ``claim(_:principal:)``.
  ///
  /// - Parameter owners: The principals.
  /// - Returns: Statements, rising by replica, so that two processes do not wait for each other.
  public func claim(_ owners: [ReplicaID: String]) -> [SQLStatement] {
    owners.sorted { $0.key < $1.key }.map { claim($0.key, principal: $0.value) }
  }

  /// Asks for all owners.
  public func all() -> SQLStatement {
    SQLStatement(
      "SELECT replica, principal FROM betwixt_owner WHERE list = \(dialect.parameter(1))",
      [.bytes(list.bytes)])
  }

  /// Reads the rows that ``all()`` has brought.
  ///
  /// - Parameter rows: All of them.
  /// - Returns: The principals.
  /// - Throws: ``SQLFailure`` if a row is none of ours.
  public func all(_ rows: [[SQLValue]]) throws(SQLFailure) -> [ReplicaID: String] {
    var owners: [ReplicaID: String] = [:]
    for (number, row) in rows.enumerated() {
      var reader = ColumnReader(row[...], row: number)
      let replica = RegisterRow.replica(try reader.integer())
      owners[replica] = String(decoding: try reader.bytes(), as: UTF8.self)
    }
    return owners
  }
}

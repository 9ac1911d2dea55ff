public import Betwixt

/// A list whose registers are rows of a table: the statements that merge, read and remove them.
///
/// For those who query their lists with SQL, or write them from several languages. Who only stores
/// lists takes ``SQLLog``: it needs a ninth of the room.
///
///     let rows = SQLRegisters(.postgres, list: id)
///     try await driver.perform(rows.merge([delta]))
///     let statement = rows.since(list.version)
///     let answer = try await driver.perform([statement])
///     list.merge(try rows.delta(answer[0], since: list.version))
///
/// # Concurrency
/// A transaction that merges holds the statements of one list, or of several that rise by their ids.
/// Any number of connections may merge at once, at `READ COMMITTED`: of each register the greater
/// write stays, the version grows only by what is proven, and nobody waits for one who waits for him.
public struct SQLRegisters: Sendable {
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

  var id: SQLValue { .bytes(list.bytes) }

  /// Removes the whole list.
  ///
  /// - Returns: The statements of one transaction.
  public func remove() -> [SQLStatement] {
    ["betwixt_register", "betwixt_version", "betwixt_owner"].map {
      SQLStatement("DELETE FROM \($0) WHERE list = \(dialect.parameter(1))", [id])
    }
  }
}

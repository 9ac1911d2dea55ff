/// A statement and its parameters.
public struct SQLStatement: Hashable, Sendable {
  /// The text, with `$1`, `$2` and so on for PostgreSQL and `?1`, `?2` for SQLite.
  ///
  /// It is the same each time but for the values, so a driver can prepare it once.
  public let text: String

  /// What stands for the parameters, the first one first.
  public let parameters: [SQLValue]

  /// Makes a statement, for what is one's own in the same transaction.
  public init(_ text: String, _ parameters: [SQLValue] = []) {
    self.text = text
    self.parameters = parameters
  }

  /// The statement as text without parameters, for tools that take none.
  ///
  /// - Parameter dialect: Which database it is for.
  /// - Returns: The text, without a semicolon.
  /// - Complexity: O(*b*) for *b* bytes
  public func inlined(for dialect: SQLDialect) -> String {
    let mark = dialect == .postgres ? UInt8(ascii: "$") : UInt8(ascii: "?")
    var output: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix { (0x30...0x39).contains($0) }.prefix(3)
      guard byte == mark, !digits.isEmpty else {
        output.append(byte)
        continue
      }
      rest.removeFirst(digits.count)
      let place = digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } - 1
      let value = parameters.indices.contains(place) ? parameters[place].literal(dialect) : "NULL"
      output += Array(value.utf8)
    }
    return String(decoding: output, as: UTF8.self)
  }
}

/// A connection to a database, as any driver has one.
public protocol SQLDriver: Sendable {
  /// Performs statements in one transaction, at `READ COMMITTED` or above, and commits it.
  ///
  /// - Parameter statements: In their order.
  /// - Returns: The rows of each statement. No statement of this module answers with a `NULL`.
  /// - Throws: An error of the driver; then nothing of it has happened, or nobody knows. What the
  ///   statements of this module do may be done again in either case.
  func perform(_ statements: [SQLStatement]) async throws -> [[[SQLValue]]]
}

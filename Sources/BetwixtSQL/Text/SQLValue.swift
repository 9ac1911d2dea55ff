import Betwixt

/// What goes into a statement, or comes out of one.
public enum SQLValue: Hashable, Sendable {
  /// A `bigint`.
  case integer(Int64)

  /// A `bytea` or `BLOB`.
  case bytes([UInt8])

  /// Text: JSON for SQLite, which has no arrays.
  case text(String)

  /// A `bigint[]`; for PostgreSQL only.
  case integers([Int64])

  /// A `bytea[]`; for PostgreSQL only.
  case byteStrings([[UInt8]])
}

extension SQLValue {
  /// The value as text of a statement, for tools that take no parameters, such as `psql`.
  ///
  /// It holds nothing that could end it: all bytes are hexadecimal digits.
  ///
  /// - Parameter dialect: Which database it is for.
  /// - Returns: The text.
  public func literal(_ dialect: SQLDialect) -> String {
    switch self {
    case .integer(let number): "\(number)"
    case .bytes(let bytes): SQLValue.literal(bytes, in: dialect)
    case .text(let text): "'\(SQLValue.escaped(text))'"
    case .integers(let numbers): "'{" + SQLValue.joined(numbers.map { "\($0)" }) + "}'"
    case .byteStrings(let strings):
      "'{" + SQLValue.joined(strings.map { "\"\\\\x" + Hex.encode($0) + "\"" }) + "}'"
    }
  }

  private static func literal(_ bytes: [UInt8], in dialect: SQLDialect) -> String {
    dialect == .postgres ? "'\\x" + Hex.encode(bytes) + "'" : "x'" + Hex.encode(bytes) + "'"
  }

  private static func escaped(_ text: String) -> String {
    String(decoding: text.utf8.flatMap { $0 == 0x27 ? [0x27, 0x27] : [$0] }, as: UTF8.self)
  }

  private static func joined(_ parts: [String]) -> String {
    var text = ""
    for part in parts { text += text.isEmpty ? part : "," + part }
    return text
  }
}

package import Betwixt

extension RegisterValue {
  /// The value for a program.
  package var json: JSONValue {
    switch self {
    case .life(let length): .object([("length", .whole(Int64(length)))])
    case .position(let section, let key):
      .object([("section", .whole(section)), ("sortOrder", .decimal(key.approximateSortOrder))])
    case .field(.none): JSONValue(.null, at: 0)
    case .field(let value?): .field(value)
    case .other(let bytes): .object([("raw", .text(Hex.encode(bytes)))])
    }
  }
}

extension JSONValue {
  static func text(_ text: String) -> JSONValue { JSONValue(.string(text), at: 0) }

  static func whole(_ number: Int64) -> JSONValue { JSONValue(.number(.integer(number)), at: 0) }

  static func decimal(_ number: Double) -> JSONValue {
    JSONValue(.number(.double(number)), at: 0)
  }

  static func texts(_ texts: [String]) -> JSONValue {
    JSONValue(.array(texts.map { .text($0) }), at: 0)
  }

  static func object(_ members: [(String, JSONValue)]) -> JSONValue {
    JSONValue(
      .object(members.map { JSONMember(name: $0.0, nameOffset: 0, value: $0.1) }), at: 0)
  }

  /// A field's value: a plain one where JSON has it, else an object that names its type.
  static func field(_ value: FieldValue) -> JSONValue {
    if let plain = value.plain { return .content(plain) }
    let (tag, content) = value.tagged
    return .object([(tag, .content(content))])
  }

  private static func content(_ content: FieldContent) -> JSONValue {
    switch content {
    case .bool(let value): JSONValue(.bool(value), at: 0)
    case .whole(let value): .whole(value)
    case .decimal(let value): .decimal(value)
    case .text(let text): .text(text)
    }
  }
}

import Betwixt

/// Appends canonical JSON: one spelling for each value, so equal states give equal bytes.
package struct JSONWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends text of the syntax as it is.
  package mutating func raw(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// Appends text that is canonical JSON already.
  package mutating func raw(_ text: some Sequence<UInt8>) { bytes.append(contentsOf: text) }

  /// Appends a string: quotes, the backslash and U+0000 to U+001F are escaped, all else is raw.
  package mutating func string(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    // The bytes are where they belong already; most texts need no more than that.
    if bytes[start...].contains(where: { JSONWriter.isEscaped($0) }) { escape(from: start) }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(from start: Int) {
    let text = Array(bytes[start...])
    bytes.removeSubrange(start...)
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        bytes.append(UInt8(ascii: "\\"))
        bytes.append(byte)
      case 0x08: raw("\\b")
      case 0x09: raw("\\t")
      case 0x0a: raw("\\n")
      case 0x0c: raw("\\f")
      case 0x0d: raw("\\r")
      case 0..<0x20:
        raw("\\u00")
        bytes.append(byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1"))
        bytes.append(JSONWriter.lastHexDigit(byte))
      default: bytes.append(byte)
      }
    }
  }

  /// Appends plain digits.
  package mutating func integer(_ value: Int64) {
    bytes.append(contentsOf: String(value).utf8)
  }

  /// Appends a finite number as ``NumberLayout/json(_:)`` spells it.
  package mutating func double(_ value: Double) {
    bytes.append(contentsOf: NumberLayout.json(value).utf8)
  }

  private static func lastHexDigit(_ byte: UInt8) -> UInt8 {
    let value = byte & 15
    return value < 10 ? 48 + value : 87 + value
  }
}

extension JSONWriter {
  /// An array or object that is being written, and what of it comes next.
  ///
  /// The stack holds one for each level and not the values themselves: a hostile text can have
  /// millions of them.
  private enum Container {
    case array([JSONValue], next: Int)
    case object([JSONMember], next: Int)
  }

  /// Appends a value of any shape, the members of its objects sorted by the bytes of their names.
  ///
  /// - Complexity: O(*n* log *n*) for *n* bytes
  package mutating func value(_ value: JSONValue) {
    var open: [Container] = []
    begin(value, open: &open)
    while let container = open.popLast() {
      switch container {
      case .array(let elements, let next) where next < elements.count:
        if next > 0 { bytes.append(UInt8(ascii: ",")) }
        open.append(.array(elements, next: next + 1))
        begin(elements[next], open: &open)
      case .object(let members, let next) where next < members.count:
        if next > 0 { bytes.append(UInt8(ascii: ",")) }
        string(members[next].name)
        bytes.append(UInt8(ascii: ":"))
        open.append(.object(members, next: next + 1))
        begin(members[next].value, open: &open)
      case .array: bytes.append(UInt8(ascii: "]"))
      case .object: bytes.append(UInt8(ascii: "}"))
      }
    }
  }

  private mutating func begin(_ value: JSONValue, open: inout [Container]) {
    switch value.content {
    case .null: raw("null")
    case .bool(let value): if value { raw("true") } else { raw("false") }
    case .number(.integer(let value)): integer(value)
    case .number(.largeInteger(let digits)): raw(digits.utf8)
    case .number(.double(let value)): double(value)
    case .string(let text): string(text)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      open.append(.array(elements, next: 0))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      open.append(.object(members.sorted { $0.name.precedesInBytes($1.name) }, next: 0))
    }
  }
}

extension JSONValue {
  /// The value's canonical text.
  package var canonicalText: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

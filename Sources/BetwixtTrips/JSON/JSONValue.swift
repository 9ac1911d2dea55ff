/// One value of a JSON text, with the byte where it starts.
package struct JSONValue: Sendable {
  package enum Content: Sendable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    case string(String)
    case array([JSONValue])
    case object([JSONMember])
  }

  package let content: Content
  package let offset: Int

  package init(_ content: Content, at offset: Int) {
    self.content = content
    self.offset = offset
  }
}

/// One member of an object; members keep the order of the text.
package struct JSONMember: Sendable {
  package let name: String
  package let nameOffset: Int
  package let value: JSONValue
}

/// A number as exactly as its literal says it.
package enum JSONNumber: Hashable, Sendable {
  /// A literal without fraction and exponent that fits.
  case integer(Int64)

  /// A greater literal without fraction and exponent: its sign and digits.
  case largeInteger(String)

  /// A literal with a fraction or an exponent; always finite.
  case double(Double)

  /// The nearest `Double`.
  package var double: Double {
    switch self {
    case .integer(let value): Double(value)
    case .largeInteger(let digits): Double(decimal: digits) ?? .infinity
    case .double(let value): value
    }
  }
}

extension JSONValue {
  package var string: String? {
    if case .string(let text) = content { text } else { nil }
  }

  package var number: JSONNumber? {
    if case .number(let number) = content { number } else { nil }
  }

  /// The number, if its literal is a whole one within `Int64`.
  package var integer: Int64? {
    if case .number(.integer(let value)) = content { value } else { nil }
  }

  package var isNull: Bool {
    if case .null = content { true } else { false }
  }
}

extension JSONValue {
  private var isContainer: Bool {
    switch content {
    case .array, .object: true
    case .null, .bool, .number, .string: false
    }
  }

  /// How deep arrays and objects stand in one another; 0 for a value that is neither.
  package var depth: Int {
    var deepest = 0
    var open = [(value: self, depth: 1)]
    while let (value, depth) = open.popLast() {
      switch value.content {
      case .null, .bool, .number, .string: continue
      case .array(let elements):
        for element in elements where element.isContainer { open.append((element, depth + 1)) }
      case .object(let members):
        for member in members where member.value.isContainer {
          open.append((member.value, depth + 1))
        }
      }
      deepest = Swift.max(deepest, depth)
    }
    return deepest
  }
}

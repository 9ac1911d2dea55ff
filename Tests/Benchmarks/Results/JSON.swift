import Betwixt
import BetwixtTrips

/// A JSON value of a result line; members keep the order in which they were added.
enum JSON {
  case null
  case int(Int)
  case number(Double)
  case string(String)
  case object([Member])

  struct Member {
    let name: String
    let value: JSON
  }
}

extension JSON {
  /// A measured number with as many digits as it deserves, or null if there is none.
  init(_ value: Double?, decimals: Int = 6) {
    guard let value, value.isFinite else {
      self = .null
      return
    }
    var scale = 1.0
    for _ in 0..<decimals { scale *= 10 }
    self = .number((value * scale).rounded() / scale)
  }

  init(_ value: Int?) { self = value.map(JSON.int) ?? .null }
}

extension JSON: CustomStringConvertible {
  /// The value on one line.
  var description: String {
    switch self {
    case .null: "null"
    case .int(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): JSON.quoted(value)
    case .object(let members):
      "{" + members.map { "\(JSON.quoted($0.name)): \($0.value)" }.joined(separator: ", ") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var writer = JSONWriter()
    writer.string(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

extension JSONValue {
  /// The value of an object's member.
  subscript(name: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.name.hasSameBytes(as: name) }?.value
  }

  /// The elements of an array.
  var elements: [JSONValue]? {
    if case .array(let values) = content { values } else { nil }
  }

  /// A whole number that this machine can count to.
  var count: Int? { integer.flatMap { Int(exactly: $0) } }
}

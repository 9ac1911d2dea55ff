package import Betwixt

// What formats say of a value of a field: a new type of value is entered here, and nowhere else
// among formats, reports and logs.

/// A value as a text format has it.
package enum FieldContent: Sendable {
  case bool(Bool)
  case whole(Int64)
  case decimal(Double)
  case text(String)
}

// MARK: - For programs: every type is told apart

extension FieldValue {
  /// The name of its type, and what stands behind that.
  package var tagged: (tag: String, content: FieldContent) {
    switch self {
    case .bool(let value): ("bool", .bool(value))
    case .int64(let value): ("int", .whole(value))
    case .double(let value) where value.isFinite: ("double", .decimal(value))
    case .double(let value):
      ("bits", .text(Hex.encode(value.isNaN ? FieldValue.nanBits : value.bitPattern)))
    case .string(let text): ("string", .text(text))
    case .bytes(let bytes): ("bytes", .text(Hex.encode(bytes)))
    case .unknown(let tag, let payload): ("raw", .text(Hex.encode([tag] + payload)))
    }
  }

  /// The names of types.
  package static let tags = ["bits", "bool", "bytes", "double", "int", "raw", "string"]

  /// The one NaN that formats know.
  private static let nanBits: UInt64 = 0x7ff8_0000_0000_0000

  /// Reads what ``tagged`` says.
  ///
  /// - Returns: `nil` if it is none, with a problem noted.
  package init?(tag: String, json value: JSONValue, noting problems: inout FirstProblem) {
    let read: FieldValue?
    switch tag {
    case "bool":
      if case .bool(let flag) = value.content {
        read = .bool(flag)
      } else {
        problems.note(.wrongType, at: value.offset, "“bool” is true or false")
        read = nil
      }
    case "double":
      read = value.number.map { .double($0.double) }
      if read == nil { problems.note(.wrongType, at: value.offset, "“double” is a number") }
    case "int": read = value.whole("“int”", noting: &problems).map { .int64($0) }
    case "string": read = value.text("string", noting: &problems).map { .string($0) }
    case "bytes": read = value.hex("bytes", noting: &problems).map { .bytes($0) }
    case "bits": read = FieldValue.bits(value, noting: &problems)
    default: read = FieldValue.unknown(value, noting: &problems)
    }
    guard let read else { return nil }
    self = read
  }

  private static func bits(
    _ value: JSONValue, noting problems: inout FirstProblem
  ) -> FieldValue? {
    guard let text = value.text("bits", noting: &problems) else { return nil }
    let number = Hex.decodeUInt64(text.utf8).map { Double(bitPattern: $0) }
    guard let number, !number.isFinite, !number.isNaN || number.bitPattern == nanBits else {
      problems.note(
        .badValue, at: value.offset,
        "“bits” has the 16 hex digits of an infinity or of the one NaN, 7ff8000000000000")
      return nil
    }
    return .double(number)
  }

  private static func unknown(
    _ value: JSONValue, noting problems: inout FirstProblem
  ) -> FieldValue? {
    guard let bytes = value.hex("raw", noting: &problems) else { return nil }
    guard let tag = bytes.first, tag >= FieldValue.Tag.firstUnknown else {
      problems.note(.badValue, at: value.offset, "“raw” starts with an unknown tag, from 07")
      return nil
    }
    guard tag < FieldValue.Tag.firstCritical else {
      problems.note(.unsupportedVersion, at: value.offset, "this value needs a newer version")
      return nil
    }
    return .unknown(tag: tag, payload: Array(bytes.dropFirst()))
  }
}

// MARK: - In plain files and for people

extension FieldValue {
  /// What stands in plain JSON; `nil` for what that has no words for.
  var plain: FieldContent? { refusal == nil ? tagged.content : nil }

  /// Why plain JSON has no words for it; `nil` if it has.
  var refusal: Omission.Reason? {
    switch self {
    case .bool, .int64, .string: nil
    case .double(let value): value.isFinite ? nil : .nonFinite
    case .bytes: .bytes
    case .unknown: .unknownValue
    }
  }

  /// What a reader is told of a value that plain JSON has no words for.
  var substitute: String {
    switch self {
    case .bytes(let bytes): bytes.count == 1 ? "1 byte of data" : "\(bytes.count) bytes of data"
    case .double: "no number"
    case .bool, .int64, .string, .unknown: "a value of a newer version"
    }
  }
}

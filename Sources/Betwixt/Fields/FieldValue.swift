/// What a field holds.
///
/// Equality is that of the canonical bytes, so NFC and NFD spellings of a text are different
/// values, and every NaN is the one NaN that the format knows.
public enum FieldValue: Sendable {
  /// True or false.
  case bool(Bool)

  /// A whole number.
  case int64(Int64)

  /// A number in binary floating point.
  case double(Double)

  /// Text, kept as the UTF-8 bytes it came with.
  case string(String)

  /// Bytes of any kind.
  case bytes([UInt8])

  /// A value of a newer version: kept and passed on byte for byte.
  ///
  /// The tag is in `0x07...0x7f`.
  case unknown(tag: UInt8, payload: [UInt8])

  /// The greatest number of canonical bytes that the format allows, tag included.
  public static let maximumByteCount = 512 * 1024
}

extension FieldValue {
  /// The tag byte of the canonical form.
  package enum Tag {
    package static let cleared: UInt8 = 0x00
    package static let `false`: UInt8 = 0x01
    package static let `true`: UInt8 = 0x02
    package static let int64: UInt8 = 0x03
    package static let double: UInt8 = 0x04
    package static let string: UInt8 = 0x05
    package static let bytes: UInt8 = 0x06
    package static let firstUnknown: UInt8 = 0x07
    package static let firstCritical: UInt8 = 0x80
  }

  /// How many bytes ``appendCanonicalBytes(to:)`` appends.
  package var canonicalByteCount: Int {
    switch self {
    case .bool: 1
    case .int64, .double: 9
    case .string(let text): 1 + text.utf8.count
    case .bytes(let bytes): 1 + bytes.count
    case .unknown(_, let payload): 1 + payload.count
    }
  }

  /// Appends the form that is hashed and compared: a tag and a payload, big endian.
  package func appendCanonicalBytes(to output: inout [UInt8]) {
    switch self {
    case .bool(let value):
      output.append(value ? Tag.true : Tag.false)
    case .int64(let value):
      output.append(Tag.int64)
      output.appendBigEndian(UInt64(bitPattern: value) ^ 1 << 63)
    case .double(let value):
      output.append(Tag.double)
      output.appendBigEndian(value.isNaN ? 0x7ff8_0000_0000_0000 : value.bitPattern)
    case .string(let text):
      output.append(Tag.string)
      output.append(contentsOf: text.utf8)
    case .bytes(let bytes):
      output.append(Tag.bytes)
      output.append(contentsOf: bytes)
    case .unknown(let tag, let payload):
      output.append(tag)
      output.append(contentsOf: payload)
    }
  }

  /// Reads canonical bytes that were checked when they came in; `nil` for "no value".
  package init?(canonicalBytes bytes: ArraySlice<UInt8>) {
    guard let tag = bytes.first else { return nil }
    let payload = bytes.dropFirst()
    switch tag {
    case Tag.cleared: return nil
    case Tag.false: self = .bool(false)
    case Tag.true: self = .bool(true)
    case Tag.int64: self = .int64(Int64(bitPattern: UInt64(bigEndianBytes: payload) ^ 1 << 63))
    case Tag.double: self = .double(Double(bitPattern: UInt64(bigEndianBytes: payload)))
    case Tag.string: self = .string(String(decoding: payload, as: UTF8.self))
    case Tag.bytes: self = .bytes(Array(payload))
    default: self = .unknown(tag: tag, payload: Array(payload))
    }
  }

  /// The form that is hashed and compared: a byte for the type, and the value, big endian.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(canonicalByteCount)
    appendCanonicalBytes(to: &bytes)
    return bytes
  }
}

extension FieldValue: Hashable {
  /// Equality of canonical bytes.
  public static func == (left: FieldValue, right: FieldValue) -> Bool {
    switch (left, right) {
    case (.bool(let left), .bool(let right)): left == right
    case (.int64(let left), .int64(let right)): left == right
    case (.double(let left), .double(let right)):
      left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.bytes(let left), .bytes(let right)): left == right
    case (.unknown(let leftTag, let left), .unknown(let rightTag, let right)):
      leftTag == rightTag && left == right
    default: false
    }
  }

  /// Feeds the canonical bytes.
  public func hash(into hasher: inout Hasher) { hasher.combine(canonicalBytes) }
}

extension FieldValue {
  /// The text, if this is one.
  public var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The whole number, if this is one.
  public var int64: Int64? {
    if case .int64(let value) = self { value } else { nil }
  }

  /// The floating-point number, if this is one.
  ///
  /// A whole number is not.
  public var double: Double? {
    if case .double(let value) = self { value } else { nil }
  }

  /// True or false, if this is one of them.
  public var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The bytes, if this is a value of bytes.
  public var bytes: [UInt8]? {
    if case .bytes(let value) = self { value } else { nil }
  }
}

extension FieldValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral
{
  /// Makes a text.
  public init(stringLiteral value: String) { self = .string(value) }

  /// Makes a whole number.
  public init(integerLiteral value: Int64) { self = .int64(value) }

  /// Makes a floating-point number.
  public init(floatLiteral value: Double) { self = .double(value) }

  /// Makes true or false.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// What one write put into a register.
public enum RegisterValue: Hashable, Sendable {
  /// A causal length, 1 to 2^63 - 1: odd means alive, even removed.
  case life(UInt64)

  /// A place: sections order before keys.
  case position(section: Int64, key: SortKey)

  /// A field's value; `nil` is a write of "no value".
  case field(FieldValue?)

  /// The bytes of a register of a newer version.
  case other([UInt8])
}

extension RegisterValue {
  /// The greatest causal length.
  package static let longestLife = UInt64(Int64.max)

  /// The form that is hashed and compared, fixed for ever.
  ///
  /// Bytes sort as values do. Those of a position are its section, with the sign bit flipped, and its
  /// key, so whoever sorts items by these bytes and then by their ids has the list's order. A life
  /// has its length in eight bytes, a field a byte for its type and then its value, big endian.
  public var canonicalBytes: [UInt8] {
    if case .other(let raw) = self { return raw }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(canonicalByteCount)
    appendCanonicalBytes(to: &bytes)
    return bytes
  }

  /// How many bytes ``appendCanonicalBytes(to:)`` appends.
  var canonicalByteCount: Int {
    switch self {
    case .life: 8
    case .position(_, let key): 8 + key.bytes.count
    case .field(let value?): value.canonicalByteCount
    case .field(nil): 1
    case .other(let raw): raw.count
    }
  }

  /// Appends the form that is hashed and compared.
  func appendCanonicalBytes(to bytes: inout [UInt8]) {
    switch self {
    case .life(let length):
      bytes.appendBigEndian(length)
    case .position(let section, let key):
      bytes.appendBigEndian(UInt64(bitPattern: section) ^ 1 << 63)
      bytes.append(contentsOf: key.bytes)
    case .field(let value?):
      value.appendCanonicalBytes(to: &bytes)
    case .field(nil):
      bytes.append(FieldValue.Tag.cleared)
    case .other(let raw):
      bytes.append(contentsOf: raw)
    }
  }
}

/// The name of a field: 1 to 255 bytes of UTF-8, compared as bytes.
///
/// Bytes and not characters, because two spellings of `é` are equal as text and different on the
/// wire; every replica must see the same number of fields.
///
///     try list.set("title", of: lunch, to: "Lunch at El Moro", by: &me)
public struct FieldName: Sendable {
  /// The name as text.
  public let text: String

  /// The greatest number of bytes that the format allows.
  public static let maximumByteCount = 255

  // Most comparisons of names end here: of up to seven bytes, these and their number, so that no
  // other name has it; of more, FNV-1a below a mark.
  package let fingerprint: UInt64

  /// Makes a name, or `nil` if the text is empty or longer than 255 bytes.
  public init?(_ text: String) {
    let count = text.utf8.count
    guard count > 0, count <= FieldName.maximumByteCount else { return nil }
    self.init(checked: text)
  }

  private init(checked text: String) {
    self.text = text
    fingerprint = FieldName.fingerprint(of: text.utf8)
  }

  package static func fingerprint(of bytes: some Collection<UInt8>) -> UInt64 {
    if bytes.count <= 7 {
      return bytes.reduce(UInt64(bytes.count)) { $0 << 8 | UInt64($1) }
    }
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash | FieldName.longMark
  }

  private static let longMark: UInt64 = 0xff << 56
}

extension FieldName: ExpressibleByStringLiteral {
  /// Makes a name from a literal.
  ///
  /// - Precondition: The literal has 1 to 255 bytes.
  public init(stringLiteral text: String) {
    let count = text.utf8.count
    precondition(
      count > 0 && count <= FieldName.maximumByteCount, "a field name has 1 to 255 bytes")
    self.init(checked: text)
  }
}

extension FieldName: Hashable {
  /// Equality of bytes.
  public static func == (left: FieldName, right: FieldName) -> Bool {
    left.fingerprint == right.fingerprint
      && (left.fingerprint < longMark || left.text.hasSameBytes(as: right.text))
  }

  /// Feeds the bytes: names with one fingerprint are easily made, names with one seeded hash are not.
  public func hash(into hasher: inout Hasher) {
    var word: UInt64 = 1
    for byte in text.utf8 {
      word = word << 8 | UInt64(byte)
      if word >> 56 == 1 {
        hasher.combine(word)
        word = 1
      }
    }
    hasher.combine(word)
  }
}

extension FieldName: Comparable {
  /// The order of the UTF-8 bytes.
  public static func < (left: FieldName, right: FieldName) -> Bool {
    left.text.precedesInBytes(right.text)
  }
}

extension FieldName: CustomStringConvertible {
  /// The name itself.
  public var description: String { text }
}

/// Which of an item's registers a write goes to.
///
/// A register holds the greatest write it has seen, and nothing else about an item is stored.
public enum Register: Hashable, Sendable {
  /// Whether the item is there: a causal length, odd while it is.
  case life

  /// Where it stands: a section and a sort key, one register, so a move is one write.
  case position

  /// One named field.
  case field(FieldName)

  /// A register of a newer version, kept and passed on byte for byte.
  ///
  /// The kind is in `0x03...0x7f`.
  case other(kind: UInt8, name: [UInt8])
}

extension Register {
  /// The kind byte of the canonical form.
  package enum Kind {
    package static let life: UInt8 = 0x00
    package static let position: UInt8 = 0x01
    package static let field: UInt8 = 0x02
    package static let firstOther: UInt8 = 0x03
    package static let firstCritical: UInt8 = 0x80
  }

  /// The kind byte.
  public var kind: UInt8 {
    switch self {
    case .life: Kind.life
    case .position: Kind.position
    case .field: Kind.field
    case .other(let kind, _): kind
    }
  }

  /// The bytes of the name; none for `life` and `position`.
  public var nameBytes: [UInt8] {
    switch self {
    case .life, .position: []
    case .field(let name): Array(name.text.utf8)
    case .other(_, let name): name
    }
  }
}

extension Register: Comparable {
  /// Kind first, then the bytes of the name.
  public static func < (left: Register, right: Register) -> Bool {
    // Without arrays of bytes for what most registers are.
    if case .field(let left) = left, case .field(let right) = right { return left < right }
    return left.kind != right.kind
      ? left.kind < right.kind : left.nameBytes.lexicographicallyPrecedes(right.nameBytes)
  }
}

extension Register: CustomStringConvertible {
  /// `life`, `position`, the field's name, or `kk:name` in hexadecimal for others.
  public var description: String {
    switch self {
    case .life: "life"
    case .position: "position"
    case .field(let name): name.text
    case .other(let kind, let name): Hex.encode([kind]) + ":" + Hex.encode(name)
    }
  }
}

/// The name of one writer: 64 random bits, chosen once per installation and document.
///
/// Two writers must never share an id. If they do by accident (a restored backup, a copied
/// folder), lists still converge, because writes are ordered by their content; only the shortcut
/// of version vectors is lost until a comparison of digests finds out.
///
///     let me = ReplicaID(rawValue: 0x00c0_ffee_00c0_ffee)
///     print(me)  // 00c0ffee00c0ffee
public struct ReplicaID: Hashable, Sendable, RawRepresentable {
  /// The 64 bits, compared as an unsigned number everywhere.
  public let rawValue: UInt64

  /// Makes an id from its bits.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Draws a new id from a generator.
  public static func random(using generator: inout some RandomNumberGenerator) -> ReplicaID {
    ReplicaID(rawValue: generator.next())
  }

  /// Reads the 16 hexadecimal digits that ``description`` writes.
  ///
  /// - Parameter text: 16 digits in lower case.
  public init?(_ text: String) {
    guard let bits = Hex.decodeUInt64(text.utf8) else { return nil }
    rawValue = bits
  }
}

extension ReplicaID: Comparable {
  /// Unsigned numeric order.
  public static func < (left: ReplicaID, right: ReplicaID) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension ReplicaID: CustomStringConvertible {
  /// 16 lower-case hexadecimal digits.
  public var description: String { Hex.encode(rawValue) }
}

/// 32 bytes that are equal iff two lists hold the same entries.
///
/// SHA-256 over `"betwixt list 1"` NUL, the number of entries, and the sum of the SHA-256 of each
/// entry's canonical bytes. It guards against accidents; it authenticates nothing.
public struct Digest: Hashable, Sendable {
  /// The 32 bytes.
  public let bytes: [UInt8]

  /// Takes the 32 bytes that ``bytes`` of some digest were; `nil` for any other number of them.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    self.bytes = Array(bytes)
  }

  /// The digest of the list that holds the entries of a sum.
  public init(_ sum: EntrySum) {
    bytes = SHA256.hash(Array("betwixt list 1\0".utf8) + sum.bytes)
  }
}

extension Digest: CustomStringConvertible {
  /// 64 lower-case hexadecimal digits.
  public var description: String { Hex.encode(bytes) }
}

/// Why an entry is none that the format allows.
public struct EntryFailure: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Code: Hashable, Sendable {
    /// The register or the value's tag is critical and not known: a newer version is needed.
    case needsUpgrade
    /// The value is of another kind than the register holds.
    case wrongKind
    /// A name is longer than 255 bytes or no UTF-8.
    case badName
    /// A field's value is larger than 512 KiB, or its tag is none.
    case badValue
    /// The sequence number is below 1.
    case badSequence
    /// The causal length is 0 or above 2^63 - 1.
    case badLength
    /// The bytes are not the canonical form of any entry or value.
    case notCanonical
  }

  /// What is wrong.
  public let code: Code

  init(_ code: Code) { self.code = code }
}

extension EntryFailure: CustomStringConvertible {
  /// A phrase.
  public var description: String {
    switch code {
    case .needsUpgrade: "written by a newer version that says it must be understood"
    case .wrongKind: "the value does not belong into the register"
    case .badName: "a name has at most 255 bytes of UTF-8"
    case .badValue: "the value is too large or of no known form"
    case .badSequence: "sequence numbers start at 1"
    case .badLength: "causal lengths are 1 to 2^63 - 1"
    case .notCanonical: "the bytes are no canonical form"
    }
  }
}

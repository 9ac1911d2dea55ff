/// Why bytes were refused, and where.
///
/// What refuses changes nothing.
public struct DecodeFailure: Error, Hashable, Sendable {
  /// What kind of refusal it is.
  public enum Code: Hashable, Sendable {
    /// The bytes end too early.
    case truncated
    /// The bytes are no such thing, or were damaged.
    case malformed
    /// A newer version wrote them and says that they must be understood.
    case needsUpgrade
    /// They are well formed and more than the reader takes.
    case limitExceeded
  }

  /// What is wrong.
  public enum Reason: String, Hashable, Sendable {
    /// The bytes end in the middle of something.
    case truncated
    /// The first bytes are not those of this format.
    case badMagic = "bad-magic"
    /// A checksum does not match: the bytes were damaged or cut.
    case badChecksum = "bad-checksum"
    /// Bytes follow the end.
    case trailing
    /// A number is written in more bytes than it needs, or is beyond 64 bits.
    case longNumber = "long-number"
    /// A number outside what its place allows.
    case badNumber = "bad-number"
    /// Things that must rise do not.
    case badOrder = "bad-order"
    /// An index points outside its table.
    case badIndex = "bad-index"
    /// A row of a table is used by nothing.
    case unusedRow = "unused-row"
    /// A bit or byte that must be 0 is not, or a value that only later versions have.
    case reserved
    /// Text is not UTF-8.
    case badText = "bad-text"
    /// A name has no bytes, or its register no name.
    case badName = "bad-name"
    /// A field's value has a form that its tag does not allow.
    case badValue = "bad-value"
    /// A sort key that is none, or is not written in its shortest form.
    case badKey = "bad-key"
    /// An item id is not written in its shortest form.
    case longID = "long-id"
    /// The content belongs to another list.
    case otherList = "other-list"
    /// A block of another kind was expected.
    case otherKind = "other-kind"
    /// The version of the layout is newer.
    case newerVersion = "newer-version"
    /// Something critical is not known.
    case criticalContent = "critical-content"
    /// More bytes than the reader takes.
    case tooManyBytes = "too-many-bytes"
    /// More items than the reader takes.
    case tooManyItems = "too-many-items"
    /// More replicas than the reader takes.
    case tooManyReplicas = "too-many-replicas"
    /// More fields of one item than the reader takes.
    case tooManyFields = "too-many-fields"
    /// A value or name longer than the format allows.
    case tooLong = "too-long"

    /// The kind of refusal that the reason belongs to.
    public var code: Code {
      switch self {
      case .truncated: .truncated
      case .newerVersion, .criticalContent: .needsUpgrade
      case .tooManyBytes, .tooManyItems, .tooManyReplicas, .tooManyFields, .tooLong:
        .limitExceeded
      default: .malformed
      }
    }
  }

  /// What is wrong.
  public let reason: Reason

  /// The first byte of what is wrong, counted from the start of the input.
  public let offset: Int

  /// What kind of refusal it is.
  public var code: Code { reason.code }

  /// Makes a failure.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension DecodeFailure: CustomStringConvertible {
  /// The reason as one stable word, and the offset.
  public var description: String { "offset \(offset): \(reason.rawValue)" }
}

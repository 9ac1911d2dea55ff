/// Bytes that are no sort key, and where they stop being one.
public struct MalformedSortKey: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// More bytes than ``SortKey/maximumByteCount``.
    case tooLong

    /// The bytes end in the middle of a key.
    case truncated

    /// The last digit of a number is 0.
    case zeroDigit

    /// A number outside the finite doubles.
    case numberRange

    /// The author of a step is neither the one above nor named.
    case badAuthor

    /// The author of a step is named although it is the one above.
    case longAuthor

    /// Fewer bytes would do for a counter.
    case longCounter

    /// The byte after a step is no link.
    case badLink

    /// Bytes follow the end of the key.
    case trailing
  }

  /// What is wrong.
  public let reason: Reason

  /// The first byte of the wrong part, or the length where bytes are missing.
  public let offset: Int

  /// Makes an error.
  public init(reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

extension MalformedSortKey.Reason: CustomStringConvertible {
  /// The reason as one stable word.
  public var description: String {
    switch self {
    case .tooLong: "tooLong"
    case .truncated: "truncated"
    case .zeroDigit: "zeroDigit"
    case .numberRange: "numberRange"
    case .badAuthor: "badAuthor"
    case .longAuthor: "longAuthor"
    case .longCounter: "longCounter"
    case .badLink: "badLink"
    case .trailing: "trailing"
    }
  }
}

extension MalformedSortKey: CustomStringConvertible {
  /// The reason and the offset in plain words.
  public var description: String { "\(reason) at byte \(offset)" }
}

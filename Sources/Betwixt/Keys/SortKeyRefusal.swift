/// Why no key was made.
public enum SortKeyRefusal: Error, Hashable, Sendable {
  /// A sort order that is not a number or infinite.
  case notFinite

  /// The left neighbour does not stand before the right one.
  case order

  /// The key would have more than ``SortKey/maximumByteCount`` bytes.
  case exhausted
}

extension SortKeyRefusal: CustomStringConvertible {
  /// The reason as one stable word.
  public var description: String {
    switch self {
    case .notFinite: "notFinite"
    case .order: "order"
    case .exhausted: "exhausted"
    }
  }
}

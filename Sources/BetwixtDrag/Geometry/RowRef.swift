public import Betwixt

/// What a row of a list shows, by which it is named: never by a number.
public enum RowRef: Hashable, Sendable {
  /// The head of a day of a trip, or of a group of tasks: the section that it stands above.
  case header(day: Int64)

  /// An item.
  case item(ItemID)

  /// The item; `nil` for a header.
  public var item: ItemID? {
    if case .item(let id) = self { id } else { nil }
  }
}

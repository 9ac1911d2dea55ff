public import Betwixt

/// An item on a page: see ``SQLRegisters/page(after:limit:)``.
public struct SQLItem: Hashable, Sendable {
  /// Which item.
  public let id: ItemID

  /// The section it stands in.
  public let section: Int64

  /// Where in the section.
  public let key: SortKey

  /// What its fields hold; those that were cleared are left out.
  public let fields: Fields

  /// Where the next page begins that this item is the last one before.
  public var mark: SQLPageMark { SQLPageMark(section: section, key: key, item: id) }
}

/// A place between two items, where a page begins.
///
/// It stays where it is whatever is inserted, moved or removed around it.
public struct SQLPageMark: Hashable, Sendable {
  let value: [UInt8]
  let item: ItemID

  /// Makes the place behind an item.
  ///
  /// - Parameters:
  ///   - section: The section it stands in.
  ///   - key: Where in the section.
  ///   - item: Which item.
  public init(section: Int64, key: SortKey, item: ItemID) {
    value = RegisterValue.position(section: section, key: key).canonicalBytes
    self.item = item
  }
}

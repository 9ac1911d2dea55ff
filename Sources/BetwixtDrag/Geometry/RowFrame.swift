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

/// A row and where it stands in the list, in content coordinates.
public struct RowFrame: Hashable, Sendable {
  /// What the row shows.
  public let ref: RowRef

  /// Its upper edge, which belongs to it.
  public let minY: Double

  /// Its lower edge, which does not.
  public let maxY: Double

  /// Makes a row's frame.
  public init(_ ref: RowRef, minY: Double, maxY: Double) {
    self.ref = ref
    self.minY = minY
    self.maxY = maxY
  }

  var height: Double { maxY - minY }
  var middle: Double { (minY + maxY) / 2 }
}

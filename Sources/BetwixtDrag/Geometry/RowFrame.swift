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

/// A point; x grows to the right and y downwards.
public struct DragPoint: Hashable, Sendable {
  /// The distance from the left edge.
  public var x: Double

  /// The distance from the top.
  public var y: Double

  /// Makes a point.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  var isFinite: Bool { x.isFinite && y.isFinite }

  /// Squared, because a root would need the C library's mathematics.
  func squaredDistance(to other: DragPoint) -> Double {
    (x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)
  }
}

/// A rectangle on the screen, in the coordinates that its owner says.
public struct DragFrame: Hashable, Sendable {
  /// The left edge.
  public var x: Double

  /// The upper edge.
  public var y: Double

  /// The width.
  public var width: Double

  /// The height.
  public var height: Double

  /// Makes a frame.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  var maxY: Double { y + height }

  var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }
}

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

/// The shadow of the lifted copy.
public struct ShadowStyle: Hashable, Sendable {
  /// How far to the right it falls.
  public var x: Double

  /// How far down it falls.
  public var y: Double

  /// How soft it is.
  public var radius: Double

  /// How dark it is at the beginning of the change.
  public var from: Double

  /// How dark it is at the end of the change.
  public var to: Double

  /// Puts one together.
  public init(
    x: Double, y: Double, radius: Double, from: Double, to: Double
  ) {
    self.x = x
    self.y = y
    self.radius = radius
    self.from = from
    self.to = to
  }

  func fading(to opacity: Double) -> ShadowStyle {
    ShadowStyle(x: x, y: y, radius: radius, from: to, to: opacity)
  }
}

/// The tint of a lifted copy over a place where it cannot go.
public struct TintStyle: Hashable, Sendable {
  /// Its colour.
  public var color: ColorToken
  /// How strong it is.
  public var alpha: Double
  /// The radius of its corners.
  public var corner: Double
  /// Milliseconds that it takes to appear and to vanish.
  public var fade: Int

  /// Puts one together.
  public init(
    color: ColorToken, alpha: Double, corner: Double, fade: Int
  ) {
    self.color = color
    self.alpha = alpha
    self.corner = corner
    self.fade = fade
  }
}

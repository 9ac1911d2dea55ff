/// How a tab shows that it can be dropped on.
public struct TabHighlightStyle: Hashable, Sendable {
  /// Its colour.
  public var color: ColorToken
  /// How strong the fill is.
  public var fill: Double
  /// How strong the outline is.
  public var stroke: Double
  /// How thick the outline is.
  public var strokeWidth: Double
  /// Milliseconds that it takes to appear and to vanish.
  public var fade: Int

  /// Puts one together.
  public init(
    color: ColorToken, fill: Double, stroke: Double, strokeWidth: Double, fade: Int
  ) {
    self.color = color
    self.fill = fill
    self.stroke = stroke
    self.strokeWidth = strokeWidth
    self.fade = fade
  }
}

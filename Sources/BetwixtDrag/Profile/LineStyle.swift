/// How the ends of a line look.
public enum LineCap: String, Hashable, Sendable {
  /// Half a circle.
  case round
  /// Cut off.
  case butt
}

/// The line that shows where an item would go.
public struct LineStyle: Hashable, Sendable {
  /// How thick it is.
  public var width: Double
  /// How its ends look.
  public var cap: LineCap
  /// The space to the left and right of it.
  public var margin: Double
  /// How far above the row below its frame begins.
  public var lead: Double
  /// The height of its frame.
  public var height: Double
  /// Milliseconds that it takes to appear and to vanish.
  public var fade: Int
  /// Its colour.
  public var color: ColorToken

  /// Puts one together.
  public init(
    width: Double, cap: LineCap, margin: Double, lead: Double, height: Double, fade: Int,
    color: ColorToken
  ) {
    self.width = width
    self.cap = cap
    self.margin = margin
    self.lead = lead
    self.height = height
    self.fade = fade
    self.color = color
  }
}

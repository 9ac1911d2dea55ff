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

/// A colour by its role; the front end knows what it looks like, and themes may change meanwhile.
public enum ColorToken: String, Hashable, Sendable {
  /// The main colour of the theme.
  case theme
  /// The system's red.
  case systemRed
  /// The system's blue.
  case blue
}

/// What becomes of a drop where an item cannot go.
public enum InvalidDrop: String, Hashable, Sendable {
  /// It goes back.
  case reject
  /// It goes to the nearest place where it can.
  case clampToValid
}

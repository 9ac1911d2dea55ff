/// The properties that a change sets; the others stay as they are.
public struct VisualChange: Hashable, Sendable {
  /// Where it goes, in content coordinates.
  public var frame: DragFrame?
  /// How far it is shifted to the right of where it belongs.
  public var shiftX: Double?
  /// How far it is shifted down from where it belongs.
  public var shiftY: Double?
  /// How opaque it is.
  public var alpha: Double?
  /// How large it is.
  public var scale: Double?
  /// Its turn about the vertical axis, in degrees.
  public var tiltY: Double?
  /// The perspective of that turn.
  public var perspective: Double?
  /// The radius of its corners.
  public var corner: Double?
  /// Its shadow.
  public var shadow: ShadowStyle?
  /// How strong its tint is.
  public var tintAlpha: Double?

  /// Changes nothing.
  public init() {}

  static func alpha(_ alpha: Double) -> VisualChange {
    var change = VisualChange()
    change.alpha = alpha
    return change
  }

  static func shiftX(_ distance: Double) -> VisualChange {
    var change = VisualChange()
    change.shiftX = distance
    return change
  }

  static func shiftY(_ distance: Double) -> VisualChange {
    var change = VisualChange()
    change.shiftY = distance
    return change
  }

  /// Upright, in its own size, without a shadow.
  static func landed(at frame: DragFrame, shadow: ShadowStyle) -> VisualChange {
    var change = VisualChange()
    change.frame = frame
    change.scale = 1
    change.tiltY = 0
    change.shadow = shadow.fading(to: 0)
    return change
  }
}

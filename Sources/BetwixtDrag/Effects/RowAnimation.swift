public import Betwixt

/// A change of what is on the screen, with how long it takes.
public struct RowAnimation: Hashable, Sendable {
  /// What changes.
  public enum Target: Hashable, Sendable {
    /// The row of an item.
    case item(ItemID)
    /// The copy that follows the pointer.
    case lifted
    /// Some rows, all in the same way.
    case rows([RowRef])
  }

  /// What changes.
  public var target: Target

  /// To what.
  public var changes: VisualChange

  /// Milliseconds.
  public var duration: Int

  /// Milliseconds until it begins.
  public var delay: Int

  /// How it runs.
  public var curve: MotionCurve

  /// Describes a change.
  public init(
    _ target: Target, to changes: VisualChange, motion: Motion, delay: Int = 0
  ) {
    self.target = target
    self.changes = changes
    duration = motion.duration
    self.delay = delay
    curve = motion.curve
  }
}

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

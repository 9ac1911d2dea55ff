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

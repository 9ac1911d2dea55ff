/// What points.
public enum PointerInput: String, Hashable, Sendable {
  /// A finger.
  case touch
  /// A pen.
  case pen
  /// A mouse.
  case mouse
  /// No pointer: the arrow keys move.
  case keyboard
}

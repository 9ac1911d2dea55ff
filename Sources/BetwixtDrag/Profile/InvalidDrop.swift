/// What becomes of a drop where an item cannot go.
public enum InvalidDrop: String, Hashable, Sendable {
  /// It goes back.
  case reject
  /// It goes to the nearest place where it can.
  case clampToValid
}

/// How something from another program moves.
public enum ExternalPhase: Hashable, Sendable {
  /// It came.
  case entered(DragPayload, DragPoint)
  /// It moved.
  case moved(DragPoint)
  /// It left.
  case left
  /// It was let go.
  case dropped(DragPoint)
}

public import BetwixtTrips

/// The line that shows where an item would go.
public enum InsertionLine: Hashable, Sendable {
  /// It is shown at a gap; the frame is in content coordinates.
  case show(Gap, DragFrame, LineStyle)

  /// It vanishes within some milliseconds.
  case hide(fade: Int)
}

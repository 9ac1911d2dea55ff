extension DragEngine {
  mutating func ranDown(_ timer: TimerID, at time: Int64) {
    switch timer {
    case .longPress: liftPressed(time)
    case .tabHover: hovered()
    case .toast: toastRanDown()
    }
  }
}

/// A timer of the host's.
public enum TimerID: String, Hashable, Sendable, CaseIterable {
  /// A finger rests on an item.
  case longPress
  /// A drag rests over a tab.
  case tabHover
  /// A toast is shown.
  case toast
}

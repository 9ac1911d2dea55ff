extension DragEngine {
  mutating func ranDown(_ timer: TimerID, at time: Int64) {
    switch timer {
    case .longPress: liftPressed(time)
    case .tabHover: hovered()
    case .toast: toastRanDown()
    }
  }
}

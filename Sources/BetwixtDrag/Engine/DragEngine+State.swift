extension DragEngine {
  /// What goes on: one thing at a time.
  enum State: Sendable {
    case idle
    case pressed(PointerPress)
    case dragging(DragSession)
    case swiping(Swipe)
    case pulling(Pull)
    case pinching(Pinch)
    case editing(TextEdit)
  }

  /// The pointer that is down and has lifted nothing yet.
  var press: PointerPress? {
    if case .pressed(let press) = state { press } else { nil }
  }

  /// The drag that goes on; without one, an assignment changes nothing.
  var session: DragSession? {
    get { if case .dragging(let session) = state { session } else { nil } }
    set { if case .dragging = state, let newValue { state = .dragging(newValue) } }
  }
}

// What goes on, and which part of the engine takes what: a new gesture is entered here.

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

extension DragEngine {
  /// Hands an event to the part that it is for.
  mutating func dispatch(_ event: DragEvent) {
    switch event {
    case .settings(let settings): change(settings)
    case .document(let document): change(document)
    case .layout(let layout): change(layout)
    case .scrolled(let offset): scrolled(to: offset)
    case .today(let today): change(today)
    case .press(let row, let input, let point, let time):
      began(row, input: input, at: point, time: time)
    case .lift(let row, let input, let point, let time):
      lift(row, input: input, at: point, time: time)
    case .moved(let point, let time): moved(to: point, at: time)
    case .released(let point, let time): released(at: point, time: time)
    case .cancelled(let reason, _): cancel(reason)
    case .tick(let time): tick(time)
    case .timer(let timer, let time): ranDown(timer, at: time)
    case .key(let key, let row, let time): pressed(key, row: row, at: time)
    case .action(let id, let action, _): perform(action, on: id)
    case .external(let phase, let time): handle(phase, at: time)
    case .swipe(let phase): handle(phase)
    case .pull(let phase): handle(phase)
    case .pinch(let phase): handle(phase)
    case .edit(let phase): handle(phase)
    case .delete(let id): if isIdle { delete(id) }
    case .undo: if isIdle { turn(.undo(nil)) }
    case .redo: if isIdle { turn(.redo) }
    case .toast(let button, _): if isIdle, toast?.button == button { turn(button.turn) }
    case .committed(let id, let added, _): committed(id, added: added)
    case .commitFailed(let id, _): failed(id)
    case .turned(let report, _): turned(report)
    }
  }

  /// Ends a gesture as if nothing had been armed.
  mutating func endGesture(_ reason: CancelReason) {
    switch state {
    case .swiping: handle(SwipePhase.cancelled)
    case .pulling: handle(PullPhase.cancelled)
    case .pinching: handle(PinchPhase.cancelled)
    case .editing: interruptEdit(reason)
    case .idle, .pressed, .dragging: break
    }
  }

  /// The document has changed under a gesture.
  mutating func gestureChanged() {
    switch state {
    case .swiping(let swipe):
      guard !contains(swipe.item) else { return }
      endGesture(.itemRemoved)
      tell(.itemRemoved(title: swipe.title))
    case .editing(let edit): editChanged(edit)
    case .idle, .pressed, .dragging, .pulling, .pinching: break
    }
  }

  /// Rows lie elsewhere under a gesture, or others have come into sight.
  mutating func gestureLaidOut() {
    switch state {
    case .pinching: pinchLaidOut()
    case .editing(let edit): present(edit)
    case .idle, .pressed, .dragging, .swiping, .pulling: break
    }
  }
}

import Betwixt
import BetwixtTrips

extension DragEngine {
  mutating func handle(_ phase: SwipePhase) {
    switch phase {
    case .began(let id, let dx, let dy):
      guard isIdle, dx.isFinite, dy.isFinite, abs(dx) > abs(dy),
        document?.list.contains(id: id) ?? false
      else { return }
      gesture = .swiping(Swipe(item: id))
      swipe(to: dx)
    case .changed(let dx):
      guard dx.isFinite else { return }
      swipe(to: dx)
    case .ended: endSwipe(isReleased: true)
    case .cancelled: endSwipe(isReleased: false)
    }
  }

  private mutating func swipe(to distance: Double) {
    guard case .swiping(var swipe) = gesture, let layout, layout.width > 0 else { return }
    let kind: GestureCue.Kind = distance > 0 ? .complete : .delete
    let distance = kind == .complete && !canComplete(swipe.item) ? 0 : distance
    if distance != swipe.distance { emit(.item(swipe.item), .shiftX(distance), .none) }
    swipe.distance = distance
    let half = layout.width / 2
    show(kind, abs(distance) / half, isArmed: abs(distance) > half, in: &swipe)
    gesture = .swiping(swipe)
  }

  private func canComplete(_ id: ItemID) -> Bool {
    guard case .tasks(let tasks) = document else { return false }
    return !tasks.isCompleted(id)
  }

  private mutating func show(
    _ kind: GestureCue.Kind, _ progress: Double, isArmed: Bool, in swipe: inout Swipe
  ) {
    let crossed = isArmed != swipe.isArmed
    let cue = GestureCue(
      kind: kind, progress: min(1, progress), isArmed: isArmed,
      isAudible: crossed && settings.sounds)
    let isSame = swipe.cue.map {
      $0.kind == kind && $0.progress == cue.progress && $0.isArmed == isArmed
    }
    guard !(isSame ?? (progress == 0)) else { return }
    swipe.cue = cue
    emit(.cue(cue))
    if crossed { emit(.selection) }
  }

  private mutating func endSwipe(isReleased: Bool) {
    guard case .swiping(var swipe) = gesture else { return }
    gesture = nil
    let armed = isReleased && swipe.isArmed ? swipe.cue?.kind : nil
    if let cue = swipe.cue, cue.progress > 0 {
      // The knock of the threshold belongs to the finger, not to its going up.
      swipe.cue = GestureCue(kind: cue.kind, progress: 0, isArmed: false, isAudible: false)
      if let cue = swipe.cue { emit(.cue(cue)) }
    }
    switch armed {
    case .delete: delete(swipe.item)
    case .complete:
      emit(.item(swipe.item), .shiftX(0), profile.stateChange)
      commit([.set(swipe.item, "state", "completed")], title: title(of: swipe.item))
    case nil:
      if swipe.distance != 0 { emit(.item(swipe.item), .shiftX(0), profile.wayBack) }
    }
  }

  func title(of id: ItemID) -> String { document?.title(of: id) ?? "" }
}

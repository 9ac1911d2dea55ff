public import Betwixt
import BetwixtTrips

// A row that is swiped sideways, to complete or to delete it.

/// How a row is swiped; distances are from where the finger went down.
public enum SwipePhase: Hashable, Sendable {
  /// A finger began to move on a row.
  case began(ItemID, dx: Double, dy: Double)
  /// It moved on.
  case changed(dx: Double)
  /// It went up.
  case ended
  /// The gesture is over.
  case cancelled
}

/// A row that is swiped.
struct Swipe: Hashable, Sendable {
  let item: ItemID
  let title: String
  var distance = 0.0
  var cue: GestureCue?

  var isArmed: Bool { cue?.isArmed ?? false }
}

extension DragEngine {
  mutating func handle(_ phase: SwipePhase) {
    switch phase {
    case .began(let id, let dx, let dy):
      guard isIdle, dx.isFinite, dy.isFinite, abs(dx) > abs(dy),
        contains(id)
      else { return }
      finishDelayed()
      state = .swiping(Swipe(item: id, title: title(of: id)))
      swipe(to: dx)
    case .changed(let dx):
      guard dx.isFinite else { return }
      swipe(to: dx)
    case .ended: endSwipe(isReleased: true)
    case .cancelled: endSwipe(isReleased: false)
    }
  }

  private mutating func swipe(to distance: Double) {
    guard case .swiping(var swipe) = state, let layout, layout.width > 0 else { return }
    let kind: GestureCue.Kind = distance > 0 ? .complete : .delete
    let distance = kind == .complete && !canComplete(swipe.item) ? 0 : distance
    if distance != swipe.distance {
      emit(.item(swipe.item), to: .shiftX(distance), motion: .none)
    }
    swipe.distance = distance
    let half = layout.width / 2
    show(kind, progress: abs(distance) / half, isArmed: abs(distance) > half, in: &swipe)
    state = .swiping(swipe)
  }

  private mutating func show(
    _ kind: GestureCue.Kind, progress: Double, isArmed: Bool, in swipe: inout Swipe
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
    guard case .swiping(var swipe) = state else { return }
    state = .idle
    let armed = isReleased && swipe.isArmed ? swipe.cue?.kind : nil
    if let cue = swipe.cue, cue.progress > 0 {
      // The knock of the threshold belongs to the finger, not to its going up.
      swipe.cue = GestureCue(kind: cue.kind, progress: 0, isArmed: false, isAudible: false)
      if let cue = swipe.cue { emit(.cue(cue)) }
    }
    guard let armed else {
      if swipe.distance != 0 {
        emit(.item(swipe.item), to: .shiftX(0), motion: profile.wayBack)
      }
      return
    }
    // The row is where it belongs before anything is written: it may have to stay.
    let isDeleted = armed == .delete
    emit(.item(swipe.item), to: .shiftX(0), motion: isDeleted ? .none : profile.stateChange)
    if isDeleted {
      delete(swipe.item)
    } else if canComplete(swipe.item) {
      // Else somebody has completed it meanwhile, and when that was is theirs to say.
      complete(swipe.item)
    }
  }
}

// MARK: - In a log

extension SwipePhase {
  var logMembers: [(String, LogValue)] {
    switch self {
    case .began(let id, let dx, let dy):
      [
        ("phase", .text("began")), ("item", .id(id)), ("dx", .number(dx)), ("dy", .number(dy)),
      ]
    case .changed(let dx): [("phase", .text("changed")), ("dx", .number(dx))]
    case .ended: [("phase", .text("ended"))]
    case .cancelled: [("phase", .text("cancelled"))]
    }
  }

  init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.phase {
    case "began":
      self = .began(
        try reader.id("item"), dx: try reader.number("dx"), dy: try reader.number("dy"))
    case "changed": self = .changed(dx: try reader.number("dx"))
    case "ended": self = .ended
    case "cancelled": self = .cancelled
    default: throw reader.unknownPhase
    }
  }
}

import Betwixt
import BetwixtDrag
import BetwixtTrips

/// What the engine has asked to be seen, as far as a terminal can show it.
struct EditScreen: Sendable {
  /// Where the line is, in content coordinates; `nil` if there is none.
  private(set) var lineY: Double?
  private(set) var isTinted = false
  private(set) var shifts: [RowRef: Double] = [:]
  private(set) var alphas: [RowRef: Double] = [:]
  private(set) var toast: Toast?
  private(set) var message = ""
  private(set) var placeholder: AddPlaceholder?
  private(set) var wantsTicks = false
  /// When each timer runs down.
  private(set) var timers: [TimerID: Int64] = [:]
  /// The row that is to get the focus.
  private(set) var focus: RowRef?
  var rings = false

  /// Takes one effect in; those that need the host do nothing here.
  mutating func take(_ effect: DragEffect, now: Int64) {
    switch effect {
    case .line(.show(_, let frame, let style)): lineY = frame.y + style.lead
    case .line(.hide): lineY = nil
    case .tint(.invalid): isTinted = true
    case .tint(.none): isTinted = false
    case .animate(let animation): take(animation)
    case .toast(let toast): self.toast = toast
    case .announce(let announcement): message = announcement.text
    case .placeholder(let placeholder): self.placeholder = placeholder
    case .ticks(let isOn): wantsTicks = isOn
    case .startTimer(let timer, let delay): timers[timer] = now + Int64(delay)
    case .cancelTimer(let timer): timers[timer] = nil
    case .focus(let row): focus = row
    // The one thing that a terminal lets a hand feel.
    case .haptic(.error, _): rings = true
    default: break
    }
  }

  private mutating func take(_ animation: RowAnimation) {
    let rows: [RowRef]
    switch animation.target {
    case .lifted: return
    case .item(let id): rows = [.item(id)]
    case .rows(let refs): rows = refs
    }
    for row in rows {
      if let alpha = animation.changes.alpha { alphas[row] = alpha == 1 ? nil : alpha }
      if let shift = animation.changes.shiftY { shifts[row] = shift == 0 ? nil : shift }
    }
  }

  /// The next timer that has run down, which is no timer then.
  mutating func ranDown(by now: Int64) -> TimerID? {
    let due = timers.filter { $0.value <= now }
    guard let next = due.min(by: { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) })
    else { return nil }
    timers[next.key] = nil
    return next.key
  }

  /// Takes an offer away that the engine does not know to be an old one.
  mutating func dropToast() { toast = nil }

  mutating func say(_ text: String) { message = text }

  /// Forgets what belongs to rows that are gone.
  mutating func lay(_ rows: EditRows) {
    shifts = shifts.filter { rows.place(of: $0.key) != nil }
    alphas = alphas.filter { rows.place(of: $0.key) != nil }
  }

  mutating func takeFocus() -> RowRef? {
    defer { focus = nil }
    return focus
  }
}

import Betwixt
import BetwixtDrag

/// What a user would see, hear and feel: the effects taken at their word.
struct ScreenModel {
  var line: DragFrame?
  var isTinted = false
  var alphas: [RowRef: Double] = [:]
  var shifts: [RowRef: Double] = [:]
  var highlight: TaskTab?
  var ticks = false
  var timers: Set<TimerID> = []
  var toast: Toast?
  var hasPlaceholder = false
  var hasCopy = false
  var isEditing = false
  var commits: [CommitID] = []
  /// Effects that make no sense after those before: hidden twice, cancelled without a start.
  var faults: [String] = []

  mutating func take(_ effect: DragEffect) {
    switch effect {
    case .line(.show(_, let frame, _)): line = frame
    case .line(.hide):
      check(line != nil, "no line to hide")
      line = nil
    case .tint(.invalid):
      check(!isTinted, "tinted twice")
      isTinted = true
    case .tint(.none):
      check(isTinted, "no tint to remove")
      isTinted = false
    case .ticks(let on):
      check(ticks != on, "ticks \(on) twice")
      ticks = on
    case .highlight(let tab):
      check(tab != nil || highlight != nil, "no highlight to remove")
      highlight = tab?.tab
    case .startTimer(let timer, _): check(timers.insert(timer).inserted, "\(timer) runs already")
    case .cancelTimer(let timer): check(timers.remove(timer) != nil, "\(timer) does not run")
    case .toast(let toast): self.toast = toast
    case .removeCopy:
      check(hasCopy, "no copy to remove")
      hasCopy = false
    case .beginEditing:
      check(!isEditing, "two fields")
      isEditing = true
    case .endEditing:
      check(isEditing, "no field to close")
      isEditing = false
    case .placeholder(let placeholder): hasPlaceholder = placeholder != nil
    case .commit(let id, _): commits.append(id)
    case .animate(let animation): take(animation)
    default: break
    }
  }

  private mutating func take(_ animation: RowAnimation) {
    let rows: [RowRef]
    switch animation.target {
    case .lifted:
      hasCopy = true
      return
    case .item(let id): rows = [.item(id)]
    case .rows(let refs): rows = refs
    }
    for row in rows {
      if let alpha = animation.changes.alpha { alphas[row] = alpha == 1 ? nil : alpha }
      if let shift = animation.changes.shiftY ?? animation.changes.shiftX {
        shifts[row] = shift == 0 ? nil : shift
      }
    }
  }

  /// What a host answers with events stands last.
  mutating func check(_ effects: [DragEffect]) {
    for effect in effects.dropLast() {
      switch effect {
      case .commit, .turn, .scroll, .reveal, .switchTab: faults.append("\(effect) is not the last")
      default: break
      }
    }
  }

  private mutating func check(_ holds: Bool, _ fault: String) {
    if !holds { faults.append(fault) }
  }

  /// A timer has run down by itself.
  mutating func ranDown(_ timer: TimerID) { timers.remove(timer) }

  /// The rows were laid out; those that are gone look like nothing.
  mutating func lay(_ rows: [RowFrame]) {
    let refs = Set(rows.map(\.ref))
    alphas = alphas.filter { refs.contains($0.key) }
    shifts = shifts.filter { refs.contains($0.key) }
  }

  /// What is left although nothing goes on; empty if all was put back.
  var leftovers: [String] {
    var left = faults
    if line != nil { left.append("line") }
    if isTinted { left.append("tint") }
    if !alphas.isEmpty { left.append("alphas \(alphas)") }
    if !shifts.isEmpty { left.append("shifts \(shifts)") }
    if highlight != nil { left.append("highlight") }
    if ticks { left.append("ticks") }
    if hasPlaceholder { left.append("placeholder") }
    if hasCopy { left.append("copy") }
    if isEditing { left.append("field") }
    if timers.contains(.longPress) || timers.contains(.tabHover) { left.append("timers") }
    return left
  }
}

import BetwixtDrag

extension VisualChange {
  static func opacity(_ alpha: Double) -> VisualChange {
    var change = VisualChange()
    change.alpha = alpha
    return change
  }

  static func shift(_ distance: Double) -> VisualChange {
    var change = VisualChange()
    change.shiftY = distance
    return change
  }

  static func slide(_ distance: Double) -> VisualChange {
    var change = VisualChange()
    change.shiftX = distance
    return change
  }
}

extension Toast {
  /// A toast that offers to take a commit back.
  init(_ text: String, undo number: Int) { self.init(text, button: .undo(CommitID(number))) }
}

extension ShadowStyle {
  static func itinerary(from: Double, to: Double) -> ShadowStyle {
    ShadowStyle(x: 0, y: 8, radius: 16, from: from, to: to)
  }
}

extension LineStyle {
  static let itinerary = LineStyle(
    width: 3, cap: .round, margin: 16, lead: 2, height: 6, fade: 150, color: .theme)
}

extension [DragEffect] {
  var announcements: [Announcement] {
    compactMap { if case .announce(let announcement) = $0 { announcement } else { nil } }
  }

  var lines: [InsertionLine] {
    compactMap { if case .line(let line) = $0 { line } else { nil } }
  }

  var commits: [[ListEdit]] {
    compactMap { if case .commit(_, let edits) = $0 { edits } else { nil } }
  }

  var toasts: [Toast?] {
    compactMap { if case .toast(let toast) = $0 { .some(toast) } else { nil } }
  }

  var focus: [RowRef] {
    compactMap { if case .focus(let row) = $0 { row } else { nil } }
  }

  var haptics: [DragEffect] {
    filter { if case .haptic = $0 { true } else { false } }
  }

  var animations: [RowAnimation] {
    compactMap { if case .animate(let animation) = $0 { animation } else { nil } }
  }

  /// The fields that are shown.
  var fields: [EditTarget] {
    compactMap { if case .beginEditing(let target, _, _) = $0 { target } else { nil } }
  }

  var placeholders: [AddPlaceholder?] {
    compactMap { if case .placeholder(let placeholder) = $0 { placeholder } else { nil } }
  }

  var cues: [GestureCue] {
    compactMap { if case .cue(let cue) = $0 { cue } else { nil } }
  }
}

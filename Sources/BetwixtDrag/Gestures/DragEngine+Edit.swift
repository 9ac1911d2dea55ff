import Betwixt
import BetwixtTrips

extension DragEngine {
  mutating func handle(_ phase: EditPhase) {
    switch phase {
    case .begin(let id): beginEdit(of: id)
    case .text(let text):
      guard case .editing(var edit) = gesture else { return }
      edit.text = text
      gesture = .editing(edit)
    case .commit: endEdit(isKept: true)
    case .cancel: endEdit(isKept: false)
    }
  }

  private mutating func beginEdit(of id: ItemID) {
    guard isIdle, let document, document.list.contains(id: id), !document.isCompleted(id),
      !document.isGame(id), let table, let place = table.place(of: .item(id))
    else { return }
    let text = document.list[id: id]?[document.textField]?.string ?? ""
    edit(.item(id), text, at: table.rows[place].minY)
  }

  /// Begins a new item, which nobody sees until its text is committed.
  mutating func beginDraft(in gap: Gap) {
    guard let table, let layout, let stage else { return }
    let capture = Capture(table: table, stage: stage, item: nil)
    let y = capture.frame(in: gap, width: layout.width, height: 0).y
    edit(.draft(gap), "", at: y)
    emit(.beginEditing(.draft(gap)))
  }

  /// Brings a row to the top and fades the others.
  private mutating func edit(_ target: EditTarget, _ text: String, at y: Double) {
    guard let layout, let table else { return }
    let rows = table.rows[visibleRows].map(\.ref)
    let others = rows.filter {
      if case .item(let id) = target { $0 != .item(id) } else { true }
    }
    gesture = .editing(TextEdit(target: target, text: text, rows: rows, others: others))
    if !rows.isEmpty { emit(.rows(rows), .shiftY(layout.offset - y), profile.editFocus) }
    if !others.isEmpty { emit(.rows(others), .alpha(profile.editAlpha), profile.editFocus) }
  }

  private mutating func endEdit(isKept: Bool) {
    guard case .editing(let edit) = gesture else { return }
    gesture = nil
    if !edit.rows.isEmpty { emit(.rows(edit.rows), .shiftY(0), profile.editFocus) }
    if !edit.others.isEmpty { emit(.rows(edit.others), .alpha(1), profile.editFocus) }
    guard isKept, let document else { return }
    let text = edit.text.trimmed
    switch edit.target {
    case .item(let id) where document.list.contains(id: id):
      if text.isEmpty { return delete(id) }
      guard document.list[id: id]?[document.textField]?.string != text else { return }
      commit([.set(id, document.textField, .string(text))], title: text)
    case .item: break
    case .draft(let gap):
      if !text.isEmpty { insert(text, into: gap) }
    }
  }

  private mutating func insert(_ text: String, into named: Gap) {
    guard let document, let stage, let gap = stage.resolve(named, moving: nil) else { return }
    var fields: Fields = [:]
    fields[document.textField] = .string(text)
    switch document {
    case .trip: fields["kind"] = "custom"
    case .tasks: fields["state"] = "notStarted"
    }
    commit([.insert(fields, gap)], title: text)
    offerUndo("Moved to \(stage.name(of: gap.day).title)")
    emit(.announce(.dropped(title: text, stage.place(in: gap, moving: nil))))
  }
}

extension String {
  /// The text without white space at its ends.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

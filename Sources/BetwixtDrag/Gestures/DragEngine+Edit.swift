import Betwixt
import BetwixtTrips

extension DragEngine {
  mutating func handle(_ phase: EditPhase) {
    switch phase {
    case .begin(let id): beginEdit(of: id)
    case .add(let row): beginDraft(below: row)
    case .text(let text):
      guard case .editing(var edit) = state else { return }
      edit.text = text
      state = .editing(edit)
    case .commit: endEdit(isKept: true)
    case .cancel: endEdit(isKept: false)
    }
  }

  func canEdit(_ id: ItemID) -> Bool {
    guard let document, document.list.contains(id: id) else { return false }
    return !document.isCompleted(id) && !document.isGame(id)
  }

  private mutating func beginEdit(of id: ItemID) {
    guard isIdle, canEdit(id), let layout, let table, let place = table.place(of: .item(id))
    else { return }
    finishDelayed()
    let row = table.rows[place]
    begin(
      TextEdit(
        target: .item(id), title: title(of: id), text: storedText(of: id), top: layout.offset,
        height: row.height))
  }

  private func storedText(of id: ItemID) -> String {
    document.flatMap { $0.list[id: id]?[$0.textField]?.string } ?? ""
  }

  private mutating func begin(_ edit: TextEdit) {
    guard let layout else { return }
    state = .editing(edit)
    present(edit)
    emit(
      .beginEditing(
        edit.target, DragFrame(x: 0, y: edit.top, width: layout.width, height: edit.height),
        edit.text))
  }

  /// Writes what was typed; an unchanged text writes nothing, whatever arrived meanwhile.
  private mutating func endEdit(isKept: Bool) {
    guard case .editing(let edit) = state else { return }
    if isKept, case .draft(let gap) = edit.target, edit.isTyped, nearestGap(to: gap) == nil {
      return close(edit, end: .lost(text: edit.text))
    }
    close(edit, end: .finished)
    let text = edit.text.trimmed
    guard isKept, let document, !text.hasSameBytes(as: edit.base.trimmed) else { return }
    switch edit.target {
    case .item(let id):
      if text.isEmpty { return delete(id) }
      guard !storedText(of: id).hasSameBytes(as: text) else { return }
      commit(
        [.set(id, document.textField, .string(text))], step: EditStep(.change, title: text),
        end: .silent, typed: edit.typed)
    case .draft(let gap): insert(text, into: gap, typed: edit.typed)
    }
  }

  /// Ends an edit that is interrupted.
  mutating func interruptEdit(_ reason: CancelReason) {
    guard case .editing(let edit) = state else { return }
    switch reason {
    case .focusLost, .background: endEdit(isKept: true)
    case .escape, .overTab: endEdit(isKept: false)
    case .itemRemoved, .system: close(edit, end: edit.isTyped ? .lost(text: edit.text) : .finished)
    }
  }

  private mutating func close(_ edit: TextEdit, end: EditEnd) {
    state = .idle
    editCapture = nil
    let rows = edit.shown.filter { $0.shift != 0 }.map { $0.ref }.filter { exists($0) }
    let faded = edit.shown.filter { $0.isFaded }.map { $0.ref }.filter { exists($0) }
    if !rows.isEmpty { emit(.rows(rows), to: .shiftY(0), motion: profile.editFocus) }
    if !faded.isEmpty { emit(.rows(faded), to: .alpha(1), motion: profile.editFocus) }
    emit(.endEditing(edit.target, end))
  }

  /// Whether a row belongs to what is still there: what is gone needs nothing.
  private func exists(_ ref: RowRef) -> Bool { ref.item.map { contains($0) } ?? true }
}

// MARK: - New items

extension DragEngine {
  private mutating func beginDraft(below row: RowRef?) {
    guard isIdle, let stage else { return }
    let gap: Gap?
    switch row {
    case .header(let day)?: gap = stage.startGap(of: day, moving: nil)
    case .item(let id)?:
      gap = stage.gap(of: id).map { Gap(day: $0.day, above: id, below: $0.below) }
    case nil: gap = stage.firstGap(moving: nil)
    }
    if let gap { beginDraft(in: gap) }
  }

  /// Begins a new item, which nobody sees until its text is committed.
  mutating func beginDraft(in named: Gap, height: Double? = nil) {
    guard isIdle, let layout, let gap = nearestGap(to: named) else { return }
    finishDelayed()
    begin(
      TextEdit(
        target: .draft(gap), title: "", text: "", top: layout.offset,
        height: height ?? usualHeight))
  }

  /// The gap that is meant, also where its day is gone or none that something can be added to.
  private func nearestGap(to gap: Gap) -> Gap? {
    guard let stage, let bounds = stage.sectionBounds else { return nil }
    if let resolved = stage.resolve(gap, moving: nil) { return resolved }
    return gap.day < bounds.first ? stage.firstGap(moving: nil) : stage.lastGap(moving: nil)
  }

  private mutating func insert(_ text: String, into named: Gap, typed: Commit.TypedText) {
    guard let document, let stage, let gap = nearestGap(to: named) else { return }
    var fields: Fields = [:]
    fields[document.textField] = .string(text)
    switch document {
    case .trip: fields["kind"] = "custom"
    case .tasks: fields["state"] = "notStarted"
    }
    commit(
      [.insert(fields, gap)], step: EditStep(.addition, title: text), end: .plain(nil),
      in: stage.name(of: gap.day), typed: typed)
  }
}

// MARK: - What others do meanwhile

extension DragEngine {
  /// The document has changed under an edit.
  mutating func editChanged(_ edit: TextEdit) {
    var edit = edit
    switch edit.target {
    case .item(let id):
      guard contains(id) else {
        close(edit, end: edit.isTyped ? .lost(text: edit.text) : .finished)
        return tell(.itemRemoved(title: edit.title))
      }
      edit.title = title(of: id)
      let stored = storedText(of: id)
      // What nobody has typed over yet is shown as it is now.
      if !edit.isTyped, !stored.hasSameBytes(as: edit.base) {
        edit.base = stored
        edit.text = stored
        emit(.editText(stored))
      }
    case .draft(let gap):
      guard let next = nearestGap(to: gap) else {
        return close(edit, end: edit.isTyped ? .lost(text: edit.text) : .finished)
      }
      edit.target = .draft(next)
    }
    state = .editing(edit)
  }

  /// Brings the row to the top and fades the others, as far as they do not stand so already.
  mutating func present(_ edit: TextEdit) {
    guard let layout, let table, let stage else { return }
    var edit = edit
    if edit.mustKnowAllRows(beside: table), editCapture == nil {
      editCapture = Capture(
        table: table, stage: stage, item: nil, contentHeight: layout.contentHeight)
    }
    edit.rowTop = edit.rowTop(in: table, or: editCapture, layout: layout) ?? edit.rowTop
    let wanted = edit.rows(in: table, visible: visibleRows, among: editCapture, layout: layout)
    let gone = edit.shown.filter { shown in !wanted.contains { $0.ref == shown.ref } }
      .filter { exists($0.ref) }.map { TextEdit.ShownRow(ref: $0.ref, shift: 0, isFaded: false) }
    var before: [RowRef: TextEdit.ShownRow] = [:]
    for shown in edit.shown { before[shown.ref] = shown }
    let all = gone + wanted
    let shifted = all.filter { $0.shift != before[$0.ref]?.shift ?? 0 }
    var start = 0
    while start < shifted.count {
      let end = shifted[start...].firstIndex { $0.shift != shifted[start].shift } ?? shifted.count
      emit(
        .rows(shifted[start..<end].map { $0.ref }), to: .shiftY(shifted[start].shift),
        motion: profile.editFocus)
      start = end
    }
    for isFaded in [true, false] {
      let rows = all.filter {
        $0.isFaded == isFaded && before[$0.ref]?.isFaded ?? false != isFaded
      }
      guard !rows.isEmpty else { continue }
      emit(
        .rows(rows.map { $0.ref }), to: .alpha(isFaded ? profile.editAlpha : 1),
        motion: profile.editFocus)
    }
    edit.shown = wanted
    state = .editing(edit)
  }
}

extension TextEdit {
  /// Whether more than the rows that are made says where it stands.
  fileprivate func mustKnowAllRows(beside table: RowTable) -> Bool {
    guard case .item(let id) = target else { return true }
    return table.place(of: .item(id)) == nil
  }

  /// Where the row of an edited item lies, made or not; `nil` if the list shows it no more.
  fileprivate func rowTop(
    in table: RowTable, or capture: Capture?, layout: ListLayout
  ) -> Double? {
    guard case .item(let id) = target else { return nil }
    if let place = table.place(of: .item(id)) { return table.rows[place].minY }
    return capture?.frame(of: .item(id), width: layout.width)?.y
  }

  /// How the rows are to stand while this is edited.
  func rows(
    in table: RowTable, visible: Range<Int>, among capture: Capture?, layout: ListLayout
  ) -> [ShownRow] {
    switch target {
    case .item(let id):
      guard let place = table.place(of: .item(id)) else { return rows(around: visible, in: table) }
      var places = visible
      let row = table.rows[place]
      if !visible.contains(place) {
        // Somebody has moved it away: the rows around it come along.
        let window = table.rows(from: row.minY, to: row.minY + layout.viewportHeight)
        let first = min(visible.lowerBound, window.lowerBound)
        places = first..<max(visible.upperBound, window.upperBound)
      }
      return table.rows[places].map {
        ShownRow(ref: $0.ref, shift: top - row.minY, isFaded: $0.ref != .item(id))
      }
    case .draft(let gap):
      guard let y = capture?.frame(in: gap, width: layout.width, height: 0).y else { return [] }
      return table.rows[visible].map { row in
        let shift = top - y + (row.minY >= y ? height : 0)
        return ShownRow(ref: row.ref, shift: shift, isFaded: true)
      }
    }
  }

  /// How the rows are to stand while the item's own is not made, because it was scrolled away or
  /// somebody has moved it to another list: the field stays free.
  private func rows(around visible: Range<Int>, in table: RowTable) -> [ShownRow] {
    guard let rowTop else { return [] }
    let rows = table.rows[visible]
    let lower = rows.first { $0.minY >= rowTop }
    let above = rows.last { $0.minY < rowTop }
    let up = min(top - rowTop, above.map { top - $0.maxY } ?? .infinity)
    let down = max(top - rowTop, lower.map { top + height - $0.minY } ?? 0)
    return rows.map {
      ShownRow(ref: $0.ref, shift: $0.minY < rowTop ? up : down, isFaded: true)
    }
  }
}

extension String {
  /// The text without white space at its ends.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhiteSpace }),
      let last = lastIndex(where: { !$0.isWhiteSpace })
    else { return "" }
    return String(self[first...last])
  }
}

extension Character {
  fileprivate var isWhiteSpace: Bool { unicodeScalars.first?.isWhiteSpace ?? false }
}

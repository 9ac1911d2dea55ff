import Betwixt
import BetwixtDrag
import BetwixtTrips

// Whether what would be drawn is the document.

extension GuideHost {
  /// A row as it is drawn.
  struct Drawn {
    let ref: RowRef
    let top: Double
    let bottom: Double
  }

  /// The rows that are drawn, but for the one that a copy stands for: those that are made.
  var drawn: [Drawn] {
    let made = Set(engine.layout?.rows.map(\.ref) ?? [])
    return frames.filter {
      made.contains($0.ref) && ($0.ref.item == nil || $0.ref.item != engine.draggedItem)
    }.map { row in
      let shift = looks[row.ref]?.shiftY ?? 0
      return Drawn(ref: row.ref, top: row.minY + shift, bottom: row.maxY + shift)
    }
  }

  private func isSeen(_ row: Drawn) -> Bool {
    row.bottom > offset && row.top < offset + viewportHeight
  }

  mutating func check(_ event: Substring) {
    // Before the rows of a new document are laid out nothing can be said about them.
    guard frames.map(\.ref) == rows else { return }
    // Rows on their way to where they belong cross each other.
    guard delayed.isEmpty || engine.draggedItem == nil else {
      faults.append("a change of before waits during a drag, after \(event)")
      return
    }
    if delayed.isEmpty { checkOrder(event) }
    if let gap = engine.proposal?.gap { checkOpening(gap, event) }
    if let field { checkField(field, event) }
    if engine.isIdle { checkRest(event) }
  }

  private mutating func checkOrder(_ event: Substring) {
    let drawn = drawn
    for (upper, lower) in zip(drawn, drawn.dropFirst()) where isSeen(upper) && isSeen(lower) {
      if upper.bottom > lower.top + 0.001 {
        faults.append("\(upper.ref) is drawn over \(lower.ref) after \(event)")
      }
    }
  }

  /// The rows around the gap leave room for what would be dropped.
  private mutating func checkOpening(_ gap: Gap, _ event: Substring) {
    guard let line, line.gap == gap else {
      return faults.append("no line at \(gap) after \(event)")
    }
    let drawn = drawn
    let below =
      gap.below.flatMap { id in drawn.firstIndex { $0.ref == .item(id) } }
      ?? drawn.firstIndex { $0.ref == gap.above.map { .item($0) } ?? .header(day: gap.day) }
      .map { $0 + 1 }
    guard let below, below > 0, below < drawn.count else { return }
    let (upper, lower) = (drawn[below - 1], drawn[below])
    // Rows that are not made may lie between the two.
    if areNeighbours(upper.ref, lower.ref), isSeen(upper), isSeen(lower),
      lower.top - upper.bottom < GuideHost.itemHeight - 0.001
    {
      faults.append(
        "\(upper.ref) and \(lower.ref) leave \(lower.top - upper.bottom) after \(event)")
    }
  }

  /// Whether nothing but the dragged row stands between two rows of the document.
  private func areNeighbours(_ upper: RowRef, _ lower: RowRef) -> Bool {
    let still = rows.filter { $0.item == nil || $0.item != engine.draggedItem }
    return zip(still, still.dropFirst()).contains { $0 == upper && $1 == lower }
  }

  /// Nothing but its own row lies under the field.
  private mutating func checkField(_ field: Field, _ event: Substring) {
    for row in drawn {
      if case .item(let id) = field.target, row.ref == .item(id) {
        if row.top != field.frame.y { faults.append("the row is beside its field after \(event)") }
      } else if row.top < field.frame.y + field.frame.height - 0.001,
        row.bottom > field.frame.y + 0.001, isSeen(row)
      {
        faults.append("\(row.ref) lies under the field after \(event)")
      }
    }
    if engine.editTarget != field.target, case .item = field.target {
      faults.append("a field for nothing after \(event)")
    }
  }

  /// Nothing goes on, so nothing but the document is to be seen.
  private mutating func checkRest(_ event: Substring) {
    var left: [String] = []
    if line != nil { left.append("line") }
    if isTinted { left.append("tint") }
    if highlight != nil { left.append("highlight") }
    if placeholder != nil { left.append("placeholder") }
    if field != nil { left.append("field") }
    if isTicking { left.append("ticks") }
    if timers.contains(.longPress) || timers.contains(.tabHover) { left.append("timer") }
    // A commit that was not answered yet holds its copy.
    if delayed.isEmpty, !isCommitting {
      if hasCopy { left.append("copy") }
      if !looks.isEmpty { left.append("looks \(looks)") }
    }
    if !left.isEmpty { faults.append("\(left) is left after \(event)") }
  }

  private var isCommitting: Bool { commitsAnswered < commits.count }
}

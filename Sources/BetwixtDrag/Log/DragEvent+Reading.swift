import Betwixt
import BetwixtTrips

extension DragEvent {
  /// Reads an event of a log.
  init(_ reader: LogReader) throws(TextProblem) {
    let name = try reader.text("event")
    switch name {
    case "settings": self = .settings(try DragSettings(reader))
    case "document": self = .document(try DragDocument(reader))
    case "layout": self = .layout(try ListLayout(reader))
    case "scrolled": self = .scrolled(try reader.number("offset"))
    case "today":
      guard let date = CivilDate(try reader.text("date")) else {
        throw TextProblem(.badValue, at: reader.offset, "this is no date")
      }
      self = .today(date)
    case "swipe": self = .swipe(try SwipePhase(reader))
    case "pull": self = .pull(try PullPhase(reader))
    case "pinch": self = .pinch(try PinchPhase(reader))
    case "edit": self = .edit(try EditPhase(reader))
    case "delete": self = .delete(try reader.id("item"))
    default: self = try DragEvent.timed(name, from: reader)
    }
  }

  private static func timed(
    _ name: String, from reader: LogReader
  ) throws(TextProblem) -> DragEvent {
    let time = try reader.time
    switch name {
    case "press":
      return .press(
        try reader.row("row"), try reader.word("input"), try reader.point(), at: time)
    case "lift":
      return .lift(
        try reader.row("row"), try reader.word("input"), try reader.point(), at: time)
    case "moved": return .moved(try reader.point(), at: time)
    case "released": return .released(try reader.point(), at: time)
    case "cancelled": return .cancelled(try reader.word("reason"), at: time)
    case "tick": return .tick(at: time)
    case "timer": return .timer(try reader.word("timer"), at: time)
    case "key":
      let row = reader.optional("row") == nil ? nil : try reader.row("row")
      return .key(try reader.word("key"), row, at: time)
    case "action":
      return .action(try reader.id("item"), try reader.word("action"), at: time)
    case "external": return .external(try ExternalPhase(reader), at: time)
    case "undo": return .undo(at: time)
    case "redo": return .redo(at: time)
    case "toast": return .toast(try Toast.Button(reader), at: time)
    case "committed":
      let item = reader.optional("item") == nil ? nil : try reader.id("item")
      return .committed(try CommitID(reader, named: "commit"), item, at: time)
    case "commitFailed": return .commitFailed(try CommitID(reader, named: "commit"), at: time)
    case "turned": return .turned(try TurnReport(reader), at: time)
    default:
      throw TextProblem(.badValue, at: reader.offset, "“\(name.excerpt)” is no event")
    }
  }
}

extension CommitID {
  fileprivate init(_ reader: LogReader, named name: String) throws(TextProblem) {
    self.init(try reader.int(name))
  }
}

extension UndoTurn {
  fileprivate init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.text("turn") {
    case "undo":
      self = .undo(reader.optional("commit") == nil ? nil : try CommitID(reader, named: "commit"))
    case "redo": self = .redo
    case "insist": self = .insist
    default: throw TextProblem(.badValue, at: reader.offset, "a step has no such turn")
    }
  }
}

extension Toast.Button {
  fileprivate init(_ reader: LogReader) throws(TextProblem) {
    switch try UndoTurn(reader) {
    case .undo(let commit?): self = .undo(commit)
    case .undo(nil): throw TextProblem(.missing, at: reader.offset, "“commit” is missing")
    case .redo: self = .redo
    case .insist: self = .insist
    }
  }
}

extension TurnReport {
  fileprivate init(_ reader: LogReader) throws(TextProblem) {
    let outcome: Outcome
    switch try reader.text("outcome") {
    case "done": outcome = .done
    case "doneUnseen": outcome = .doneUnseen
    case "doneWithChanges": outcome = .doneWithChanges
    case "kept": outcome = .kept(try reader.word("reason"))
    case "nothing": outcome = .nothing
    default: throw TextProblem(.badValue, at: reader.offset, "a turn has no such outcome")
    }
    let commit = reader.optional("of") == nil ? nil : try CommitID(reader, named: "of")
    let name = reader.optional("step") == nil ? nil : try reader.text("step")
    self.init(try UndoTurn(reader), commit: commit, named: name, outcome: outcome)
  }
}

extension DragDocument {
  fileprivate init(_ reader: LogReader) throws(TextProblem) {
    let value = try reader.value("list")
    do {
      self.init(try TripJSON.decode(Array(value.canonicalText.utf8), file: "list"))
    } catch {
      throw TextProblem(error.reason, at: value.offset, error.text)
    }
  }
}

extension ListLayout {
  fileprivate init(_ reader: LogReader) throws(TextProblem) {
    var rows: [RowFrame] = []
    for value in try reader.elements("rows") {
      let parts = try LogReader.elements(value)
      guard parts.count == 3 else {
        throw TextProblem(.badValue, at: value.offset, "a row has a name and two edges")
      }
      rows.append(
        RowFrame(
          try LogReader.row(parts[0]), minY: try LogReader.number(parts[1]),
          maxY: try LogReader.number(parts[2])))
    }
    var strip: DragFrame?
    if let value = reader.optional("tabStrip") {
      let numbers = try LogReader.numbers(value, count: 4)
      strip = DragFrame(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
    self.init(
      container: reader.optional("container") == nil ? nil : try reader.word("container"),
      rows: rows, width: try reader.number("width"),
      viewportHeight: try reader.number("viewportHeight"), offset: try reader.number("offset"),
      contentHeight: try reader.number("contentHeight"), tabStrip: strip)
  }
}

extension LogReader {
  fileprivate var phase: String {
    get throws(TextProblem) { try text("phase") }
  }

  fileprivate var unknownPhase: TextProblem {
    TextProblem(.badValue, at: offset, "a gesture has no such phase")
  }

  fileprivate func points() throws(TextProblem) -> [DragPoint] {
    var points: [DragPoint] = []
    for value in try elements("points") { points.append(try LogReader.point(value)) }
    return points
  }
}

extension ExternalPhase {
  fileprivate init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.phase {
    case "entered":
      let payload = DragPayload(
        try reader.word("kind"), fields: try reader.fields("fields"),
        height: try reader.number("height"))
      self = .entered(payload, try reader.point())
    case "moved": self = .moved(try reader.point())
    case "left": self = .left
    case "dropped": self = .dropped(try reader.point())
    default: throw reader.unknownPhase
    }
  }
}

extension SwipePhase {
  fileprivate init(_ reader: LogReader) throws(TextProblem) {
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

extension PullPhase {
  fileprivate init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.phase {
    case "began":
      self = .began(
        offset: try reader.number("offset"), rowHeight: try reader.number("rowHeight"))
    case "changed": self = .changed(offset: try reader.number("offset"))
    case "ended": self = .ended
    case "cancelled": self = .cancelled
    default: throw reader.unknownPhase
    }
  }
}

extension PinchPhase {
  fileprivate init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.phase {
    case "began": self = .began(try reader.points())
    case "changed": self = .changed(try reader.points())
    case "ended": self = .ended
    case "cancelled": self = .cancelled
    default: throw reader.unknownPhase
    }
  }
}

extension EditPhase {
  fileprivate init(_ reader: LogReader) throws(TextProblem) {
    switch try reader.phase {
    case "begin": self = .begin(try reader.id("item"))
    case "add":
      self = .add(below: reader.optional("below") == nil ? nil : try reader.row("below"))
    case "text": self = .text(try reader.text("text"))
    case "commit": self = .commit
    case "cancel": self = .cancel
    default: throw reader.unknownPhase
    }
  }
}

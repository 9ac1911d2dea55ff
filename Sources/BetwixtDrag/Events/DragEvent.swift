public import Betwixt
public import BetwixtTrips

/// What happened, as the host tells it.
///
/// Times are milliseconds of a clock that only goes forward. Points are in viewport coordinates.
public enum DragEvent: Sendable {
  /// Something was chosen.
  case settings(DragSettings)
  /// The list as it is now, after any change, own or not.
  case document(DragDocument)
  /// How it lies on the screen now.
  case layout(ListLayout)
  /// The list was scrolled to an offset, and its rows lie as they did.
  case scrolled(Double)
  /// A new day has begun.
  case today(CivilDate)
  /// A pointer went down on a row; the engine finds out what comes of it.
  case press(RowRef, PointerInput, DragPoint, at: Int64)
  /// A row is lifted, for hosts that recognise that themselves.
  case lift(RowRef, PointerInput, DragPoint, at: Int64)
  /// The pointer moved.
  case moved(DragPoint, at: Int64)
  /// The pointer went up.
  case released(DragPoint, at: Int64)
  /// Whatever goes on is over.
  case cancelled(CancelReason, at: Int64)
  /// A new picture is drawn.
  case tick(at: Int64)
  /// A timer has run down.
  case timer(TimerID, at: Int64)
  /// A key was pressed while a row had the focus.
  case key(ReorderKey, RowRef?, at: Int64)
  /// An action was chosen in a menu or by a screen reader.
  case action(ItemID, RowAction, at: Int64)
  /// Something is dragged in from another program.
  case external(ExternalPhase, at: Int64)
  /// A row is swiped sideways.
  case swipe(SwipePhase)
  /// The list is pulled down at its top.
  case pull(PullPhase)
  /// Two fingers pull rows apart.
  case pinch(PinchPhase)
  /// A text is edited.
  case edit(EditPhase)
  /// An item is to be deleted.
  case delete(ItemID)
  /// Undo was chosen, in a menu or by a key.
  case undo(at: Int64)
  /// Redo was chosen.
  case redo(at: Int64)
  /// The button of a toast was chosen.
  case toast(Toast.Button, at: Int64)
  /// A commit is in the document, which was told before; with the item that it added.
  case committed(CommitID, ItemID?, at: Int64)
  /// A commit could not be written, at once or later on; the document was told before.
  case commitFailed(CommitID, at: Int64)
  /// What came of an undo or redo; the document was told before.
  case turned(TurnReport, at: Int64)
}

// MARK: - In a log

extension DragEvent {
  /// The event as an object of a log.
  var logValue: LogValue {
    switch self {
    case .settings(let settings): .object([name("settings")] + settings.logMembers)
    case .document(let document): .object([name("document")] + document.logMembers)
    case .layout(let layout): .object([name("layout")] + layout.logMembers)
    case .scrolled(let offset): .object([name("scrolled"), ("offset", .number(offset))])
    case .today(let date): .object([name("today"), ("date", .text(date.description))])
    case .swipe(let phase): .object([name("swipe")] + phase.logMembers)
    case .pull(let phase): .object([name("pull")] + phase.logMembers)
    case .pinch(let phase): .object([name("pinch")] + phase.logMembers)
    case .edit(let phase): .object([name("edit")] + phase.logMembers)
    case .delete(let id): .object([name("delete"), ("item", .id(id))])
    default: timedLogValue
    }
  }

  private var timedLogValue: LogValue {
    switch self {
    case .press(let row, let input, let point, let time):
      at(time, "press", ("row", .row(row)), ("input", .text(input)), ("point", .point(point)))
    case .lift(let row, let input, let point, let time):
      at(time, "lift", ("row", .row(row)), ("input", .text(input)), ("point", .point(point)))
    case .moved(let point, let time): at(time, "moved", ("point", .point(point)))
    case .released(let point, let time): at(time, "released", ("point", .point(point)))
    case .cancelled(let reason, let time): at(time, "cancelled", ("reason", .text(reason)))
    case .tick(let time): at(time, "tick")
    case .timer(let timer, let time): at(time, "timer", ("timer", .text(timer)))
    case .key(let key, let row, let time):
      at(time, "key", ("key", .text(key)), ("row", .row(row)))
    case .action(let id, let action, let time):
      at(time, "action", ("item", .id(id)), ("action", .text(action)))
    case .external(let phase, let time):
      .object([name("external")] + phase.logMembers + [("at", .integer(time))])
    case .undo(let time): at(time, "undo")
    case .redo(let time): at(time, "redo")
    case .toast(let button, let time):
      .object([name("toast")] + button.turn.logMembers + [("at", .integer(time))])
    case .committed(let id, let item, let time):
      at(time, "committed", ("commit", .integer(id.number)), ("item", .id(item)))
    case .commitFailed(let id, let time):
      at(time, "commitFailed", ("commit", .integer(id.number)))
    case .turned(let report, let time):
      .object([name("turned")] + report.logMembers + [("at", .integer(time))])
    default: .null
    }
  }

  private func name(_ name: String) -> (String, LogValue) { ("event", .text(name)) }

  private func at(_ time: Int64, _ name: String, _ members: (String, LogValue)...) -> LogValue {
    .object([self.name(name)] + members + [("at", .integer(time))])
  }
}

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
      return .committed(try CommitID(reader, member: "commit"), item, at: time)
    case "commitFailed": return .commitFailed(try CommitID(reader, member: "commit"), at: time)
    case "turned": return .turned(try TurnReport(reader), at: time)
    default:
      throw TextProblem(.badValue, at: reader.offset, "“\(name.excerpt)” is no event")
    }
  }
}

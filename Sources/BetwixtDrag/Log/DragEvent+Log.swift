import Betwixt
import BetwixtTrips

extension DragEvent {
  /// The event as an object of a log.
  var logValue: LogValue {
    switch self {
    case .settings(let settings): .object([name("settings")] + settings.logMembers)
    case .document(let document):
      .object([name("document"), ("list", .document(document.list))])
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

extension ListLayout {
  fileprivate var logMembers: [(String, LogValue)] {
    [
      ("container", .text(container)),
      (
        "rows",
        .list(rows.map { .list([.row($0.ref), .number($0.minY), .number($0.maxY)]) })
      ),
      ("width", .number(width)), ("viewportHeight", .number(viewportHeight)),
      ("offset", .number(offset)), ("contentHeight", .number(contentHeight)),
      ("tabStrip", tabStrip.map { .frame($0) } ?? .null),
    ]
  }
}

extension ExternalPhase {
  fileprivate var logMembers: [(String, LogValue)] {
    switch self {
    case .entered(let payload, let point):
      [
        ("phase", .text("entered")), ("kind", .text(payload.kind)),
        ("fields", .fields(payload.fields)), ("height", .number(payload.height)),
        ("point", .point(point)),
      ]
    case .moved(let point): [("phase", .text("moved")), ("point", .point(point))]
    case .left: [("phase", .text("left"))]
    case .dropped(let point): [("phase", .text("dropped")), ("point", .point(point))]
    }
  }
}

extension SwipePhase {
  fileprivate var logMembers: [(String, LogValue)] {
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
}

extension PullPhase {
  fileprivate var logMembers: [(String, LogValue)] {
    switch self {
    case .began(let offset, let height):
      [
        ("phase", .text("began")), ("offset", .number(offset)), ("rowHeight", .number(height)),
      ]
    case .changed(let offset): [("phase", .text("changed")), ("offset", .number(offset))]
    case .ended: [("phase", .text("ended"))]
    case .cancelled: [("phase", .text("cancelled"))]
    }
  }
}

extension PinchPhase {
  fileprivate var logMembers: [(String, LogValue)] {
    switch self {
    case .began(let points):
      [("phase", .text("began")), ("points", .list(points.map { .point($0) }))]
    case .changed(let points):
      [("phase", .text("changed")), ("points", .list(points.map { .point($0) }))]
    case .ended: [("phase", .text("ended"))]
    case .cancelled: [("phase", .text("cancelled"))]
    }
  }
}

extension EditPhase {
  fileprivate var logMembers: [(String, LogValue)] {
    switch self {
    case .begin(let id): [("phase", .text("begin")), ("item", .id(id))]
    case .add(let row): [("phase", .text("add")), ("below", .row(row))]
    case .text(let text): [("phase", .text("text")), ("text", .text(text))]
    case .commit: [("phase", .text("commit"))]
    case .cancel: [("phase", .text("cancel"))]
    }
  }
}

extension TurnReport {
  fileprivate var logMembers: [(String, LogValue)] {
    let word: String
    var reason: Reason?
    switch outcome {
    case .done: word = "done"
    case .doneUnseen: word = "doneUnseen"
    case .doneWithChanges: word = "doneWithChanges"
    case .kept(let why):
      word = "kept"
      reason = why
    case .nothing: word = "nothing"
    }
    return turn.logMembers + [
      ("of", commit.map { .integer($0.number) } ?? .null),
      ("step", name.map { .string($0) } ?? .null), ("outcome", .string(word)),
      ("reason", .text(reason)),
    ]
  }
}

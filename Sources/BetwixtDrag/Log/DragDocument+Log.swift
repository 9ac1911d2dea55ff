import Betwixt
import BetwixtTrips

extension DragDocument {
  /// The list, and as what it is told where it says something else itself.
  var logMembers: [(String, LogValue)] {
    let members: [(String, LogValue)] = [("list", .document(list))]
    switch (self, DragDocument(list)) {
    case (.trip, .tasks): return [("as", .text("trip"))] + members
    case (.tasks, .trip): return [("as", .text("tasks"))] + members
    case (.trip, .trip), (.tasks, .tasks): return members
    }
  }

  init(_ reader: LogReader) throws(TextProblem) {
    let value = try reader.value("list")
    do {
      self.init(try TripJSON.decode(Array(value.canonicalText.utf8), file: "list"))
    } catch {
      throw TextProblem(error.reason, at: value.offset, error.text)
    }
    guard reader.optional("as") != nil else { return }
    switch try reader.text("as") {
    case "trip": self = .trip(Trip(list))
    case "tasks": self = .tasks(TaskList(list))
    default: throw TextProblem(.badValue, at: reader.offset, "a list is told as a trip or as tasks")
    }
  }
}

extension ListLayout {
  var logMembers: [(String, LogValue)] {
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

  init(_ reader: LogReader) throws(TextProblem) {
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

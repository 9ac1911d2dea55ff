public import Betwixt

/// A trip as a table of comma-separated values (RFC 4180); tasks have a table of their own.
public struct CSVExport: Sendable {
  /// The file.
  public let bytes: [UInt8]

  /// Every field that has no column, and the days behind the last row.
  public let omissions: [Omission]

  private static let taskColumns = [
    "date", "order", "id", "state", "text", "createdAt", "updatedAt", "completedAt", "note",
    "priority", "project", "tags",
  ]

  private static let taskFields: [FieldName] = [
    .state, .taskText, .createdAt, .updatedAt, .completedAt, .note, .priority, .project, .tags,
  ]

  private static let textFields: [FieldName] = [.start, .time, .city, .from, .to]
  private static let numberFields: [FieldName] = [.distance, .duration, .latitude, .longitude]
  private static let moreFields: [FieldName] = [
    .note, .address, .mode, .home, .away, .venue, .icon, .gameID,
  ]

  private static let columns = [
    "day", "date", "order", "id", "kind", "title", "start", "time", "city", "from", "to",
    "distanceKm", "durationMin", "latitude", "longitude", "note", "address", "mode", "home", "away",
    "venue", "icon", "gameId",
  ]

  /// Writes a trip or a list of tasks.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - isSpreadsheetSafe: Whether cells that a spreadsheet would take for a formula get a `'`.
  /// - Complexity: O(*n* + *d*) for *d* days
  public init(_ list: ReplicatedList, isSpreadsheetSafe: Bool = false) {
    let isTasks = PlainDialect(of: list) == .tasks
    let rows = isTasks ? CSVExport.rows(of: TaskListing(list)) : CSVExport.rows(of: Trip(list))
    var text = ""
    for row in rows {
      text +=
        row.map { CSVExport.cell($0, isSpreadsheetSafe: isSpreadsheetSafe) }.joined(separator: ",")
        + "\r\n"
    }
    bytes = Array(text.utf8)
    var omissions: [Omission] = []
    for item in list { CSVExport.noteLosses(of: item, isTask: isTasks, into: &omissions) }
    // A table ends with its last row.
    let lastDay = list.compactMap { $0.section }.max() ?? 0
    if !isTasks, let days = list.metadata[.days]?.int64, days > lastDay {
      omissions.append(Omission(item: .root, field: .days, reason: .noRoom))
    }
    self.omissions = omissions
  }

  private static func noteLosses(
    of item: ListItem, isTask: Bool, into omissions: inout [Omission]
  ) {
    let texts = isTask ? taskFields : [.kind, .title] + textFields + moreFields
    let numbers = isTask ? [] : numberFields
    omissions.note(item, except: Set(texts + numbers))
    for name in texts where item[name] != nil && item[name]?.string == nil {
      omissions.append(Omission(item: item.id, field: name, reason: .badField))
    }
    for name in numbers where item[name] != nil && item.digits(name) == nil {
      omissions.append(Omission(item: item.id, field: name, reason: .badField))
    }
  }

  private static func rows(of trip: Trip) -> [[String]] {
    var rows = [columns]
    var order = 0
    for row in trip.rows {
      guard case .item(let id, let day, _) = row else {
        order = 0
        continue
      }
      guard let item = trip.list[id: id] else { continue }
      order += 1
      rows.append(cells(of: item, trip: trip, day: day, order: order))
    }
    return rows
  }

  private static func rows(of listing: TaskListing) -> [[String]] {
    var rows = [taskColumns]
    for section in listing.sections {
      for (order, task) in section.tasks.enumerated() {
        rows.append(
          [section.date ?? "", "\(order + 1)", PlainViewItem(task, in: .tasks).idText]
            + taskFields.map { name in
              task.words(name) ?? (name == .taskText ? task.words(.title) : nil) ?? ""
            })
      }
    }
    return rows
  }

  private static func cells(
    of item: ListItem, trip: Trip, day: Int64, order: Int
  ) -> [String] {
    [
      "\(day)", trip.date(ofDay: day)?.description ?? "", "\(order)",
      PlainViewItem(item, in: .trip).idText, ItemKind(item[.kind]).text, item.summary,
    ] + textFields.map { item.words($0) ?? "" } + numberFields.map { item.digits($0) ?? "" }
      + moreFields.map { item.words($0) ?? "" }
  }

  /// What keeps a spreadsheet from taking a cell for a formula: `'`.
  static let guardMark = UInt8(ascii: "'")

  /// Whether a spreadsheet would take a text for a formula, but for such marks.
  static func isLikeFormula(_ text: String) -> Bool {
    text.utf8.first { $0 != guardMark }.map { "=+-@\t\r".utf8.contains($0) } ?? false
  }

  private static func cell(_ text: String, isSpreadsheetSafe: Bool) -> String {
    var text = text
    // A text that has the mark itself gets another one, as reading takes one away.
    if isLikeFormula(text), isSpreadsheetSafe || text.utf8.first == guardMark { text = "'" + text }
    let bytes = text.utf8
    let space = UInt8(ascii: " ")
    guard
      bytes.contains(where: { ",\"\r\n".utf8.contains($0) }) || bytes.first == space
        || bytes.last == space
    else { return text }
    var quoted = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { quoted += "\"" }
      quoted.unicodeScalars.append(scalar)
    }
    return quoted + "\""
  }
}

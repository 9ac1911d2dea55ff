public import Betwixt

/// A trip as a table of comma-separated values (RFC 4180); tasks have a table of their own.
public struct CSVExport: Sendable {
  /// The file.
  public let bytes: [UInt8]

  private static let taskColumns = [
    "date", "order", "id", "state", "text", "createdAt", "updatedAt", "completedAt",
  ]

  private static let columns = [
    "day", "date", "order", "id", "kind", "title", "start", "time", "city", "from", "to",
    "distanceKm", "durationMin", "latitude", "longitude", "note",
  ]

  /// Writes a trip or a list of tasks.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - isSpreadsheetSafe: Whether cells that a spreadsheet would take for a formula get a `'`.
  /// - Complexity: O(*n* + *d*) for *d* days
  public init(_ list: ReplicatedList, isSpreadsheetSafe: Bool = false) {
    let rows =
      PlainDialect(of: list) == .tasks
      ? CSVExport.rows(of: TaskListing(list)) : CSVExport.rows(of: Trip(list))
    var text = ""
    for row in rows {
      text += row.map { CSVExport.cell($0, isSpreadsheetSafe) }.joined(separator: ",") + "\r\n"
    }
    bytes = Array(text.utf8)
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
      rows.append(cells(of: item, trip, day: day, order: order))
    }
    return rows
  }

  private static func rows(of listing: TaskListing) -> [[String]] {
    var rows = [taskColumns]
    for section in listing.sections {
      for (order, task) in section.tasks.enumerated() {
        let texts: [FieldName] = [.state, .taskText, .createdAt, .updatedAt, .completedAt]
        rows.append(
          [section.date ?? "", "\(order + 1)", PlainViewItem(task, .tasks).idText]
            + texts.map { task.words($0) ?? "" })
      }
    }
    return rows
  }

  private static func cells(
    of item: ListItem, _ trip: Trip, day: Int64, order: Int
  ) -> [String] {
    let texts: [FieldName] = [.start, .time, .city, .from, .to]
    let numbers: [FieldName] = [.distance, .duration, .latitude, .longitude]
    return [
      "\(day)", trip.date(ofDay: day)?.description ?? "", "\(order)",
      PlainViewItem(item, .trip).idText, ItemKind(item[.kind]).text, item.summary,
    ] + texts.map { item.words($0) ?? "" } + numbers.map { item.digits($0) ?? "" }
      + [item.words(.note) ?? ""]
  }

  private static func cell(_ text: String, _ isSpreadsheetSafe: Bool) -> String {
    var text = text
    if isSpreadsheetSafe, let first = text.utf8.first, "=+-@\t\r".utf8.contains(first) {
      text = "'" + text
    }
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

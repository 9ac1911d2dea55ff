public import Betwixt

/// A trip as a table of comma-separated values (RFC 4180).
public struct CSVExport: Sendable {
  /// The file.
  public let bytes: [UInt8]

  private static let columns = [
    "day", "date", "order", "id", "kind", "title", "start", "time", "city", "from", "to",
    "distanceKm", "durationMin", "latitude", "longitude", "note",
  ]

  /// Writes a trip.
  ///
  /// - Parameters:
  ///   - list: The trip.
  ///   - isSpreadsheetSafe: Whether cells that a spreadsheet would take for a formula get a `'`.
  /// - Complexity: O(*n* + *d*) for *d* days
  public init(_ list: ReplicatedList, isSpreadsheetSafe: Bool = false) {
    let trip = Trip(list)
    var text = CSVExport.columns.joined(separator: ",") + "\r\n"
    var order = 0
    for row in trip.rows {
      guard case .item(let id, let day, _) = row else {
        order = 0
        continue
      }
      guard let item = list[id: id] else { continue }
      order += 1
      let cells = CSVExport.cells(of: item, trip, day: day, order: order)
      text += cells.map { CSVExport.cell($0, isSpreadsheetSafe) }.joined(separator: ",") + "\r\n"
    }
    bytes = Array(text.utf8)
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

import Betwixt
import BetwixtTrips

/// The rows of a trip for programs: one JSON object per row, in the order shown.
///
/// Members are only ever added; `day` is the day that shows the row.
struct RowLines {
  private let trip: Trip
  private let warnings: RowWarnings

  init(trip: Trip) {
    self.trip = trip
    warnings = RowWarnings(trip)
  }

  /// All lines, each with its line break.
  var text: String {
    var text = ""
    for row in trip.rows { text += line(row) }
    return text
  }

  private func line(_ row: Row) -> String {
    var line = JSONLine()
    switch row {
    case .header(let day, _):
      line.add("day", day)
      line.add("row", "header")
    case .item(let id, let day, let shownDay):
      line.add("day", shownDay)
      line.add("row", "item")
      line.add("id", id.uuid)
      add(id, to: &line)
      if day != shownDay { line.add("storedDay", day) }
      let names = warnings[id].map { JSONValue(.string($0.name), at: 0) }
      if !names.isEmpty { line.add("violations", json: JSONValue(.array(names), at: 0)) }
    }
    return line.text
  }

  private func add(_ id: ItemID, to line: inout JSONLine) {
    guard let item = trip.list[id: id] else { return }
    if let foreignID = item[.foreignID]?.string { line.add("foreignId", foreignID) }
    line.add("kind", trip.kind(of: id).text)
    line.add("title", item.summary)
    if let key = item.key { line.add("sortOrder", key.approximateSortOrder) }
  }
}

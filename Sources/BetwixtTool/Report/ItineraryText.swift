import Betwixt
import BetwixtTrips

/// Draws a trip day by day for a person.
///
///     Day 2, Sun 2026-06-14
///              Hotel check-in
///       19:00  Ivory Coast – Ecuador (Lincoln Financial Field, Philadelphia)
struct ItineraryText {
  private static let timeWidth = 5
  private static let rowWidth = 7

  private let trip: Trip
  private let style: TextStyle
  private let rows: RowNumbers?
  private let warnings: RowWarnings

  init(_ trip: Trip, style: TextStyle, numbersRows: Bool = false) {
    self.trip = trip
    self.style = style
    rows = numbersRows ? RowNumbers(trip.list) : nil
    warnings = RowWarnings(trip)
  }

  /// The whole trip: its name, its length, then every day.
  var text: String {
    var text = style.bold((trip.name ?? "A trip without a name").printable) + "\n"
    text += ItineraryText.count(trip.dayCount, "day")
    if let start = trip.startDate { text += " from \(ItineraryText.date(start))" }
    text += ", \(ItineraryText.count(Int64(trip.list.count), "item"))"
    text += note(warnings.ofTrip) + "\n"
    for row in trip.rows { text += line(row) + "\n" }
    return text
  }

  private func line(_ row: Row) -> String {
    switch row {
    case .header(let day, let date):
      "\n" + style.bold(ItineraryText.heading(day, date: date))
    case .item(let id, _, _): itemLine(id)
    }
  }

  private func itemLine(_ id: ItemID) -> String {
    guard let item = trip.list[id: id] else { return "" }
    let time = (item.clock?.description ?? "").padded(to: ItineraryText.timeWidth)
    let title = item.summary.printable
    let row = rows?[id].map { "\($0)".padded(to: ItineraryText.rowWidth) } ?? ""
    var line =
      "  \(style.faint(row))\(style.faint(time))  \(styled(title, kind: trip.kind(of: id)))"
    if let details = details(item) { line += style.faint(" (\(details.printable))") }
    if let note = item.words(.note) { line += style.faint(": \(note.printable)") }
    return line + note(warnings[id])
  }

  private func note(_ violations: [Violation]) -> String {
    violations.isEmpty ? "" : style.yellow(warnings.words(violations).printable)
  }

  private func styled(_ title: String, kind: ItemKind) -> String {
    switch kind {
    case .game: style.green(title)
    case .travel: style.cyan(title)
    case .custom, .other: title
    }
  }

  /// What stands in brackets: where a game is, how long a leg is, where anything else is.
  private func details(_ item: ListItem) -> String? {
    let parts: [String?] =
      switch trip.kind(of: item.id) {
      case .game: [item[.venue]?.string, item[.city]?.string]
      case .travel:
        [item[.mode]?.string, ItineraryText.distance(item), ItineraryText.duration(item)]
      case .custom, .other: [item[.address]?.string, ItineraryText.duration(item)]
      }
    let present = parts.compactMap { $0 }.filter { !$0.isEmpty }
    return present.isEmpty ? nil : present.joined(separator: ", ")
  }
}

extension ItineraryText {
  /// The head of a day: `Day 2, Sun 2026-06-14`.
  static func heading(_ day: Int64, date: CivilDate?) -> String {
    "Day \(day)" + (date.map { ", \(ItineraryText.date($0))" } ?? "")
  }

  private static func date(_ date: CivilDate) -> String {
    "\(date.weekday.abbreviation) \(date)"
  }

  // Whoever wrote it may have written a number that is none.
  private static func distance(_ item: ListItem) -> String? {
    guard let distance = item[.distance]?.double, distance.isFinite else { return nil }
    return "\(NumberLayout.json(distance)) km"
  }

  private static func duration(_ item: ListItem) -> String? {
    guard let minutes = item[.duration]?.int64, minutes > 0 else { return nil }
    let (hours, rest) = minutes.quotientAndRemainder(dividingBy: 60)
    if hours == 0 { return "\(rest) min" }
    return rest == 0 ? "\(hours) h" : "\(hours) h \(rest) min"
  }

  /// A number of things in words: `1 day`, `2 days`.
  static func count(_ number: Int64, _ noun: String) -> String {
    "\(number) \(noun)\(number == 1 ? "" : "s")"
  }
}

extension String {
  /// The text with spaces behind it up to a width.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

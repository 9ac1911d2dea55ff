import Betwixt
import BetwixtTrips

extension DemoStory {
  /// The story for a reader: what each device did, both sides of every day that changed, the merge.
  func text(width: Int, style: TextStyle) -> String {
    let trip = Trip(base.list())
    var text = style.bold((trip.name ?? "").printable)
    text += ", \(trip.dayCount) days. A phone and a tablet hold copies, and both are offline.\n"
    text += diary("On the phone", lines: diaries.phone, style: style)
    text += diary("On the tablet", lines: diaries.tablet, style: style)
    text += "\n" + days(width: width, style: style)
    text += "\n" + style.bold("What the merge says") + "\n"
    for line in report.lines { text += "  \(line.printable)\n" }
    text += "\n" + style.bold("Do both hold the same list?") + "\n"
    text += "  merged on the phone   \(merged.digest)\n"
    text += "  merged on the tablet  \(mergedOnTablet.digest)\n"
    text += merged == mergedOnTablet ? "  Yes.\n" : "  No: this is a fault of Betwixt.\n"
    return text
  }

  private func diary(_ title: String, lines: [String], style: TextStyle) -> String {
    "\n" + style.bold(title) + "\n" + lines.map { "  \($0)\n" }.joined()
  }

  /// Every day that differs anywhere: the phone, the tablet, and the merged trip side by side.
  private func days(width: Int, style: TextStyle) -> String {
    let sides = [phone.list(), tablet.list(), merged].map(DaySheet.init)
    let before = DaySheet(base.list())
    var table = SideBySide(columns: sides.count, width: width, indent: 2)
    table.row(["phone", "tablet", "merged"], style: style.bold)
    for day in before.days where sides.contains(where: { $0.lines(day) != before.lines(day) }) {
      table.heading(style.bold(before.heading(day)))
      let columns = sides.map { $0.lines(day) }
      for index in 0..<(columns.map(\.count).max() ?? 0) {
        table.row(columns.map { index < $0.count ? $0[index] : "" })
      }
    }
    return table.text
  }
}

/// The lines of a trip's items, day by day.
private struct DaySheet {
  private let trip: Trip
  private var linesOfDays: [Int64: [String]] = [:]

  init(_ list: ReplicatedList) {
    trip = Trip(list)
    for case .item(let id, _, let day) in trip.rows {
      guard let item = list[id: id] else { continue }
      var line = item.clock.map { "\($0) " } ?? ""
      line += item.summary
      if let note = item.words(.note) { line += ": \(note)" }
      linesOfDays[day, default: []].append(line.printable)
    }
  }

  var days: ClosedRange<Int64> { 1...trip.dayCount }

  func lines(_ day: Int64) -> [String] { linesOfDays[day] ?? [] }

  func heading(_ day: Int64) -> String { ItineraryText.heading(day, date: trip.date(ofDay: day)) }
}

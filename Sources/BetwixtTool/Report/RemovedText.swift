import Betwixt
import BetwixtTrips

/// Lists the items that were removed.
struct RemovedText {
  private let list: ReplicatedList

  init(_ list: ReplicatedList) { self.list = list }

  /// A heading and a line for each item, by day or date; nothing if nothing was removed.
  func text(_ style: TextStyle, isForPrograms: Bool) -> String {
    let removed = list.allItems().filter { $0.isRemoved && $0.id != .root }
      .sorted { ($0.section ?? 0, $0.id) < ($1.section ?? 0, $1.id) }
    if isForPrograms { return removed.map { json($0) }.joined() }
    guard !removed.isEmpty else { return "" }
    return "\n" + style.bold("Removed") + "\n"
      + removed.map { item in
        let title = item.summary.printable
        return "  \(title)\(style.faint(" (\(place(of: item)), id \(item.id.uuid))"))\n"
      }.joined()
  }

  private func place(of item: ListItem) -> String {
    guard let section = item.section else { return "nowhere" }
    switch PlainDialect(of: list) {
    case .trip: return "day \(section)"
    case .tasks: return CivilDate(dayNumber: section)?.description ?? "inbox"
    }
  }

  private func json(_ item: ListItem) -> String {
    var line = JSONLine()
    line.add("row", "removed")
    line.add("id", item.id.uuid)
    if let foreignID = item[.foreignID]?.string { line.add("foreignId", foreignID) }
    line.add("title", item.summary)
    if PlainDialect(of: list) == .trip, let section = item.section { line.add("day", section) }
    return line.text
  }
}

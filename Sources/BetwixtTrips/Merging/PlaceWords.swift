import Betwixt

/// Says where items stand, in the words of somebody who reads the list.
struct PlaceWords {
  private let list: ReplicatedList
  private let dialect: PlainDialect

  /// - Parameter list: The list whose items are named as neighbours.
  init(_ list: ReplicatedList) {
    self.list = list
    dialect = PlainDialect(of: list)
  }

  /// A place by what stands beside it: `day 3 after “Museum”`.
  ///
  /// - Parameters:
  ///   - section: The day, or the date count of a task.
  ///   - key: The key, which need not be one of the list.
  ///   - id: The item that is spoken of; it is no neighbour of itself.
  /// - Returns: The section, and a neighbour if it has one.
  /// - Complexity: O(log *n*)
  func place(_ section: Int64, key: SortKey, of id: ItemID) -> String {
    let places = list.indices(inSection: section)
    var low = places.lowerBound
    var high = places.upperBound
    while low < high {
      let middle = (low + high) / 2
      if let other = list[middle].key, other < key { low = middle + 1 } else { high = middle }
    }
    var above = low - 1
    if places.contains(above), list[above].id == id { above -= 1 }
    var below = low
    if places.contains(below), list[below].id == id { below += 1 }
    let day = day(section)
    if places.contains(above) { return "\(day) after \(label(above))" }
    if places.contains(below) { return "\(day) before \(label(below))" }
    return day
  }

  /// The day of an item; `nil` for the root.
  func day(of item: ListItem) -> String? {
    item.id == .root ? nil : item.section.map { day($0) }
  }

  /// The name of a section: `day 3`, or the date of a task.
  func day(_ section: Int64) -> String {
    switch dialect {
    case .trip: "day \(section)"
    case .tasks where section == TaskList.inbox: "the inbox"
    case .tasks: CivilDate(dayNumber: section)?.description ?? "day number \(section)"
    }
  }

  private func label(_ index: Int) -> String { "“\(list[index].summary.excerpt)”" }
}

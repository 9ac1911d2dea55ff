import Betwixt
import BetwixtTrips

/// Finds items by what people call them: an id, the id of the file they came from, a row, a title or
/// the start of one.
///
///     try finder.find("2.3")       // the third item under day 2, as `show --rows` counts
///     try finder.find("Lunch")     // if only one item has this title
struct ItemFinder {
  private let list: ReplicatedList
  private let fileName: String
  private let rows: RowNumbers

  init(_ list: ReplicatedList, in fileName: String) {
    self.list = list
    self.fileName = fileName
    rows = RowNumbers(list)
  }

  /// The one item that is shown and meant.
  ///
  /// - Complexity: O(*n*)
  func find(_ words: String) throws(ToolFailure) -> ItemID {
    let id = try one(of: matches(words, among: Array(list)), words: words, state: "shown")
    guard let id else {
      let hint =
        removed(words).isEmpty
        ? "; 'betwixt show --rows' lists those that can be named"
        : "; there is one that was removed, which 'restore' brings back"
      throw ToolFailure(.negative, "Error: \(fileName) shows no item '\(words.printable)'\(hint)")
    }
    return id
  }

  /// The one item that was removed and is meant, or one that is shown after all.
  ///
  /// - Complexity: O(*n* log *n*)
  func findRemoved(_ words: String) throws(ToolFailure) -> ItemID {
    if let id = try one(of: removed(words), words: words, state: "removed") { return id }
    return try find(words)
  }

  /// The one item that is meant, shown or removed; the words of the list itself mean its root.
  func findAny(_ words: String) throws(ToolFailure) -> ItemID {
    if ItemFinder.isRoot(words) { return .root }
    if let id = try one(of: matches(words, among: Array(list)), words: words, state: "shown") {
      return id
    }
    return try findRemoved(words)
  }

  /// Whether words mean the trip or the list of tasks itself.
  static func isRoot(_ words: String) -> Bool { words == "trip" || words == "tasks" }

  private func removed(_ words: String) -> [ItemID] {
    matches(words, among: list.allItems().filter { $0.isRemoved && $0.id != .root })
  }

  /// The items that words fit in the first way that fits any.
  private func matches(_ words: String, among items: [ListItem]) -> [ItemID] {
    if let id = ItemID(uuid: words) ?? ItemID(words) {
      return items.contains { $0.id == id } ? [id] : []
    }
    let ways: [(ListItem) -> Bool] = [
      { $0[.foreignID]?.string?.hasSameBytes(as: words) ?? false },
      { $0[.gameID]?.string?.hasSameBytes(as: words) ?? false },
      { rows[$0.id]?.description == words },
      { $0.summary.hasSameBytes(as: words) },
      { $0.summary.lowercased() == words.lowercased() },
      { !words.isEmpty && $0.summary.lowercased().hasPrefix(words.lowercased()) },
    ]
    for way in ways {
      let fitting = items.filter(way).map(\.id)
      if !fitting.isEmpty { return fitting }
    }
    return []
  }

  private func one(
    of ids: [ItemID], words: String, state: String
  ) throws(ToolFailure) -> ItemID? {
    guard ids.count > 1 else { return ids.first }
    let names = ids.map { id in rows[id].map { "\($0)" } ?? id.uuid }
    throw ToolFailure(
      .negative,
      """
      Error: \(ids.count) \(state) items of \(fileName) are called '\(words.printable)': \
      \(names.joined(separator: ", ")); name one of them by that
      """)
  }
}

/// The numbers by which rows of a trip can be named: the day, and the place under its header.
struct RowNumbers {
  /// One row.
  struct Row: CustomStringConvertible {
    let day: Int64
    let place: Int

    /// `DAY.PLACE`, both from 1.
    var description: String { "\(day).\(place)" }
  }

  private var rows: [ItemID: Row] = [:]

  /// Counts the rows of a trip; tasks stand under dates and have none.
  ///
  /// - Complexity: O(*n*)
  init(_ list: ReplicatedList) {
    guard PlainDialect(of: list) == .trip else { return }
    var place = 0
    for row in Trip(list).rows {
      switch row {
      case .header: place = 0
      case .item(let id, _, let day):
        place += 1
        rows[id] = Row(day: day, place: place)
      }
    }
  }

  /// Counts the rows of some items.
  ///
  /// - Complexity: O(log *n*) for each item, and O(*n*) if one stands outside the trip's days
  init(_ list: ReplicatedList, of items: [ItemID]) {
    guard PlainDialect(of: list) == .trip else { return }
    let days = 1...Trip(list).dayCount
    for id in items {
      guard let index = list.index(id: id), let day = list[index].section else { continue }
      // What stands outside is shown under the first or the last day, or under none.
      let isWithin = days.contains(day) && list.indices(inSection: day).contains(index)
      guard isWithin, list.first.map({ ($0.section ?? 1) >= 1 }) ?? true else {
        self = RowNumbers(list)
        return
      }
      rows[id] = Row(day: day, place: index - list.indices(inSection: day).lowerBound + 1)
    }
  }

  /// The row of an item that is shown.
  subscript(id: ItemID) -> Row? { rows[id] }
}

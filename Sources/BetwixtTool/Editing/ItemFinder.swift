import Betwixt
import BetwixtTrips

/// Finds items by what people call them: an id, the id of the file they came from, a row or a title.
///
///     try finder.find("2.3")       // the third item under day 2, as `show --rows` counts
///     try finder.find("Lunch")     // if only one item has this title
struct ItemFinder {
  private let list: ReplicatedList
  private let fileName: String
  private let takesStarts: Bool
  private let rows: RowNumbers
  private let shown: ItemNames
  private let removed: ItemNames

  /// - Parameters:
  ///   - list: Where to look.
  ///   - fileName: What messages call it.
  ///   - takesStarts: Whether the start of a title is enough: not for a verb that would take another
  ///     item when it is run twice.
  init(_ list: ReplicatedList, in fileName: String, takesStarts: Bool = false) {
    self.list = list
    self.fileName = fileName
    self.takesStarts = takesStarts
    let rows = RowNumbers(list)
    self.rows = rows
    shown = ItemNames(rows) { Array(list) }
    removed = ItemNames(rows) { list.allItems().filter { $0.isRemoved && $0.id != .root } }
  }

  /// The one item that is shown and meant.
  ///
  /// - Complexity: O(*n*) for the first that is looked for, O(1) for each further one that is found
  ///   by its id, its row or its title
  func find(_ words: String) throws(ToolFailure) -> ItemID {
    if let id = try one(of: matches(words, among: shown), words: words, state: "shown") {
      return id
    }
    let hint =
      matches(words, among: removed).isEmpty
      ? "'betwixt show --rows' lists those that can be named"
      : "there is one that was removed, which 'restore' brings back"
    throw nothing(called: words, "shows no item", hint: hint)
  }

  private func nothing(called words: String, _ state: String, hint: String) -> ToolFailure {
    let near = near(words)
    let others = near.isEmpty ? "" : "; near it is \(near.joined(separator: ", "))"
    return ToolFailure(
      .negative, "Error: \(fileName) \(state) '\(words.printable)'\(others); \(hint)")
  }

  /// The one item that was removed and is meant, or one that is shown after all.
  ///
  /// - Complexity: O(*n* log *n*)
  func findRemoved(_ words: String) throws(ToolFailure) -> ItemID {
    if let id = try one(of: matches(words, among: removed), words: words, state: "removed") {
      return id
    }
    if let id = try one(of: matches(words, among: shown), words: words, state: "shown") {
      return id
    }
    throw nothing(
      called: words, "has no item",
      hint: "'betwixt show --removed' lists what was removed, 'show --rows' the rest")
  }

  /// The one item that is meant, shown or removed; the words of the list itself mean its root.
  func findAny(_ words: String) throws(ToolFailure) -> ItemID {
    if ItemFinder.isRoot(words) { return .root }
    if let id = try one(of: matches(words, among: shown), words: words, state: "shown") {
      return id
    }
    return try findRemoved(words)
  }

  /// Whether words mean the trip or the list of tasks itself.
  static func isRoot(_ words: String) -> Bool { words == "trip" || words == "tasks" }

  /// The items that words fit in the first way that fits any.
  private func matches(_ words: String, among names: ItemNames) -> [ItemID] {
    if let id = ItemID(uuid: words) ?? ItemID(words) { return names.ids.contains(id) ? [id] : [] }
    let exact = names.called(words)
    guard exact.isEmpty, takesStarts else { return exact }
    return names.items.filter { $0.isNamed(startingWith: words) }.map(\.id)
  }

  /// Some shown items that are called almost so, with what else they can be named by.
  private func near(_ words: String) -> [String] {
    var fitting = list.filter { $0.isNamed(startingWith: words) }
    if fitting.isEmpty {
      let names = list.compactMap(\.ownName).filter { $0.utf8.count <= 64 }
      let name = NearestName.of(words, among: names)
      fitting = list.filter { $0.ownName == name && name != nil }
    }
    return fitting.prefix(3).map { item in
      let name = item.summary.printable.shortened(to: 40)
      return "“\(name)” (\(rows[item.id].map { "\($0)" } ?? item.id.uuid))"
    }
  }

  private func one(
    of ids: [ItemID], words: String, state: String
  ) throws(ToolFailure) -> ItemID? {
    guard ids.count > 1 else { return ids.first }
    let names = ids.prefix(10).map { id in rows[id].map { "\($0)" } ?? id.uuid }
    let more = ids.count > names.count ? " and \(ids.count - names.count) more" : ""
    throw ToolFailure(
      .negative,
      """
      Error: \(ids.count) \(state) items of \(fileName) are called '\(words.printable)': \
      \(names.joined(separator: ", "))\(more); name one of them by that
      """)
  }
}

/// What some items are called, looked up when it is first asked for: a command may name thousands.
private final class ItemNames {
  private let rows: RowNumbers
  private let makeItems: () -> [ListItem]

  init(_ rows: RowNumbers, _ items: @escaping () -> [ListItem]) {
    self.rows = rows
    makeItems = items
  }

  private(set) lazy var items = makeItems()
  private(set) lazy var ids = Set(items.map(\.id))

  // As bytes, because two spellings of "é" may be the titles of two items.
  private lazy var byForeignID = table { $0[.foreignID]?.string.map { Array($0.utf8) } }
  private lazy var byGameID = table { $0[.gameID]?.string.map { Array($0.utf8) } }
  private lazy var byRow = table { [rows] item in rows[item.id].map { "\($0)" } }
  private lazy var byName = table { $0.ownName.map { Array($0.utf8) } }
  private lazy var byLowercase = table { $0.ownName?.lowercased() }

  /// The items that a text is the name of, in the first way that there are any.
  func called(_ words: String) -> [ItemID] {
    let bytes = Array(words.utf8)
    if let ids = byForeignID[bytes] { return ids }
    if let ids = byGameID[bytes] { return ids }
    if let ids = byRow[words] { return ids }
    if let ids = byName[bytes] { return ids }
    return byLowercase[words.lowercased()] ?? []
  }

  private func table<Name: Hashable>(_ name: (ListItem) -> Name?) -> [Name: [ItemID]] {
    var table: [Name: [ItemID]] = [:]
    for item in items {
      if let name = name(item) { table[name, default: []].append(item.id) }
    }
    return table
  }
}

extension ListItem {
  /// What only this item may be called: its label, unless that names no more than its kind.
  fileprivate var ownName: String? {
    let label = summary
    if words(.title) ?? words(.taskText) != nil { return label }
    return self[.kind] == nil || label == ItemKind(self[.kind]).text ? nil : label
  }

  fileprivate func isNamed(startingWith words: String) -> Bool {
    !words.isEmpty && ownName?.lowercased().hasPrefix(words.lowercased()) ?? false
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

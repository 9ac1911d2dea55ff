import Betwixt
import BetwixtTrips

/// Where an item is to stand, as the options of a command say it.
struct PlaceRequest {
  private let day: String?
  private let position: Int?
  private let before: String?
  private let after: String?

  /// The options that it is made of.
  static let options: [OptionSpec] = [.day, .at, .before, .after]

  /// Reads the options.
  ///
  /// - Throws: ``ToolFailure``: usage, if they name several places.
  init(_ arguments: ParsedArguments, in session: borrowing Session) throws(ToolFailure) {
    day = arguments.value(of: .day)
    before = arguments.value(of: .before)
    after = arguments.value(of: .after)
    let ways = [day, before, after].compactMap { $0 }
    guard ways.count <= 1 else {
      throw session.usage("only one of --day, --before and --after says where")
    }
    guard let word = arguments.value(of: .at) else {
      position = nil
      return
    }
    guard day != nil else { throw session.usage("option '--at' needs --day") }
    guard let number = Int(word), number >= 1 else {
      throw session.usage("option '--at' is a place in the day, from 1, not '\(word)'")
    }
    position = number
  }

  /// Whether no option says where.
  var isEmpty: Bool { day == nil && before == nil && after == nil }

  /// Whether it is a day as a whole.
  var isWholeDay: Bool { day != nil && position == nil }
}

// MARK: - Trips

extension PlaceRequest {
  /// The day that `--day` names: a number or a date.
  func day(in trip: Trip, of fileName: String) throws(ToolFailure) -> Int64? {
    guard let day else { return nil }
    let number = Int64(day) ?? CivilDate(day).flatMap { trip.day(of: $0) }
    guard let number, (1...trip.dayCount).contains(number) else {
      let dates = trip.startDate.map { " from \($0)" } ?? ""
      throw ToolFailure(
        .negative,
        """
        Error: \(fileName) has no day '\(day.printable)': it has the days 1 to \
        \(trip.dayCount)\(dates); 'betwixt set \(fileName.shellPath) trip days=N' changes that
        """)
    }
    return number
  }

  /// The gap that the options name, for an item that may stand in the list already; `nil` without
  /// options.
  ///
  /// - Complexity: O(the items of the day), and O(*n*) if another item is named
  func gap(
    in trip: Trip, of fileName: String, moving moved: ItemID? = nil
  ) throws(ToolFailure) -> Gap? {
    if let before {
      let id = try ItemFinder(trip.list, in: fileName).find(before)
      return Gap(day: trip.list[id: id]?.section ?? 0, above: nil, below: id)
    }
    if let after {
      let id = try ItemFinder(trip.list, in: fileName).find(after)
      return Gap(day: trip.list[id: id]?.section ?? 0, above: id, below: nil)
    }
    guard let day = try day(in: trip, of: fileName) else { return nil }
    let items = trip.list.indices(inSection: day).map { trip.list[$0].id }.filter { $0 != moved }
    let place = try place(among: items.count) - 1
    return Gap(
      day: day, above: place > 0 ? items[place - 1] : nil,
      below: place < items.count ? items[place] : nil)
  }

  /// The place from 1 on, the last one if none is named.
  private func place(among count: Int) throws(ToolFailure) -> Int {
    guard let position else { return count + 1 }
    guard position <= count + 1 else {
      let others = count == 1 ? "is 1 other" : "are \(count == 0 ? "no" : "\(count)") others"
      throw ToolFailure(
        .negative, "Error: there \(others) on that day, so the last place is \(count + 1)")
    }
    return position
  }
}

// MARK: - Tasks

extension PlaceRequest {
  /// Where a task goes: a date, or `nil` for the inbox, and perhaps a neighbour there.
  struct TaskPlace {
    var date: CivilDate?
    var above: ItemID?
    var below: ItemID?
  }

  /// The place of a task that the options name; `nil` without options.
  func taskPlace(
    in tasks: TaskList, of fileName: String
  ) throws(ToolFailure) -> TaskPlace? {
    if let before {
      let id = try ItemFinder(tasks.list, in: fileName).find(before)
      return TaskPlace(date: tasks.date(of: id), below: id)
    }
    if let after {
      let id = try ItemFinder(tasks.list, in: fileName).find(after)
      return TaskPlace(date: tasks.date(of: id), above: id)
    }
    guard let day else { return nil }
    guard position == nil else {
      throw ToolFailure(.usage, "Error: tasks have no numbers; use --before or --after")
    }
    if day == "inbox" { return TaskPlace() }
    guard let date = CivilDate(day) else {
      throw ToolFailure(
        .usage,
        "Error: the day of a task is a date like 2026-06-11, or inbox, not '\(day.printable)'"
      )
    }
    return TaskPlace(date: date)
  }
}

extension OptionSpec {
  fileprivate static let day = OptionSpec(
    "day", placeholder: "DAY",
    help: "On DAY, a number or a date, as its last item; of tasks a date, or inbox.")

  fileprivate static let at = OptionSpec(
    "at", placeholder: "N", help: "With --day: at place N of that day, from 1.")

  fileprivate static let before = OptionSpec(
    "before", placeholder: "ITEM", help: "Directly before ITEM.")

  fileprivate static let after = OptionSpec(
    "after", placeholder: "ITEM", help: "Directly after ITEM.")
}

import Betwixt

/// How the days that a file counts are those of a list.
struct CountedDays {
  /// The date of day 1 in the list.
  var start: CivilDate?

  /// The date of day 1 by which days are given that have a date beside them.
  var counted: CivilDate?

  /// What is added to a day of the file to have that of the list.
  var shift: Int64 = 0

  /// A day of the file as one of the list; one that is beyond all days is as it is.
  func shifted(_ day: Int64) -> Int64 {
    let (sum, overflow) = day.addingReportingOverflow(shift)
    return overflow ? day : sum
  }
}

extension ForeignFile {
  /// Whether anything in it says when.
  var isDated: Bool { startDate != nil || items.contains { $0.date != nil } }

  /// The earliest date of an item.
  var firstDate: CivilDate? {
    var first: CivilDate?
    for item in items {
      if let date = item.date, first.map({ date < $0 }) ?? true { first = date }
    }
    return first
  }

  /// How the file's days are those of a list.
  ///
  /// A file that says which date its day 1 is means dates, whatever the list counts from. Only one that
  /// was written from a list whose first day was another one then stands there by its days, and its base
  /// says how it is meant, if it has one.
  ///
  /// - Parameters:
  ///   - list: The list whose first day counts; `nil` makes a new one.
  ///   - known: What the file is compared with.
  ///   - base: How the days of the base are those of the list; `nil` where nobody knows.
  /// - Returns: The days.
  /// - Complexity: O(*n*)
  func days(
    in list: ReplicatedList?, comparedWith known: ReplicatedList?, countedAs base: CountedDays?
  ) -> CountedDays {
    var days = CountedDays(start: list.flatMap { Trip($0).startDate } ?? startDate ?? firstDate)
    let own = countedStart(besides: days.start)
    days.counted = base?.counted ?? own
    days.shift = base?.shift ?? 0
    guard dialect == .trip, let own else { return days }
    if let first = base?.counted {
      // Where each row has its date, that tells which were moved.
      if !items.contains(where: { $0.countedStart != nil }) { days.shift += own - first }
    } else if let start = days.start, own != start {
      days.shift = own - start
      if stands(in: known, byDaysAs: days) { days.shift = 0 }
    }
    return days
  }

  /// The date of day 1 by which the file counts: of two that as many rows count from that of the list.
  private func countedStart(besides start: CivilDate?) -> CivilDate? {
    guard let start, let own = countedStart, own != start else { return countedStart }
    let count = items.count { $0.countedStart == start }
    return count > 0 && count == items.count { $0.countedStart == own } ? start : own
  }

  /// Whether a list has more of the items on the days that the file counts than on those of its dates.
  private func stands(in list: ReplicatedList?, byDaysAs days: CountedDays) -> Bool {
    guard let list else { return false }
    var places: [[UInt8]: Set<Int64>] = [:]
    for item in items.contains(where: { !$0.hasOwnID }) ? list.allItems() : [] {
      guard let section = item.section, let text = item.words(.title) else { continue }
      places[Array(text.utf8), default: []].insert(section)
    }
    var balance = 0
    for item in items where !item.isDayAssumed {
      guard let day = item.day else { continue }
      if item.hasOwnID {
        guard let section = list[id: item.id]?.section else { continue }
        if section == day { balance += 1 } else if section == days.shifted(day) { balance -= 1 }
      } else {
        let sections = places[Array(item.text.utf8)] ?? []
        // A text alone may stand there by chance.
        if !sections.contains(day) {
          balance -= 1
        } else if !sections.contains(days.shifted(day)) {
          balance += 1
        }
      }
    }
    return balance > 0
  }

  /// The day of an item in a list.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - days: How the file's days are those of the list.
  ///   - held: Where the item stands in what the file is compared with.
  /// - Returns: The day: that of its date, if only the date was changed in the file.
  func section(of item: ForeignItem, on days: CountedDays, held: Int64? = nil) -> Int64 {
    if dialect == .tasks { return item.date?.dayNumber ?? TaskList.inbox }
    let dated = days.start.flatMap { start in item.date.map { $0 - start + 1 } }
    let day = item.day.map { item.isDayAssumed ? $0 : days.shifted($0) }
    if let dated, let counted = days.counted, let own = item.countedStart, own != counted,
      isOnItsDates || held == day
    {
      return dated
    }
    return day ?? dated ?? 1
  }
}

public import Betwixt

/// One line of a trip as a reader sees it.
public enum Row: Hashable, Sendable {
  /// The head of a day; the date is absent if the trip has no start date.
  case header(day: Int64, date: CivilDate?)

  /// An item: the day that it is stored with, and the day under which it stands.
  case item(ItemID, day: Int64, shownUnder: Int64)
}

extension Trip {
  /// Every day with its items, in the order of the list.
  ///
  /// An item beyond the last day stands below the last day's own items, one before the first day
  /// above the first day's. Nothing is stored by showing it there.
  ///
  /// - Complexity: O(*n* + *d*) for *d* days
  public var rows: [Row] {
    let dayCount = dayCount
    let startDate = startDate
    var rows: [Row] = []
    rows.reserveCapacity(list.count + Int(dayCount))
    var shown: Int64 = 0
    func head(through day: Int64) {
      while shown < day {
        shown += 1
        rows.append(.header(day: shown, date: startDate.flatMap { $0 + (shown - 1) }))
      }
    }
    list.forEachPlace { id, day in
      let under = Swift.min(Swift.max(day, 1), dayCount)
      head(through: under)
      rows.append(.item(id, day: day, shownUnder: under))
    }
    head(through: dayCount)
    return rows
  }
}

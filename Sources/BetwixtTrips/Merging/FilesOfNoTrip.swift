import Betwixt

/// Files that belong to no trip, of which a merge makes one.
extension TripFile {
  /// The file whose first day a trip counts from that is made of files of no trip.
  ///
  /// It is the one that begins first, so that no day of another is before the first; of several that
  /// with the least id, so that the order of the files does not matter.
  ///
  /// - Parameter files: The files.
  /// - Returns: One of them; `nil` if there is none.
  /// - Complexity: O(*n*) for *n* items
  static func first(of files: [TripFile]) -> TripFile? {
    let starts = files.map { (file: $0, start: $0.firstDate) }
    let first = starts.min { left, right in
      switch (left.start, right.start) {
      case (let left?, let right?) where left != right: left < right
      case (_?, nil): true
      case (nil, _?): false
      default: left.file.listID < right.file.listID
      }
    }
    return first?.file
  }

  /// The date of day 1 of a trip that is made of the file; `nil` for tasks, and where it has none.
  var firstDate: CivilDate? {
    switch content {
    case .calendar(let calendar): calendar.startDate(utcOffset: utcOffset)
    case .foreign(let foreign):
      foreign.dialect == .trip ? foreign.startDate ?? foreign.firstDate : nil
    case .list, .plain: nil
    }
  }

  /// The last date of a trip that is made of the file: of the days that it says, else of what it holds;
  /// `nil` for tasks, and where it has none.
  var lastDate: CivilDate? {
    guard let start = firstDate else { return nil }
    switch content {
    case .calendar(let calendar):
      guard let count = calendar.days else { return calendar.dates(utcOffset: utcOffset).max() }
      return start + (Swift.max(1, count) - 1)
    case .foreign(let foreign):
      if let count = foreign.dayCount { return start + (Swift.max(1, count) - 1) }
      let dates = foreign.items.compactMap { item in
        item.day.flatMap { $0 > 0 ? start + ($0 - 1) : nil } ?? item.date
      }
      return dates.max()
    case .list, .plain: return nil
    }
  }

  /// The file with so many days that a date is one of them.
  func reaching(_ date: CivilDate) -> TripFile {
    guard let start = firstDate else { return self }
    let count = date - start + 1
    switch content {
    case .calendar(var calendar):
      calendar.days = Swift.max(calendar.days ?? 1, count)
      return with(.calendar(calendar))
    case .foreign(var foreign):
      foreign.dayCount = Swift.max(foreign.dayCount ?? 1, count)
      return with(.foreign(foreign))
    case .list, .plain: return self
    }
  }

  private func with(_ content: Content) -> TripFile {
    TripFile(
      name: name, format: format, content: content, idPlace: idPlace, utcOffset: utcOffset)
  }
}

public import Betwixt

/// A replicated list read as a journey: days that begin with a date, and items on them.
///
/// A trip stores nothing of its own. Whatever it shows is computed from the registers of the list,
/// so two replicas with equal lists show equal trips.
///
///     let trip = Trip(list)
///     trip.name       // "Follow Mexico"
///     trip.rows       // a header for each day, and the items under it
public struct Trip: ListBacked, Sendable {
  /// The list.
  public var list: ReplicatedList

  /// The greatest number of days that a trip is shown with.
  public static let maximumDayCount: Int64 = 3_660

  /// Reads a list as a trip.
  public init(_ list: ReplicatedList) {
    self.list = list
  }

  /// Makes of a list that was just made a trip with a title and days.
  ///
  ///     var rome = try Document.openOrCreate(at: "rome.trip", settings: settings) {
  ///       (list, me) throws(EditFailure) in
  ///       try Trip.start(&list, name: "Rome", on: CivilDate("2026-05-01"), days: 5, by: &me)
  ///     }
  ///
  /// A list without all that is a trip as well: its days are those of its items.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - name: The title.
  ///   - startDate: The civil date of day 1; `nil` for days without dates.
  ///   - days: How many days it has, 1 to ``maximumDayCount``; `nil` for as many as have items, as
  ///     which any other number reads.
  ///   - replica: Who writes.
  /// - Throws: `EditFailure` if the list refuses the write.
  public static func start(
    _ list: inout ReplicatedList, name: String, on startDate: CivilDate? = nil,
    days: Int64? = nil, by replica: inout Replica
  ) throws(EditFailure) {
    var fields: [(name: FieldName, value: FieldValue?)] = [(.name, .string(name))]
    if let startDate { fields.append((.startDate, .string(startDate.description))) }
    if let days { fields.append((.days, .int64(days))) }
    try list.set(fields, of: .root, by: &replica)
  }

  /// The title; `nil` if it is absent or no text.
  public var name: String? { list.metadata[.name]?.string }

  /// The civil date of day 1; `nil` if it is absent or malformed.
  public var startDate: CivilDate? {
    list.metadata[.startDate]?.string.flatMap { CivilDate($0) }
  }

  /// The number of days, at least 1.
  ///
  /// Where the field `days` is absent or out of range, the last day with an item counts.
  ///
  /// - Complexity: O(log *n*)
  public var dayCount: Int64 {
    if let days = list.metadata[.days]?.int64, (1...Trip.maximumDayCount).contains(days) {
      return days
    }
    let end = list.indices(inSection: Trip.maximumDayCount + 1).lowerBound
    guard end > 0, let last = list[end - 1].section else { return 1 }
    return Swift.max(1, last)
  }

  /// The date of a day; `nil` without a start date and outside the calendar.
  public func date(ofDay day: Int64) -> CivilDate? {
    startDate.flatMap { $0 + (day &- 1) }
  }

  /// The day that has a date; `nil` without a start date.
  public func day(of date: CivilDate) -> Int64? {
    startDate.map { date - $0 + 1 }
  }

  /// The kind of an item; ``ItemKind/custom`` for one that is not there.
  ///
  /// - Complexity: O(log *n*)
  public func kind(of id: ItemID) -> ItemKind {
    ItemKind(list[id: id]?[.kind])
  }

  /// An item in words: its title, else who plays or what it connects, else its kind; `nil` for one that
  /// is not there.
  ///
  /// - Complexity: O(log *n*)
  public func title(of id: ItemID) -> String? { list[id: id]?.summary }
}

extension Trip: Equatable {
  /// Equality of the lists.
  public static func == (left: Trip, right: Trip) -> Bool { left.list == right.list }
}

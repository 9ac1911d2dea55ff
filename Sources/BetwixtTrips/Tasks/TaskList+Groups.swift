public import Betwixt

/// Tasks that are shown together.
public struct TaskGroup: Hashable, Sendable {
  /// The date of its tasks; `nil` for the inbox.
  public let date: CivilDate?

  /// Whether it is the day after today, which is titled “Tomorrow”.
  public let isTomorrow: Bool

  /// Its tasks: the open ones first, then the completed ones, each in their order.
  public let tasks: [ItemID]

  /// How many of them are open.
  public let openCount: Int

  /// `Tomorrow`, the date, or `Inbox`.
  public var title: String { isTomorrow ? "Tomorrow" : date?.description ?? "Inbox" }
}

extension TaskList {
  /// What a reader looks at.
  public enum View: CaseIterable, Sendable {
    /// Tasks without a date.
    case inbox
    /// Tasks of today.
    case today
    /// Tasks of later days.
    case upcoming
    /// Tasks of earlier days; they stay where they are.
    case overdue
  }

  /// The groups of a view, by rising date.
  ///
  /// The inbox and today are one group each, also when they are empty; of the others only dates
  /// that have tasks are there.
  ///
  /// - Parameters:
  ///   - view: What to look at.
  ///   - today: The date of today, given by the host.
  /// - Returns: The groups.
  /// - Complexity: O(*k* log *n*) for *k* tasks shown
  public func groups(_ view: View, today: CivilDate) -> [TaskGroup] {
    switch view {
    case .inbox: return [group(of: nil, today: today)]
    case .today: return [group(of: today, today: today)]
    case .upcoming:
      return groups(in: endOf(today.dayNumber)..<endOf(CivilDate.max.dayNumber), today: today)
    case .overdue:
      return groups(in: endOf(CivilDate.min.dayNumber - 1)..<startOf(today.dayNumber), today: today)
    }
  }

  /// The group of a date, or the inbox.
  ///
  /// - Parameters:
  ///   - date: The date; `nil` for the inbox.
  ///   - today: The date of today, given by the host.
  /// - Returns: The group, which may be empty.
  /// - Complexity: O(*k* log *n*) for *k* tasks of the group
  public func group(of date: CivilDate?, today: CivilDate) -> TaskGroup {
    let places = list.indices(inSection: TaskList.section(of: date))
    var open: [ItemID] = []
    var completed: [ItemID] = []
    for index in places {
      let item = list[index]
      if TaskList.isCompleted(item) { completed.append(item.id) } else { open.append(item.id) }
    }
    return TaskGroup(
      date: date, isTomorrow: date != nil && date == today + 1, tasks: open + completed,
      openCount: open.count)
  }

  /// Numbers 0…k−1 for callers that want integers; they are derived and never stored.
  public func sortOrders(in group: TaskGroup) -> [Int] { Array(group.tasks.indices) }

  private func startOf(_ section: Int64) -> Int {
    list.indices(inSection: section).lowerBound
  }

  private func endOf(_ section: Int64) -> Int {
    list.indices(inSection: section + 1).lowerBound
  }

  private func groups(in places: Range<Int>, today: CivilDate) -> [TaskGroup] {
    var groups: [TaskGroup] = []
    var index = places.lowerBound
    while index < places.upperBound, let section = list[index].section {
      if let date = CivilDate(dayNumber: section) {
        groups.append(group(of: date, today: today))
      }
      index = list.indices(inSection: section).upperBound
    }
    return groups
  }
}

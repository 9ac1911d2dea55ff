/// One of the views of a list of tasks, in the order of the strip.
public enum TaskTab: String, Hashable, Sendable, CaseIterable {
  /// Tasks without a date.
  case inbox
  /// Tasks of today.
  case today
  /// Tasks of later days.
  case upcoming
  /// Numbers, no tasks.
  case analytics

  /// What the tab says.
  public var title: String {
    switch self {
    case .inbox: "Inbox"
    case .today: "Today"
    case .upcoming: "Upcoming"
    case .analytics: "Analytics"
    }
  }
}

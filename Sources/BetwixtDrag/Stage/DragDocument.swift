public import Betwixt
public import BetwixtTrips

/// The list that is worked on.
public enum DragDocument: ListBacked, Equatable, Sendable {
  /// A trip.
  case trip(Trip)
  /// A list of tasks.
  case tasks(TaskList)

  /// Reads a list as what it says it is: as tasks if it was begun with `TaskList.start`, else as a trip.
  ///
  /// A front end that knows which of the two it shows says so itself, `.tasks(TaskList(list))`.
  public init(_ list: ReplicatedList) {
    self = list.metadata["type"]?.string == "tasks" ? .tasks(TaskList(list)) : .trip(Trip(list))
  }

  /// The list.
  public var list: ReplicatedList {
    get {
      switch self {
      case .trip(let trip): trip.list
      case .tasks(let tasks): tasks.list
      }
    }
    set {
      switch self {
      case .trip: self = .trip(Trip(newValue))
      case .tasks: self = .tasks(TaskList(newValue))
      }
    }
  }

  /// The rows that a front end shows, top to bottom.
  ///
  /// A trip has a head for each day. Tasks have heads where there are several groups: one for each
  /// date of the later days, and in the tab of today one for each day that has passed and has open
  /// tasks left, which stand above those of today.
  ///
  /// - Parameters:
  ///   - tab: Which list of tasks; of no account for a trip.
  ///   - today: The date of today, for lists of tasks.
  /// - Returns: The rows.
  /// - Complexity: O(*n*) for *n* items shown
  public func rows(in tab: TaskTab? = nil, today: CivilDate? = nil) -> [RowRef] {
    switch self {
    case .trip(let trip):
      return trip.rows.map { row in
        switch row {
        case .header(let day, _): .header(day: day)
        case .item(let id, _, _): .item(id)
        }
      }
    case .tasks(let tasks):
      guard let tab else { return [] }
      return TaskStage(tasks: tasks, tab: tab, today: today, isVisitor: false).rows
    }
  }

  /// The name of an item in words.
  func title(of id: ItemID) -> String { list[id: id]?.summary ?? "" }

  /// The field that is edited in place.
  var textField: FieldName {
    switch self {
    case .trip: .title
    case .tasks: .taskText
    }
  }

  func isGame(_ id: ItemID) -> Bool {
    if case .trip(let trip) = self { trip.kind(of: id) == .game } else { false }
  }

  func isCompleted(_ id: ItemID) -> Bool {
    if case .tasks(let tasks) = self { tasks.isCompleted(id) } else { false }
  }
}

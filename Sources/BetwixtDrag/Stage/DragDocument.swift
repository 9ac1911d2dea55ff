public import Betwixt
public import BetwixtTrips

/// The list that is worked on.
public enum DragDocument: Equatable, Sendable {
  /// A trip.
  case trip(Trip)
  /// A list of tasks.
  case tasks(TaskList)

  /// Reads a list as what it says it is.
  public init(_ list: ReplicatedList) {
    self = list.metadata["type"]?.string == "tasks" ? .tasks(TaskList(list)) : .trip(Trip(list))
  }

  /// The list.
  public var list: ReplicatedList {
    switch self {
    case .trip(let trip): trip.list
    case .tasks(let tasks): tasks.list
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

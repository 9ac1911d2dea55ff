public import Betwixt

/// A replicated list read as tasks, each on a date or in the inbox.
///
/// The date and the order are one register, so scheduling, deferring and reordering are one write
/// each, and a task is in one group. The host says which day is today; a new day moves nothing, it
/// only asks for the groups again.
///
///     var todo = try Document.openOrCreate(at: "todo.trip", settings: settings, TaskList.start)
///     try todo.edit("Add") { list, me in
///       var tasks = TaskList(list)
///       let ticket = try tasks.add("Ask about tickets", by: &me)
///       try tasks.schedule(ticket, on: today, by: &me)
///       list = tasks.list
///     }
///     for group in TaskList(todo.list).groups(.today, today: today) { print(group.title) }
public struct TaskList: ListBacked, Sendable {
  /// The list.
  public var list: ReplicatedList

  /// The section of tasks without a date.
  public static let inbox = Int64.min

  /// Reads a list as tasks.
  public init(_ list: ReplicatedList) {
    self.list = list
  }

  /// Makes of a list that was just made one of tasks: it says so in the field `type` of its root.
  ///
  /// Whoever opens the list finds it there: a `DragDocument` of it has tasks in place of a trip, and a
  /// file of it is one of tasks.
  ///
  ///     var todo = try Document.openOrCreate(at: "todo.trip", settings: settings, TaskList.start)
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - replica: Who writes.
  /// - Throws: `EditFailure` if the list refuses the write.
  public static func start(
    _ list: inout ReplicatedList, by replica: inout Replica
  ) throws(EditFailure) {
    try list.set(.type, of: .root, to: "tasks", by: &replica)
  }

  /// Makes an empty list of tasks.
  ///
  /// - Throws: `TripFailure` if the list refuses the write.
  public init(id: ListID, by replica: inout Replica) throws(TripFailure) {
    list = ReplicatedList(id: id)
    do {
      try TaskList.start(&list, by: &replica)
    } catch {
      throw TripFailure(.refused(error))
    }
  }

  /// What is to be done; `nil` for a task that says nothing, or is not there.
  ///
  /// - Complexity: O(log *n*)
  public func text(of id: ItemID) -> String? { list[id: id]?[.taskText]?.string }

  /// The section of a date; the inbox for none.
  public static func section(of date: CivilDate?) -> Int64 {
    date?.dayNumber ?? inbox
  }

  /// The date of a task; `nil` in the inbox, and for a task that is not there.
  ///
  /// - Complexity: O(log *n*)
  public func date(of id: ItemID) -> CivilDate? {
    list[id: id]?.section.flatMap { CivilDate(dayNumber: $0) }
  }

  /// Whether a task is completed; any other state, or none, counts as open.
  ///
  /// - Complexity: O(log *n*)
  public func isCompleted(_ id: ItemID) -> Bool {
    list[id: id].map { TaskList.isCompleted($0) } ?? false
  }

  static func isCompleted(_ item: ListItem) -> Bool {
    item[.state]?.string?.hasSameBytes(as: "completed") ?? false
  }
}

extension TaskList: Equatable {
  /// Equality of the lists.
  public static func == (left: TaskList, right: TaskList) -> Bool { left.list == right.list }
}

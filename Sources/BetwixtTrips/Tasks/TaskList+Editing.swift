public import Betwixt

extension TaskList {
  /// Adds a task at the end of a group.
  ///
  /// - Parameters:
  ///   - text: What is to be done.
  ///   - fields: More of it, such as `createdAt`.
  ///   - date: Its date; `nil` for the inbox.
  ///   - replica: Who writes.
  /// - Returns: The new task's id.
  /// - Throws: ``TripFailure`` if the list refuses the edit.
  /// - Complexity: O(log *n*) and what the fields take
  @discardableResult
  public mutating func add(
    _ text: String, fields: Fields = [:], on date: CivilDate? = nil, by replica: inout Replica
  ) throws(TripFailure) -> ItemID {
    var fields = fields
    fields[.taskText] = .string(text)
    if fields[.state] == nil { fields[.state] = "notStarted" }
    let section = TaskList.section(of: date)
    return try edit(by: &replica) { list, me throws(EditFailure) in
      guard let last = list.lastID(inSection: section) else {
        return try list.insert(
          fields, between: Placement.zero, and: nil, inSection: section, by: &me)
      }
      return try list.insert(fields, after: last, by: &me)
    }
  }

  /// Gives a task a date, or puts it into the inbox: it goes to the end of that group.
  ///
  /// A task that is in the group already is not written.
  ///
  /// - Parameters:
  ///   - id: The task.
  ///   - date: Its date; `nil` for the inbox.
  ///   - replica: Who writes.
  /// - Throws: ``TripFailure``: `unknownItem`.
  /// - Complexity: O(log *n*)
  public mutating func schedule(
    _ id: ItemID, on date: CivilDate?, by replica: inout Replica
  ) throws(TripFailure) {
    guard list.contains(id: id) else { throw TripFailure(.unknownItem) }
    let section = TaskList.section(of: date)
    guard list[id: id]?.section != section else { return }
    try put(id, below: list.lastID(inSection: section), above: nil, in: section, by: &replica)
  }

  /// Moves a task between two others of a group, which are its neighbours as they are shown.
  ///
  /// Open and completed tasks are shown apart, so neighbours of another completion class, and of
  /// another group, do not count. Dropping a task where it stands writes nothing.
  ///
  /// - Parameters:
  ///   - id: The task.
  ///   - date: The group's date; `nil` for the inbox.
  ///   - above: The task shown above; `nil` at the top.
  ///   - below: The task shown below; `nil` at the bottom.
  ///   - replica: Who writes.
  /// - Throws: ``TripFailure``: `unknownItem`.
  /// - Complexity: O(*k* log *n*) for *k* tasks of the group
  public mutating func drop(
    _ id: ItemID, on date: CivilDate?, above: ItemID?, below: ItemID?, by replica: inout Replica
  ) throws(TripFailure) {
    guard list.contains(id: id) else { throw TripFailure(.unknownItem) }
    let section = TaskList.section(of: date)
    let isCompleted = isCompleted(id)
    func neighbour(_ other: ItemID?) -> ItemID? {
      guard let other, other != id, list.contains(id: other),
        list[id: other]?.section == section, self.isCompleted(other) == isCompleted
      else { return nil }
      return other
    }
    let upper = neighbour(above)
    let lower = neighbour(below)
    if upper == nil, lower == nil, list[id: id]?.section == section { return }
    if stands(id, between: upper, and: lower, in: section) { return }
    let last = list.lastID(inSection: section)
    try put(
      id, below: upper ?? (lower == nil ? last : nil), above: lower, in: section, by: &replica)
  }

  /// Drops a task on the view of later days.
  ///
  /// Over the group of tomorrow it goes to the gap; over anything else to the end of tomorrow. Dropping
  /// a task where it stands writes nothing.
  ///
  /// - Parameters:
  ///   - id: The task.
  ///   - gap: The neighbours in the group of tomorrow, if it was dropped between them.
  ///   - today: The date of today, given by the host.
  ///   - replica: Who writes.
  /// - Throws: ``TripFailure``: `unknownItem`.
  /// - Complexity: O(*k* log *n*) for *k* tasks of tomorrow
  public mutating func dropOnUpcoming(
    _ id: ItemID, at gap: (above: ItemID?, below: ItemID?)?, today: CivilDate,
    by replica: inout Replica
  ) throws(TripFailure) {
    // A task of the last day of all stays where it is: no date is the inbox.
    guard let tomorrow = today + 1 else { return }
    guard let gap else {
      guard list.contains(id: id) else { throw TripFailure(.unknownItem) }
      let section = TaskList.section(of: tomorrow)
      if isShownLast(id, in: section) { return }
      let last = list.lastID(inSection: section)
      return try put(id, below: last, above: nil, in: section, by: &replica)
    }
    try drop(id, on: tomorrow, above: gap.above, below: gap.below, by: &replica)
  }

  /// Completes or reopens a task; its place stays, so that reopening puts it back.
  ///
  /// - Parameters:
  ///   - id: The task.
  ///   - time: When it was completed; `nil` reopens.
  ///   - replica: Who writes.
  /// - Throws: ``TripFailure``: `unknownItem`.
  /// - Complexity: O(log *n*)
  public mutating func complete(
    _ id: ItemID, at time: Moment?, by replica: inout Replica
  ) throws(TripFailure) {
    guard list.contains(id: id) else { throw TripFailure(.unknownItem) }
    let state: FieldValue = time == nil ? "notStarted" : "completed"
    try edit(by: &replica) { list, me throws(EditFailure) in
      try list.set(
        [(.state, state), (.completedAt, time.map { .string($0.description) })], of: id, by: &me)
    }
  }

  /// Whether no task of its completion class stands below a task of a group.
  private func isShownLast(_ id: ItemID, in section: Int64) -> Bool {
    let isCompleted = isCompleted(id)
    for index in list.indices(inSection: section).reversed() {
      if list[index].id == id { return true }
      if TaskList.isCompleted(list[index]) == isCompleted { return false }
    }
    return false
  }

  private func stands(
    _ id: ItemID, between above: ItemID?, and below: ItemID?, in section: Int64
  ) -> Bool {
    guard let item = list[id: id], item.section == section else { return false }
    let isCompleted = TaskList.isCompleted(item)
    let shown = list.indices(inSection: section).map { list[$0] }
      .filter { TaskList.isCompleted($0) == isCompleted }.map { $0.id }
    guard let place = shown.firstIndex(of: id) else { return false }
    let upper = place > 0 ? shown[place - 1] : nil
    let lower = place + 1 < shown.count ? shown[place + 1] : nil
    return above != nil ? upper == above : lower == below
  }

  private mutating func put(
    _ id: ItemID, below upper: ItemID?, above lower: ItemID?, in section: Int64,
    by replica: inout Replica
  ) throws(TripFailure) {
    try edit(by: &replica) { list, me throws(EditFailure) in
      if let upper {
        try list.move(id, after: upper, by: &me)
      } else if let lower {
        // The top of a group is 0 and above, as every place of a task is.
        let key = list[id: lower]?.key
        if let key, let zero = Placement.zero, zero < key, list.isFirst(lower, of: section) {
          try list.place(id, between: zero, and: key, inSection: section, by: &me)
        } else {
          try list.move(id, before: lower, by: &me)
        }
      } else {
        try list.place(id, between: Placement.zero, and: nil, inSection: section, by: &me)
      }
    }
  }

  private mutating func edit<Value>(
    by replica: inout Replica,
    _ body: (inout ReplicatedList, inout Replica) throws(EditFailure) -> Value
  ) throws(TripFailure) -> Value {
    do {
      return try body(&list, &replica)
    } catch {
      throw TripFailure(.refused(error))
    }
  }
}

extension ReplicatedList {
  /// The last visible item of a section.
  func lastID(inSection section: Int64) -> ItemID? {
    indices(inSection: section).last.map { self[$0].id }
  }

  /// Whether an item is the first visible one of its section.
  func isFirst(_ id: ItemID, of section: Int64) -> Bool {
    indices(inSection: section).first.map { self[$0].id } == id
  }
}

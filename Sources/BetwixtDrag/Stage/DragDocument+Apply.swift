public import Betwixt
public import BetwixtTrips

extension DragDocument {
  /// Does what a commit says, as one writer; ``CommitHistory`` does it so that it can be taken back.
  ///
  /// Should an edit be refused, the document is as it was and no number of the writer is used. A
  /// move into the gap in which the item stands writes nothing.
  ///
  /// - Parameters:
  ///   - edits: The edits of a commit.
  ///   - replica: Who writes.
  ///   - time: Now, for the field `completedAt` of a task; `nil` leaves that field alone.
  /// - Returns: The item that was added.
  /// - Throws: `TripFailure`
  /// - Complexity: O(log *n*) for each edit, O(*n*) to move a travel leg
  @discardableResult
  public mutating func apply(
    _ edits: [ListEdit], by replica: inout Replica, at time: Moment? = nil
  ) throws(TripFailure) -> ItemID? {
    try transaction(by: &replica) { (document, replica) throws(TripFailure) in
      var added: ItemID?
      for edit in edits { added = try document.apply(edit, by: &replica, at: time) ?? added }
      return added
    }
  }

  private mutating func apply(
    _ edit: ListEdit, by replica: inout Replica, at time: Moment?
  ) throws(TripFailure) -> ItemID? {
    switch self {
    case .trip(var trip):
      let added = try trip.apply(edit, by: &replica)
      self = .trip(trip)
      return added
    case .tasks(var tasks):
      let added = try tasks.apply(edit, by: &replica, at: time)
      self = .tasks(tasks)
      return added
    }
  }
}

extension Trip {
  fileprivate mutating func apply(
    _ edit: ListEdit, by replica: inout Replica
  ) throws(TripFailure) -> ItemID? {
    switch edit {
    case .move(let id, let gap): try drop(id, into: gap, by: &replica)
    case .insert(let fields, let gap): return try add(fields, into: gap, by: &replica)
    case .addGame(let fields): return try addGame(fields, by: &replica)
    case .set(let id, let name, let value): try list.put(name, of: id, to: value, by: &replica)
    case .remove(let id): try list.takeOut(id, by: &replica)
    }
    return nil
  }
}

extension TaskList {
  fileprivate mutating func apply(
    _ edit: ListEdit, by replica: inout Replica, at time: Moment?
  ) throws(TripFailure) -> ItemID? {
    switch edit {
    case .move(let id, let gap):
      try drop(
        id, on: CivilDate(dayNumber: gap.day), above: gap.above, below: gap.below, by: &replica)
    case .insert(let fields, let gap):
      // The task is made aside and then put into its gap, before anybody sees it.
      let date = CivilDate(dayNumber: gap.day)
      let text = fields[.taskText]?.string ?? ""
      let id = try add(text, fields: fields, on: date, by: &replica)
      try drop(id, on: date, above: gap.above, below: gap.below, by: &replica)
      return id
    case .addGame: throw TripFailure(.notAGame)
    case .set(let id, "state", "completed") where time != nil:
      try complete(id, at: time, by: &replica)
    case .set(let id, "state", "notStarted"): try complete(id, at: nil, by: &replica)
    case .set(let id, let name, let value): try list.put(name, of: id, to: value, by: &replica)
    case .remove(let id): try list.takeOut(id, by: &replica)
    }
    return nil
  }
}

extension ReplicatedList {
  fileprivate mutating func put(
    _ name: FieldName, of id: ItemID, to value: FieldValue, by replica: inout Replica
  ) throws(TripFailure) {
    do { try set(name, of: id, to: value, by: &replica) } catch {
      throw TripFailure(.refused(error))
    }
  }

  fileprivate mutating func takeOut(
    _ id: ItemID, by replica: inout Replica
  ) throws(TripFailure) {
    do { try remove(id, by: &replica) } catch { throw TripFailure(.refused(error)) }
  }
}

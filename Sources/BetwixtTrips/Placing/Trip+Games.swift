public import Betwixt

extension Trip {
  /// Adds a game at the place that its start gives it.
  ///
  /// Two devices that add one game add one item. A game that was removed comes back.
  ///
  /// - Parameters:
  ///   - fields: What it holds, `gameId` and `start` included; `kind` is set.
  ///   - replica: Who writes.
  /// - Returns: The game's id, which is made from `gameId`.
  /// - Throws: ``TripFailure``: `notAGame` without `gameId` or with a malformed `start`,
  ///   `noStartDate`.
  /// - Complexity: O(log *n*) and what the fields take
  @discardableResult
  public mutating func addGame(
    _ fields: Fields, by replica: inout Replica
  ) throws(TripFailure) -> ItemID {
    guard let gameID = fields[.gameID]?.string, !gameID.isEmpty,
      let start = fields[.start]?.string.flatMap({ GameStart($0) })
    else { throw TripFailure(.notAGame) }
    let id = ForeignIdentity.game(gameID)
    guard id != .root else { throw TripFailure(.notAGame) }
    var fields = fields
    fields[.kind] = "game"
    try anchor(id, at: start, setting: fields, by: &replica)
    return id
  }

  /// Gives a game another start and the place that belongs to it, in one change.
  ///
  /// - Parameters:
  ///   - id: The game.
  ///   - start: When it starts now.
  ///   - replica: Who writes.
  /// - Throws: ``TripFailure``: `unknownItem`, `notAGame`, `noStartDate`.
  /// - Complexity: O(log *n*)
  public mutating func reschedule(
    _ id: ItemID, to start: GameStart, by replica: inout Replica
  ) throws(TripFailure) {
    guard list.contains(id: id) else { throw TripFailure(.unknownItem) }
    guard kind(of: id) == .game else { throw TripFailure(.notAGame) }
    var fields = Fields()
    fields[.start] = .string(start.description)
    try anchor(id, at: start, setting: fields, by: &replica)
  }

  private mutating func anchor(
    _ id: ItemID, at start: GameStart, setting fields: Fields, by replica: inout Replica
  ) throws(TripFailure) {
    let slot = slot(of: start)
    guard let day = slot.day else { throw TripFailure(.noStartDate) }
    // All or nothing: what one of the steps refuses leaves the trip as it was.
    do {
      try list.transaction(by: &replica) { (list, me) throws(EditFailure) in
        try list.create(id, by: &me)
        try list.place(id, atSortOrder: slot.sortOrder, inSection: day, by: &me)
        try list.set(fields.map { ($0.name, $0.value) }, of: id, by: &me)
      }
    } catch {
      throw TripFailure(.refused(error))
    }
  }
}

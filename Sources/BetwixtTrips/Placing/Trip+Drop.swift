public import Betwixt

extension Trip {
  /// Moves an item into a gap.
  ///
  /// It is one write of one register: no other item is renumbered. Dropping an item into the gap
  /// in which it stands writes nothing, because a write without a change would beat a real move
  /// that somebody else makes meanwhile.
  ///
  ///     try trip.drop(lunch, into: Gap(day: 2, above: museum, below: nil), by: &me)
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - gap: Where; ``resolve(_:moving:)`` says what it means if its neighbours have parted.
  ///   - replica: Who writes.
  /// - Returns: Whether anything was written.
  /// - Throws: ``TripFailure``: `notMovable` for a game, `invalidGap` where the constraints do not
  ///   allow the item.
  /// - Complexity: O(log *n*); O(*n*) for a travel leg, for which constraints are made
  @discardableResult
  public mutating func drop(
    _ id: ItemID, into gap: Gap, by replica: inout Replica
  ) throws(TripFailure) -> Bool {
    let isLeg = kind(of: id) == .travel
    return try checkAndMove(
      id, into: gap, constraints: isLeg ? Constraints(self) : nil, by: &replica)
  }

  /// Moves an item into a gap, with constraints that are at hand.
  ///
  /// A front end has them while an item is dragged, and need not make them again to drop it.
  ///
  /// - Parameters:
  ///   - id: The item.
  ///   - gap: Where; ``resolve(_:moving:)`` says what it means if its neighbours have parted.
  ///   - constraints: Those of the trip as it is. Older ones are older advice: what they allow is
  ///     written, and ``Constraints/violations()`` tells afterwards what is out of place.
  ///   - replica: Who writes.
  /// - Returns: Whether anything was written.
  /// - Throws: ``TripFailure`` as ``drop(_:into:by:)``.
  /// - Complexity: O(log *n*)
  @discardableResult
  public mutating func drop(
    _ id: ItemID, into gap: Gap, allowedBy constraints: Constraints, by replica: inout Replica
  ) throws(TripFailure) -> Bool {
    try checkAndMove(id, into: gap, constraints: constraints, by: &replica)
  }

  private mutating func checkAndMove(
    _ id: ItemID, into gap: Gap, constraints: Constraints?, by replica: inout Replica
  ) throws(TripFailure) -> Bool {
    guard list.contains(id: id) else { throw TripFailure(.unknownItem) }
    guard kind(of: id) != .game else { throw TripFailure(.notMovable) }
    guard let gap = resolve(gap, moving: id) else { throw TripFailure(.invalidGap) }
    guard constraints?.allows(id, in: gap) ?? true else { throw TripFailure(.invalidGap) }
    return try move(id, into: gap, by: &replica)
  }

  /// Moves an item into a resolved gap without asking the constraints.
  ///
  /// Who knows whether the day has games, all of which stand below the gap, spares a look at the day.
  mutating func move(
    _ id: ItemID, into gap: Gap, isAboveGames: Bool? = nil, by replica: inout Replica
  ) throws(TripFailure) -> Bool {
    if self.gap(of: id) == gap { return false }
    let before = list[id: id]?.key
    switch placement(in: gap, moving: id, isAboveGames: isAboveGames) {
    case .after(let other):
      try edit(by: &replica) { list, me throws(EditFailure) in
        try list.move(id, after: other, by: &me)
      }
    case .before(let other):
      try edit(by: &replica) { list, me throws(EditFailure) in
        try list.move(id, before: other, by: &me)
      }
    case .between(let above, let below):
      try edit(by: &replica) { list, me throws(EditFailure) in
        try list.place(id, between: above, and: below, inSection: gap.day, by: &me)
      }
    }
    return list[id: id]?.key != before
  }

  /// Adds an item into a gap.
  ///
  /// - Parameters:
  ///   - fields: What it holds, `kind` included.
  ///   - gap: Where; ``resolve(_:moving:)`` says what it means if its neighbours have parted.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``TripFailure``: `notMovable` for a game, which ``addGame(_:by:)`` adds;
  ///   `invalidGap` for a day that the trip does not have. A leg may be added anywhere:
  ///   ``Constraints/violations()`` tells where it should stand.
  /// - Complexity: O(log *n*)
  @discardableResult
  public mutating func add(
    _ fields: Fields, into gap: Gap, by replica: inout Replica
  ) throws(TripFailure) -> ItemID {
    guard ItemKind(fields[.kind]) != .game else { throw TripFailure(.notMovable) }
    guard let gap = resolve(gap) else { throw TripFailure(.invalidGap) }
    switch placement(in: gap) {
    case .after(let other):
      return try edit(by: &replica) { list, me throws(EditFailure) in
        try list.insert(fields, after: other, by: &me)
      }
    case .before(let other):
      return try edit(by: &replica) { list, me throws(EditFailure) in
        try list.insert(fields, before: other, by: &me)
      }
    case .between(let above, let below):
      return try edit(by: &replica) { list, me throws(EditFailure) in
        try list.insert(fields, between: above, and: below, inSection: gap.day, by: &me)
      }
    }
  }

  /// Adds an item below the last one of a day.
  ///
  /// - Parameters:
  ///   - fields: What it holds, `kind` included.
  ///   - day: A day of the trip.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``TripFailure`` as ``add(_:into:by:)``.
  /// - Complexity: O(log *n*)
  @discardableResult
  public mutating func append(
    _ fields: Fields, toDay day: Int64, by replica: inout Replica
  ) throws(TripFailure) -> ItemID {
    try add(fields, into: lastGap(ofDay: day), by: &replica)
  }

  /// Adds a travel leg where a planner would put it: directly below the last game of its origin
  /// city on the day of departure, else at the end of that day.
  ///
  /// - Parameters:
  ///   - fields: What it holds; `kind` is set.
  ///   - day: The day of departure.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``TripFailure``: `invalidGap` for a day that the trip does not have.
  /// - Complexity: O(*d* + log *n*) for *d* items of the day
  @discardableResult
  public mutating func addLeg(
    _ fields: Fields, onDay day: Int64, by replica: inout Replica
  ) throws(TripFailure) -> ItemID {
    var fields = fields
    fields[.kind] = "travel"
    let origin = City(id: fields[.fromID], name: fields[.from])
    let game = list.indices(inSection: day).last { index in
      let item = list[index]
      return ItemKind(item[.kind]) == .game
        && origin.matches(City(id: item[.cityID], name: item[.city]))
    }
    let gap =
      game.map { Gap(day: day, above: list[$0].id, below: nil) } ?? lastGap(ofDay: day)
    return try add(fields, into: gap, by: &replica)
  }

  /// Runs an edit of the list; games never make room for others.
  mutating func edit<Value>(
    by replica: inout Replica,
    _ body: (inout ReplicatedList, inout Replica) throws(EditFailure) -> Value
  ) throws(TripFailure) -> Value {
    let keepsInPlace = replica.keepsInPlace
    replica.keepsInPlace = { ItemKind($0[.kind]) == .game || keepsInPlace($0) }
    defer { replica.keepsInPlace = keepsInPlace }
    do {
      return try body(&list, &replica)
    } catch {
      throw TripFailure(.refused(error))
    }
  }
}

extension ReplicatedList {
  /// Inserts a new item at an offset within a section.
  ///
  ///     try list.insert(["title": "Lunch"], at: 0, inSection: 2, by: &me)
  ///
  /// - Parameters:
  ///   - fields: What the item holds.
  ///   - offset: Its place among the visible items of the section.
  ///   - section: The section, such as the day of a trip.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``EditFailure`` if a field is too large; nothing has changed then. What other
  ///   replicas wrote never keeps an item from being inserted.
  /// - Precondition: The offset is in `0...` the number of the section's visible items.
  /// - Complexity: O(log *n*) and what the fields take
  @discardableResult
  public mutating func insert(
    _ fields: Fields = [:], at offset: Int, inSection section: Int64 = 0,
    by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    let places = indices(inSection: section)
    precondition(
      offset >= 0 && offset <= places.count,
      "offset \(offset) is not in 0...\(places.count) of section \(section)")
    return try insert(fields, into: gap(places.lowerBound + offset, section), by: &replica)
  }

  /// Inserts a new item at the end of a section.
  ///
  ///     let lunch = try list.append(["title": "Lunch"], by: &me)
  ///
  /// - Parameters:
  ///   - fields: What the item holds.
  ///   - section: The section, such as the day of a trip.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``EditFailure`` if a field is too large.
  /// - Complexity: O(log *n*) and what the fields take
  @discardableResult
  public mutating func append(
    _ fields: Fields = [:], toSection section: Int64 = 0, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    let places = indices(inSection: section)
    return try insert(fields, into: gap(places.upperBound, section), by: &replica)
  }

  /// Inserts a new item at the start of a section.
  ///
  /// - Parameters:
  ///   - fields: What the item holds.
  ///   - section: The section, such as the day of a trip.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``EditFailure`` if a field is too large.
  /// - Complexity: O(log *n*) and what the fields take
  @discardableResult
  public mutating func prepend(
    _ fields: Fields = [:], toSection section: Int64 = 0, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    let places = indices(inSection: section)
    return try insert(fields, into: gap(places.lowerBound, section), by: &replica)
  }

  /// Inserts a new item directly before another, in its section.
  ///
  ///     try list.insert(["title": "Coffee"], before: lunch, by: &me)
  ///
  /// - Parameters:
  ///   - fields: What the item holds.
  ///   - other: A visible item.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``EditFailure``: `unknownItem` if `other` is not visible, or if a field is too large.
  /// - Complexity: O(log *n*) and what the fields take
  @discardableResult
  public mutating func insert(
    _ fields: Fields = [:], before other: ItemID, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    try insert(fields, into: gap(beside: other, offset: 0), by: &replica)
  }

  /// Inserts a new item directly after another, in its section.
  ///
  ///     try list.insert(["title": "Coffee"], after: lunch, by: &me)
  ///
  /// - Parameters:
  ///   - fields: What the item holds.
  ///   - other: A visible item.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``EditFailure``: `unknownItem` if `other` is not visible, or if a field is too large.
  /// - Complexity: O(log *n*) and what the fields take
  @discardableResult
  public mutating func insert(
    _ fields: Fields = [:], after other: ItemID, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    try insert(fields, into: gap(beside: other, offset: 1), by: &replica)
  }

  mutating func insert(
    _ fields: Fields, into gap: Gap, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    try check(fields, replica.limits)
    var session = try EditSession(&self, &replica, writes: fields.count + 2)
    while true {
      let place = try makeKey(in: gap, ahead: 2, &session, &replica)
      if let slot = claimNext(session) {
        return try fill(slot, fields, at: place, gap.section, &session, &replica)
      }
      // The number is that of an item that is there, under this replica's id but not by it.
      try session.skip()
    }
  }

  /// The slot of a new item whose life is the next write; `nil` if its id is taken.
  mutating func claimNext(_ session: EditSession) -> Slot? {
    let id = session.nextItem
    return index.claim(id, Slot(store.count), in: store) ? store.append(id) : nil
  }

  /// Writes the registers of a new item, whose key is in the writer's scratch.
  mutating func fill(
    _ slot: Slot, _ fields: Fields, at place: Int, _ section: Int64,
    _ session: inout EditSession, _ replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    let id = session.nextItem
    let life = try session.next()
    write(life: 1, of: slot, number: life, time: session.now.rawValue, session)
    try writePosition(of: slot, section: section, &session, &replica)
    order.insert(store.orderEntry(slot), at: place)
    for field in fields {
      try write(field.value, to: field.name, of: slot, &session, &replica)
    }
    finish(session, &replica)
    return id
  }
}

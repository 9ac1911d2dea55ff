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
  /// - Throws: ``EditFailure``: `unknownOffset` if the section has fewer visible items, or if a field
  ///   is too large; nothing has changed then. What other replicas wrote never keeps an item from
  ///   being inserted somewhere.
  /// - Complexity: O(log *n*), and O(*f*²) for *f* fields
  @discardableResult
  public mutating func insert(
    _ fields: Fields = [:], at offset: Int, inSection section: Int64 = 0,
    by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    let indices = indices(inSection: section)
    guard offset >= 0, offset <= indices.count else { throw EditFailure(.unknownOffset) }
    return try insert(
      fields, into: gap(at: indices.lowerBound + offset, inSection: section), by: &replica)
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
  /// - Complexity: O(log *n*), and O(*f*²) for *f* fields
  @discardableResult
  public mutating func append(
    _ fields: Fields = [:], toSection section: Int64 = 0, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    let indices = indices(inSection: section)
    return try insert(fields, into: gap(at: indices.upperBound, inSection: section), by: &replica)
  }

  /// Inserts a new item at the start of a section.
  ///
  /// - Parameters:
  ///   - fields: What the item holds.
  ///   - section: The section, such as the day of a trip.
  ///   - replica: Who writes.
  /// - Returns: The new item's id.
  /// - Throws: ``EditFailure`` if a field is too large.
  /// - Complexity: O(log *n*), and O(*f*²) for *f* fields
  @discardableResult
  public mutating func prepend(
    _ fields: Fields = [:], toSection section: Int64 = 0, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    let indices = indices(inSection: section)
    return try insert(fields, into: gap(at: indices.lowerBound, inSection: section), by: &replica)
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
  /// - Complexity: O(log *n*), and O(*f*²) for *f* fields
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
  /// - Complexity: O(log *n*), and O(*f*²) for *f* fields
  @discardableResult
  public mutating func insert(
    _ fields: Fields = [:], after other: ItemID, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    try insert(fields, into: gap(beside: other, offset: 1), by: &replica)
  }

  private mutating func insert(
    _ fields: Fields, into gap: Edit.Gap, by replica: inout Replica
  ) throws(EditFailure) -> ItemID {
    try check(fields, within: replica.limits)
    return try edit(by: &replica, writes: fields.count + 2) { edit throws(EditFailure) in
      try edit.insert(fields, into: gap)
    }
  }
}

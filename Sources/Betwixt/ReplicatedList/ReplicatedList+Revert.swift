extension ReplicatedList {
  /// Takes a write back, if it still is the one that its register shows.
  ///
  /// What others wrote since is respected: then nothing is written. A removal is taken back by a
  /// restore, a new item by a removal, a move by a move to between the items that stand around the
  /// former place now.
  ///
  ///     me.beginRecording()
  ///     try list.move(lunch, toOffset: 0, by: &me)
  ///     for write in me.endRecording().reversed() { try list.revert(write, by: &me) }
  ///
  /// - Parameters:
  ///   - write: A write that was recorded.
  ///   - replica: Who writes.
  /// - Returns: Whether the write was taken back.
  /// - Throws: ``EditFailure`` as the edit that takes it back does.
  /// - Complexity: O(log *n* + *f*) for the fields of the item
  @discardableResult
  public mutating func revert(
    _ write: Write, by replica: inout Replica
  ) throws(EditFailure) -> Bool {
    guard let winner = entry(of: write.register, write.item), winner.dot == write.dot else {
      return false
    }
    switch (write.register, write.previous) {
    case (.life, _):
      guard case .life(let length) = winner.value else { return false }
      if length & 1 == 1 {
        try remove(write.item, by: &replica)
      } else {
        try restore(write.item, by: &replica)
      }
    case (.position, .position(let section, let key)?):
      try putBack(write.item, section, key, by: &replica)
    case (.field(let name), .field(let value?)?):
      try set(name, of: write.item, to: value, by: &replica)
    case (.field(let name), _):
      try clear(name, of: write.item, by: &replica)
    default:
      return false
    }
    return true
  }

  func entry(of register: Register, _ item: ItemID) -> Entry? {
    self[id: item]?.entries.first { $0.register == register }
  }

  /// Moves an item to where a key it had stands now.
  ///
  /// The key itself belongs to the write that made it, so the item gets a new one between the same
  /// neighbours.
  private mutating func putBack(
    _ item: ItemID, _ section: Int64, _ key: SortKey, by replica: inout Replica
  ) throws(EditFailure) {
    let place = order.lowerBound(
      OrderKey(section: section, key: key.bytes[...], id: item), in: store)
    let offset = place - indices(inSection: section).lowerBound
    try move(item, toOffset: offset, inSection: section, by: &replica)
  }
}

extension ReplicatedList {
  /// Removes an item.
  ///
  /// It keeps its registers and can be restored; one that is removed already is not written.
  ///
  /// - Parameters:
  ///   - item: An item of the list.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `unknownItem`, also for one whose life has not come yet, or
  ///   `lifeExhausted`.
  /// - Complexity: O(log *n*)
  public mutating func remove(_ item: ItemID, by replica: inout Replica) throws(EditFailure) {
    try setLife(of: item, isAlive: false, by: &replica)
  }

  /// Removes the visible item at an index of the list.
  ///
  /// - Parameters:
  ///   - index: Its index among all visible items.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `lifeExhausted`.
  /// - Precondition: The index is in `0..<count`.
  /// - Complexity: O(log *n*)
  public mutating func remove(at index: Int, by replica: inout Replica) throws(EditFailure) {
    try advanceLife(of: order[index].slot, at: index, by: &replica)
  }

  /// Brings a removed item back, with all that was edited meanwhile; one that is there is not
  /// written, unless it is to stay whatever others do.
  ///
  /// One whose place was forgotten, or has not come yet, gets one at the end of a section. Which of
  /// its fields are gone is not known; what it has left can be asked for:
  ///
  ///     let isForgotten = list[id: lunch]?.isForgotten == true
  ///     try list.restore(lunch, toSection: 2, by: &me)
  ///     if isForgotten { print("left of it:", list[id: lunch]?.fields ?? [:]) }
  ///
  /// A removal that somebody makes without knowing of it wins over what is only there. To keep an
  /// item against such a removal, insist: that is a write of its own, and the removal loses to it.
  ///
  ///     try list.restore(lunch, insisting: true, by: &me)  // "Keep this"
  ///
  /// - Parameters:
  ///   - item: An item of the list.
  ///   - insists: Whether an item that is there is written too.
  ///   - section: Where an item goes at the end whose place was forgotten.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `unknownItem` or `lifeExhausted`; nothing has changed then.
  /// - Complexity: O(log *n*)
  public mutating func restore(
    _ item: ItemID, insisting insists: Bool = false, toSection section: Int64 = 0,
    by replica: inout Replica
  ) throws(EditFailure) {
    // The place first: it is shown as soon as it is there again.
    if let slot = slot(item), lacksPlace(slot) {
      let life = store.record(slot).life.length
      guard life < RegisterValue.longestLife else { throw EditFailure(.lifeExhausted, of: item) }
      try Edit.check(replica, writes: 2)
      try move(item, toOffset: indices(inSection: section).count, inSection: section, by: &replica)
    }
    try revive(item, insisting: insists, by: &replica)
  }

  /// Whether a removed item has no place that it could come back to: it was forgotten, here or by
  /// somebody who restored and removed it since and whose floor is not known here.
  private func lacksPlace(_ slot: Slot) -> Bool {
    let record = store.record(slot)
    return record.life.isWritten && !record.isAlive && !record.hasPosition
  }

  /// Brings a removed item back as it is, and if it has no place, without one.
  mutating func revive(
    _ item: ItemID, insisting insists: Bool = false, by replica: inout Replica
  ) throws(EditFailure) {
    try setLife(of: item, isAlive: true, insisting: insists, by: &replica)
  }

  /// Makes an item with a given id, such as one that is known elsewhere under a UUID, or brings it
  /// back.
  ///
  /// It is shown as soon as it has a position.
  ///
  /// - Parameters:
  ///   - item: Any id but the root's.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `lifeExhausted`, or `invalidValue` for the root.
  /// - Complexity: O(log *n*)
  public mutating func create(_ item: ItemID, by replica: inout Replica) throws(EditFailure) {
    guard item != .root else { throw EditFailure(.invalidValue, of: item) }
    try Edit.check(replica)
    _ = slotMaking(item)
    try setLife(of: item, isAlive: true, by: &replica)
  }

  private mutating func setLife(
    of item: ItemID, isAlive: Bool, insisting insists: Bool = false, by replica: inout Replica
  ) throws(EditFailure) {
    guard let slot = slot(item), item != .root else { throw EditFailure(.unknownItem, of: item) }
    let record = store.record(slot)
    // What has no life yet cannot lose it, and would be shown as soon as that comes.
    guard isAlive || record.life.isWritten else { throw EditFailure(.unknownItem, of: item) }
    guard record.isAlive != isAlive || insists else { return }
    // Two further is as it was, and greater than a removal that did not know of it.
    let step: UInt64 = record.isAlive == isAlive ? 2 : 1
    let index = record.isVisible ? index(of: slot) : nil
    try advanceLife(of: slot, at: index, step: step, by: &replica)
  }

  /// Takes an item's life some steps on; the item is at `index` if it is visible.
  private mutating func advanceLife(
    of slot: Slot, at index: Int?, step: UInt64 = 1, by replica: inout Replica
  ) throws(EditFailure) {
    let life = store.record(slot).life
    guard life.length <= RegisterValue.longestLife - step else {
      throw EditFailure(.lifeExhausted, of: store.id(slot))
    }
    // The length decides, so a time at its end keeps nobody from removing or restoring.
    let next = life.isWritten ? Timestamp(unchecked: life.time).successor ?? .max : .zero
    try edit(by: &replica) { edit throws(EditFailure) in
      if let index { edit.list.order.remove(at: index) }
      try edit.write(
        life: life.length + step, of: slot, time: Swift.max(edit.now, next).rawValue)
      edit.list.show(slot)
    }
  }

  /// Puts an item into the order that is not in it, if it is visible.
  mutating func show(_ slot: Slot) {
    guard store.record(slot).isVisible else { return }
    enter(slot, at: index(of: slot))
  }
}

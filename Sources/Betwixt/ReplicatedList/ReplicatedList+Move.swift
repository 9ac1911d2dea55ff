extension ReplicatedList {
  /// Moves an item to an offset within a section, from wherever it stands: one write.
  ///
  /// The offset counts in the section as it is before the move. An item that stands there already
  /// is not written, because a write without a change would beat a concurrent real move.
  ///
  ///     // A B C
  ///     try list.move(a, toOffset: 3, by: &me)                // B C A
  ///     try list.move(a, toOffset: 0, inSection: 2, by: &me)  // B C | A
  ///
  /// - Parameters:
  ///   - item: An item of the list. A removed one is moved too: it will be there if it is restored.
  ///   - offset: Before which of the section's visible items it will stand.
  ///   - section: The section.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `unknownItem`, `unknownOffset` if the section has fewer visible items,
  ///   or `stampExhausted`; nothing has changed then.
  /// - Complexity: O(log *n*)
  public mutating func move(
    _ item: ItemID, toOffset offset: Int, inSection section: Int64 = 0, by replica: inout Replica
  ) throws(EditFailure) {
    let indices = indices(inSection: section)
    guard let slot = slot(item), item != .root else { throw EditFailure(.unknownItem, of: item) }
    guard offset >= 0, offset <= indices.count else { throw EditFailure(.unknownOffset, of: item) }
    try move(slot, to: indices.lowerBound + offset, inSection: section, by: &replica)
  }

  /// Moves the item at one offset of a section to another, which counts before the move.
  ///
  /// - Parameters:
  ///   - source: The offset of the item among the section's visible items.
  ///   - destination: Before which of them it will stand, as they are before the move.
  ///   - section: The section.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `unknownOffset` if one is not in the section, or `stampExhausted`;
  ///   nothing has changed then.
  /// - Complexity: O(log *n*)
  public mutating func move(
    fromOffset source: Int, toOffset destination: Int, inSection section: Int64 = 0,
    by replica: inout Replica
  ) throws(EditFailure) {
    let indices = indices(inSection: section)
    guard source >= 0, source < indices.count, destination >= 0, destination <= indices.count
    else { throw EditFailure(.unknownOffset) }
    let index = indices.lowerBound + source
    try move(
      order[index].slot, from: index, to: indices.lowerBound + destination, inSection: section,
      by: &replica)
  }

  /// Moves several items to one place, in the order given: one write for each that does not stand
  /// there already.
  ///
  ///     // A B C D
  ///     try list.move([d, a], toOffset: 2, by: &me)  // B D A C
  ///
  /// - Parameters:
  ///   - items: Items of the list, each once.
  ///   - offset: Before which of the section's visible items they will stand, as those are before
  ///     the move.
  ///   - section: The section.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure`` as for one item, found before the first is moved.
  /// - Complexity: O(*k* log *n*) for *k* items
  public mutating func move(
    _ items: [ItemID], toOffset offset: Int, inSection section: Int64 = 0,
    by replica: inout Replica
  ) throws(EditFailure) {
    let indices = indices(inSection: section)
    guard offset >= 0, offset <= indices.count else { throw EditFailure(.unknownOffset) }
    let slots = try slotsToMove(items)
    let moving = Set(slots)
    // The items are lined up before the first one behind the gap that stays where it is.
    var index = indices.lowerBound + offset
    while index < indices.upperBound, moving.contains(order[index].slot) { index += 1 }
    let anchor = index < indices.upperBound ? order[index].slot : nil
    try transaction(by: &replica) { (list, replica) throws(EditFailure) in
      try list.line(up: slots, before: anchor, inSection: section, by: &replica)
    }
  }

  /// Moves items before another, or to the end of the section.
  private mutating func line(
    up slots: [Slot], before anchor: Slot?, inSection section: Int64, by replica: inout Replica
  ) throws(EditFailure) {
    // From the last on, each before the one that was just placed: what stands there already is not
    // written.
    var next = anchor
    // The one that was just placed, if it is removed: among those that are shown it has no place.
    var hidden: Slot?
    for slot in slots.reversed() {
      let destination = next.map { index(of: $0) } ?? indices(inSection: section).upperBound
      try move(slot, to: destination, before: hidden, inSection: section, by: &replica)
      hidden = store.record(slot).isVisible ? nil : slot
      if hidden == nil { next = slot }
    }
  }

  /// Moves an item directly before another, into that item's section.
  ///
  /// - Parameters:
  ///   - item: An item of the list.
  ///   - other: A visible item.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `unknownItem` or `stampExhausted`; nothing has changed then.
  /// - Complexity: O(log *n*)
  public mutating func move(
    _ item: ItemID, before other: ItemID, by replica: inout Replica
  ) throws(EditFailure) {
    try move(item, beside: other, offset: 0, by: &replica)
  }

  /// Moves an item directly after another, into that item's section.
  ///
  /// - Parameters:
  ///   - item: An item of the list.
  ///   - other: A visible item.
  ///   - replica: Who writes.
  /// - Throws: ``EditFailure``: `unknownItem` or `stampExhausted`; nothing has changed then.
  /// - Complexity: O(log *n*)
  public mutating func move(
    _ item: ItemID, after other: ItemID, by replica: inout Replica
  ) throws(EditFailure) {
    try move(item, beside: other, offset: 1, by: &replica)
  }

  private mutating func move(
    _ item: ItemID, beside other: ItemID, offset: Int, by replica: inout Replica
  ) throws(EditFailure) {
    guard let slot = slot(item), item != .root else { throw EditFailure(.unknownItem, of: item) }
    let gap = try gap(beside: other, offset: offset)
    try move(slot, to: gap.index, inSection: gap.section, by: &replica)
  }

  private func slotsToMove(_ items: [ItemID]) throws(EditFailure) -> [Slot] {
    var slots: [Slot] = []
    for item in items {
      guard let slot = slot(item), item != .root else { throw EditFailure(.unknownItem, of: item) }
      guard store.position(slot).time < Timestamp.max.rawValue else {
        throw EditFailure(.stampExhausted, of: item)
      }
      slots.append(slot)
    }
    return slots
  }

  private mutating func move(
    _ slot: Slot, to destination: Int, before hidden: Slot? = nil, inSection section: Int64,
    by replica: inout Replica
  ) throws(EditFailure) {
    let source = store.record(slot).isVisible ? index(of: slot) : nil
    try move(
      slot, from: source, to: destination, before: hidden, inSection: section, by: &replica)
  }

  /// Moves an item before a visible one, and there before a hidden one whose key is between that and
  /// its left neighbour's.
  private mutating func move(
    _ slot: Slot, from source: Int?, to destination: Int, before hidden: Slot? = nil,
    inSection section: Int64, by replica: inout Replica
  ) throws(EditFailure) {
    let position = store.position(slot)
    if let source, position.section == section,
      source == destination || source + 1 == destination
    {
      return
    }
    guard position.time < Timestamp.max.rawValue else {
      throw EditFailure(.stampExhausted, of: store.id(slot))
    }
    var gap = gap(at: destination, inSection: section)
    if let hidden { gap.right = hidden }
    try edit(by: &replica) { edit throws(EditFailure) in
      let index = try edit.makeKey(in: gap, ahead: 1)
      try edit.put(slot, from: source, to: index, inSection: section)
    }
  }
}

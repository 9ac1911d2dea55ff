extension Edit {
  /// Between two visible neighbours of one section, where a key is to be made.
  struct Gap {
    let section: Int64
    /// The index in the list that something put here would have.
    let index: Int
    /// The neighbours; `nil` at an end of the section.
    let left: Slot?
    var right: Slot?
  }
}

extension ReplicatedList {
  /// The gap before an index, within a section that has its items around there.
  func gap(at index: Int, inSection section: Int64) -> Edit.Gap {
    let (left, right) = order.neighbours(of: index)
    return Edit.Gap(
      section: section, index: index, left: left.flatMap { slot(of: $0, inSection: section) },
      right: right.flatMap { slot(of: $0, inSection: section) })
  }

  /// The gap before (offset 0) or after (offset 1) a visible item.
  func gap(beside item: ItemID, offset: Int) throws(EditFailure) -> Edit.Gap {
    guard let slot = slot(item), store.record(slot).isVisible else {
      throw EditFailure(.unknownItem, of: item)
    }
    return gap(at: index(of: slot) + offset, inSection: store.position(slot).section)
  }

  private func slot(of entry: OrderEntry, inSection section: Int64) -> Slot? {
    store.section(of: entry) == section ? entry.slot : nil
  }
}

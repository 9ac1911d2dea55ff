/// A place between two visible neighbours of one section, where a key is to be made.
struct Gap {
  let section: Int64
  /// Where in the whole list something put here would stand.
  let place: Int
  /// The neighbours; `nil` at an end of the section.
  let left: Slot?
  let right: Slot?
}

extension ReplicatedList {
  /// The gap before a place, within a section that has its items around there.
  func gap(_ place: Int, _ section: Int64) -> Gap {
    Gap(
      section: section, place: place, left: neighbour(place - 1, section),
      right: neighbour(place, section))
  }

  /// The gap before (offset 0) or after (offset 1) a visible item.
  func gap(beside item: ItemID, offset: Int) throws(EditFailure) -> Gap {
    guard let slot = slot(item), store.record(slot).isVisible else {
      throw EditFailure(.unknownItem, item)
    }
    return gap(place(of: slot) + offset, store.record(slot).position.section)
  }

  private func neighbour(_ place: Int, _ section: Int64) -> Slot? {
    guard place >= 0, place < count else { return nil }
    let slot = order[place].slot
    return store.record(slot).position.section == section ? slot : nil
  }
}

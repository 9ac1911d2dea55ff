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
    let (left, right) = order.neighbours(of: place)
    return Gap(
      section: section, place: place, left: left.flatMap { inSection(section, $0) },
      right: right.flatMap { inSection(section, $0) })
  }

  /// The gap before (offset 0) or after (offset 1) a visible item.
  func gap(beside item: ItemID, offset: Int) throws(EditFailure) -> Gap {
    guard let slot = slot(item), store.record(slot).isVisible else {
      throw EditFailure(.unknownItem, item)
    }
    return gap(place(of: slot) + offset, store.record(slot).position.section)
  }

  private func inSection(_ section: Int64, _ entry: OrderEntry) -> Slot? {
    store.section(of: entry) == section ? entry.slot : nil
  }
}

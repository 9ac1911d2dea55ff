// Which authors are short in the order's prefixes: all that were known when the list was loaded or
// last doubled. Prefixes of one list must agree on that, so they are made anew when it changes.

extension ReplicatedList {
  /// Puts an item into the order, at the index that its place means.
  ///
  /// - Complexity: O(log *n*), and now and then O(*n*), no more than a few steps for each insertion
  mutating func enter(_ slot: Slot, at index: Int) {
    enter(store.orderEntry(slot), at: index)
  }

  /// The same for an entry that was just made.
  mutating func enter(_ entry: OrderEntry, at index: Int) {
    order.insert(entry, at: index)
    if order.count >= store.authorReview { reviewAuthors() }
  }

  private mutating func reviewAuthors() {
    guard store.shorten(replicas, at: order.count) else { return }
    order.rebuild(order.entries.map { store.orderEntry($0.slot) })
  }
}

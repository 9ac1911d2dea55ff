extension ReplicatedList {
  #if BETWIXT_CHECKS
  /// Checks what every operation relies on and leaves behind: of small lists after each, of larger
  /// ones so seldom that it costs about O(log *n*) for each.
  ///
  /// - Complexity: O(*n* log *n*) where it checks
  func checkInvariants() {
    let writes = replicas.rows.reduce(0) { $0 &+ $1.highest }
    guard store.count <= 256 || writes % Int64(store.count / 8) == 0 else { return }
    var visible = 0
    for number in 0..<store.count {
      let slot = Slot(number)
      precondition(self.slot(store.id(slot)) == slot, "an id leads to another item")
      if store.record(slot).isVisible { visible += 1 }
    }
    for branch in store.branches {
      for page in branch.pages { precondition(page.fault == nil, page.fault ?? "") }
    }
    let entries = order.entries
    precondition(entries.count == visible && order.count == visible, "the order has all visible")
    for (index, entry) in entries.enumerated() {
      precondition(entry.prefix == store.orderEntry(entry.slot).prefix, "a prefix is stale")
      precondition(self.index(of: entry.slot) == index, "an item is not where it is found")
      if index > 0 {
        precondition(store.precedes(entries[index - 1], entry), "the order is not strict")
      }
    }
    if !floor.isEmpty {
      var copy = store
      let numbers = replicas.rows.map { floor[$0.id] }
      let count = copy.forgetAll { $1 <= numbers[Int($0)] }
      precondition(count == 0, "the list is not in normal form")
    }
    for row in replicas.rows {
      precondition(row.known <= row.highest, "more is claimed than was seen")
    }
  }
  #else
  @inline(__always) func checkInvariants() {}
  #endif
}

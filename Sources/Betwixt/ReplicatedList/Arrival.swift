/// A touched item on its way into the order, with so much of its key that sorting seldom looks at
/// the item.
struct Arrival {
  let entry: OrderEntry
  // Both are short, because all that come at once are kept twice while they are sorted.
  private let number: UInt32
  /// What its place's code has beyond the prefix.
  private let further: UInt32

  /// Which of the touched items it is.
  var touched: Int { Int(number) }

  init(_ slot: Slot, touched: Int, in store: ItemStore) {
    self.init(slot, touched: touched, at: store.orderCode(slot))
  }

  init(_ slot: Slot, touched: Int, at code: OrderCode) {
    entry = OrderEntry(prefix: OrderPrefix(code), slot: slot)
    further = UInt32(truncatingIfNeeded: code.low)
    number = UInt32(truncatingIfNeeded: touched)
  }

  func stands(before other: Arrival, in store: ItemStore) -> Bool {
    guard entry.prefix == other.entry.prefix, further != other.further else {
      return store.precedes(entry, other.entry)
    }
    Cost.count(.comparison)
    return further < other.further
  }
}

extension ItemStore {
  /// The first place from `start` on whose entry does not stand before another.
  ///
  /// - Complexity: O(log *d*) for a place *d* entries away
  func end(of entries: [OrderEntry], from start: Int, before other: OrderEntry) -> Int {
    var low = start
    var step = 1
    while low + step <= entries.count, precedes(entries[low + step - 1], other) {
      low += step
      step *= 2
    }
    var high = min(low + step - 1, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(entries[middle], other) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

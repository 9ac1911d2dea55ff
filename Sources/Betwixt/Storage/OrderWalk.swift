// Reading the order through spans: they lend the children of a node, where a call on the node would
// count a reference to each array on the way down.

extension Span where Element == OrderChild {
  /// The child that holds a place, which becomes the place in that child.
  @inline(__always)
  func descend(_ index: inout Int) -> Int {
    var child = 0
    while child < count - 1, index >= self[child].count {
      index -= self[child].count
      child += 1
    }
    return child
  }

  /// The child that takes a new entry: at a border between two the left one.
  @inline(__always)
  func descendToInsert(_ index: Int) -> (child: Int, index: Int) {
    var rest = Swift.max(index - 1, 0)
    let child = descend(&rest)
    return (child, index > 0 ? rest + 1 : 0)
  }

  func entry(_ index: Int) -> OrderEntry {
    Cost.count(.nodeVisit)
    var index = index
    let child = descend(&index)
    if self[child].node.isLeaf { return self[child].node.entries[index] }
    return self[child].node.children.span.entry(index)
  }

  func neighbours(_ index: Int) -> (left: OrderEntry?, right: OrderEntry) {
    Cost.count(.nodeVisit)
    var index = index
    let child = descend(&index)
    if self[child].node.isLeaf { return self[child].node.entries.span.neighbours(index) }
    return self[child].node.children.span.neighbours(index)
  }

  func leaf(_ index: Int, start: Int) -> (entries: ContiguousArray<OrderEntry>, start: Int) {
    var rest = index
    let child = descend(&rest)
    let start = start + index - rest
    if self[child].node.isLeaf { return (self[child].node.entries, start) }
    return self[child].node.children.span.leaf(rest, start: start)
  }

  func lowerBound(_ key: OrderKey, in store: ItemStore) -> Int {
    Cost.count(.nodeVisit)
    // The last child whose first entry stands before the key; the first child if none does.
    var low = 1
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if store.precedes(self[middle].first, key) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    var offset = 0
    for child in 0..<low - 1 { offset += self[child].count }
    if self[low - 1].node.isLeaf {
      return offset + self[low - 1].node.entries.span.lowerBound(key, in: store)
    }
    return offset + self[low - 1].node.children.span.lowerBound(key, in: store)
  }
}

extension Span where Element == OrderEntry {
  @inline(__always)
  func neighbours(_ index: Int) -> (left: OrderEntry?, right: OrderEntry) {
    (index > 0 ? self[index - 1] : nil, self[index])
  }

  @inline(__always)
  func lowerBound(_ key: OrderKey, in store: ItemStore) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if store.precedes(self[middle], key) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

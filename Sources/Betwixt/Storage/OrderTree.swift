/// The visible items in order: a B-tree with counts, so that place -> item and item -> place both
/// take O(log n) steps, and an edit after a copy copies one path.
struct OrderTree: Sendable {
  private(set) var root = OrderNode()
  private(set) var count = 0
  /// The last entry, kept at hand because most insertions look at it.
  private(set) var last: OrderEntry?

  var first: OrderEntry? { root.first }

  /// The entry at a place.
  subscript(index: Int) -> OrderEntry {
    precondition(index >= 0 && index < count, "index \(index) is not in 0..<\(count)")
    return root.entry(index)
  }

  /// The first place whose item does not stand before `key`.
  func lowerBound(_ key: OrderKey, in store: ItemStore) -> Int {
    root.lowerBound(key, in: store)
  }

  mutating func insert(_ entry: OrderEntry, at index: Int) {
    let isAtEnd = index == count || index == 0
    if let sibling = root.insert(entry, at: index, isAtEnd: isAtEnd) { grow(sibling) }
    if index == count { last = entry }
    count += 1
  }

  @discardableResult
  mutating func remove(at index: Int) -> OrderEntry {
    let entry = root.remove(at: index)
    count -= 1
    while root.children.count == 1 { root = root.children[0].node }
    if index == count { last = count > 0 ? root.entry(count - 1) : nil }
    return entry
  }

  /// Replaces everything by entries that are in order.
  ///
  /// - Complexity: O(*n*)
  mutating func rebuild(_ entries: [OrderEntry]) {
    rebuild(count: entries.count) { entries[$0] }
  }

  /// Replaces everything by entries that are in order, which are asked for one after the other.
  ///
  /// - Complexity: O(*n*)
  mutating func rebuild<Failure: Error>(
    count: Int, entry: (Int) throws(Failure) -> OrderEntry
  ) throws(Failure) {
    self.count = count
    var nodes: [OrderChild] = []
    for range in OrderTree.chunks(count, limit: OrderNode.leafFill) {
      var leaf: ContiguousArray<OrderEntry> = []
      leaf.reserveCapacity(range.count)
      for place in range { leaf.append(try entry(place)) }
      last = leaf.last
      nodes.append(OrderChild(OrderNode(entries: leaf)))
    }
    while nodes.count > 1 {
      var parents: [OrderChild] = []
      for range in OrderTree.chunks(nodes.count, limit: OrderNode.innerFill) {
        parents.append(OrderChild(OrderNode(children: ContiguousArray(nodes[range]))))
      }
      nodes = parents
    }
    root = nodes.first?.node ?? OrderNode()
    if count == 0 { last = nil }
  }

  /// All entries in order.
  ///
  /// - Complexity: O(*n*)
  var entries: [OrderEntry] {
    var entries: [OrderEntry] = []
    entries.reserveCapacity(count)
    root.collect(into: &entries)
    return entries
  }

  /// The place of each slot's item; `nil` for those that are not in the order.
  ///
  /// - Complexity: O(*n*)
  func indicesBySlot(slotCount: Int) -> [UInt32?] {
    Cost.count(.pass)
    var indices = [UInt32?](repeating: nil, count: slotCount)
    for (index, entry) in entries.enumerated() {
      indices[Int(entry.slot.rawValue)] = UInt32(truncatingIfNeeded: index)
    }
    return indices
  }

  /// The entries before and at a place, in one descent where one leaf has both.
  func neighbours(of index: Int) -> (left: OrderEntry?, right: OrderEntry?) {
    if index == count { return (last, nil) }
    if index == 0 { return (nil, first) }
    let (left, right) = root.neighbours(index)
    return (left ?? root.entry(index - 1), right)
  }

  /// The leaf that holds a place, and the place of its first entry.
  func leaf(at index: Int) -> (entries: ContiguousArray<OrderEntry>, start: Int) {
    root.leaf(index)
  }

  private mutating func grow(_ sibling: OrderNode) {
    root = OrderNode(children: [OrderChild(root), OrderChild(sibling)])
  }

  // Ranges of about equal size, none above the limit.
  static func chunks(_ count: Int, limit: Int) -> [Range<Int>] {
    let parts = (count + limit - 1) / limit
    // The first ones have one more. No product goes beyond the count, so that an integer of 32 bits
    // holds it.
    func start(_ part: Int) -> Int { part * (count / parts) + min(part, count % parts) }
    return (0..<parts).map { part in start(part)..<start(part + 1) }
  }
}

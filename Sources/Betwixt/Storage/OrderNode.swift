/// A node of the order: a leaf of entries, or an inner node of children.
///
/// A value, not an object: arrays of nodes copy on write, so a tree is `Sendable` and a copy of it
/// is one reference.
struct OrderNode: Sendable {
  private(set) var entries: ContiguousArray<OrderEntry> = []
  private(set) var children: ContiguousArray<OrderChild> = []

  /// Most entries of a leaf.
  static let leafLimit = 64
  /// Most children of an inner node.
  static let innerLimit = 32
  /// How full a rebuild makes them, so that the next insertions split nothing.
  static let leafFill = 56
  static let innerFill = 28

  init(entries: ContiguousArray<OrderEntry> = []) { self.entries = entries }

  init(children: ContiguousArray<OrderChild>) { self.children = children }

  var isLeaf: Bool { children.isEmpty }

  var count: Int {
    guard !isLeaf else { return entries.count }
    var count = 0
    for child in children { count += child.count }
    return count
  }

  var first: OrderEntry? { isLeaf ? entries.first : children[0].first }

  // MARK: Reading

  func entry(_ index: Int) -> OrderEntry {
    Cost.count(.nodeVisit)
    return isLeaf ? entries[index] : children.span.entry(index)
  }

  /// The entry at a place, and the one before it if that is in the same leaf.
  func neighbours(_ index: Int) -> (left: OrderEntry?, right: OrderEntry) {
    Cost.count(.nodeVisit)
    return isLeaf ? entries.span.neighbours(index) : children.span.neighbours(index)
  }

  func leaf(_ index: Int) -> (entries: ContiguousArray<OrderEntry>, start: Int) {
    isLeaf ? (entries, 0) : children.span.leaf(index, start: 0)
  }

  func lowerBound(_ key: OrderKey, in store: ItemStore) -> Int {
    Cost.count(.nodeVisit)
    return isLeaf
      ? entries.span.lowerBound(key, in: store) : children.span.lowerBound(key, in: store)
  }

  func collect(into output: inout [OrderEntry]) {
    output.append(contentsOf: entries)
    for child in children { child.node.collect(into: &output) }
  }

  // MARK: Writing

  /// Inserts and, if the node is full then, splits: the right part is returned.
  ///
  /// `isAtEnd` says whether the place is the first or the last one of the whole tree.
  mutating func insert(_ entry: OrderEntry, at index: Int, isAtEnd: Bool) -> OrderNode? {
    Cost.count(.nodeVisit)
    if isLeaf {
      // Inserting at the end is several times slower than appending.
      if index == entries.count { entries.append(entry) } else { entries.insert(entry, at: index) }
      return entries.count > OrderNode.leafLimit
        ? splitLeaf(insertedAt: index, isAtEnd: isAtEnd) : nil
    }
    // At a border between two children the left one takes it, so that appending fills leaves.
    var (child, rest) = children.span.descendToInsert(index)
    if isBorderOfFullLeaf(child, at: rest) {
      rest = 0
      child += 1
    }
    let sibling = children[child].insert(entry, at: rest, isAtEnd: isAtEnd)
    guard let sibling else { return nil }
    children.insert(OrderChild(sibling), at: child + 1)
    return children.count > OrderNode.innerLimit
      ? splitInner(insertedAt: child + 1, isAtEnd: isAtEnd) : nil
  }

  // Or insertions at one such place would each split off a leaf of one entry.
  private func isBorderOfFullLeaf(_ child: Int, at index: Int) -> Bool {
    guard child + 1 < children.count, index == children[child].count else { return false }
    return children[child].isFullLeaf && !children[child + 1].isFullLeaf
  }

  mutating func remove(at index: Int) -> OrderEntry {
    Cost.count(.nodeVisit)
    if isLeaf { return entries.remove(at: index) }
    var rest = index
    let child = children.span.descend(&rest)
    let entry = children[child].remove(at: rest)
    if children[child].isSparse { mend(child) }
    return entry
  }

  // Appending and prepending leave full nodes behind, anything else half-full ones: at a border of
  // two full nodes within the tree each insertion would make a node of one entry.
  private static func splitPoint(_ count: Int, insertedAt index: Int, isAtEnd: Bool) -> Int {
    if !isAtEnd { return count / 2 }
    if index == count - 1 { return count - 1 }
    if index == 0 { return 1 }
    return count / 2
  }

  private mutating func splitLeaf(insertedAt index: Int, isAtEnd: Bool) -> OrderNode {
    let point = OrderNode.splitPoint(entries.count, insertedAt: index, isAtEnd: isAtEnd)
    var right: ContiguousArray<OrderEntry> = []
    right.reserveCapacity(OrderNode.leafLimit + 1)
    right.append(contentsOf: entries[point...])
    entries.removeSubrange(point...)
    return OrderNode(entries: right)
  }

  private mutating func splitInner(insertedAt index: Int, isAtEnd: Bool) -> OrderNode {
    let point = OrderNode.splitPoint(children.count, insertedAt: index, isAtEnd: isAtEnd)
    let right = OrderNode(children: ContiguousArray(children[point...]))
    children.removeSubrange(point...)
    return right
  }

  /// Joins a sparse child with a neighbour, or drops it if it is empty.
  private mutating func mend(_ child: Int) {
    if children[child].count == 0 {
      children.remove(at: child)
      return
    }
    guard children.count > 1 else { return }
    let left = child == 0 ? 0 : child - 1
    guard children[left].node.canAbsorb(children[left + 1].node) else { return }
    let right = children.remove(at: left + 1)
    children[left].absorb(right)
  }

  var isSparse: Bool {
    isLeaf
      ? entries.count < OrderNode.leafLimit / 4 : children.count < OrderNode.innerLimit / 4
  }

  private func canAbsorb(_ other: OrderNode) -> Bool {
    isLeaf
      ? entries.count + other.entries.count <= OrderNode.leafLimit
      : children.count + other.children.count <= OrderNode.innerLimit
  }

  fileprivate mutating func absorb(_ other: OrderNode) {
    entries.append(contentsOf: other.entries)
    children.append(contentsOf: other.children)
  }
}

/// A child with what its parent needs to find a place in it without entering it.
struct OrderChild: Sendable {
  /// The first entry; while a child that lost its last one is dropped, that one.
  private(set) var first: OrderEntry
  private(set) var count: Int
  private(set) var node: OrderNode

  /// Takes a node that has entries.
  init(_ node: OrderNode) {
    self.node = node
    first = node.isLeaf ? node.entries[0] : node.children[0].first
    count = node.count
  }

  var isSparse: Bool { node.isSparse }

  var isFullLeaf: Bool { node.isLeaf && count >= OrderNode.leafLimit }

  mutating func insert(_ entry: OrderEntry, at index: Int, isAtEnd: Bool) -> OrderNode? {
    let sibling = node.insert(entry, at: index, isAtEnd: isAtEnd)
    if let sibling { count -= sibling.count }
    count += 1
    if index == 0 { first = entry }
    return sibling
  }

  mutating func remove(at index: Int) -> OrderEntry {
    let entry = node.remove(at: index)
    count -= 1
    if index == 0, let new = node.first { first = new }
    return entry
  }

  mutating func absorb(_ other: OrderChild) {
    node.absorb(other.node)
    count += other.count
  }
}

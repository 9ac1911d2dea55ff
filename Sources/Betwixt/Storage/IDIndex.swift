/// Item id -> slot: a tree over the bits of a hash, so that it grows without ever being rebuilt
/// and a copy shares all that did not change.
///
/// The hash is seeded per process, so nobody can send ids that collide; its order never shows.
struct IDIndex: Sendable {
  private var root = Node()

  private struct Node: Sendable {
    /// 64 nodes, or none in a leaf.
    var children: [Node] = []
    /// In a leaf: the hash in the upper half, the slot in the lower.
    var bucket: [UInt64] = []

    static let bitsPerLevel: UInt64 = 6
    static let lastLevel: UInt64 = 4
    static let bucketLimit = 32

    mutating func insert(_ entry: UInt64, level: UInt64) {
      if !children.isEmpty {
        return children[Node.child(entry, level)].insert(entry, level: level + 1)
      }
      bucket.append(entry)
      guard bucket.count > Node.bucketLimit, level < Node.lastLevel else { return }
      children = [Node](repeating: Node(), count: 1 << Node.bitsPerLevel)
      for entry in bucket {
        children[Node.child(entry, level)].bucket.append(entry)
      }
      bucket = []
    }

    func find(_ hash: UInt64, _ id: ItemID, in store: ItemStore, level: UInt64) -> Slot? {
      if !children.isEmpty {
        return children[Node.child(hash, level)].find(hash, id, in: store, level: level + 1)
      }
      for index in bucket.indices where (bucket[index] ^ hash) >> 32 == 0 {
        let slot = Slot(rawValue: UInt32(truncatingIfNeeded: bucket[index]))
        if store.id(slot) == id { return slot }
      }
      return nil
    }

    static func child(_ entry: UInt64, _ level: UInt64) -> Int {
      Int(truncatingIfNeeded: entry >> (32 + level * bitsPerLevel)) & 63
    }
  }

  /// The slot of an item.
  ///
  /// - Complexity: O(log *n*) at worst, O(1) for what lists hold
  func slot(of id: ItemID, in store: ItemStore) -> Slot? {
    root.find(IDIndex.hash(id), id, in: store, level: 0)
  }

  mutating func insert(_ id: ItemID, _ slot: Slot) {
    root.insert(IDIndex.hash(id) | UInt64(slot.rawValue), level: 0)
  }

  /// 32 bits of hash in the upper half of the word.
  private static func hash(_ id: ItemID) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(id.high)
    hasher.combine(id.low)
    return UInt64(truncatingIfNeeded: hasher.finalize()) << 32
  }
}

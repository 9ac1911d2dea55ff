/// Item id -> slot: a tree over the bits of a hash, so that it grows without ever being rebuilt
/// and a copy shares all that did not change.
///
/// The hash has secret factors, so nobody can send ids that collide; its order never shows.
struct IDIndex: Sendable {
  private var root = Node()

  init() {}

  /// An index of all items of a store.
  ///
  /// - Complexity: O(*n*)
  init(_ store: ItemStore) {
    var entries: [UInt64] = []
    entries.reserveCapacity(store.count)
    for branch in store.branches {
      for page in branch.pages {
        page.forEachID { entries.append(IDIndex.hash($0) | UInt64(entries.count)) }
      }
    }
    root = Node(entries, 0..<entries.count, level: 0)
  }

  fileprivate struct Node: Sendable {
    /// 64 nodes, or none in a leaf.
    var children: ContiguousArray<Node> = []
    /// In a leaf: the hash in the upper half, the slot in the lower.
    var bucket: ContiguousArray<UInt64> = []

    static let bitsPerLevel: UInt64 = 6
    static let lastLevel: UInt64 = 4
    static let bucketLimit = 64

    init() {}

    /// A node of all entries of a range, which belong into it: distributed at once, because growing
    /// by one entry at a time takes ten times as long.
    init(_ entries: [UInt64], _ range: Range<Int>, level: UInt64) {
      guard range.count > Node.bucketLimit, level < Node.lastLevel else {
        bucket = ContiguousArray(entries[range])
        return
      }
      let width = 1 << Int(Node.bitsPerLevel)
      var ends = [Int](repeating: 0, count: width + 1)
      for index in range { ends[Node.child(entries[index], level: level) + 1] += 1 }
      for child in 0..<width { ends[child + 1] += ends[child] }
      let starts = ends
      var parts = [UInt64](repeating: 0, count: range.count)
      for index in range {
        let child = Node.child(entries[index], level: level)
        parts[ends[child]] = entries[index]
        ends[child] += 1
      }
      children.reserveCapacity(width)
      for child in 0..<width {
        children.append(Node(parts, starts[child]..<starts[child + 1], level: level + 1))
      }
    }

    mutating func insert(_ entry: UInt64, level: UInt64) {
      if !children.isEmpty {
        return children[Node.child(entry, level: level)].insert(entry, level: level + 1)
      }
      if bucket.isEmpty { bucket.reserveCapacity(Node.bucketLimit / 4) }
      bucket.append(entry)
      guard bucket.count > Node.bucketLimit, level < Node.lastLevel else { return }
      children = ContiguousArray<Node>(repeating: Node(), count: 1 << Node.bitsPerLevel)
      for entry in bucket {
        children[Node.child(entry, level: level)].bucket.append(entry)
      }
      bucket = []
    }

    /// Inserts an entry unless its item is there; returns whether it was inserted.
    mutating func claim(
      _ entry: UInt64, of id: ItemID, in store: ItemStore, level: UInt64
    ) -> Bool {
      guard children.isEmpty else {
        return children[Node.child(entry, level: level)].claim(
          entry, of: id, in: store, level: level + 1)
      }
      if bucket.span.find(entry, of: id, in: store) != nil { return false }
      insert(entry, level: level)
      return true
    }

    static func child(_ entry: UInt64, level: UInt64) -> Int {
      Int(truncatingIfNeeded: entry >> (32 + level * bitsPerLevel)) & 63
    }
  }

  /// The slot of an item.
  ///
  /// - Complexity: O(log *n*) at worst, O(1) for what lists hold
  func slot(of id: ItemID, in store: ItemStore) -> Slot? {
    let hash = IDIndex.hash(id)
    return root.children.isEmpty
      ? root.bucket.span.find(hash, of: id, in: store)
      : root.children.span.find(hash, of: id, in: store, level: 0)
  }

  mutating func insert(_ id: ItemID, at slot: Slot) {
    root.insert(IDIndex.hash(id) | UInt64(slot.rawValue), level: 0)
  }

  /// Gives an item a slot unless it has one; returns whether it had none.
  mutating func claim(_ id: ItemID, at slot: Slot, in store: ItemStore) -> Bool {
    root.claim(IDIndex.hash(id) | UInt64(slot.rawValue), of: id, in: store, level: 0)
  }

  /// 32 bits of hash in the upper half of the word.
  ///
  /// Ids of one replica whose numbers are close lie in one bucket, so that items added or merged
  /// one after the other find it in the cache: the 27 lower bits are the hash of a block of 32
  /// numbers, about ten items with one field, and the 5 upper ones tell its ids apart. The hash is
  /// multilinear with secret factors, so that two blocks share it by chance only (Lemire and Kaser,
  /// "Strongly universal string hashing is fast").
  @inline(__always)
  private static func hash(_ id: ItemID) -> UInt64 {
    let factors = factors
    let block = id.low >> 5
    let sum =
      (id.high >> 32 &* factors.0) &+ (id.high & 0xffff_ffff &* factors.1)
      &+ (block >> 32 &* factors.2) &+ (block & 0xffff_ffff &* factors.3)
    // Numbers in a row make sums in a row; mixed, their bits decide evenly at each level.
    let mixed = (sum ^ sum >> 32) &* 0xd6e8_feb8_6659_fd93
    return (id.low & 31) << 59 | (mixed >> 37) << 32
  }

  // Secret per process, unless it asks for hashes that are the same in each.
  private static let factors: (UInt64, UInt64, UInt64, UInt64) = (
    factor(1), factor(2), factor(3), factor(4)
  )

  private static func factor(_ number: Int) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(number)
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }
}

// Reading through spans counts no references on the way down; see OrderWalk.

extension Span where Element == IDIndex.Node {
  fileprivate func find(
    _ hash: UInt64, of id: ItemID, in store: ItemStore, level: UInt64
  ) -> Slot? {
    let child = IDIndex.Node.child(hash, level: level)
    return self[child].children.isEmpty
      ? self[child].bucket.span.find(hash, of: id, in: store)
      : self[child].children.span.find(hash, of: id, in: store, level: level + 1)
  }
}

extension Span where Element == UInt64 {
  @inline(__always)
  fileprivate func find(_ hash: UInt64, of id: ItemID, in store: ItemStore) -> Slot? {
    for index in 0..<count where (self[index] ^ hash) >> 32 == 0 {
      let slot = Slot(rawValue: UInt32(truncatingIfNeeded: self[index]))
      if store.id(slot) == id { return slot }
    }
    return nil
  }
}

extension ReplicatedList: RandomAccessCollection {
  /// The index of the first visible item.
  public var startIndex: Int { 0 }

  /// The number of visible items.
  public var endIndex: Int { order.count }

  /// The visible item at an index; sections follow each other in rising order.
  ///
  /// - Complexity: O(log *n*)
  /// - Precondition: The index is in `0..<count`.
  public subscript(position: Int) -> ListItem { ListItem(self, at: order[position].slot) }

  /// An item by id, removed ones too; `nil` if nothing of it is known.
  ///
  ///     list[id: lunch]?["title"]?.string  // "Lunch"
  ///
  /// - Complexity: O(log *n*)
  public subscript(id id: ItemID) -> ListItem? { slot(id).map { ListItem(self, at: $0) } }

  /// The item whose fields are the list's own metadata.
  ///
  ///     try list.set("name", of: .root, to: "Follow Mexico", by: &me)
  ///     list.metadata["name"]?.string  // "Follow Mexico"
  ///
  /// - Complexity: O(*f*) for its fields
  public var metadata: Fields { slot(.root).map { ListItem(self, at: $0).fields } ?? Fields() }

  /// Whether an item is visible.
  ///
  /// - Complexity: O(log *n*)
  public func contains(id: ItemID) -> Bool {
    slot(id).map { store.record($0).isVisible } ?? false
  }

  /// The index of a visible item; `nil` for any other.
  ///
  /// - Complexity: O(log *n*)
  public func index(id: ItemID) -> Int? {
    guard let slot = slot(id), store.record(slot).isVisible else { return nil }
    return index(of: slot)
  }

  /// Every item of which anything is known, removed ones and the root included, rising by id.
  ///
  /// - Complexity: O(*n* log *n*)
  public func allItems() -> [ListItem] {
    slotsByID().map { ListItem(self, at: $0) }
  }

  func slotsByID() -> [Slot] {
    store.slotsByID ?? (0..<store.count).map { Slot($0) }
  }

  /// The index of an item that is visible, or would be if it were.
  func index(of slot: Slot) -> Int {
    order.lowerBound(store.orderKey(slot), in: store)
  }
}

extension ReplicatedList {
  /// Visits the visible items leaf by leaf, in O(1) each.
  public struct Iterator: IteratorProtocol {
    private let list: ReplicatedList
    private var leaf: ContiguousArray<OrderEntry> = []
    private var offset = 0
    private var nextPlace = 0

    init(_ list: ReplicatedList) { self.list = list }

    /// The next item.
    public mutating func next() -> ListItem? {
      if offset == leaf.count {
        guard nextPlace < list.count else { return nil }
        leaf = list.order.leaf(at: nextPlace).entries
        nextPlace += leaf.count
        offset = 0
      }
      defer { offset += 1 }
      return ListItem(list, at: leaf[offset].slot)
    }
  }

  /// Makes an iterator over the visible items in order.
  public func makeIterator() -> Iterator { Iterator(self) }
}

extension ReplicatedList {
  /// Tells each visible item with its section, in order, without a snapshot of it.
  ///
  /// - Complexity: O(*n*)
  package func forEachPlace(_ body: (_ id: ItemID, _ section: Int64) -> Void) {
    var place = 0
    while place < count {
      let leaf = order.leaf(at: place).entries
      for entry in leaf { body(store.id(entry.slot), store.section(of: entry)) }
      place += leaf.count
    }
  }

  /// The sections that have visible items, rising.
  ///
  /// - Complexity: O(*s* log *n*) for *s* sections
  public var sections: [Int64] {
    var sections: [Int64] = []
    var place = 0
    while place < count {
      let section = self.section(at: place)
      sections.append(section)
      place =
        section == .max ? count : order.lowerBound(.start(of: section + 1, in: store), in: store)
    }
    return sections
  }

  /// The indices of a section's visible items; empty, and where it would be, if it has none.
  ///
  ///     for item in list[list.indices(inSection: 2)] { … }
  ///
  /// - Complexity: O(log *n*)
  public func indices(inSection section: Int64) -> Range<Int> {
    guard let first = order.first, let last = order.last else { return 0..<0 }
    if store.section(of: first) == section, store.section(of: last) == section {
      return 0..<count
    }
    return indices(between: section)
  }

  private func indices(between section: Int64) -> Range<Int> {
    let start = order.lowerBound(.start(of: section, in: store), in: store)
    let end =
      section == .max ? count : order.lowerBound(.start(of: section + 1, in: store), in: store)
    return start..<end
  }

  func section(at place: Int) -> Int64 { store.section(of: order[place]) }
}

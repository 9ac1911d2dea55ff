/// What the order of visible items compares: section, key, item id.
struct OrderKey {
  let section: Int64
  let key: ArraySlice<UInt8>
  let id: ItemID
  let prefix: OrderPrefix

  /// A place, with its prefix as a store's items have theirs.
  init(section: Int64, key: ArraySlice<UInt8>, id: ItemID, in store: ItemStore) {
    self.section = section
    self.key = key
    self.id = id
    prefix = OrderPrefix(OrderCode(section: section, key: key, authors: store.authors))
  }

  /// What stands before every item of a section.
  static func start(of section: Int64, in store: ItemStore) -> OrderKey {
    OrderKey(section: section, key: [], id: .root, in: store)
  }
}

/// An item in the order: its slot, and so much of its place that most comparisons end here.
struct OrderEntry: Sendable {
  let prefix: OrderPrefix
  let slot: Slot
}

extension ItemStore {
  func orderKey(_ slot: Slot) -> OrderKey {
    OrderKey(section: position(slot).section, key: key(slot), id: id(slot), in: self)
  }

  func orderCode(_ slot: Slot) -> OrderCode {
    OrderCode(section: position(slot).section, key: key(slot), authors: authors)
  }

  func orderEntry(_ slot: Slot) -> OrderEntry {
    OrderEntry(prefix: OrderPrefix(orderCode(slot)), slot: slot)
  }

  func section(of entry: OrderEntry) -> Int64 {
    entry.prefix.section ?? position(entry.slot).section
  }

  /// Whether an item of the order stands before a place.
  func precedes(_ entry: OrderEntry, _ other: OrderKey) -> Bool {
    Cost.count(.comparison)
    if entry.prefix != other.prefix { return entry.prefix < other.prefix }
    let section = position(entry.slot).section
    if section != other.section { return section < other.section }
    let comparison = compareBytes(key(entry.slot), other.key)
    return comparison != 0 ? comparison < 0 : id(entry.slot) < other.id
  }

  /// Whether one item of the order stands before another.
  func precedes(_ left: OrderEntry, _ right: OrderEntry) -> Bool {
    if left.prefix != right.prefix {
      Cost.count(.comparison)
      return left.prefix < right.prefix
    }
    return precedes(left, orderKey(right.slot))
  }
}

/// The order of bytes: negative, zero or positive as the left run stands before, is equal to, or
/// stands behind the right one.
func compareBytes(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
  let count = min(left.count, right.count)
  let leftStart = left.startIndex
  let rightStart = right.startIndex
  var offset = 0
  while offset < count {
    let a = left[leftStart + offset]
    let b = right[rightStart + offset]
    if a != b { return a < b ? -1 : 1 }
    offset += 1
  }
  return left.count - right.count
}

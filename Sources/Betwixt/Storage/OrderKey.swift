/// What the order of visible items compares: section, key, item id.
struct OrderKey {
  let section: Int64
  let key: ArraySlice<UInt8>
  let id: ItemID
  let prefix: UInt64

  init(section: Int64, key: ArraySlice<UInt8>, id: ItemID) {
    self.section = section
    self.key = key
    self.id = id
    prefix = OrderEntry.prefix(section: section, key: key)
  }

  /// What stands before every item of a section.
  static func start(of section: Int64) -> OrderKey {
    OrderKey(section: section, key: [], id: .root)
  }
}

/// An item in the order: its slot, and so much of its place that most comparisons end here.
struct OrderEntry: Sendable {
  let prefix: UInt64
  let slot: Slot

  /// 16 bits of the section and the first 48 bits of the key.
  ///
  /// It never orders two places the wrong way round; it only ties where they agree. So a section
  /// that does not fit is all zeros or all ones: its key must not speak before its section has.
  static func prefix(section: Int64, key: ArraySlice<UInt8>) -> UInt64 {
    if section < -32_768 { return .min }
    if section > 32_767 { return .max }
    var prefix = UInt64(truncatingIfNeeded: section + 32_768)
    var index = key.startIndex
    for _ in 0..<6 {
      prefix <<= 8
      if index < key.endIndex {
        prefix |= UInt64(key[index])
        index += 1
      }
    }
    return prefix
  }

  /// The section, if the prefix tells it.
  var section: Int64? {
    let bits = prefix >> 48
    return bits == 0 || bits == 0xffff ? nil : Int64(bits) - 32_768
  }
}

extension ItemStore {
  func orderKey(_ slot: Slot) -> OrderKey {
    OrderKey(section: position(slot).section, key: key(slot), id: id(slot))
  }

  func orderEntry(_ slot: Slot) -> OrderEntry {
    OrderEntry(
      prefix: OrderEntry.prefix(section: position(slot).section, key: key(slot)), slot: slot)
  }

  func section(of entry: OrderEntry) -> Int64 {
    entry.section ?? position(entry.slot).section
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

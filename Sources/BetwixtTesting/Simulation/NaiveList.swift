internal import Betwixt

/// The register model written down as plainly as it can be.
///
/// Registers in dictionaries, each holding the greatest entry; what is on show is sorted anew after
/// each change. Slow, and simple enough to be believed.
struct NaiveList: Sendable {
  struct Item: Hashable, Sendable {
    var life: Entry?
    var position: Entry?
    var others: [Register: Entry] = [:]

    subscript(register: Register) -> Entry? {
      get {
        switch register {
        case .life: life
        case .position: position
        case .field, .other: others[register]
        }
      }
      set {
        switch register {
        case .life: life = newValue
        case .position: position = newValue
        case .field, .other: others[register] = newValue
        }
      }
    }

    var lifeLength: UInt32 {
      if case .life(let length)? = life?.value { length } else { 0 }
    }

    var isAlive: Bool { !lifeLength.isMultiple(of: 2) }

    var place: (section: Int64, key: SortKey)? {
      if case .position(let section, let key)? = position?.value { (section, key) } else { nil }
    }

    /// All entries, rising by register.
    var entries: [Entry] {
      [life, position].compactMap(\.self) + others.values.sorted { $0.register < $1.register }
    }
  }

  /// An item on show.
  struct Place: Hashable, Sendable {
    let section: Int64
    let key: [UInt8]
    let id: ItemID
  }

  private(set) var items: [ItemID: Item] = [:]

  /// Every item that has a register, rising by id, the root left out.
  private(set) var known: [ItemID] = []

  /// The items on show: by section, then key bytes, then id; as of the last ``settle()``.
  private(set) var visible: [Place] = []

  /// How many registers are written.
  private(set) var entryCount = 0

  private var isSettled = true

  // MARK: Joining

  /// Takes an entry; returns whether it is the greatest of its register now and was not before.
  @discardableResult
  mutating func join(_ entry: Entry) -> Bool {
    if items[entry.item] == nil, entry.item != .root {
      known.insert(entry.item, at: known.firstIndex { $0 > entry.item } ?? known.count)
    }
    let present = items[entry.item]?[entry.register]
    if let present, !NaiveList.wins(entry, over: present) { return false }
    if present == nil { entryCount += 1 }
    items[entry.item, default: Item()][entry.register] = entry
    switch entry.register {
    case .life, .position: isSettled = false
    case .field, .other: break
    }
    return true
  }

  mutating func join(_ other: NaiveList) {
    for item in other.items.values {
      for entry in item.entries { join(entry) }
    }
  }

  /// The total order on content: life by its length first, then time, replica, value, number.
  static func wins(_ left: Entry, over right: Entry) -> Bool {
    if case .life(let leftLength) = left.value, case .life(let rightLength) = right.value,
      leftLength != rightLength
    {
      return leftLength > rightLength
    }
    if left.stamp != right.stamp { return left.stamp > right.stamp }
    let (leftBytes, rightBytes) = (left.value.canonicalBytes, right.value.canonicalBytes)
    if leftBytes != rightBytes { return rightBytes.lexicographicallyPrecedes(leftBytes) }
    return left.sequence > right.sequence
  }

  // MARK: Reading

  subscript(item: ItemID, register: Register) -> Entry? { items[item]?[register] }

  func isVisible(_ id: ItemID) -> Bool {
    guard id != .root, let item = items[id] else { return false }
    return item.isAlive && item.position != nil
  }

  func field(_ name: FieldName, of item: ItemID) -> FieldValue? {
    if case .field(let value)? = self[item, .field(name)]?.value { value } else { nil }
  }

  /// All entries, rising by item, then register.
  var entries: [Entry] { items.keys.sorted().flatMap { items[$0]?.entries ?? [] } }

  func visible(in section: Int64) -> [ItemID] {
    visible.filter { $0.section == section }.map(\.id)
  }

  /// Works out what is on show.
  mutating func settle() {
    guard !isSettled else { return }
    isSettled = true
    visible = known.compactMap { id in
      guard let item = items[id], item.isAlive, let place = item.place else { return nil }
      return Place(section: place.section, key: place.key.bytes, id: id)
    }
    visible.sort { left, right in
      if left.section != right.section { return left.section < right.section }
      return left.key != right.key
        ? left.key.lexicographicallyPrecedes(right.key) : left.id < right.id
    }
  }

  /// SHA-256 over a domain, the count of entries, and the sum of their own hashes mod 2^256.
  var digest: [UInt8] {
    var sum = [UInt8](repeating: 0, count: 32)
    for item in items.values {
      for entry in item.entries {
        var carry = 0
        for (place, byte) in SHA256.hash(entry.canonicalBytes).enumerated().reversed() {
          carry += Int(sum[place]) + Int(byte)
          sum[place] = UInt8(carry & 0xff)
          carry >>= 8
        }
      }
    }
    var message = Array("betwixt list 1".utf8) + [0]
    message.appendBigEndian(UInt64(entryCount))
    return SHA256.hash(message + sum)
  }
}

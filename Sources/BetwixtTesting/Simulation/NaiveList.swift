internal import Betwixt

/// The register model written down as plainly as it can be.
///
/// Sorted arrays of items and of their registers, each register holding the greatest entry; what is
/// on show is sorted anew after each change. Simple enough to be believed.
struct NaiveList: Sendable {
  /// What is known of one item.
  struct Item: Hashable, Sendable {
    let id: ItemID

    /// The greatest entry of each register, rising by register.
    fileprivate(set) var entries: [Entry] = []

    subscript(register: Register) -> Entry? {
      let place = place(of: register)
      return holds(register, at: place) ? entries[place] : nil
    }

    /// Where a register is, or would be.
    fileprivate func place(of register: Register) -> Int {
      var (low, high) = (0, entries.count)
      while low < high {
        let middle = (low + high) / 2
        if entries[middle].register < register { low = middle + 1 } else { high = middle }
      }
      return low
    }

    fileprivate func holds(_ register: Register, at place: Int) -> Bool {
      place < entries.count && entries[place].register == register
    }

    var isAlive: Bool {
      if case .life(let length)? = self[.life]?.value { !length.isMultiple(of: 2) } else { false }
    }

    /// Whether its life is later than a removal.
    var wasRemoved: Bool {
      if case .life(let length)? = self[.life]?.value { length > 2 } else { false }
    }

    /// Whether it was removed at or below a floor.
    func isForgotten(below floor: VersionVector) -> Bool {
      guard id != .root, let life = self[.life] else { return false }
      return !isAlive && floor.covers(life.dot)
    }

    /// Takes an entry of one delta, of which several of a register are the same.
    fileprivate mutating func note(_ entry: Entry) {
      let place = place(of: entry.register)
      if !holds(entry.register, at: place) { entries.insert(entry, at: place) }
    }

    /// Drops what a floor takes.
    fileprivate mutating func forget(below floor: VersionVector) {
      guard isForgotten(below: floor) else { return }
      entries.removeAll { $0.register != .life && floor.covers($0.dot) }
    }

    var place: (section: Int64, key: SortKey)? {
      guard case .position(let section, let key)? = self[.position]?.value else { return nil }
      return (section, key)
    }
  }

  /// An item on show.
  struct Place: Hashable, Sendable {
    let section: Int64
    let key: [UInt8]
    let id: ItemID
  }

  /// Every item that has a register, rising by id.
  private(set) var items: [Item] = []

  /// The items on show: by section, then key bytes, then id; as of the last ``settle()``.
  private(set) var visible: [Place] = []

  /// How many registers are written.
  private(set) var entryCount = 0

  /// Up to where it has forgotten what removed items held.
  private(set) var floor = VersionVector()

  private var isSettled = true

  init() {}

  /// What a list holds.
  init(_ list: ReplicatedList) {
    for item in list.allItems() {
      let entries = item.entries
      entryCount += entries.count
      items.append(Item(id: item.id, entries: entries))
    }
    floor = list.floor
    isSettled = false
  }

  // MARK: Joining

  /// Takes an entry; returns whether it is the greatest of its register now and was not before.
  @discardableResult
  mutating func join(_ entry: Entry) -> Bool {
    let place = place(of: entry.item)
    if !holds(entry.item, at: place) { items.insert(Item(id: entry.item), at: place) }
    let register = items[place].place(of: entry.register)
    if items[place].holds(entry.register, at: register) {
      guard NaiveList.wins(entry, over: items[place].entries[register]) else { return false }
      items[place].entries[register] = entry
    } else {
      items[place].entries.insert(entry, at: register)
      entryCount += 1
    }
    if entry.register == .life || entry.register == .position { isSettled = false }
    return true
  }

  /// The entries that another model does not hold.
  func entries(since before: NaiveList) -> [Entry] {
    items.flatMap { item in
      let old = before[item.id]
      return old == item ? [] : item.entries.filter { old?[$0.register] != $0 }
    }
  }

  /// Takes all that another list holds.
  mutating func join(_ other: NaiveList) {
    for item in other.items {
      let place = place(of: item.id)
      if !holds(item.id, at: place) {
        items.insert(item, at: place)
        entryCount += item.entries.count
        isSettled = false
      } else if items[place] != item {
        for entry in item.entries { join(entry) }
      }
    }
  }

  // MARK: Forgetting

  /// Joins a floor, and drops what it takes.
  mutating func raise(to other: VersionVector) {
    floor.formUnion(other)
    for place in items.indices { forget(at: place) }
  }

  private mutating func forget(at place: Int) {
    let before = items[place].entries.count
    items[place].forget(below: floor)
    guard items[place].entries.count < before else { return }
    entryCount -= before - items[place].entries.count
    isSettled = false
  }

  /// Takes what a delta brings, as a list does: the floor first, then of each item what is left of
  /// it under the floor, its life before all else.
  mutating func take(_ entries: [Entry], floor other: VersionVector) {
    if !other.isEmpty { raise(to: other) }
    guard !floor.isEmpty else {
      for entry in entries { join(entry) }
      return
    }
    var news: [ItemID: Item] = [:]
    for entry in entries { news[entry.item, default: Item(id: entry.item)].note(entry) }
    for (id, var item) in news.sorted(by: { $0.key < $1.key }) {
      item.forget(below: floor)
      if let life = item[.life] { join(life) }
      if holds(id, at: place(of: id)) { forget(at: place(of: id)) }
      for entry in item.entries where entry.register != .life {
        let isLate = self[id]?.isForgotten(below: floor) == true && floor.covers(entry.dot)
        if !isLate { join(entry) }
      }
    }
  }

  /// Where an item is, or would be.
  private func place(of id: ItemID) -> Int {
    var (low, high) = (0, items.count)
    while low < high {
      let middle = (low + high) / 2
      if items[middle].id < id { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private func holds(_ id: ItemID, at place: Int) -> Bool {
    place < items.count && items[place].id == id
  }

  /// The total order on content: life by its length first, then time, replica, value, number.
  static func wins(_ left: Entry, over right: Entry) -> Bool {
    if case .life(let leftLength) = left.value, case .life(let rightLength) = right.value,
      leftLength != rightLength
    {
      return leftLength > rightLength
    }
    if left.stamp != right.stamp { return left.stamp > right.stamp }
    if left.value == right.value { return left.sequence > right.sequence }
    let (leftBytes, rightBytes) = (left.value.canonicalBytes, right.value.canonicalBytes)
    return rightBytes.lexicographicallyPrecedes(leftBytes)
  }

  // MARK: Reading

  subscript(id: ItemID) -> Item? {
    let place = place(of: id)
    return holds(id, at: place) ? items[place] : nil
  }

  subscript(item: ItemID, register: Register) -> Entry? { self[item]?[register] }

  /// Every item that has a register, rising by id, the root left out.
  var known: ArraySlice<Item> { holds(.root, at: 0) ? items.dropFirst() : items[...] }

  func isVisible(_ id: ItemID) -> Bool {
    guard id != .root, let item = self[id] else { return false }
    return item.isAlive && item.place != nil
  }

  /// All entries, rising by item, then register.
  var entries: [Entry] { items.flatMap(\.entries) }

  /// The entries that somebody with these claims lacks, who has forgotten something or nothing: of an
  /// item that was restored since all, where one of the two has forgotten anything.
  func entries(above version: VersionVector, floor other: VersionVector = [:]) -> [Entry] {
    let forgets = !version.isEmpty && !(floor.isEmpty && other.isEmpty)
    var entries: [Entry] = []
    for item in items {
      let isWhole =
        forgets && item.wasRemoved && item[.life].map { !version.covers($0.dot) } ?? false
      for entry in item.entries where isWhole || !version.covers(entry.dot) {
        entries.append(entry)
      }
    }
    return entries
  }

  func visible(in section: Int64) -> [ItemID] {
    visible.filter { $0.section == section }.map(\.id)
  }

  /// Works out what is on show.
  mutating func settle() {
    guard !isSettled else { return }
    isSettled = true
    visible = known.compactMap { item in
      guard item.isAlive, let place = item.place else { return nil }
      return Place(section: place.section, key: place.key.bytes, id: item.id)
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
    for item in items {
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

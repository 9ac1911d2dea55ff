import Betwixt

/// Where the items of a plain file go that do not stand where its base has them.
///
/// Where all keys of a day were made from numbers, and numbers are places, they say where things are:
/// an item with another one has another place. Elsewhere, and where the file has dropped the numbers,
/// they only show an order, which is edited by moving some items among the others, whatever that does
/// to numbers: as many items as possible stay, rather those whose numbers stayed, and only the others
/// get keys: that of their number where it puts them between the same neighbours in the list, else one
/// directly below the neighbour above.
struct PlainPlaces {
  private var keys: [ItemID: SortKey] = [:]
  private let skipsKnown: Bool

  /// Where an item goes; `nil` if it stays.
  subscript(item: PlainItem) -> RegisterValue? {
    keys[item.id].map { .position(section: item.place.section, key: $0) }
  }

  /// - Parameters:
  ///   - items: The items of the file.
  ///   - ground: What the file is compared with, and the list that takes them in.
  ///   - staying: Items that stay wherever the file has them.
  ///   - isTaken: Whether the place of an item counts if it is another one.
  /// - Complexity: O(*n* log *n*)
  init(
    of items: [PlainItem], in ground: ImportGround, staying: Set<ItemID>,
    where isTaken: (PlainItem) -> Bool
  ) {
    let view = ground.view
    skipsKnown = ground.skipsKnown
    var old: [ItemID: Int] = [:]
    for index in view.items.indices { old[view.items[index].id] = index }
    var days: [Int64: [PlainItem]] = [:]
    for item in items where !staying.contains(item.id) {
      days[item.place.section, default: []].append(item)
    }
    for (section, day) in days {
      let changed = day.filter { item in
        guard let index = old[item.id] else { return true }
        return !view.items[index].stands(at: item.place)
      }
      guard changed.contains(where: isTaken) else { continue }
      let known = SectionKeys(ground.list, section: section)
      // Who is elsewhere by now was moved there by somebody who knew of no new number here.
      let areHere = changed.allSatisfy { item in
        old[item.id].map { view.items[$0].section != section } ?? true
          || known.key(of: item.id) != nil
      }
      // An item that lost its number has one that was counted from the order of the file.
      let isCounted = changed.contains { item in
        item.place.origin == .appended
          && old[item.id].map { view.items[$0].section == section } ?? false
      }
      if ground.hasPlaceNumbers, known.areNumbers, areHere, !isCounted {
        for item in changed where isTaken(item) { keys[item.id] = item.numberKey }
      } else {
        place(day, in: view, at: old, among: known, where: isTaken)
      }
    }
  }

  private mutating func place(
    _ day: [PlainItem], in view: PlainView, at old: [ItemID: Int], among known: SectionKeys,
    where isTaken: (PlainItem) -> Bool
  ) {
    let day = day.sorted(by: PlainPlaces.precedes)
    let stays = PlainPlaces.staying(day, in: view, at: old)
    let moves = day.indices.filter { !stays[$0] && isTaken(day[$0]) }
    if moves.isEmpty { return }
    let skipsKnown = skipsKnown
    place(day, moves: Set(moves), stays: stays, among: known) { item in
      skipsKnown
        && old[item.id].map { !PlainPlaces.isGameAtAnotherTime(item, than: view.items[$0]) } ?? true
    }
  }

  private static func precedes(_ left: PlainItem, _ right: PlainItem) -> Bool {
    left.place.number != right.place.number
      ? left.place.number < right.place.number : PlainNumbers.precedes(left.id, right.id)
  }

  /// Which items of a day stand as the base has them.
  private static func staying(
    _ day: [PlainItem], in view: PlainView, at old: [ItemID: Int]
  ) -> [Bool] {
    var common: [(place: Int, index: Int, isSame: Bool)] = []
    for (place, item) in day.enumerated() {
      guard let index = old[item.id], view.items[index].section == item.place.section,
        !isGameAtAnotherTime(item, than: view.items[index])
      else { continue }
      common.append((place, index, view.items[index].number == item.place.number))
    }
    var stays = [Bool](repeating: false, count: day.count)
    // As many as possible, and of so many rather those whose numbers stayed.
    let weight = 2 * Int64(common.count)
    let rise = Rise.heaviest(common.map { ($0.index, weight + ($0.isSame ? 1 : 0)) })
    for place in rise {
      stays[common[place].place] = true
    }
    return stays
  }

  // The numbers of games are their starts.
  private static func isGameAtAnotherTime(_ item: PlainItem, than old: PlainViewItem) -> Bool {
    guard let start = item.fields.first(where: { $0.name == .start })?.value else { return false }
    return old.member(FieldName.start.text)?.value != start && old.number != item.place.number
  }

  private mutating func place(
    _ day: [PlainItem], moves: Set<Int>, stays: [Bool], among known: SectionKeys,
    keeping isKept: (PlainItem) -> Bool
  ) {
    var known = known
    for index in moves { known.remove(day[index].id) }
    let anchors = known.rise(of: day.indices.filter { stays[$0] }.map { ($0, day[$0].id) })
    var place = 0
    for index in day.indices {
      while place < anchors.count, anchors[place] < index { place += 1 }
      guard moves.contains(index) else { continue }
      let above = place > 0 ? known.key(of: day[anchors[place - 1]].id) : nil
      let below = place < anchors.count ? known.key(of: day[anchors[place]].id) : nil
      // Somebody has moved it there already, perhaps by taking in the same file.
      if isKept(day[index]), let held = known.key(of: day[index].id),
        known.isFree(held, above: above, below: below)
      {
        known.lastPlaced = held
        continue
      }
      if let key = known.key(for: day[index], above: above, below: below) {
        keys[day[index].id] = key
        known.lastPlaced = key
      }
    }
  }
}

/// The keys of a day of the list, rising, and which of them moved away.
private struct SectionKeys {
  private var ids: [ItemID] = []
  private var keys: [SortKey] = []
  private var places: [ItemID: Int] = [:]
  private var removed: Set<ItemID> = []

  /// Whether all of them were made from numbers.
  private(set) var areNumbers = true

  /// The key that was given last, which the next one stands below.
  var lastPlaced: SortKey?

  init(_ list: ReplicatedList, section: Int64) {
    for item in list[list.indices(inSection: section)] {
      guard let key = item.key else { continue }
      places[item.id] = ids.count
      ids.append(item.id)
      keys.append(key)
      areNumbers =
        areNumbers && key == (try? SortKey(importing: key.approximateSortOrder, of: item.id))
    }
  }

  mutating func remove(_ id: ItemID) { removed.insert(id) }

  func key(of id: ItemID) -> SortKey? { places[id].map { keys[$0] } }

  /// Which of some items of the file stand here in the same order.
  func rise(of items: [(index: Int, id: ItemID)]) -> [Int] {
    let here = items.compactMap { item in places[item.id].map { (item.index, $0) } }
    return Rise.longest(here.map { $0.1 }).map { here[$0].0 }
  }

  /// The key that the next one stands below: of the neighbour above, or what was placed there.
  private func low(_ above: SortKey?) -> SortKey? {
    guard let lastPlaced, above.map({ $0 < lastPlaced }) ?? true else { return above }
    return lastPlaced
  }

  /// Whether a key is between two neighbours.
  func isFree(_ key: SortKey, above: SortKey?, below: SortKey?) -> Bool {
    (low(above).map { $0 < key } ?? true) && (below.map { key < $0 } ?? true)
  }

  /// A key between two neighbours: that of the item's number, else one directly below the upper one.
  func key(for item: PlainItem, above: SortKey?, below: SortKey?) -> SortKey? {
    var low = low(above)
    let number = item.numberKey
    if let number, isFree(number, above: above, below: below) { return number }
    var high = low.flatMap { first(above: $0) } ?? below
    if low == nil, let below {
      low = last(below: below)
      high = below
    }
    return (try? SortKey.between(low, high, replica: author(of: item.id, low, high), counter: 1))
      ?? number
  }

  /// Nobody else makes keys under this name: it is made from the item and where it goes.
  private func author(of id: ItemID, _ low: SortKey?, _ high: SortKey?) -> ReplicaID {
    var bytes = Array("import place".utf8) + [0]
    for half in [id.high, id.low] {
      bytes += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> $0) }
    }
    bytes += (low?.bytes ?? []) + [0] + (high?.bytes ?? [])
    return ReplicaID(rawValue: UInt64(bigEndianBytes: SHA256.hash(bytes)[..<8]))
  }

  private func first(above key: SortKey) -> SortKey? {
    var place = lowerBound(key)
    while place < keys.count, keys[place] <= key || removed.contains(ids[place]) { place += 1 }
    return place < keys.count ? keys[place] : nil
  }

  private func last(below key: SortKey) -> SortKey? {
    var place = lowerBound(key) - 1
    while place >= 0, removed.contains(ids[place]) { place -= 1 }
    return place >= 0 ? keys[place] : nil
  }

  private func lowerBound(_ key: SortKey) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension PlainItem {
  /// The key of its number.
  fileprivate var numberKey: SortKey? { try? SortKey(importing: place.number, of: id) }
}

extension PlainViewItem {
  fileprivate func stands(at place: PlainPlace) -> Bool {
    section == place.section && number == place.number
  }
}

import Betwixt

/// Which items stand where another list shows them, whatever their keys are.
///
/// A plain file has numbers in place of keys, so one that nobody edited gives every item another
/// position that puts it where it was. If some items were moved, those that surely were not stand
/// where they stood, and of the others as many as possible.
struct SamePlaces {
  private let items: Set<ItemID>

  /// Two lists of which one was made from the other: who has one position in both was not moved.
  ///
  /// - Complexity: O(*n* log *n*)
  init(_ left: ReplicatedList, _ right: ReplicatedList) {
    self.init(left, right) { $0 == $1 }
  }

  /// - Parameters:
  ///   - left: One list.
  ///   - right: The other.
  ///   - isUnmoved: Whether an item with these positions was surely not moved.
  /// - Complexity: O(*n* log *n*)
  init(
    _ left: ReplicatedList, _ right: ReplicatedList,
    where isUnmoved: (_ left: Entry, _ right: Entry) -> Bool
  ) {
    var places: [ItemID: (index: Int, section: Int64)] = [:]
    var index = 0
    right.forEachPlace { (id, section) in
      places[id] = (index, section)
      index += 1
    }
    var common: [(id: ItemID, index: Int)] = []
    left.forEachPlace { (id, section) in
      if let place = places[id], place.section == section { common.append((id, place.index)) }
    }
    guard zip(common, common.dropFirst()).contains(where: { $0.index > $1.index }) else {
      items = Set(common.map { $0.id })
      return
    }
    let weighted = common.map { item in
      let address = RegisterAddress(item.id, register: .position)
      let isSure =
        left.entry(at: address).flatMap { mine in
          right.entry(at: address).map { isUnmoved(mine, $0) }
        } ?? false
      return (index: item.index, weight: isSure ? Int64(common.count) + 1 : 1)
    }
    items = Set(Rise.heaviest(weighted).map { common[$0].id })
  }

  /// Whether both show an item, and neither its day nor its order among the others is another.
  func contains(_ id: ItemID) -> Bool { items.contains(id) }
}

import Betwixt

/// Which items stand where another list shows them, whatever their keys are.
///
/// A plain file has numbers in place of keys, so one that nobody edited gives every item another
/// position that puts it where it was. If some items were moved, the others are as many as possible:
/// a longest common subsequence of both orders.
struct SamePlaces {
  private let items: Set<ItemID>

  /// - Complexity: O(*n* log *n*)
  init(_ left: ReplicatedList, _ right: ReplicatedList) {
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
    items = Set(TripComparison.longestRise(common.map { $0.index }).map { common[$0].id })
  }

  /// Whether both show an item, and neither its day nor its order among the others is another.
  func contains(_ id: ItemID) -> Bool { items.contains(id) }
}

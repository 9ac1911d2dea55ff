import Betwixt

/// How the id of an item is written in a block: the first of these forms that it has.
enum ItemForm: Equatable {
  /// The first half is that of the item before, the second half greater by this.
  case near(UInt64)

  /// The first half is a replica of the block's table; the second one follows.
  case replica(row: Int)

  /// The first half follows in full, the second one as a number below 2^56.
  case family

  /// Both halves follow in full.
  case whole

  /// From this difference on an id is no longer near.
  static let farAway: UInt64 = 1 << 62

  /// By how much an id is greater than the one before it, if they are near each other.
  @inline(__always)
  static func difference(_ item: ItemID, after last: ItemID) -> UInt64? {
    guard last.high == item.high, item.low &- last.low < farAway else { return nil }
    return item.low &- last.low
  }

  init(_ item: ItemID, after last: ItemID?, in names: BlockNames) {
    if let last, let difference = ItemForm.difference(item, after: last) {
      self = .near(difference)
    } else if let row = names.replicas.sortedIndex(of: ReplicaID(rawValue: item.high)) {
      self = .replica(row: row)
    } else {
      self = item.low < ItemID.numberLimit ? .family : .whole
    }
  }

  /// What the id begins with.
  var code: UInt64 {
    switch self {
    case .near(let difference): difference << 1 | 1
    case .replica(let row): UInt64(row + 2) << 1
    case .family: 2
    case .whole: 0
    }
  }
}

extension ItemID {
  /// Second halves from here on are no numbers, but bits of some other id.
  fileprivate static let numberLimit: UInt64 = 1 << 56

  /// The second half, if it may be the number of the write that made the item.
  var number: Int64? { low > 0 && low < ItemID.numberLimit ? Int64(low) : nil }
}

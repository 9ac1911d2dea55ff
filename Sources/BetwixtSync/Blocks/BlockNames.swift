import Betwixt

/// The numbers that a block writes once and names by their row from then on: first replicas, then
/// the first halves that several items' ids share.
struct BlockNames {
  /// Those of entries, ranges and knowledge, rising.
  private(set) var replicas: [ReplicaID] = []

  /// First halves of two or more items' ids that are no replicas above, rising.
  private(set) var families: [ReplicaID] = []

  init() {}

  init(replicas: [ReplicaID], families: [ReplicaID]) {
    self.replicas = replicas
    self.families = families
  }

  /// The names for replicas, in any order and more than once, and the items of a delta.
  init(replicas used: [ReplicaID], itemsOf delta: Delta) {
    for replica in used.sorted() where replicas.last != replica { replicas.append(replica) }
    var last: ItemID?
    for row in delta.rows where row.item != last {
      let half = ReplicaID(rawValue: row.item.high)
      // Items rise, so those that share a half stand together.
      if let last, last.high == row.item.high, families.last != half,
        replicas.sortedIndex(of: half) == nil
      {
        families.append(half)
      }
      last = row.item
    }
  }

  var count: Int { replicas.count + families.count }

  subscript(row: Int) -> ReplicaID {
    row < replicas.count ? replicas[row] : families[row - replicas.count]
  }

  /// The row of a number; `nil` if it has none.
  ///
  /// - Complexity: O(log *n*)
  func row(of number: ReplicaID) -> Int? {
    replicas.sortedIndex(of: number)
      ?? families.sortedIndex(of: number).map { replicas.count + $0 }
  }
}

extension [ReplicaID] {
  /// The index of a replica in an array that rises.
  ///
  /// - Complexity: O(log *n*)
  func sortedIndex(of replica: ReplicaID) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < replica { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == replica ? low : nil
  }
}

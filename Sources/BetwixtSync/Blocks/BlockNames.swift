import Betwixt

/// The numbers that a block writes once and names by their row from then on: its replicas, in a
/// table, and behind those the authors of keys that are none of them, each once it was written.
struct BlockNames {
  /// Those of entries, ranges, knowledge and floor, rising.
  private(set) var replicas: [ReplicaID] = []

  private var learned: [ReplicaID] = []
  private var learnedRows: [ReplicaID: UInt32] = [:]

  init() {}

  /// The names of replicas, in any order and more than once.
  init(replicas used: [ReplicaID]) {
    for replica in used.sorted() where replicas.last != replica { replicas.append(replica) }
  }

  var count: Int { replicas.count + learned.count }

  subscript(row: Int) -> ReplicaID {
    row < replicas.count ? replicas[row] : learned[row - replicas.count]
  }

  /// The row of a number; `nil` if it has none yet.
  ///
  /// - Complexity: O(log *n*)
  func row(of number: ReplicaID) -> Int? {
    if let row = replicas.sortedIndex(of: number) { return row }
    return learnedRows.isEmpty ? nil : learnedRows[number].map { Int($0) }
  }

  /// Gives the next row to a number that has none.
  mutating func learn(_ number: ReplicaID) {
    learnedRows[number] = UInt32(truncatingIfNeeded: count)
    learned.append(number)
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

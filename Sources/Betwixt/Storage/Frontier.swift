/// For each replica, the number of its newest write among some items.
///
/// It tells `delta(since:)` which pages cannot hold anything a peer lacks. The numbers are upper
/// bounds: a write that was replaced keeps counting.
struct Frontier: Sendable {
  struct Mark: Sendable {
    var replica: UInt32
    var sequence: Int64
  }

  // Rising by replica.
  private(set) var marks: [Mark] = []

  @inline(__always)
  mutating func note(_ replica: UInt32, sequence: Int64) {
    if let last = marks.last, last.replica == replica {
      if sequence > last.sequence { marks[marks.count - 1].sequence = sequence }
    } else {
      noteAmongOthers(replica, sequence: sequence)
    }
  }

  private mutating func noteAmongOthers(_ replica: UInt32, sequence: Int64) {
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].replica < replica { low = middle + 1 } else { high = middle }
    }
    if low < marks.count, marks[low].replica == replica {
      if sequence > marks[low].sequence { marks[low].sequence = sequence }
    } else {
      marks.insert(Mark(replica: replica, sequence: sequence), at: low)
    }
  }

  /// Whether any of the writes is above what `known` holds for its replica.
  func exceeds(_ known: [Int64]) -> Bool {
    for mark in marks where mark.sequence > known[Int(mark.replica)] { return true }
    return false
  }

  /// Whether a replica's newest write is above a number.
  func exceeds(_ sequence: Int64, of replica: UInt32) -> Bool {
    for mark in marks where mark.replica == replica { return mark.sequence > sequence }
    return false
  }
}

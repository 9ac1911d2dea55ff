/// For each replica, the number of its newest write among some items.
///
/// It tells `delta(since:)` which pages cannot hold anything a peer lacks. The numbers are upper
/// bounds: a write that was replaced keeps counting. Of more than a thousand replicas none is told
/// apart any more: then anything may be new.
struct Frontier: Sendable {
  struct Mark: Sendable {
    var replica: UInt32
    var sequence: Int64
  }

  // Rising by replica; one mark of nobody stands for all when there are too many.
  private(set) var marks: [Mark] = []

  // Each replica that is new is put among the others, which for hundreds of thousands, as somebody may
  // invent them, takes seconds.
  private static let limit = 1_024
  private static let nobody = Mark(replica: .max, sequence: .max)

  init() {}

  /// Takes marks that rise by replica.
  init(marks: [Mark]) { self.marks = marks }

  private var isFull: Bool { marks.last?.replica == Frontier.nobody.replica }

  @inline(__always)
  mutating func note(_ replica: UInt32, sequence: Int64) {
    if let last = marks.last, last.replica == replica {
      if sequence > last.sequence { marks[marks.count - 1].sequence = sequence }
    } else {
      noteAmongOthers(replica, sequence: sequence)
    }
  }

  /// Notes all that another one knows.
  mutating func note(_ other: Frontier) {
    if other.isFull {
      self = other
    } else {
      for mark in other.marks { note(mark.replica, sequence: mark.sequence) }
    }
  }

  private mutating func noteAmongOthers(_ replica: UInt32, sequence: Int64) {
    if isFull { return }
    var low = 0
    var high = marks.count
    while low < high {
      let middle = (low + high) / 2
      if marks[middle].replica < replica { low = middle + 1 } else { high = middle }
    }
    if low < marks.count, marks[low].replica == replica {
      if sequence > marks[low].sequence { marks[low].sequence = sequence }
    } else if marks.count == Frontier.limit {
      marks = [Frontier.nobody]
    } else {
      marks.insert(Mark(replica: replica, sequence: sequence), at: low)
    }
  }

  /// Whether any of the writes is above what `known` holds for its replica.
  func exceeds(_ known: [Int64]) -> Bool {
    if isFull { return true }
    for mark in marks where mark.sequence > known[Int(mark.replica)] { return true }
    return false
  }

  /// Whether a replica's newest write is above a number.
  func exceeds(_ sequence: Int64, of replica: UInt32) -> Bool {
    if isFull { return true }
    for mark in marks where mark.replica == replica { return mark.sequence > sequence }
    return false
  }
}

/// Names with times, the earliest first: a binary heap.
///
/// An entry stays until its time has come, also if nobody waits for it any more.
struct TimerQueue<Name: Comparable & Sendable>: Sendable {
  private typealias Entry = (time: Int64, name: Name)

  private var entries: [Entry] = []

  /// How many entries there are, those that nobody waits for included.
  var count: Int { entries.count }

  /// The earliest time.
  var earliest: Int64? { entries.first?.time }

  /// - Complexity: O(log *n*)
  mutating func insert(_ name: Name, at time: Int64) {
    var child = entries.count
    entries.append((time, name))
    while child > 0 {
      let parent = (child - 1) / 2
      guard Self.isBefore(entries[child], entries[parent]) else { return }
      entries.swapAt(child, parent)
      child = parent
    }
  }

  /// Takes out the earliest entry if its time has come.
  ///
  /// - Complexity: O(log *n*)
  mutating func next(at now: Int64) -> (time: Int64, name: Name)? {
    guard let first = entries.first, first.time <= now, let last = entries.popLast() else {
      return nil
    }
    guard !entries.isEmpty else { return first }
    entries[0] = last
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < entries.count && Self.isBefore(entries[child], entries[least]) {
        least = child
      }
      guard least != parent else { return first }
      entries.swapAt(parent, least)
      parent = least
    }
  }

  /// Keeps the entries that somebody waits for.
  ///
  /// - Complexity: O(*n* log *n*)
  mutating func keep(_ isAwaited: (Name, Int64) -> Bool) {
    // What is in order is a heap.
    entries = entries.filter { isAwaited($0.name, $0.time) }.sorted(by: Self.isBefore)
  }

  // Names of one time in their own order, so that a run can be repeated.
  private static func isBefore(_ left: Entry, _ right: Entry) -> Bool {
    left.time != right.time ? left.time < right.time : left.name < right.name
  }
}

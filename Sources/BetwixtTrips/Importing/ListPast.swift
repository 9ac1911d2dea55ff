import Betwixt

/// What of a list is known to have been there when a base was made of it.
///
/// A base with history says that itself. Another one shows items, and who had made one of those had
/// made then all that they made before; an import makes its items at once. Values tell nothing: one
/// that was changed and changed back is later than it looks.
struct ListPast {
  private var version: VersionVector?
  private var newest: [ReplicaID: Int64] = [:]

  /// Nothing is known.
  init() {}

  /// - Parameter base: A base with history.
  init(of base: ReplicatedList) { version = base.version }

  /// - Parameters:
  ///   - base: What a base without history shows.
  ///   - list: The list.
  /// - Complexity: O(*n* log *n*)
  init(shownBy base: ReplicatedList, of list: ReplicatedList) {
    for item in base.allItems() {
      guard let made = list[id: item.id]?.entries.first(where: { $0.isOfBirth }) else { continue }
      let time = made.stamp.time.milliseconds
      newest[made.stamp.replica] = max(newest[made.stamp.replica] ?? time, time)
    }
  }

  /// Whether an entry was there for sure.
  func holds(_ entry: Entry) -> Bool {
    if let version { return version.covers(entry.dot) }
    return newest[entry.stamp.replica].map { entry.stamp.time.milliseconds <= $0 } ?? false
  }

  /// Whether an item was there for sure, whatever it was like.
  func holds(_ item: ListItem) -> Bool { item.entries.contains { holds($0) } }

  /// Whether an entry is nobody's edit since: it was there, or came with a file without times.
  func explains(_ entry: Entry) -> Bool {
    entry.stamp.time.milliseconds == 0 || holds(entry)
  }
}

extension Entry {
  /// Whether it was written when its item was made: a life that was ended, or begun again, may be so
  /// since, and a place that came with a file without times has its time no more once it is another.
  var isOfBirth: Bool {
    switch (register, value) {
    case (.life, .life(1)): true
    case (.position, _): stamp.time == .zero
    default: false
    }
  }
}

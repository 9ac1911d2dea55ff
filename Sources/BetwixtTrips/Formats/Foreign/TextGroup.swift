import Betwixt

/// The rows of a text, and the items that they may mean.
struct TextGroup {
  var rows: [Int] = []
  /// Those of them that the file lacks whose base they are.
  var gone: [Int] = []
  /// Whether the file says where all of them stand.
  var isPlaced = true
  /// What was made of rows of the text.
  var series: [TextItem] = []
  /// What may have been made of the rows that a file of this base has anew.
  var added: [TextItem] = []
  /// What else is called so, and was made of no row of the file.
  var strangers: [TextItem] = []
  /// What is called so, and was made of a row of another text.
  var renamed: [TextItem] = []
  /// What must have been made of a file with more rows of the text than this one has.
  var later: Set<ItemID> = []
  /// What a file has taken out that had the rows for its base.
  private(set) var takenOut: [TextItem] = []
  /// What stays where a row is gone, as it may be younger than that.
  private(set) var unsure: [ItemID] = []
  /// Where the items stand in the order in which they were made, as far as anybody knows.
  private(set) var ages: [ItemID: Int] = [:]

  /// What may be meant first of all: of the list as it was what was made first, whatever a file that
  /// came back since has moved, so that the same file means the same items once more.
  func candidates(from origin: RowOrigin) -> [TextItem] {
    let all = series + strangers
    guard origin.isEarlierList else { return all }
    let dated = all.filter { $0.hasBirth }
    return dated.sorted { ($0.birth, $0.id) < ($1.birth, $1.id) } + all.filter { !$0.hasBirth }
  }

  // MARK: The list as it was

  /// Leaves out what was made since the list had as many of the text as there are rows.
  ///
  /// - Parameters:
  ///   - rows: All rows.
  ///   - isHeld: Whether an item was there for sure.
  mutating func leaveOutYounger(rows: [TextRow], isHeld: (TextItem) -> Bool) {
    takeBackAdded(rows)
    if (series + strangers).count(where: { $0.isVisible && !later.contains($0.id) })
      >= self.rows.count
    {
      series.removeAll { $0.isVisible && later.contains($0.id) }
    }
    let removed = candidatesToGo(rows).prefix(gone.count)
    // Of what came with a file nobody knows when.
    let visible = (series + strangers).filter { $0.isVisible }
    var known = visible.filter { $0.hasBirth }
    var count = self.rows.count
    if !removed.isEmpty {
      count -= visible.count { !$0.hasBirth || isHeld($0) }
      known.removeAll(where: isHeld)
    }
    let ranked = (known + removed).sorted { one, other in
      one.birth != other.birth ? one.birth < other.birth : one.id < other.id
    }
    let meant = ranked.prefix(max(0, count))
    takenOut = meant.filter { !$0.isVisible }
    guard ranked.count > meant.count else { return rank() }
    let left = ranked.dropFirst(meant.count).filter { $0.isVisible }
    if !takenOut.isEmpty { unsure = left.filter { isLikeGone($0, rows) }.map { $0.id } }
    let younger = Set(left.map { $0.id })
    series.removeAll { younger.contains($0.id) }
    strangers.removeAll { younger.contains($0.id) }
    rank()
  }

  private mutating func rank() {
    for (age, item) in candidates(from: .earlierList(nil)).enumerated() { ages[item.id] = age }
  }

  /// What a file can have taken out for one of the rows that are gone, the oldest first.
  private func candidatesToGo(_ rows: [TextRow]) -> [TextItem] {
    guard !gone.isEmpty else { return [] }
    let items = (series + strangers).filter { $0.isTakenOut && isLikeGone($0, rows) }
    return items.sorted { ($0.birth, $0.id) < ($1.birth, $1.id) }
  }

  /// Whether an item may be one of the rows that are gone; of many only the first are looked at.
  private func isLikeGone(_ item: TextItem, _ rows: [TextRow]) -> Bool {
    gone.prefix(TextGroup.lookCount).contains { row in
      item.isPlaced(by: rows[row]) && TextLikeness(rows[row], item).isPossible
    }
  }

  // Thousands of rows of one text would take thousands of looks each.
  private static let lookCount = 64

  /// Takes what has the identity of a new row for one that was there before, where the list would have
  /// too few else: the identity may be that of an item of a longer file before.
  private mutating func takeBackAdded(_ rows: [TextRow]) {
    let all = series + strangers
    let visible = all.filter { $0.isVisible }
    let shortage = self.rows.count - visible.count
    guard shortage > 0, !added.isEmpty else { return }
    let back = Array(added.filter { $0.isVisible }.prefix(shortage))
    var counts: [TextContent: Int] = [:]
    for row in self.rows { counts[rows[row].content, default: 0] += 1 }
    for item in visible + back { counts[item.content, default: 0] -= 1 }
    if counts.values.allSatisfy({ $0 == 0 }) {
      series += back
    } else {
      // What was removed here is what lacks, and of what a file took out no more than is gone.
      let takenCount = all.count { $0.isTakenOut }
      let removedCount = all.count - visible.count - takenCount + min(takenCount, gone.count)
      series += back.prefix(max(0, shortage - removedCount))
    }
  }
}

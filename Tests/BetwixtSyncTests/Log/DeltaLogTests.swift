import Betwixt
import BetwixtSync
import TestSupport
import Testing

@Suite("A log of deltas")
struct DeltaLogTests {
  /// Edits of three replicas that see each other's news now and then, as rows, and all together.
  static func history(
    seed: UInt64, edits: Int
  ) throws -> (rows: [LogRow], whole: ReplicatedList) {
    var random = SplitMix64(seed: seed)
    let log = DeltaLog(of: Sample.listID)
    var lists = [ReplicatedList](repeating: log.list, count: 3)
    var sequences = [Int64](repeating: 0, count: 3)
    var rows: [LogRow] = []
    for _ in 0..<edits {
      let author = random.next(below: 3)
      var me = Replica(
        id: ReplicaID(rawValue: UInt64(author + 1)), sequence: sequences[author]
      ) { 1_777_000_000_000 }
      let before = lists[author].version
      try Sample.edit(&lists[author], by: &me, &random)
      sequences[author] = me.sequence
      rows.append(try log.row(storing: lists[author].delta(since: before)))
      let other = random.next(below: 3)
      lists[other].merge(lists[author].delta(since: lists[other].version))
    }
    return (rows, lists[0].merging(lists[1]).merging(lists[2]))
  }

  @Test("rows in reverse, one at a time, end with the whole list and the whole version")
  func reverse() throws {
    let (rows, whole) = try Self.history(seed: 3, edits: 342)
    #expect(whole.version.reduce(0) { $0 + $1.sequence } > 500)
    var log = DeltaLog(of: whole.id)
    for row in rows.reversed() { try log.take([row]) }
    #expect(log.list == whole && log.list.version == whole.version)
    var atOnce = DeltaLog(of: whole.id)
    try atOnce.take(rows.reversed())
    #expect(atOnce.list == whole && atOnce.list.version == whole.version)
    // Merged one by one, as though each came after those before it, most is not claimed.
    var plain = ReplicatedList(id: whole.id)
    for row in rows.reversed() { plain.merge(try SealedBlock.decodeBlock(row.bytes).delta) }
    #expect(plain == whole && plain.version != whole.version)
  }

  // The invariant checks of the list count, too.
  #if DEBUG && !BETWIXT_CHECKS
  @Test("what rows that are read once more hold of one item is found in a few passes")
  func manyFieldsAgain() throws {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: Sample.listID)
    let item = try list.append(by: &me)
    for number in 0..<300 {
      try list.set(try #require(FieldName("n\(number)")), of: item, to: 1, by: &me)
    }
    var log = DeltaLog(of: list.id)
    let row = try log.row(storing: list.delta(since: [:]))
    let known = list.version
    try list.append(by: &me)
    try log.take([row, log.row(storing: list.delta(since: known))])
    // The other one has gone.
    #expect(log.missing(among: [row.name]) == [row.name])
    let (news, cost) = try Cost.measure { try log.take([row]) }
    #expect(news.isEmpty && log.list == list && cost[.entryVisit] <= 10 * 302)
  }
  #endif

  @Test("what a take returns brings a copy of the list as far as the log itself")
  func news() throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let (rows, whole) = try Self.history(seed: seed, edits: 40)
      var log = DeltaLog(of: whole.id)
      var copy = log.list
      for row in rows.shuffled(using: &random) { copy.merge(try log.take([row])) }
      #expect(copy == whole && copy.version == whole.version, "seed \(seed)")
      #expect(copy.claimsTruly(about: whole))
    }
  }

  @Test("no version claims what the rows that have come do not hold")
  func claims() throws {
    for seed in 0..<20 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      let (rows, whole) = try Self.history(seed: seed, edits: 40)
      var log = DeltaLog(of: whole.id)
      for row in rows.shuffled(using: &random) {
        try log.take([row])
        #expect(log.list.claimsTruly(about: whole), "seed \(seed)")
      }
    }
  }

  @Test("a row that continues what is not there is not folded, and claims when that comes")
  func foldKeepsWhatWaits() throws {
    let (rows, whole) = try Self.history(seed: 5, edits: 30)
    var table = LogTable()
    for row in rows.dropFirst() { table.insert(row) }
    var log = DeltaLog(of: whole.id)
    try log.refresh(from: table)
    let fold = try log.fold()
    if let fold { try table.replace(fold) }
    table.insert(rows[0])
    var later = DeltaLog(of: whole.id)
    try later.refresh(from: table)
    #expect(later.list == whole && later.list.version == whole.version)
  }

  @Test("rows that bring nothing new are folded into the snapshot that is there")
  func foldOntoItself() throws {
    let (rows, whole) = try Self.history(seed: 6, edits: 30)
    var table = LogTable()
    for row in rows { table.insert(row) }
    var log = DeltaLog(of: whole.id)
    try log.refresh(from: table)
    let first = try #require(try log.fold())
    try table.replace(first)
    log.folded(first)
    table.insert(rows[4])
    try log.refresh(from: table)
    let second = try #require(try log.fold())
    #expect(second.adding == first.adding && second.removing == [rows[4].name])
    try table.replace(second)
    #expect(table.names == [first.adding.name])
    #expect(try log.fold()?.removing.contains(first.adding.name) != true)
  }

  @Test("what somebody folds between the names and the rows is asked for again")
  func foldBetweenNamesAndRows() throws {
    let (rows, whole) = try Self.history(seed: 7, edits: 30)
    var table = LogTable()
    for row in rows { table.insert(row) }
    var reader = DeltaLog(of: whole.id)
    let names = reader.missing(among: table.names)
    var other = DeltaLog(of: whole.id)
    try other.refresh(from: table)
    try table.replace(try #require(try other.fold()))
    try reader.take(table.rows(names))
    let left = reader.missing(among: table.names)
    #expect(reader.list.isEmpty && left.count == 1)
    try reader.refresh(from: table)
    #expect(reader.list == whole && reader.list.version == whole.version)
  }

  @Test("of two that fold the same rows the second does nothing")
  func twoFold() throws {
    let (rows, whole) = try Self.history(seed: 8, edits: 30)
    var table = LogTable()
    for row in rows { table.insert(row) }
    var (one, two) = (DeltaLog(of: whole.id), DeltaLog(of: whole.id))
    try one.refresh(from: table)
    try two.refresh(from: table)
    let (first, second) = (try #require(try one.fold()), try #require(try two.fold()))
    try table.replace(first)
    #expect(throws: LogTable.Refused.self) { try table.replace(second) }
    two.folded(second)
    try two.refresh(from: table)
    #expect(table.names == [first.adding.name] && two.list == whole && two.rowCount == 1)
  }

  /// A process stores an edit, or folds, while it waits for the names.
  @Test("what was taken after the names were asked for is not gone")
  func takenMeanwhile() throws {
    let (rows, whole) = try Self.history(seed: 14, edits: 30)
    var table = LogTable()
    let last = try #require(rows.last)
    for row in rows where row != last { table.insert(row) }
    var log = DeltaLog(of: whole.id)
    try log.refresh(from: table)
    let (moment, names, count) = (log.moment, table.names, table.names.count + 1)
    table.insert(last)
    try log.take([last])
    #expect(log.missing(among: names, askedAt: moment).isEmpty && log.rowCount == count)
    let later = log.moment
    let fold = try #require(try log.fold())
    let before = table.names
    try table.replace(fold)
    log.folded(fold)
    // The rows that went are asked for in vain, and none is read again.
    #expect(log.missing(among: before, askedAt: later).count == count && log.rowCount == 1)
    #expect(log.missing(among: table.names, askedAt: log.moment).isEmpty)
    // Without the moment the fold looks like a storage that was put back: all is read again.
    #expect(log.missing(among: before).count == count && log.rowCount == 0)
  }

  @Test("a damaged row is named, and nothing of what came with it is merged")
  func damage() throws {
    let (rows, whole) = try Self.history(seed: 9, edits: 10)
    for place in rows[3].bytes.indices {
      var bytes = rows[3].bytes
      bytes[place] ^= 4
      var log = DeltaLog(of: whole.id)
      let damaged = LogRow(name: rows[3].name, bytes: bytes)
      #expect(throws: LogFailure.self) { try log.take([rows[0], damaged]) }
      #expect(log.list.entryCount == 0 && log.rowCount == 0)
    }
    var other = DeltaLog(of: ListID(high: 1, low: 1))
    #expect(throws: LogFailure.self) { try other.take(rows) }
    let renamed = LogRow(name: rows[1].name, bytes: rows[0].bytes)
    #expect(throws: LogFailure.self) { try other.take([renamed]) }
  }

  @Test("a row that is stored again is the same row")
  func again() throws {
    let (rows, whole) = try Self.history(seed: 10, edits: 10)
    var table = LogTable()
    for row in rows + rows { table.insert(row) }
    #expect(table.names.count == Set(rows.map(\.name)).count)
    var log = DeltaLog(of: whole.id)
    try log.refresh(from: table)
    #expect(log.list == whole)
  }

  @Test("rows wait for one that does not come, and are claimed when it comes")
  func waiting() throws {
    let me = ReplicaID(rawValue: 9)
    var log = DeltaLog(of: ListID(high: 1, low: 2))
    func row(_ number: Int64) throws -> LogRow {
      var builder = Delta.Builder()
      try builder.add(
        Entry(
          item: ItemID(high: 5, low: UInt64(number)), register: .field("n"), value: .field(1),
          stamp: Stamp(time: .zero, replica: me), sequence: number))
      builder.cover(me, after: number - 1, through: number)
      return try log.row(storing: builder.build())
    }
    let count: Int64 = 4_000
    let rows = try (1...count).map { try row($0) }
    for row in rows.dropFirst() { try log.take([row]) }
    #expect(log.list.version.isEmpty && log.list.entryCount == count - 1)
    #expect(!log.isLong || log.rowCount > 64)
    #expect(try log.fold() == nil)
    let news = try log.take([rows[0]])
    #expect(news.ranges == [CoveredRange(replica: me, after: 0, through: count)])
    #expect(log.list.version == [me: count])
    #expect(try log.fold()?.removing.count == Int(count))
  }

  @Test("a row of two writers is claimed of each as soon as what is before that is there")
  func waitingForTwo() throws {
    let (a, b) = (ReplicaID(rawValue: 1), ReplicaID(rawValue: 2))
    var log = DeltaLog(of: ListID(high: 1, low: 2))
    func take(_ ranges: CoveredRange...) throws {
      var builder = Delta.Builder()
      for range in ranges {
        for sequence in (range.after + 1)...range.through {
          try builder.add(
            Entry(
              item: ItemID(high: 5, low: UInt64(sequence)), register: .field("n"),
              value: .field(1), stamp: Stamp(time: .zero, replica: range.replica),
              sequence: sequence))
        }
        builder.cover(range.replica, after: range.after, through: range.through)
      }
      try log.take([log.row(storing: builder.build())])
    }
    try take(
      CoveredRange(replica: a, after: 5, through: 6),
      CoveredRange(replica: b, after: 3, through: 4))
    try take(CoveredRange(replica: b, after: 0, through: 3))
    #expect(log.list.version == [b: 4])
    try take(CoveredRange(replica: a, after: 0, through: 5))
    #expect(log.list.version == [a: 6, b: 4])
  }

  @Test("a log is long when the edits take more room than what was before them")
  func length() throws {
    let (rows, whole) = try Self.history(seed: 11, edits: 600)
    var table = LogTable()
    var log = DeltaLog(of: whole.id)
    var folds = 0
    var longest = 0
    for row in rows {
      table.insert(row)
      try log.refresh(from: table)
      longest = max(longest, log.rowCount)
      guard log.isLong, let fold = try log.fold() else { continue }
      try table.replace(fold)
      log.folded(fold)
      folds += 1
    }
    #expect(folds > 0 && folds < 8 && longest < 500)
    #expect(log.list == whole && log.list.version == whole.version)
  }

  @Test("what a restore took from the storage is told, and stored again it is there")
  func lost() throws {
    let (rows, whole) = try Self.history(seed: 12, edits: 30)
    for count in 0..<rows.count {
      var table = LogTable()
      for row in rows.prefix(count) { table.insert(row) }
      let backup = table
      for row in rows.dropFirst(count) { table.insert(row) }
      var log = DeltaLog(of: whole.id)
      try log.refresh(from: table)
      #expect(log.isWhole)
      table = backup
      try log.refresh(from: table)
      let first = log.lost()
      let lost = try #require(first)
      #expect(log.lost()?.entries == lost.entries)
      table.insert(try log.row(storing: lost))
      try log.refresh(from: table)
      #expect(log.isWhole && log.list.version == whole.version)
      var fresh = DeltaLog(of: whole.id)
      try fresh.refresh(from: table)
      #expect(fresh.list == whole && fresh.list.version == whole.version)
    }
  }

  @Test("a fold takes nothing from the storage, whoever made it")
  func foldIsNoLoss() throws {
    let (rows, whole) = try Self.history(seed: 13, edits: 30)
    var table = LogTable()
    for row in rows.dropFirst() { table.insert(row) }
    var (one, two) = (DeltaLog(of: whole.id), DeltaLog(of: whole.id))
    try one.refresh(from: table)
    try two.refresh(from: table)
    let fold = try #require(try one.fold())
    // Between the fold and the word of it others store something.
    table.insert(rows[0])
    try one.take([rows[0]])
    try table.replace(fold)
    one.folded(fold)
    for _ in 0..<3 {
      try one.refresh(from: table)
      try two.refresh(from: table)
      #expect(one.isWhole && two.isWhole)
    }
    #expect(two.list == whole && two.list.version == whole.version)
  }

  @Test("nothing is lost while rows are still to be read, nor by a listing that came late")
  func listings() throws {
    let (rows, whole) = try Self.history(seed: 14, edits: 30)
    var table = LogTable()
    for row in rows.dropLast() { table.insert(row) }
    let names = table.names
    table.insert(rows[29])
    var log = DeltaLog(of: whole.id)
    try log.refresh(from: table)
    let missing = log.missing(among: names)
    #expect(Set(missing) == Set(names) && log.isWhole)
    try log.take(table.rows(missing))
    try log.refresh(from: table)
    #expect(log.isWhole)
    // Somebody has folded, and the snapshot is not read yet.
    var other = DeltaLog(of: whole.id)
    try other.refresh(from: table)
    try table.replace(try #require(try other.fold()))
    for _ in 0..<3 {
      let missing = log.missing(among: table.names)
      #expect(missing.count == 1 && log.isWhole)
    }
  }

  @Test("what a copied replica wrote under a used number is told too, and what waits to be claimed")
  func lostAndNotClaimed() throws {
    let (rows, whole) = try Self.history(seed: 15, edits: 30)
    var me = Replica(id: ReplicaID(rawValue: 1), sequence: 2) { 1_777_000_000_009 }
    var copy = ReplicatedList(id: whole.id)
    try copy.append(["title": "again"], by: &me)
    let clone = try DeltaLog(of: whole.id).row(storing: copy.delta(since: [:]))
    // The fifth row is not there, and most of the others wait for it.
    let all = Set(rows + [clone]).subtracting([rows[4]]).sorted { $0.name < $1.name }
    var lostCount = 0
    for row in all {
      var table = LogTable()
      for row in all { table.insert(row) }
      var log = DeltaLog(of: whole.id)
      try log.refresh(from: table)
      let held = log.list
      table.remove(row)
      try log.refresh(from: table)
      var fresh = DeltaLog(of: whole.id)
      try fresh.refresh(from: table)
      let lost = log.lost()
      let isSame = fresh.list == held && fresh.list.version == held.version
      #expect((lost == nil) == isSame)
      guard let lost else { continue }
      lostCount += 1
      table.insert(try log.row(storing: lost))
      try fresh.refresh(from: table)
      #expect(fresh.list == held)
      try log.refresh(from: table)
      #expect(log.isWhole)
    }
    #expect(lostCount > 15)
  }
}

extension DeltaLog {
  /// Whether the storage holds what this log does, as far as it can tell.
  fileprivate var isWhole: Bool {
    var copy = self
    return copy.lost() == nil
  }
}

import Betwixt
import BetwixtSync
import TestSupport
import Testing

/// Several processes on one table, whose transactions commit in an order of their own.
@Suite("Processes that share a log")
struct SharedLogTests {
  /// How a process learns of news and makes the log short.
  enum Manner: CaseIterable {
    case byName, pollingBySerial, foldingBySerial
  }

  /// Whether everything that was committed is read by all, whole.
  private static func losesNothing(seed: UInt64, _ manner: Manner) throws -> Bool {
    var random = SplitMix64(seed: seed)
    var table = LogTable()
    var logs = [DeltaLog](repeating: DeltaLog(of: Sample.listID), count: 3)
    var lists = logs.map { $0.list }
    var sequences: [Int64] = [0, 0, 0]
    var serials = [0, 0, 0]
    var whole = logs[0].list
    for _ in 0..<120 {
      let who = random.next(below: 3)
      switch random.next(below: 8) {
      case 0..<4:
        var me = Replica(id: ReplicaID(rawValue: UInt64(who + 1)), sequence: sequences[who]) {
          1_777_000_000_000
        }
        let before = lists[who].version
        try Sample.edit(&lists[who], by: &me, &random)
        sequences[who] = me.sequence
        let delta = lists[who].delta(since: before)
        whole.merge(delta)
        table.begin(try logs[who].row(storing: delta))
      case 4, 5:
        if table.openCount > 0 { _ = table.commit(random.next(below: table.openCount)) }
      case 6:
        try refresh(&logs[who], &serials[who], table, manner)
        lists[who].merge(logs[who].list)
      default:
        try fold(&logs[who], &serials[who], &table, manner)
      }
    }
    while table.openCount > 0 { _ = table.commit(0) }
    var fresh = DeltaLog(of: Sample.listID)
    try fresh.refresh(from: table)
    for who in logs.indices { try refresh(&logs[who], &serials[who], table, manner) }
    return (logs + [fresh]).allSatisfy { log in
      log.list == whole && log.list.version == fresh.list.version
        && fresh.list.version.reduce(0) { $0 + $1.sequence } == sequences.reduce(0, +)
    }
  }

  private static func refresh(
    _ log: inout DeltaLog, _ serial: inout Int, _ table: LogTable, _ manner: Manner
  ) throws {
    guard manner == .pollingBySerial else { return try log.refresh(from: table) }
    let new = table.committed.filter { $0.serial > serial }
    serial = new.map { $0.serial }.max() ?? serial
    try log.take(new.map { $0.row })
  }

  private static func fold(
    _ log: inout DeltaLog, _ serial: inout Int, _ table: inout LogTable, _ manner: Manner
  ) throws {
    try refresh(&log, &serial, table, manner)
    guard manner == .foldingBySerial else {
      guard manner == .byName, let fold = try log.fold() else { return }
      try table.replace(fold)
      return log.folded(fold)
    }
    // Of what was committed when it was read; by now another transaction has come to its end.
    let last = table.committed.map { $0.serial }.max() ?? 0
    if table.openCount > 0 { _ = table.commit(0) }
    if let fold = try log.fold() { table.replaceUpTo(last, by: fold.adding) }
  }

  @Test("with names nothing is lost; with serial numbers it is")
  func names() throws {
    for seed in 0..<150 as Range<UInt64> {
      #expect(try Self.losesNothing(seed: seed, .byName), "seed \(seed)")
    }
    for manner in [Manner.pollingBySerial, .foldingBySerial] {
      let lost = try (0..<50 as Range<UInt64>).filter { seed in
        try !Self.losesNothing(seed: seed, manner)
      }
      #expect(lost.count > 5, "\(manner)")
    }
  }

  /// Whether the storage, put back to older states, ends with all that any process has read.
  private static func survivesRestores(seed: UInt64, storingWhatIsLost: Bool) throws -> Bool {
    var random = SplitMix64(seed: seed)
    var table = LogTable()
    var backup = table
    var logs = [DeltaLog](repeating: DeltaLog(of: Sample.listID), count: 3)
    let (rows, whole) = try DeltaLogTests.history(seed: seed, edits: 40)
    var rest = rows[...]
    while !rest.isEmpty {
      let who = random.next(below: 3)
      switch random.next(below: 10) {
      case 0..<4: if let row = rest.popFirst() { table.begin(row) }
      case 4, 5:
        if table.openCount > 0 {
          let row = table.commit(random.next(below: table.openCount))
          if random.next(below: 2) == 0 { try logs[who].take([row]) }
        }
      case 6, 7: try look(&logs[who], &table, storingWhatIsLost)
      case 8:
        try logs[who].refresh(from: table)
        guard let fold = try logs[who].fold() else { continue }
        // Another one may have been faster.
        try? table.replace(fold)
        logs[who].folded(fold)
      default:
        if random.next(below: 2) == 0 { backup = table } else { table.restore(backup) }
      }
    }
    while table.openCount > 0 { _ = table.commit(0) }
    for _ in 0..<3 {
      for who in logs.indices { try look(&logs[who], &table, storingWhatIsLost) }
    }
    var fresh = DeltaLog(of: Sample.listID)
    try fresh.refresh(from: table)
    // What a row claimed that has gone may be claimed later, or by one process only.
    return fresh.list.claimsTruly(about: whole) && logs.allSatisfy { $0.list == fresh.list }
  }

  private static func look(
    _ log: inout DeltaLog, _ table: inout LogTable, _ storingWhatIsLost: Bool
  ) throws {
    try log.refresh(from: table)
    guard storingWhatIsLost, let lost = log.lost() else { return }
    table.insert(try log.row(storing: lost))
  }

  @Test("a storage that is put back to an older state gets again what somebody has read")
  func restores() throws {
    for seed in 0..<150 as Range<UInt64> {
      #expect(try Self.survivesRestores(seed: seed, storingWhatIsLost: true), "seed \(seed)")
    }
    let lost = try (0..<50 as Range<UInt64>).filter { seed in
      try !Self.survivesRestores(seed: seed, storingWhatIsLost: false)
    }
    #expect(lost.count > 5)
  }
}

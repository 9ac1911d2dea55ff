import Betwixt
import BetwixtSQL
import BetwixtSync
import TestSupport
import Testing

/// A log of deltas in a real database, from several connections at once.
@Suite("A log in a database", .serialized)
struct LogDatabaseTests {
  private struct Process {
    let connection: ShellConnection
    let rows: SQLLog
    var log: DeltaLog

    init(_ database: TestDatabase, _ list: ListID) throws {
      connection = try ShellConnection(database)
      rows = SQLLog(database.dialect, list: list)
      log = DeltaLog(of: list)
    }

    mutating func refresh() throws {
      while true {
        let names = try rows.names(connection.perform([rows.names()])[0])
        let missing = log.missing(among: names)
        if missing.isEmpty { return }
        try log.take(rows.rows(connection.perform([rows.rows(missing)])[0]))
      }
    }
  }

  @Test("edits and folds of several connections lose nothing", arguments: SQLDialect.allCases)
  func several(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    for seed in 1...(runsLong ? 100 : 6) as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let history = try History(seed: seed, list: TestDatabase.newList(), edits: 60)
      var processes = try (0..<3).map { _ in try Process(database, history.whole.id) }
      var rest = history.deltas.shuffled(using: &random)[...]
      while !rest.isEmpty {
        var asked: [(Int, LogFold?)] = []
        for place in processes.indices {
          if random.next(below: 4) == 0, let fold = try processes[place].log.fold() {
            processes[place].connection.ask(processes[place].rows.fold(fold))
            asked.append((place, fold))
          } else if let delta = rest.popFirst() {
            let row = try processes[place].log.row(storing: delta)
            processes[place].connection.ask([processes[place].rows.append(row)])
            asked.append((place, nil))
          }
        }
        for (place, fold) in asked {
          _ = try processes[place].connection.answer()
          if let fold { processes[place].log.folded(fold) }
        }
        let place = random.next(below: 3)
        try processes[place].refresh()
      }
      var fresh = try Process(database, history.whole.id)
      try fresh.refresh()
      for place in processes.indices { try processes[place].refresh() }
      #expect(fresh.log.list == history.whole, "\(dialect), seed \(seed)")
      for process in processes {
        #expect(process.log.list == history.whole, "\(dialect), seed \(seed)")
        #expect(process.log.list.version == fresh.log.list.version)
      }
      var joined = ReplicatedList(id: history.whole.id)
      joined.merge(Delta(joining: history.deltas.map { $0.forStorage }, for: [:]))
      #expect(fresh.log.list.version == joined.version, "\(dialect), seed \(seed)")
    }
  }

  @Test("what is committed while somebody folds stays; a fold of all that is there loses it")
  func foldOfNames() throws {
    for dialect in SQLDialect.allCases {
      guard let database = try TestDatabase.of(dialect) else { continue }
      for isByName in [true, false] {
        let history = try History(seed: 3, list: TestDatabase.newList(), edits: 30)
        var one = try Process(database, history.whole.id)
        let other = try Process(database, history.whole.id)
        for delta in history.deltas.dropLast(9) {
          try one.connection.perform([one.rows.append(try one.log.row(storing: delta))])
        }
        try one.refresh()
        let fold = try #require(try one.log.fold())
        for delta in history.deltas.suffix(9) {
          try other.connection.perform([other.rows.append(try other.log.row(storing: delta))])
        }
        let all = SQLStatement(
          "DELETE FROM betwixt_log WHERE list = \(SQLValue.bytes(history.whole.id.bytes).literal(dialect))"
        )
        try one.connection.perform(
          isByName ? one.rows.fold(fold) : [all, one.rows.append(fold.adding)])
        var fresh = try Process(database, history.whole.id)
        try fresh.refresh()
        #expect((fresh.log.list == history.whole) == isByName, "\(dialect)")
      }
    }
  }

  @Test("who polls by a serial number misses what commits later with a lesser one")
  func serials() throws {
    guard let database = try TestDatabase.of(.postgres) else { return }
    let (early, late) = (try ShellConnection(database), try ShellConnection(database))
    let reader = try ShellConnection(database)
    try reader.perform(
      [SQLStatement("CREATE TABLE numbered (id bigserial PRIMARY KEY, name bytea NOT NULL)")])
    func insert(_ name: UInt8) -> SQLStatement {
      SQLStatement("INSERT INTO numbered (name) VALUES ($1)", [.bytes([name])])
    }
    _ = try early.performAlone([SQLStatement("BEGIN"), insert(1)])
    try late.perform([insert(2)])
    func poll(after id: Int64) throws -> [[SQLValue]] {
      let statement = SQLStatement(
        "SELECT id, name FROM numbered WHERE id > $1 ORDER BY id", [.integer(id)])
      return try reader.perform([statement])[0]
    }
    #expect(try poll(after: 0) == [[.integer(2), .bytes([2])]])
    _ = try early.performAlone([SQLStatement("COMMIT")])
    #expect(try poll(after: 2).isEmpty)
    #expect(try poll(after: 0).count == 2)
    try reader.perform([SQLStatement("DROP TABLE numbered")])
  }
}

import Betwixt
import BetwixtSQL
import TestSupport
import Testing

/// Lists that forget, in a database and beside it: the rows are those of a list that was told the
/// same in the same order, and whoever writes at once leaves nothing that the floor takes.
@Suite("Forgetting in a database", .serialized)
struct ForgettingRowsTests {
  private static let programs = runsLong ? 600 : 15

  @Test("rows and floor are the list's after each step", arguments: SQLDialect.allCases)
  func steps(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let connection = try ShellConnection(database)
    var (forgotten, refused) = (0, 0)
    for seed in 1...UInt64(Self.programs) {
      var program = try ForgettingProgram(seed: seed, [connection])
      let fault = try program.run()
      #expect(fault == nil, "\(dialect), seed \(seed): \(fault ?? "")")
      forgotten += program.forgottenCount
      refused += program.refusedCount
    }
    // Otherwise the programs would show nothing.
    #expect(forgotten > 20 && refused > 5, "\(forgotten) \(refused)")
  }

  @Test("who writes at once leaves the normal form", arguments: SQLDialect.allCases)
  func together(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let connections = try (0..<4).map { _ in try ShellConnection(database) }
    for seed in 1...UInt64(Self.programs) {
      var program = try ForgettingProgram(seed: seed, connections)
      let fault = try program.runTogether()
      #expect(fault == nil, "\(dialect), seed \(seed): \(fault ?? "")")
    }
  }

  private static let nothing = SQLStatement("SELECT 1")

  private static func leavingOut(_ part: String) -> PlantedBug {
    PlantedBug(change: { $0.text.contains(part) ? nothing : $0 })
  }

  static let bugs: [(name: String, bug: PlantedBug)] = [
    ("the floor is not joined", leavingOut("known, seen, floor)")),
    ("nothing goes when the floor rises", leavingOut("_forget_all")),
    ("what a removed item holds stays", leavingOut("_forget_item")),
    (
      "what comes from below the floor is stored",
      .replacing([("WHERE kind = 0 OR NOT", "WHERE true OR NOT"), ("?3 = 0 OR NOT", "true OR NOT")])
    ),
    (
      "the floor is not told",
      .replacing([
        ("floor AS length", "0 AS length"), ("0, x'', floor, known", "0, x'', 0, known"),
      ])
    ),
  ]

  @Test("each planted bug is found", arguments: SQLDialect.allCases)
  func mutants(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let connection = try ShellConnection(database)
    for (name, bug) in Self.bugs {
      var found: (seed: UInt64, fault: String)?
      for seed in 1...60 as ClosedRange<UInt64> where found == nil {
        var program = try ForgettingProgram(seed: seed, [connection], bug)
        found = try program.run().map { (seed, $0) }
      }
      print("\(dialect), \(name): \(found.map { "\($0.fault) at seed \($0.seed)" } ?? "lives")")
      #expect(found != nil, "\(name) lives on \(dialect)")
    }
  }

  @Test("a removal and a late field at once: the second one sees the first")
  func late() throws {
    guard let database = try TestDatabase.of(.postgres) else { return }
    let connections = try (0..<2).map { _ in try ShellConnection(database) }
    #expect(try Self.rowsLeft(connections) { $0 } == 1)
    // Without a lock both may end before one has seen the other.
    let isMissed = try (0..<20).contains { _ in
      try Self.rowsLeft(connections) { $0.text.contains("pg_advisory") ? Self.nothing : $0 } == 2
    }
    #expect(isMissed)
  }

  /// How many rows are left of an item that one connection removes below the floor, while another one
  /// brings a field of it from below the floor.
  private static func rowsLeft(
    _ connections: [ShellConnection], _ change: (SQLStatement) -> SQLStatement
  ) throws -> Int {
    var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
    var you = Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_001 }
    var list = ReplicatedList(id: TestDatabase.newList())
    let item = try list.append(["n": 1], by: &me)
    let start = list.delta(since: [:])
    var (other, removed) = (list, list)
    try other.set("n", of: item, to: 2, by: &you)
    try removed.remove(item, by: &me)
    let rows = SQLRegisters(.postgres, list: list.id)
    // The database hears of the floor before it has what lies below it.
    var floor = Delta.Builder()
    floor.forget(below: [me.id: 100, you.id: 100])
    try connections[0].perform(rows.merge([start]) + rows.merge([floor.build()]))
    let writes = [removed.delta(since: list.version), other.delta(since: list.version)]
    let wait = SQLStatement("SELECT pg_sleep(0.3)")
    for (connection, write) in zip(connections, writes) {
      connection.ask(rows.merge([write]).map(change) + [wait])
    }
    for connection in connections { _ = try connection.answer() }
    let left = try rows.delta(connections[0].perform([rows.since([:])])[0], since: [:])
    try connections[0].perform(rows.remove())
    return left.entries.count
  }

  @Test("who has forgotten gets a restored item whole", arguments: SQLDialect.allCases)
  func restored(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let connection = try ShellConnection(database)
    let bug = PlantedBug.replacing([("life.length > 2", "life.length > 4294967296")])
    for isWhole in [true, false] {
      var me = Replica(id: ReplicaID(rawValue: .max)) { 1_777_000_000_000 }
      var list = ReplicatedList(id: TestDatabase.newList())
      let item = try list.append(["title": "Lunch"], by: &me)
      try list.append(["title": "Dinner"], by: &me)
      try list.remove(item, by: &me)
      var reader = list
      reader.forget(below: list.version)
      try list.restore(item, by: &me)
      let rows = SQLRegisters(dialect, list: list.id)
      try connection.perform(rows.merge([list.delta(since: [:])]))
      let since = rows.since(reader.version, floor: reader.floor)
      let answer = try connection.perform([isWhole ? since : bug.change(since)])
      reader.merge(try rows.delta(answer[0], since: reader.version))
      #expect((reader == list) == isWhole && reader[id: item]?.isRemoved == false)
      // Of those who have forgotten nothing nobody is sent what is known.
      let known = list.version
      try list.remove(item, by: &me)
      try list.restore(item, by: &me)
      try connection.perform(rows.merge([list.delta(since: known)]))
      let news = try connection.perform([rows.since(known), rows.since(known, floor: known)])
      #expect(try rows.delta(news[0], since: known).count == 1)
      #expect(try rows.delta(news[1], since: known).count == 3)
      try connection.perform(rows.remove())
    }
  }

  @Test("a database forgets no number that nobody reaches", arguments: SQLDialect.allCases)
  func believable(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let connection = try ShellConnection(database)
    let me = ReplicaID(rawValue: 1)
    let rows = SQLRegisters(dialect, list: TestDatabase.newList())
    var claim = Delta.Builder()
    claim.cover(me, after: 0, through: .max)
    try connection.perform(rows.merge([claim.build()]) + rows.forget(below: [me: .max]))
    #expect(try rows.floor(connection.perform([rows.version()])[0]) == [me: 1 << 62])
    try connection.perform(rows.remove())
  }

  @Test("a database forgets by itself", arguments: SQLDialect.allCases)
  func alone(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let connection = try ShellConnection(database)
    var me = Replica(id: ReplicaID(rawValue: .max)) { 1_777_000_000_000 }
    var list = ReplicatedList(id: TestDatabase.newList())
    let item = try list.append(["title": "Lunch"], by: &me)
    try list.append(["title": "Dinner"], by: &me)
    try list.remove(item, by: &me)
    let rows = SQLRegisters(dialect, list: list.id)
    try connection.perform(rows.merge([list.delta(since: [:])]))
    // Nobody forgets what is yet to be written.
    try connection.perform(rows.forget(below: [me.id: .max, ReplicaID(rawValue: 3): 7]))
    let answer = try connection.perform([rows.version(), rows.since(list.version)])
    #expect(try rows.floor(answer[0]) == list.version)
    #expect(try rows.version(answer[0]) == list.version)
    let news = try rows.delta(answer[1], since: list.version)
    #expect(news.isEmpty == false && news.count == 0)
    var copy = list
    copy.merge(news)
    list.forget(below: list.version)
    #expect(copy == list && copy.floor == list.floor && copy.digest == list.digest)
    let stored = try rows.delta(connection.perform([rows.since([:])])[0], since: [:])
    #expect(stored.entries == list.delta(since: [:]).entries && stored.floor == list.floor)
    // Who knows the floor is not told again.
    let again = try connection.perform([rows.since(list.version, floor: list.floor)])
    #expect(again[0].isEmpty)
    try connection.perform(rows.remove())
  }
}

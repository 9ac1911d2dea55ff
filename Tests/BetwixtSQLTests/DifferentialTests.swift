import Betwixt
import BetwixtSQL
import Foundation
import TestSupport
import Testing

/// The same deltas in a database and in a list: the rows, their order, the version and the digest are
/// the same, whatever comes twice, out of order, at once, or is rolled back.
///
/// `BETWIXT_PROGRAMS=3000 swift test -c release --filter DifferentialTests` runs as many programs on
/// each database.
@Suite("A database beside the library", .serialized)
struct DifferentialTests {
  static let programs =
    ProcessInfo.processInfo.environment["BETWIXT_PROGRAMS"].flatMap { Int($0) }
    ?? (runsLong ? 1_000 : 25)

  @Test("rows, order, version and digest are the list's", arguments: SQLDialect.allCases)
  func programs(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let connections = try (0..<4).map { _ in try ShellConnection(database) }
    var seed: UInt64 = 1
    for _ in 0..<Self.programs {
      var program = try Program(seed: seed, connections)
      let verdict = try program.run()
      #expect(verdict == .equal, "\(dialect), seed \(seed)")
      seed += 1
    }
    print("\(dialect): \(Self.programs) programs")
  }

  static let bugs: [(name: String, bug: PlantedBug)] = [
    (
      "writes of one stamp are not told apart",
      .replacing([
        (", excluded.value, excluded.sequence)", ")"), (", present.value, present.sequence)", ")"),
      ])
    ),
    (
      "a removal does not stand above the time",
      .replacing([
        ("(excluded.length, ", "("), ("(present.length, ", "("),
      ])
    ),
    (
      "claims do not ask for what they continue",
      .replacing([
        ("AND start <= present.known", ""), ("AND claim.value ->> 1 <= present.known", ""),
      ])
    ),
    ("entries and version are read apart", PlantedBug(readsApart: true)),
    ("who lives through a restore claims what it remembers", PlantedBug(claimsMemories: true)),
    (
      "replicas are compared as signed numbers",
      PlantedBug(change: { statement in
        // The seventh parameter of a merge.
        guard statement.text.contains("betwixt_register AS present"), statement.parameters.count > 6
        else { return statement }
        var parameters = statement.parameters
        switch parameters[6] {
        case .integer(let number): parameters[6] = .integer(number ^ .min)
        case .integers(let numbers): parameters[6] = .integers(numbers.map { $0 ^ .min })
        default: break
        }
        return SQLStatement(statement.text, parameters)
      })
    ),
  ]

  @Test("each planted bug is found", arguments: SQLDialect.allCases)
  func mutants(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let connections = try (0..<4).map { _ in try ShellConnection(database) }
    for (name, bug) in Self.bugs {
      var found: (seed: UInt64, verdict: Verdict)?
      for seed in 1...60 as ClosedRange<UInt64> where found == nil {
        var program = try Program(seed: seed, connections, bug)
        let verdict = try program.run()
        // That two connections wait for each other is no difference.
        if verdict != .equal, verdict != .deadlock { found = (seed, verdict) }
      }
      print("\(dialect), \(name): \(found.map { "\($0.verdict) at seed \($0.seed)" } ?? "lives")")
      #expect(found != nil, "\(name) lives on \(dialect)")
    }
  }
}

/// How a program may end.
enum Verdict: Equatable {
  case equal, rows, order, version, digest, claims, memory, deadlock
}

/// What is planted to see that it is found.
struct PlantedBug: Sendable {
  /// Turns statements into others.
  var change: @Sendable (SQLStatement) -> SQLStatement = { $0 }
  /// Reads entries first, and the version after the next writes.
  var readsApart = false
  /// After a restore tells the database what it knows, without what that is.
  var claimsMemories = false

  static func replacing(_ pairs: [(String, String)]) -> PlantedBug {
    PlantedBug(change: { statement in
      var text = statement.text
      for (old, new) in pairs { text = text.replacingOccurrences(of: old, with: new) }
      return SQLStatement(text, statement.parameters)
    })
  }
}

/// One program on some connections.
struct Program {
  let connections: [ShellConnection]
  let bug: PlantedBug
  let history: History
  let rows: SQLRegisters
  private var random: SplitMix64

  init(
    seed: UInt64, _ connections: [ShellConnection], _ bug: PlantedBug = PlantedBug(),
    edits: Int = 40
  ) throws {
    self.bug = bug
    random = SplitMix64(seed: seed ^ 0xda7a)
    self.connections = Array(connections.prefix(1 + random.next(below: connections.count)))
    history = try History(seed: seed, list: TestDatabase.newList(), edits: edits)
    rows = SQLRegisters(connections[0].dialect, list: history.whole.id)
  }

  /// Delivers everything in some order, and compares.
  mutating func run() throws -> Verdict {
    defer { _ = try? connections[0].perform(rows.remove()) }
    do {
      let reader = try deliver()
      if let verdict = try flaw(after: reader) { return verdict }
    } catch let failure as ShellConnection.Failure where failure.isDeadlock {
      return .deadlock
    }
    // In their own order once more: then everything can be claimed.
    let whole = history.deltas.flatMap { rows.merge([$0]) }.map(bug.change)
    try connections[0].perform(whole)
    return try compare()
  }

  /// Shuffled, some of them together, twice or rolled back, from all connections at once, while
  /// somebody reads; returns what he has read.
  private mutating func deliver() throws -> ReplicatedList {
    var reader = ReplicatedList(id: rows.list)
    var parcels: [[Delta]] = []
    var rest = (history.deltas + history.deltas.prefix(5)).shuffled(using: &random)
    while !rest.isEmpty {
      let count = min(rest.count, 1 + random.next(below: 3))
      parcels.append(Array(rest.prefix(count)))
      rest.removeFirst(count)
    }
    var failure: ShellConnection.Failure?
    var before: [[SQLValue]] = []
    // Some databases are copied at some time, and put back later to what they were.
    var backup = Backup(rows, at: random.next(below: parcels.count), random.next(below: 8))
    while !parcels.isEmpty {
      if try backup.step(connections[0]) { try recall(reader) }
      if bug.readsApart { before = try rowsSince(reader.version) }
      var busy: [(connection: ShellConnection, parcel: [Delta], isKept: Bool)] = []
      for connection in connections where !parcels.isEmpty {
        let parcel = parcels.removeFirst()
        let isKept = random.next(below: 5) > 0
        connection.ask(rows.merge(parcel).map(bug.change), end: isKept ? "COMMIT" : "ROLLBACK")
        busy.append((connection, parcel, isKept))
      }
      for (connection, parcel, isKept) in busy {
        do {
          _ = try connection.answer()
        } catch let error as ShellConnection.Failure {
          failure = error
        }
        if !isKept { parcels.append(parcel) }
      }
      if let failure { throw failure }
      if random.next(below: 4) == 0 {
        let version = reader.version
        var answer = try rowsSince(version)
        if bug.readsApart {
          answer = before.filter { $0[0] == .integer(1) } + answer.filter { $0[0] == .integer(0) }
        }
        reader.merge(try rows.delta(answer, since: version))
      }
    }
    return reader
  }

  private func rowsSince(_ version: VersionVector) throws -> [[SQLValue]] {
    try connections[0].perform([bug.change(rows.since(version))])[0]
  }

  /// What a process does that lives on while the database is put back: it stores again what it holds.
  private func recall(_ reader: ReplicatedList) throws {
    let stored = try rows.version(try connections[0].perform([rows.version()])[0])
    var lost = reader.delta(since: stored)
    if bug.claimsMemories {
      var builder = Delta.Builder()
      for claim in reader.version {
        builder.cover(claim.replica, after: 0, through: claim.sequence)
      }
      lost = builder.build()
    }
    try connections[0].perform(rows.merge([lost]).map(bug.change))
  }

  /// Whether somebody who has asked for news now and then, or asks now, was told a claim that is not
  /// true, or what he was told is there no more.
  private func flaw(after reader: ReplicatedList) throws -> Verdict? {
    var fresh = ReplicatedList(id: rows.list)
    fresh.merge(try rows.delta(try rowsSince([:]), since: [:]))
    let stored = try rows.version(try connections[0].perform([rows.version()])[0])
    guard stored == fresh.version else { return .version }
    // Of two writes of one number a version claims one.
    guard !history.hasClones else { return nil }
    guard reader.claimsTruly(about: history.whole), fresh.claimsTruly(about: history.whole) else {
      return .claims
    }
    return fresh.version.covers(reader.version) ? nil : .memory
  }

  private func compare() throws -> Verdict {
    let whole = history.whole
    let answer = try connections[0].perform([rows.since([:])])
    let stored = try rows.delta(answer[0], since: [:])
    guard stored.entries == whole.delta(since: [:]).entries else { return .rows }
    var copy = ReplicatedList(id: whole.id)
    copy.merge(stored)
    // What a version can claim depends on the order; merged as they were stored, it is one.
    var joined = ReplicatedList(id: whole.id)
    joined.merge(Delta(joining: history.deltas, for: [:]))
    guard copy.version == joined.version else { return .version }
    guard try pages() == whole.map(\.id) else { return .order }
    guard rows.dialect == .postgres else { return copy.digest == whole.digest ? .equal : .digest }
    let sum = try rows.sum(try connections[0].perform([rows.sum()])[0])
    return Digest(sum) == whole.digest ? .equal : .digest
  }

  private func pages() throws -> [ItemID] {
    var ids: [ItemID] = []
    var mark: SQLPageMark?
    while true {
      let answer = try connections[0].perform([rows.page(after: mark, limit: 7)])
      let items = try rows.items(answer[0])
      for item in items {
        let shown = history.whole[id: item.id]
        guard shown?.fields == item.fields, shown?.section == item.section else { return [] }
      }
      ids += items.map(\.id)
      guard items.count == 7, let last = items.last else { return ids }
      mark = last.mark
    }
  }
}

/// The rows of a list as they were at some time, and the moments when they are kept and put back.
private struct Backup {
  private let list: SQLValue
  private let dialect: SQLDialect
  private var keeping: Int
  private var restoring: Int

  private static let tables = ["betwixt_register", "betwixt_version"]

  init(_ rows: SQLRegisters, at start: Int, _ length: Int) {
    list = .bytes(rows.list.bytes)
    dialect = rows.dialect
    keeping = start + 1
    restoring = keeping + 1 + length
  }

  /// One step of the program; says whether the rows were put back.
  mutating func step(_ connection: ShellConnection) throws -> Bool {
    keeping -= 1
    restoring -= 1
    if keeping == 0 { try keep(connection) }
    if restoring == 0 { try putBack(connection) }
    return restoring == 0
  }

  private func keep(_ connection: ShellConnection) throws {
    let id = list.literal(dialect)
    try connection.perform(
      Self.tables.flatMap { table in
        [
          "CREATE TABLE IF NOT EXISTS \(table)_kept AS SELECT * FROM \(table) WHERE false",
          "DELETE FROM \(table)_kept WHERE list = \(id)",
          "INSERT INTO \(table)_kept SELECT * FROM \(table) WHERE list = \(id)",
        ]
      }.map { SQLStatement($0) })
  }

  private func putBack(_ connection: ShellConnection) throws {
    let id = list.literal(dialect)
    try connection.perform(
      Self.tables.flatMap { table in
        [
          "DELETE FROM \(table) WHERE list = \(id)",
          "INSERT INTO \(table) SELECT * FROM \(table)_kept WHERE list = \(id)",
        ]
      }.map { SQLStatement($0) })
  }
}

extension ReplicatedList {
  /// Whether of every write that the version claims this list holds it or one that replaced it.
  func claimsTruly(about all: ReplicatedList) -> Bool {
    var builder = Delta.Builder()
    for entry in all.delta(since: [:]).entries where version.covers(entry.dot) {
      try? builder.add(entry)
    }
    var joined = self
    joined.merge(builder.build())
    return joined.digest == digest
  }
}

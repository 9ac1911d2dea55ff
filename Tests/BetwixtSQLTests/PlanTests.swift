import Betwixt
import BetwixtSQL
import Foundation
import TestSupport
import Testing

/// How the databases find a page and what is new: by keys, without looking at the rest.
@Suite("Plans", .serialized)
struct PlanTests {
  /// A list of many items in a database, and beside it some smaller ones.
  private static func load(
    _ connection: ShellConnection, items: Int
  ) throws -> (SQLRegisters, ReplicatedList) {
    var list = ReplicatedList(id: TestDatabase.newList())
    var me = Replica(id: ReplicaID(rawValue: 5)) { 1_777_000_000_000 }
    for number in 0..<items { try list.append(["title": .int64(Int64(number))], by: &me) }
    let rows = SQLRegisters(connection.dialect, list: list.id)
    try connection.perform(rows.merge([list.delta(since: [:])]))
    return (rows, list)
  }

  /// Lists of one row each, and statistics that know nothing else: so a new one seems small, too.
  private static let manySmallLists = [
    """
    INSERT INTO betwixt_register
      SELECT substr(sha256(('small' || n)::bytea), 1, 16), '\\x5a11'::bytea, 0, '', 1, n, 5, '', n
      FROM generate_series(1, 20000) AS n
    """, "ANALYZE betwixt_register",
  ].map { SQLStatement($0) }

  private static func mark(behind item: ListItem) throws -> SQLPageMark {
    SQLPageMark(section: try #require(item.section), key: try #require(item.key), item: item.id)
  }

  private static func explain(
    _ statement: SQLStatement, _ connection: ShellConnection
  ) throws -> String {
    let verb =
      connection.dialect == .postgres
      ? "EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF) " : "EXPLAIN QUERY PLAN "
    let text = SQLStatement(verb + statement.text, statement.parameters)
    return try connection.perform([text])[0].map { "\($0)" }.joined(separator: "\n")
  }

  /// The pages of the database that a plan has touched.
  private static func buffers(_ plan: String) -> Int {
    // The first line with buffers is that of the whole.
    let line = plan.split(separator: "\n").first { $0.contains("Buffers:") } ?? ""
    return line.split { !$0.isNumber }.compactMap { Int($0) }.reduce(0, +)
  }

  @Test("a page costs what stands on it, with statistics and without")
  func postgresPage() throws {
    // A server of its own: what others write beside it would be in the statistics.
    let scratch = ScratchDirectory()
    guard
      let server = try PostgresServer.here(scratch.path + "/postgres", ["-c", "autovacuum=off"])
    else { return }
    let connection = try ShellConnection(server.database)
    try connection.perform(SQLSchema.tables(.postgres))
    _ = try connection.performAlone(Self.manySmallLists)
    let (rows, list) = try Self.load(connection, items: 20_000)
    let mark = try Self.mark(behind: list[9_999])
    for _ in 0..<2 {
      let plan = try Self.explain(rows.page(after: mark, limit: 50), connection)
      #expect(!plan.contains("Seq Scan"), "\(plan)")
      #expect(Self.buffers(plan) < 1_000 && Self.buffers(plan) > 50, "\(plan)")
      let items = try rows.items(connection.perform([rows.page(after: mark, limit: 50)])[0])
      #expect(items.map(\.id) == list[10_000..<10_050].map(\.id))
      let since = try Self.explain(rows.since([ReplicaID(rawValue: 5): 59_990]), connection)
      #expect(!since.contains("Seq Scan on betwixt_register"), "\(since)")
      #expect(Self.buffers(since) < 200, "\(since)")
      _ = try connection.performAlone([SQLStatement("ANALYZE betwixt_register")])
    }
    // The natural join reads every life.
    let natural = rows.page(after: mark, limit: 50)
    let plan = try Self.explain(
      SQLStatement(
        natural.text.replacingOccurrences(of: "OFFSET 0", with: "")
          .replacingOccurrences(of: "(p.value, p.item) > ($2::bytea, $3::bytea)", with: "true")
          .replacingOccurrences(of: "LIMIT $4", with: "LIMIT $4 OFFSET 10000"),
        natural.parameters), connection)
    #expect(Self.buffers(plan) > 5_000, "\(plan)")
    withExtendedLifetime(server) {}
  }

  @Test("SQLite searches by the keys too")
  func sqlitePage() throws {
    guard let database = try TestDatabase.of(.sqlite) else { return }
    let connection = try ShellConnection(database)
    let (rows, list) = try Self.load(connection, items: 500)
    let mark = try Self.mark(behind: list[99])
    let plan = try Self.explain(rows.page(after: mark, limit: 50), connection)
    #expect(plan.contains("SEARCH p USING"), "\(plan)")
    #expect(!plan.contains("SCAN p USING") && !plan.contains("SCAN betwixt"), "\(plan)")
    let since = try Self.explain(rows.since([ReplicaID(rawValue: 5): 1_490]), connection)
    #expect(since.contains("SEARCH r USING INDEX betwixt_register_write"), "\(since)")
    let items = try rows.items(connection.perform([rows.page(after: mark, limit: 50)])[0])
    #expect(items.map(\.id) == list[100..<150].map(\.id))
    try connection.perform(rows.remove())
  }
}

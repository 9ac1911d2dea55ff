import Betwixt
import BetwixtSQL
import Foundation
import TestSupport
import Testing

/// A primary and a synchronous standby: the primary is killed under load, the standby goes on.
///
/// `swift test --filter 'FailoverTests|ClustersTests'` runs it, and two clusters.
@Suite("Failover", .serialized)
struct FailoverTests {
  @Test("what the primary has acknowledged the standby holds")
  func promote() throws {
    let scratch = ScratchDirectory()
    guard let primary = try? PostgresServer(scratch.path + "/primary", []) else {
      return print("no postgres here: left out")
    }
    let setup = try ShellConnection(primary.database)
    try setup.perform(SQLSchema.tables(.postgres))
    let standby = try PostgresServer(scratch.path + "/standby", of: primary.folder, [])
    _ = try setup.performAlone([
      SQLStatement("ALTER SYSTEM SET synchronous_standby_names = '*'"),
      SQLStatement("SELECT pg_reload_conf()"),
    ])
    let synchronous = SQLStatement(
      "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'")
    for _ in 0..<100 where try setup.performAlone([synchronous])[0] != [[.integer(1)]] {
      usleep(100_000)
    }
    try #require(try setup.performAlone([synchronous])[0] == [[.integer(1)]])

    let rows = SQLRegisters(.postgres, list: TestDatabase.newList())
    var list = ReplicatedList(id: rows.list)
    var me = Replica(id: ReplicaID(rawValue: 7)) { 1_777_000_000_000 }
    let stored = try ShellConnection(primary.database)
    var acknowledged = VersionVector()
    let pid = try primary.postmaster()
    for number in 0..<1_000 {
      let before = list.version
      try list.append(["title": .int64(Int64(number))], by: &me)
      stored.ask(rows.merge([list.delta(since: before)]))
      // The answer to this one may never come.
      if number == 300 { kill(pid, SIGKILL) }
      guard (try? stored.answer()) != nil else { break }
      acknowledged = list.version
    }
    #expect(acknowledged[me.id] >= 900)

    let other = try ShellConnection(standby.database)
    _ = try other.performAlone([SQLStatement("SELECT pg_promote()")])
    var held = try read(rows, other)
    #expect(held.version.covers(acknowledged))
    // The writer sends again what nobody has acknowledged, and goes on.
    try other.perform(rows.merge([list.delta(since: acknowledged)]))
    held = try read(rows, other)
    #expect(held == list && held.version == list.version && held.digest == list.digest)
    print("failover: \(acknowledged[me.id]) acknowledged writes, none lost")
    withExtendedLifetime((primary, standby)) {}
  }

  private func read(
    _ rows: SQLRegisters, _ connection: ShellConnection
  ) throws -> ReplicatedList {
    var list = ReplicatedList(id: rows.list)
    list.merge(try rows.delta(connection.perform([rows.since([:])])[0], since: [:]))
    return list
  }
}

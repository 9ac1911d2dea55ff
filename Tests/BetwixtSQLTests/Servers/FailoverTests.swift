import Betwixt
import BetwixtFiles
import BetwixtSQL
import Foundation
import TestSupport
import Testing

/// A primary and a synchronous standby: the primary is killed under load, the standby goes on.
///
/// `swift test --filter 'FailoverTests|ClustersTests'` runs it, and two clusters.
@Suite("Failover", .serialized)
struct FailoverTests {
  /// A primary and a standby that has all that the primary has acknowledged; `nil` without PostgreSQL.
  private static func pair(
    _ folder: String
  ) throws -> (primary: PostgresServer, standby: PostgresServer)? {
    guard let primary = try PostgresServer.here(folder + "/primary", []) else { return nil }
    let setup = try ShellConnection(primary.database)
    try setup.perform(SQLSchema.tables(.postgres))
    let standby = try PostgresServer(folder + "/standby", of: primary.folder, [])
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
    return (primary, standby)
  }

  @Test("what the primary has acknowledged the standby holds")
  func promote() throws {
    let scratch = ScratchDirectory()
    guard let (primary, standby) = try Self.pair(scratch.path) else { return }
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

  /// In a process of its own, as sessions have deadlines: here it would wait behind all other tests.
  @Test("servers reconnect to the standby, and clients notice a pause", arguments: [true, false])
  func reconnect(withLog isLog: Bool) async {
    await #expect(processExitsWith: .success) { [isLog = isLog as Bool] in
      try await FailoverTests.reconnecting(withLog: isLog)
    }
  }

  private static func reconnecting(withLog isLog: Bool) async throws {
    let scratch = ScratchDirectory()
    guard let (primary, standby) = try Self.pair(scratch.path) else { return }
    // Whichever of the two takes writes.
    let either = TestDatabase(
      dialect: .postgres,
      shell: "env PGOPTIONS='--client-min-messages=warning' PGTARGETSESSIONATTRS=read-write "
        + "psql -h '\(primary.folder),\(standby.folder)' -U postgres -X -q -A -t")
    let host = DatabaseHost(either, withLog: isLog)
    let running = Task { [host] in
      await host.run(listeningTo: [primary.folder, standby.folder])
    }
    let clients = Clients()
    await clients.start(10, at: host.server)
    for _ in 0..<20 { await clients.step(edits: true) }
    // On a busy machine the first ones take some time.
    for _ in 0..<500 where await clients.acknowledged.contains(where: { $0.isEmpty }) {
      await clients.step()
    }
    let pid = try primary.postmaster()
    kill(pid, SIGKILL)
    for _ in 0..<20 { await clients.step(edits: true) }
    let before = await clients.acknowledged
    let other = try ShellConnection(standby.database)
    let written = try await clients.acknowledgedEntries()
    _ = try other.performAlone([SQLStatement("SELECT pg_promote()")])
    for place in 0...1 {
      let list = try DatabaseHost.stored(Clients.lists[place], other, withLog: isLog)
      var joined = list
      joined.merge(written[place])
      #expect(joined == list)
    }

    for _ in 0..<20 { await clients.step(edits: true) }
    var stored: [ReplicatedList] = []
    let isSettled = try await clients.settle {
      stored = try Clients.lists.map { try DatabaseHost.stored($0, other, withLog: isLog) }
      return await clients.hold(stored, claimingAll: true)
    }
    guard isSettled else {
      let devices = await clients.described.joined(separator: "\n")
      Issue.record("not settled; \(stored.map { $0.version.description })\n\(devices)")
      return
    }
    let told = await clients.acknowledged
    for place in 0...1 {
      #expect(stored[place].version.covers(told[place]))
      #expect(before[place] != told[place] && !before[place].isEmpty && written[place].count > 0)
    }
    let counts = [before, told].map { $0.reduce(0) { $0 + $1.reduce(0) { $0 + $1.sequence } } }
    print(
      "failover behind a server, \(isLog ? "log" : "rows"): \(counts[0]) writes acknowledged by "
        + "the primary, \(counts[1] - counts[0]) by the standby, none lost")
    running.cancel()
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

import Betwixt
import BetwixtFiles
import BetwixtSQL
import BetwixtSync
import TestSupport
import Testing

/// Two servers on one database, of which the second opens a list when something was forgotten and
/// restored in it.
@Suite("What was restored", .serialized)
struct RestoredItemTests {
  private static let list = ListID(high: 17, low: 9)

  /// A server that looks for news when it is told to.
  private struct Host {
    let server: LiveServer
    let bringNews: @Sendable () async throws -> Void

    init(_ database: TestDatabase, withLog isLog: Bool) {
      let driver = ShellDriver(database)
      let (log, rows) = (LogStorage(driver), RegisterStorage(driver))
      let server = LiveServer(
        SyncServer(), storage: isLog ? log : rows, random: { .random(in: .min ... .max) })
      self.server = server
      bringNews = {
        if isLog {
          try await log.bringNews(to: server)
        } else {
          try await rows.bringNews(to: server)
        }
      }
    }
  }

  /// In a process of its own, as sessions have deadlines: here it would wait behind all other tests.
  @Test(
    "is the same on a server that was there and on one that opens later", arguments: [true, false])
  func restored(withLog isLog: Bool) async {
    await #expect(processExitsWith: .success) { [isLog = isLog as Bool] in
      try await RestoredItemTests.restore(withLog: isLog)
    }
  }

  private static func restore(withLog isLog: Bool) async throws {
    let scratch = ScratchDirectory()
    guard let postgres = try PostgresServer.here(scratch.path + "/postgres", ["-c", "fsync=off"])
    else { return }
    try ShellConnection(postgres.database).perform(SQLSchema.tables(.postgres))
    let hosts = (0..<2).map { _ in Host(postgres.database, withLog: isLog) }
    let running = hosts.map { host in Task { await host.server.run() } }
    let ann = StreamDevice(list, replica: ReplicaID(rawValue: 1), server: hosts[0].server) { _, _ in
    }
    let bob = StreamDevice(list, replica: ReplicaID(rawValue: 2), server: hosts[1].server) { _, _ in
    }
    await ann.start()
    try await ann.change { list, me in
      for title in ["A", "B"] { try list.append(["title": .string(title)], by: &me) }
    }
    #expect(await wait([ann]) { await ann.isAcknowledged })
    let id = await ann.list[0].id
    try await ann.change { list, me in try list.remove(id, by: &me) }
    #expect(await wait([ann]) { await ann.isAcknowledged })
    let version = try #require(await hosts[0].server.list(list)?.version)
    #expect(await hosts[0].server.forget(below: version, in: list))
    #expect(await wait([ann]) { await ann.list.floor == version })
    try await ann.change { list, me in try list.restore(id, by: &me) }
    #expect(await wait([ann]) { await ann.isAcknowledged })
    #expect(await ann.list[id: id]?.fields["title"] == nil)

    await bob.start()
    #expect(await wait([ann, bob]) { await bob.list.count == 2 })
    for _ in 0..<2 { for host in hosts { try await host.bringNews() } }
    let (one, two) = (await hosts[0].server.list(list), await hosts[1].server.list(list))
    #expect(one == two && one?.digest == two?.digest && one?.version == two?.version)
    #expect(one?.floor == two?.floor && one?.floor == version)
    #expect(await wait([ann, bob]) { await ann.list == bob.list })
    // The log has it still; in rows it went with the floor.
    let title: FieldValue? = isLog ? "A" : nil
    #expect(await ann.list[id: id]?.fields["title"] == title)
    for task in running { task.cancel() }
    withExtendedLifetime(postgres) {}
  }

  private static func wait(
    _ devices: [StreamDevice], until isReached: () async -> Bool
  ) async -> Bool {
    for _ in 0..<1_500 {
      for device in devices { await device.tick() }
      if await isReached() { return true }
      try? await Task.sleep(for: .milliseconds(10))
    }
    return false
  }
}

import Betwixt
import BetwixtFiles
import BetwixtSQL
import BetwixtSync
import TestSupport
import Testing

/// A replica belongs to who was the first to store a write of it, on whichever process.
@Suite("Owners in a database", .serialized)
struct OwnerTests {
  private static let one = ReplicaID(rawValue: 1)

  @Test("a claim of what is another's fails", arguments: SQLDialect.allCases)
  func claims(dialect: SQLDialect) throws {
    guard let database = try TestDatabase.of(dialect) else { return }
    let rows = SQLOwners(dialect, list: TestDatabase.newList())
    func claim(_ principal: String) throws {
      // Each on a connection of its own, as a failed transaction ends.
      try ShellConnection(database).perform(rows.claim([Self.one: principal]))
    }
    try claim("ann")
    try claim("ann")
    #expect(throws: ShellConnection.Failure.self) { try claim("bob") }
    let connection = try ShellConnection(database)
    try connection.perform(rows.add([Self.one: "bob"]))
    #expect(try rows.all(connection.perform([rows.all()])[0]) == [Self.one: "ann"])
  }

  /// In a process of its own, as sessions have deadlines: here it would wait behind all other tests.
  @Test("what one process stored the other one knows", arguments: [true, false])
  func known(withLog isLog: Bool) async {
    await #expect(processExitsWith: .success) { [isLog = isLog as Bool] in
      try await OwnerTests.learn(withLog: isLog)
    }
  }

  private static func write(_ list: ListID, as principal: String) throws -> StoredWrite {
    var me = Replica(id: one) { 1_777_000_000_000 }
    var content = ReplicatedList(id: list)
    try content.append(["title": .string(principal)], by: &me)
    return StoredWrite(
      list: list, delta: content.delta(since: [:]).forStorage,
      owner: StoredWrite.Owner(replica: one, principal: principal))
  }

  private static func learn(withLog isLog: Bool) async throws {
    let scratch = ScratchDirectory()
    guard let postgres = try PostgresServer.here(scratch.path + "/postgres", ["-c", "fsync=off"])
    else { return }
    let connection = try ShellConnection(postgres.database)
    try connection.perform(SQLSchema.tables(.postgres))
    let list = ListID(high: 17, low: 11)
    let (there, driver) = (ShellDriver(postgres.database), ShellDriver(postgres.database))
    let other: any ServerStorage = isLog ? LogStorage(there) : RegisterStorage(there)
    let (log, rows) = (LogStorage(driver), RegisterStorage(driver))
    let mine: any ServerStorage = isLog ? log : rows
    let server = LiveServer(
      SyncServer(), storage: mine, random: { .random(in: .min ... .max) })
    let running = Task { await server.run() }
    let reader = StreamDevice(
      list, replica: ReplicaID(rawValue: 5), principal: "bob", server: server
    ) { _, _ in }
    await reader.start()
    #expect(await wait(reader) { await server.list(list) != nil })

    try await other.store([write(list, as: "ann")])
    // It has not heard of that, and a user of it writes under the same id.
    await #expect(throws: ShellConnection.Failure.self) {
      try await mine.store([write(list, as: "bob")])
    }
    if isLog { try await log.bringNews(to: server) } else { try await rows.bringNews(to: server) }
    #expect(await wait(reader) { await reader.list.count == 1 })
    let thief = StreamDevice(list, replica: one, principal: "bob", server: server) { _, _ in }
    await thief.start()
    await thief.edit()
    #expect(await wait(thief) { await thief.failure == .identityInUse })
    let stored = try DatabaseHost.stored(list, connection, withLog: isLog)
    #expect(stored.map { $0["title"] } == ["ann"])
    #expect(await server.list(list) == stored)
    running.cancel()
    withExtendedLifetime(postgres) {}
  }

  private static func wait(
    _ device: StreamDevice, until isDone: () async -> Bool
  ) async -> Bool {
    for _ in 0..<600 {
      await device.tick()
      if await isDone() { return true }
      try? await Task.sleep(for: .milliseconds(20))
    }
    return false
  }
}

import Betwixt
import BetwixtFiles
import BetwixtSQL
import BetwixtSync
import Foundation
import TestSupport
import Testing

/// A backup is made under living clients and put back later, while they work on.
@Suite("A database that is put back", .serialized)
struct RestoreTests {
  /// In a process of its own, as sessions have deadlines: here it would wait behind all other tests.
  @Test(
    "what the backup lacks comes back: from the servers that live on, or from the clients",
    arguments: [true, false], [true, false])
  func restored(withLog isLog: Bool, serverLives: Bool) async {
    await #expect(processExitsWith: .success) {
      [isLog = isLog as Bool, serverLives = serverLives as Bool] in
      try await RestoreTests.restore(withLog: isLog, serverLives: serverLives)
    }
  }

  private static func restore(withLog isLog: Bool, serverLives: Bool) async throws {
    let scratch = ScratchDirectory()
    guard let postgres = try PostgresServer.here(scratch.path + "/postgres", ["-c", "fsync=off"])
    else { return }
    let connection = try ShellConnection(postgres.database)
    try connection.perform(SQLSchema.tables(.postgres))
    let file = scratch.path + "/backup.sql"

    var host = DatabaseHost(postgres.database, withLog: isLog)
    var running = Task { [host] in await host.run(listeningTo: [postgres.folder]) }
    let clients = Clients()
    await clients.start(6, at: host.server)
    for _ in 0..<15 { await clients.step(edits: true) }
    async let backup: Void = Self.shell(
      "pg_dump -h '\(postgres.folder)' -U postgres --clean --if-exists postgres > '\(file)'")
    for _ in 0..<15 { await clients.step(edits: true) }
    try await backup
    let held = try Clients.lists.map {
      try DatabaseHost.stored($0, connection, withLog: isLog).version
    }
    for _ in 0..<15 { await clients.step(edits: true) }
    let isStored = try await clients.settle()
    #expect(isStored)
    let before = await clients.acknowledged
    for place in 0...1 { #expect(!held[place].covers(before[place])) }

    if !serverLives {
      await host.server.stop(within: 200)
      running.cancel()
      await running.value
    }
    async let restore: Void = Self.restore(file, into: postgres.folder)
    if serverLives { for _ in 0..<10 { await clients.step(edits: true) } }
    try await restore
    if !serverLives {
      for place in 0...1 {
        let list = try DatabaseHost.stored(Clients.lists[place], connection, withLog: isLog)
        #expect(!list.version.covers(before[place]))
      }
      host = DatabaseHost(postgres.database, withLog: isLog)
      running = Task { [host] in await host.run(listeningTo: [postgres.folder]) }
      await clients.turn(to: host.server)
      for _ in 0..<10 { await clients.step(edits: true) }
    }

    try await expectAllBack(clients, at: host, connection, withLog: isLog)
    print("restored, \(isLog ? "log" : "rows"), \(serverLives ? "server lives" : "server anew")")
    running.cancel()
    withExtendedLifetime(postgres) {}
  }

  /// Nothing that was acknowledged is lost, and nobody's replicas are somebody else's.
  private static func expectAllBack(
    _ clients: Clients, at host: DatabaseHost, _ connection: ShellConnection, withLog isLog: Bool
  ) async throws {
    var stored: [ReplicatedList] = []
    var isSettled = try await clients.settle {
      stored = try Clients.lists.map { try DatabaseHost.stored($0, connection, withLog: isLog) }
      return await clients.hold(stored)
    }
    #expect(isSettled)
    // Each client has brought its own writes, and what they replaced is claimed when lists are
    // compared again.
    await clients.turn(to: host.server)
    isSettled = try await clients.settle {
      stored = try Clients.lists.map { try DatabaseHost.stored($0, connection, withLog: isLog) }
      return await clients.hold(stored, claimingAll: true)
    }
    #expect(isSettled)
    let told = await clients.acknowledged
    for (place, list) in stored.enumerated() {
      #expect(list.version.covers(told[place]))
      let rows = SQLOwners(.postgres, list: list.id)
      let owners = try rows.all(connection.perform([rows.all()])[0])
      #expect(owners.count == 3 && Set(owners.values) == ["ann"])
    }
    let count = told.joined().reduce(0) { $0 + $1.sequence }
    print("\(count) acknowledged, none lost")
  }

  /// In one transaction, as often as it takes: it may meet a writer, and one of them gives way.
  private static func restore(_ file: String, into folder: String) async throws {
    for _ in 0..<20 {
      let done: Void? = try? await shell(
        "psql -h '\(folder)' -U postgres -X -q -v ON_ERROR_STOP=1 --single-transaction "
          + "-f '\(file)' > '\(file).log' 2>&1")
      if done != nil { return }
    }
    throw Failure(description: try String(contentsOfFile: file + ".log", encoding: .utf8))
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private static func shell(_ line: String) async throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", line]
    let status = try await withCheckedThrowingContinuation { continuation in
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
      do {
        try process.run()
      } catch {
        continuation.resume(throwing: error)
      }
    }
    guard status == 0 else { throw Failure(description: "\(line): \(status)") }
  }
}

import Betwixt
import BetwixtFiles
import BetwixtSQL
import TestSupport
import Testing

/// Processes that hear of each other's writes by notifications.
@Suite("News by notification", .serialized)
struct NewsTests {
  /// In a process of its own, as sessions have deadlines: here it would wait behind all other tests.
  @Test(
    "a server that never asks by itself gets what another one stores", arguments: [true, false])
  func heard(withLog isLog: Bool) async {
    await #expect(processExitsWith: .success) { [isLog = isLog as Bool] in
      try await NewsTests.hear(withLog: isLog)
    }
  }

  private static func hear(withLog isLog: Bool) async throws {
    let scratch = ScratchDirectory()
    guard let postgres = try PostgresServer.here(scratch.path + "/postgres", ["-c", "fsync=off"])
    else { return }
    let connection = try ShellConnection(postgres.database)
    try connection.perform(SQLSchema.tables(.postgres))
    let hosts = (0..<2).map { _ in DatabaseHost(postgres.database, withLog: isLog) }
    let running = hosts.map { host in
      Task { await host.run(listeningTo: [postgres.folder], asks: false) }
    }
    let (writers, readers) = (Clients(), Clients())
    await writers.start(2, at: hosts[0].server)
    await readers.start(2, from: 100, at: hosts[1].server)
    // Until both listen and all are connected; what is told before nobody hears.
    for _ in 0..<100 {
      await writers.step()
      await readers.step()
    }
    for _ in 0..<10 {
      await writers.step(edits: true)
      await readers.step()
    }
    var stored: [ReplicatedList] = []
    let isSettled = try await writers.settle {
      await readers.step()
      stored = try Clients.lists.map {
        try DatabaseHost.stored($0, connection, withLog: isLog)
      }
      let areHeld = await writers.hold(stored)
      return await readers.hold(stored) && areHeld
    }
    #expect(isSettled && stored.allSatisfy { $0.count > 5 })
    for task in running { task.cancel() }
    withExtendedLifetime(postgres) {}
  }

  @Test("a notification names its lists, as many as it has room for")
  func payload() async throws {
    let lists = (1...240).map { ListID(high: UInt64($0) << 32, low: .max) }
    guard case .text(let text) = SQLNews.notify(of: lists.shuffled()).parameters[0] else {
      Issue.record("no text")
      return
    }
    #expect(SQLNews.lists(text) == lists)
    guard case .text(let one) = SQLNews.notify(of: [lists[7]]).parameters[0] else { return }
    #expect(SQLNews.lists(one) == [lists[7]] && one.utf8.count == 32)
    #expect(SQLNews.notify(of: lists + [ListID(high: 0, low: 1)]).parameters == [.text("")])
    // No list at all is no news, and not those of all.
    #expect(SQLNews.notify(of: [ListID]()).text.hasSuffix("WHERE false"))
    for text in ["", "betwixt", one + ",", "," + one, one.uppercased(), one + " "] {
      #expect(SQLNews.lists(text) == nil)
    }
    guard let database = try TestDatabase.of(.postgres) else { return }
    // PostgreSQL takes the longest one.
    try ShellConnection(database).perform([SQLNews.notify(of: lists, from: .max)])
  }

  @Test("a process leaves out its own notifications, and no others")
  func sender() {
    let lists = [ListID(high: 1, low: 2), ListID(high: 1, low: 3)]
    guard case .text(let text) = SQLNews.notify(of: lists, from: 0xbee).parameters[0] else {
      Issue.record("no text")
      return
    }
    #expect(SQLNews.lists(text, besidesThoseOf: 0xbee) == [])
    #expect(SQLNews.lists(text, besidesThoseOf: 0xbef) == lists)
    #expect(SQLNews.lists(text) == lists)
    let plain = String(text.dropFirst(4))
    #expect(SQLNews.lists(plain, besidesThoseOf: 0xbee) == lists)
    for text in ["bee", "bee:bee:" + plain, ":", "x:y"] {
      #expect(SQLNews.lists(text, besidesThoseOf: 0xbef) == nil)
    }
    // Too many to be named.
    let many = (0..<300).map { ListID(high: 9, low: $0) }
    guard case .text(let all) = SQLNews.notify(of: many, from: 0xbee).parameters[0] else { return }
    #expect(SQLNews.lists(all, besidesThoseOf: 0xbee) == [])
    #expect(SQLNews.lists(all, besidesThoseOf: 1) == nil)
  }
}

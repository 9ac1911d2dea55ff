import Betwixt
import BetwixtFiles
import BetwixtSQL
import BetwixtSync
import TestSupport
import Testing

/// A large list comes for the first time, and the server looks for news after every piece.
@Suite("A first upload", .serialized)
struct FirstUploadTests {
  private static let itemCount = 10_000

  /// Counts what is read.
  private actor CountingDriver: SQLDriver {
    private let inner: ShellDriver
    private(set) var rowCount = 0
    private(set) var byteCount = 0

    init(_ database: TestDatabase) { inner = ShellDriver(database) }

    func perform(_ statements: [SQLStatement]) async throws -> [[[SQLValue]]] {
      let answers = try await inner.perform(statements)
      for row in answers.joined() {
        rowCount += 1
        for case .bytes(let bytes) in row { byteCount += bytes.count }
      }
      return answers
    }
  }

  /// A storage that looks for news whenever it has stored something, before the server knows that it
  /// is stored.
  private actor NosyStorage: ServerStorage {
    private let inner: any ServerStorage
    private var look: @Sendable () async throws -> Void = {}
    private(set) var storeCount = 0
    private(set) var storedByteCount = 0

    init(_ inner: any ServerStorage) { self.inner = inner }

    func looking(_ look: @escaping @Sendable () async throws -> Void) { self.look = look }

    func open(_ list: ListID, for principal: String) async throws -> StoredDocument {
      try await inner.open(list, for: principal)
    }

    func store(_ writes: [StoredWrite]) async throws {
      try await inner.store(writes)
      storeCount += 1
      for write in writes {
        storedByteCount += try DeltaLog(of: write.list).row(storing: write.delta).bytes.count
      }
      try await look()
    }

    func close(_ list: ListID) async { await inner.close(list) }
  }

  /// In a process of its own, as sessions have deadlines: here it would wait behind all other tests.
  @Test("of what a server has stored itself it reads nothing again", arguments: [true, false])
  func uploaded(withLog isLog: Bool) async {
    await #expect(processExitsWith: .success) { [isLog = isLog as Bool] in
      try await FirstUploadTests.upload(withLog: isLog)
    }
  }

  private static func upload(withLog isLog: Bool) async throws {
    let scratch = ScratchDirectory()
    guard let postgres = try PostgresServer.here(scratch.path + "/postgres", ["-c", "fsync=off"])
    else { return }
    let connection = try ShellConnection(postgres.database)
    try connection.perform(SQLSchema.tables(.postgres))
    let driver = CountingDriver(postgres.database)
    let random: @Sendable () -> UInt64 = { .random(in: .min ... .max) }
    let (log, rows) = (LogStorage(driver), RegisterStorage(driver))
    let storage = NosyStorage(isLog ? log : rows)
    let server = LiveServer(SyncServer(), storage: storage, random: random)
    await storage.looking {
      if isLog { try await log.bringNews(to: server) } else { try await rows.bringNews(to: server) }
    }
    let running = Task { await server.run() }
    let list = ListID(high: 17, low: 3)
    let device = StreamDevice(list, replica: ReplicaID(rawValue: 1), server: server) { _, _ in }
    await device.fill(itemCount)
    await device.start()
    for _ in 0..<6_000 {
      if await device.isAcknowledged { break }
      await device.tick()
      try? await Task.sleep(for: .milliseconds(10))
    }
    #expect(await device.isAcknowledged)
    let (rowCount, byteCount) = (await driver.rowCount, await driver.byteCount)
    let (stores, stored) = (await storage.storeCount, await storage.storedByteCount)
    let merged = Int(await server.counters(of: list)?.mergedEntries ?? 0)
    print("\(stores) stores of \(stored) bytes")
    print("read: \(rowCount) rows, \(byteCount) bytes; merged: \(merged) entries")
    #expect(stores > 4)
    // Names of rows, or versions, and the whole at most once: when it is claimed. An item has three
    // entries.
    #expect(isLog ? byteCount < stored / 10 : rowCount < 3 * itemCount + 20 * stores)
    #expect(merged <= 3 * itemCount)
    let kept = try DatabaseHost.stored(list, connection, withLog: isLog)
    #expect(await device.list == kept)
    #expect(await server.list(list) == kept)
    running.cancel()
    withExtendedLifetime(postgres) {}
  }
}

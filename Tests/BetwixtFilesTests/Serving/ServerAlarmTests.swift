import Betwixt
import BetwixtSync
import TestSupport
import Testing

@testable import BetwixtFiles

/// A live server does what is due when it is due, and not only at its ticks.
@Suite struct ServerAlarmTests {
  private static let list = ListID(high: 7, low: 3)

  /// Documents that are nowhere.
  private struct Nowhere: ServerStorage, ClientStorage {
    func open(_ list: ListID, for principal: String) -> StoredDocument {
      StoredDocument(ReplicatedList(id: list))
    }

    func store(_ writes: [StoredWrite]) {}
    func store(_ writes: [Delta]) {}
    func close(_ list: ListID) {}
  }

  private typealias Line = AsyncThrowingStream<[UInt8], any Error>

  private static func connect(_ client: LiveClient, to server: LiveServer) async {
    let (toServer, sending) = Line.makeStream()
    let (toClient, answering) = Line.makeStream()
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        await server.serve(
          "ann", reading: toServer, writing: { answering.yield($0) },
          closing: { answering.finish() })
        answering.finish()
      }
      await client.converse(
        reading: toClient, writing: { sending.yield($0) },
        closing: { sending.finish() })
      sending.finish()
    }
  }

  // In processes of their own, as sessions have deadlines: here they would wait behind all other
  // tests.

  @Test func whoHasUsedUpItsShareIsHeardInTime() async {
    await #expect(processExitsWith: .success) {
      try await ServerAlarmTests.checkWhoHasUsedUpItsShareIsHeardInTime()
    }
  }

  private static func checkWhoHasUsedUpItsShareIsHeardInTime() async throws {
    let random = SharedRandom(seed: 1)
    // A message takes ten milliseconds, and half a second is free. Nobody calls `run()`.
    let server = LiveServer(
      SyncServer(hubLimits: HubLimits(messagesPerSecond: 100)), storage: Nowhere(),
      random: random.next)
    let client = LiveClient(
      ReplicatedList(id: Self.list),
      by: Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 },
      storage: Nowhere(), random: random.next)
    let connection = Task {
      await client.run { await ServerAlarmTests.connect($0, to: server) }
    }
    let start = PipeDriver.now()
    for number in 1...100 as ClosedRange<Int64> {
      _ = try await client.edit { list, me in try list.append(["n": .int64(number)], by: &me) }
      let last = await client.list.version[ReplicaID(rawValue: 1)]
      while await client.acknowledged < last, PipeDriver.now() - start < 600_000 {
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    let (acknowledged, version) = await (client.acknowledged, client.list.version)
    #expect(acknowledged == version[ReplicaID(rawValue: 1)])
    // It was held back: a hundred messages are a second.
    #expect(PipeDriver.now() - start > 300)
    await client.stop()
    _ = await connection.value
  }
}

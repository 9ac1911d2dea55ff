import Betwixt
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles
@testable import BetwixtSync

/// Whoever runs a server is told what its storage could not do, and why; clients are not.
@Suite struct StorageFailureTests {
  private static let list = ListID(high: 7, low: 1)
  private static let tooMany = DocumentFileFailure.fileSystem(
    FileSystemError("open", because: .tooManyOpen, number: 24))

  /// A storage that opens nothing, or stores nothing.
  private struct Broken: ServerStorage {
    var opens = true

    func open(_ list: ListID, for principal: String) throws -> StoredDocument {
      guard opens else { throw StorageFailureTests.tooMany }
      return StoredDocument(ReplicatedList(id: list))
    }

    func store(_ writes: [StoredWrite]) throws { throw DocumentFileFailure.ended }

    func close(_ list: ListID) {}
  }

  private final class Told: Sendable {
    let failures = Mutex<[StorageFailure]>([])

    func first() async -> StorageFailure? {
      for _ in 0..<2_000 {
        if let first = failures.withLock({ $0.first }) { return first }
        try? await Task.sleep(for: .milliseconds(5))
      }
      return nil
    }
  }

  /// What the host is told when a device writes; the device is told less.
  private static func firstFailure(of storage: Broken) async throws -> StorageFailure? {
    let told = Told()
    let server = LiveServer(
      SyncServer(), storage: storage, random: SharedRandom(seed: 3).next,
      failed: { failure in told.failures.withLock { $0.append(failure) } })
    let device = StreamDevice(ReplicatedList(id: list), replica: 1) {
      let (said, outbound) = AsyncThrowingStream.makeStream(
        of: [UInt8].self, throwing: (any Error).self)
      let (inbound, answers) = AsyncStream.makeStream(of: [UInt8].self)
      Task {
        await server.serve(
          "ann", reading: said, writing: { answers.yield($0) }, closing: { outbound.finish() })
        answers.finish()
      }
      return StreamDevice.Line(inbound: inbound, outbound: outbound)
    }
    await device.start()
    try await device.edit { list in
      var me = Replica(id: ReplicaID(rawValue: 1)) { 1_777_000_000_000 }
      try list.append(["title": "x"], by: &me)
    }
    let failure = await told.first()
    #expect(await device.acknowledged == 0)
    if case .stopped = await device.state { Issue.record("it comes back") }
    await device.stop()
    await server.stop(within: 500)
    return failure
  }

  // In processes of their own, as sessions have deadlines: here they would wait behind all other
  // tests.

  @Test func theHostIsToldWhatCouldNotBeOpened() async {
    await #expect(processExitsWith: .success) {
      let failure = try await StorageFailureTests.firstFailure(of: Broken(opens: false))
      #expect(failure?.request == .open && failure?.lists == [StorageFailureTests.list])
      #expect(failure?.error as? DocumentFileFailure == StorageFailureTests.tooMany)
    }
  }

  @Test func theHostIsToldWhatCouldNotBeStored() async {
    await #expect(processExitsWith: .success) {
      let failure = try await StorageFailureTests.firstFailure(of: Broken())
      #expect(failure?.request == .store && failure?.lists == [StorageFailureTests.list])
      #expect(failure?.error as? DocumentFileFailure == .ended)
    }
  }
}

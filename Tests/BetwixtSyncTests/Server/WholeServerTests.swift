import Betwixt
import BetwixtSync
import Foundation
import Testing

@testable import BetwixtFiles

/// The article "A whole server" shows the code that runs here.
@Suite struct WholeServerTests {
  private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

  @Test func theCodeOfTheArticleIsTheCodeOfTheTests() throws {
    let root = Self.tests.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let article = try String(
      contentsOf: root.appendingPathComponent(
        "Sources/BetwixtFiles/BetwixtFiles.docc/AWholeServer.md"), encoding: .utf8)
    let code = try String(
      contentsOf: Self.tests.appendingPathComponent("WholeServer.swift"), encoding: .utf8)
    let shown = try #require(code.components(separatedBy: "// MARK: The article\n\n").last)
    let trimmed = shown.trimmingCharacters(in: .newlines)
    #expect(trimmed.split(separator: "\n").count > 60)
    #expect(article.contains("```swift\n\(trimmed)\n```"))
  }

  /// A client on a line of two streams, in a task of its own.
  private actor Device {
    var list: ReplicatedList
    private var client: SyncClient
    private let connect: @Sendable () -> Line
    private var line: Line?
    private var count: UInt64

    struct Line: Sendable {
      let inbound: AsyncStream<[UInt8]>
      let outbound: AsyncThrowingStream<[UInt8], any Error>.Continuation
    }

    init(_ list: ReplicatedList, replica: UInt64, connect: @escaping @Sendable () -> Line) {
      self.list = list
      self.connect = connect
      count = replica << 32
      client = SyncClient(
        SyncSetup(replica: ReplicaID(rawValue: replica)), list: list,
        backOff: BackOff(first: 20, longest: 100), spread: replica)
    }

    var state: SyncClient.State { client.state }
    var acknowledged: Int64 { client.acknowledged }

    func start() { perform(client.start(now: PipeDriver.now())) }

    func stop() { perform(client.stop(now: PipeDriver.now())) }

    func edit(_ body: @Sendable (inout ReplicatedList) throws -> Void) rethrows {
      try body(&list)
      perform(client.listChanged(list, now: PipeDriver.now()))
    }

    func tick() { perform(client.tick(now: PipeDriver.now())) }

    private func receive(_ bytes: [UInt8]?) {
      let now = PipeDriver.now()
      perform(bytes.map { client.receive($0, now: now) } ?? client.connectionEnded(now: now))
    }

    private func perform(_ outputs: [SyncClient.Output]) {
      var outputs = outputs[...]
      let now = PipeDriver.now()
      while let output = outputs.popFirst() {
        switch output {
        case .connect:
          let line = connect()
          self.line = line
          count += 1
          outputs += client.connected(nonce: SessionNonce(high: 9, low: count), now: now)
          Task {
            for await bytes in line.inbound { receive(bytes) }
            receive(nil)
          }
        case .send(let bytes): line?.outbound.yield(bytes)
        case .merge(let delta, let ticket):
          list.merge(delta)
          list.settleDigest()
          outputs += client.settled(ticket, .done(), list: list, now: now)
        case .makeDurable(_, let ticket):
          outputs += client.settled(ticket, .done(), list: list, now: now)
        case .disconnect: line?.outbound.finish()
        case .event, .state: break
        }
      }
    }
  }

  /// A listener whose sockets are pairs of streams.
  private struct Listener: Sendable {
    let sockets: AsyncStream<Socket>
    let continuation: AsyncStream<Socket>.Continuation

    init() { (sockets, continuation) = AsyncStream.makeStream(of: Socket.self) }

    func connect(_ token: String) -> Device.Line {
      let (toServer, outbound) = AsyncThrowingStream.makeStream(
        of: [UInt8].self, throwing: (any Error).self)
      let (toClient, answers) = AsyncStream.makeStream(of: [UInt8].self)
      let result = continuation.yield(
        Socket(
          token: token, inbound: toServer, write: { answers.yield($0) },
          close: {
            answers.finish()
            outbound.finish()
          }))
      if case .terminated = result { answers.finish() }
      return Device.Line(inbound: toClient, outbound: outbound)
    }
  }

  private static func wait(_ isReached: () async -> Bool) async -> Bool {
    for _ in 0..<2_000 {
      if await isReached() { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  @Test func theServerOfTheArticleServes() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "whole-server-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let users = ["a": "ann", "b": "bob", "g": "guest"]
    let lists = [1, 2].map { ReplicatedList(id: ListID(high: 7, low: $0)) }
    var acknowledged: [ListID: Int] = [:]
    // Twice: the second server goes on with the files of the first.
    for run in 0..<2 {
      let listener = Listener()
      let serving = Task {
        await serve(listener.sockets, users: users, folder: DocumentFolder(folder))
      }
      let devices = [
        ("a", lists[0], 1), ("b", lists[0], 2), ("a", lists[1], 3), ("g", lists[1], 4),
        ("x", lists[0], 5),
      ]
      .map { token, list, replica in
        Device(list, replica: UInt64(replica + 10 * run)) { listener.connect(token) }
      }
      for device in devices { await device.start() }
      for (number, device) in devices.enumerated() {
        let replica = ReplicaID(rawValue: UInt64(number + 1 + 10 * run))
        await device.edit { list in
          var me = Replica(id: replica) { 1_777_000_000_000 }
          for _ in 0..<5 { _ = try? list.append(["title": "x"], by: &me) }
        }
      }
      #expect(
        await Self.wait {
          for device in devices[0...2] where await device.acknowledged != 15 { return false }
          return await devices[1].list == devices[0].list
        })
      acknowledged[lists[0].id, default: 0] += 10
      acknowledged[lists[1].id, default: 0] += 5
      let (first, third) = (await devices[0].list, await devices[2].list)
      #expect(first.count == acknowledged[lists[0].id])
      #expect(third.count == acknowledged[lists[1].id])
      // A guest may not open the second list, and who has no token is not let in.
      guard case .stopped(.peerFailed(let failure)?) = await devices[3].state else {
        Issue.record("the guest is \(await devices[3].state)")
        return
      }
      #expect(failure.code == .notAuthorised)
      #expect(await devices[4].acknowledged == 0)
      // Whose a replica is outlives the process, too.
      let thief = Device(lists[0], replica: 1) { listener.connect("b") }
      await thief.start()
      #expect(
        await Self.wait {
          guard case .stopped(.peerFailed(let failure)?) = await thief.state else { return false }
          return failure.code == .identityInUse
        })
      // The graceful end: everybody is told, and the files are whole.
      listener.continuation.finish()
      await serving.value
      for list in [first, third] {
        let path = folder.appendingPathComponent("\(list.id).trip").path
        #expect(try DocumentExamination(of: path, in: PosixFileSystem()).list == list)
      }
      for device in devices { await device.stop() }
    }
  }
}

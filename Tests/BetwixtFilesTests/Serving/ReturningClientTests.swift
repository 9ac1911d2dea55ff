import Betwixt
import BetwixtSync
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles

/// Who comes back over a socket, as whom, and whose id somebody else has: nobody is left outside, and
/// nobody takes a new id without need.
@Suite struct ReturningClientTests {
  private static let list = ListID(high: 7, low: 1)

  /// A server with a socket for each user.
  private struct Desk {
    let server: LiveServer
    private let folder: String

    init(_ folder: String) throws {
      self.folder = folder
      let random = SharedRandom(seed: 7).next
      server = LiveServer(
        SyncServer(), storage: try ServerFolder.open(at: folder, settings: .init(random: random)),
        random: random)
    }

    func listen(as user: String) async throws -> SocketListener {
      let listener = try await SocketListener(.path("\(folder)/\(user)"))
      Task { [server] in
        await withDiscardingTaskGroup { group in
          while let socket = try? await listener.next() {
            group.addTask {
              await server.serve(
                user, reading: socket.inbound, writing: { try await socket.write($0) },
                closing: { socket.close() })
            }
          }
        }
      }
      return listener
    }
  }

  private struct Memory: ClientStorage {
    func store(_ writes: [Delta]) async throws {}
  }

  private static func client(_ replica: UInt64, _ list: ReplicatedList) -> LiveClient {
    let id = ReplicaID(rawValue: replica)
    return LiveClient(
      list, by: Replica(id: id, sequence: list.known(of: id)) { 1_777_000_000_000 },
      storage: Memory(), backOff: BackOff(first: 5, longest: 20),
      random: SharedRandom(seed: replica).next)
  }

  private static func run(_ client: LiveClient, _ listener: SocketListener) -> Task<SyncEnd, Never>
  {
    Task {
      await client.run { client in
        let socket = try await SocketConnection.open(listener.address)
        await client.converse(
          reading: socket.inbound, writing: { try await socket.write($0) },
          closing: { socket.close() })
      }
    }
  }

  private static func edit(_ client: LiveClient, _ title: String) async throws {
    _ = try await client.edit { list, me in try list.append(["title": .string(title)], by: &me) }
  }

  /// Waits until a client's edits have arrived.
  private static func settle(_ client: LiveClient) async -> Bool {
    for _ in 0..<2_000 {
      let number = await client.list.known(of: client.replica)
      if await client.acknowledged >= number, await client.state == .connected { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  private static func wait(_ isReached: () async -> Bool) async -> Bool {
    for _ in 0..<2_000 {
      if await isReached() { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  // In processes of their own, as sessions have deadlines: here they would wait behind all other
  // tests.

  /// The client has noticed that its line is dead, and the server has not.
  @Test func aHalfOpenConnectionIsReplaced() async {
    await #expect(processExitsWith: .success) {
      try await ReturningClientTests.checkAHalfOpenConnectionIsReplaced()
    }
  }

  private static func checkAHalfOpenConnectionIsReplaced() async throws {
    let scratch = ScratchDirectory()
    let desk = try Desk(scratch.path)
    let listener = try await desk.listen(as: "ann")
    let client = Self.client(1, ReplicatedList(id: Self.list))
    let dead = Mutex<[SocketConnection]>([])
    let (cuts, cut) = AsyncStream.makeStream(of: Void.self)
    let running = Task {
      await client.run { client in
        let socket = try await SocketConnection.open(listener.address)
        dead.withLock { $0.append(socket) }
        let (bytes, arriving) = AsyncThrowingStream.makeStream(
          of: [UInt8].self, throwing: (any Error).self)
        let isFirst = dead.withLock { $0.count == 1 }
        let reading = Task {
          while let piece = try? await socket.read() { arriving.yield(piece) }
          arriving.finish()
        }
        // Nothing of this is told to the socket, so the server hears nothing.
        if isFirst {
          Task {
            for await _ in cuts {}
            arriving.finish()
          }
        }
        await client.converse(
          reading: bytes, writing: { try await socket.write($0) },
          closing: { if !isFirst { socket.close() } })
        if !isFirst { await reading.value }
      }
    }
    try await Self.edit(client, "before")
    #expect(await Self.settle(client))
    cut.finish()
    #expect(await Self.wait { dead.withLock { $0.count == 2 } })
    try await Self.edit(client, "after")
    #expect(await Self.settle(client))
    // The older connection is closed by the server; the newer one and the id stay.
    #expect(await Self.wait { desk.server.connections == 1 })
    #expect(await client.replica == ReplicaID(rawValue: 1))
    #expect(await desk.server.list(Self.list)?.map { $0["title"] } == ["before", "after"])
    #expect(dead.withLock { $0.count } == 2)
    await client.stop()
    #expect(await running.value == .finished)
    listener.close()
  }

  /// The second account takes an id of its own, and the first one keeps its: also what the first had
  /// not sent when the device changed hands arrives in the end.
  @Test func twoAccountsOnOneDevice() async {
    await #expect(processExitsWith: .success) {
      try await ReturningClientTests.checkTwoAccountsOnOneDevice()
    }
  }

  private static func checkTwoAccountsOnOneDevice() async throws {
    let scratch = ScratchDirectory()
    let desk = try Desk(scratch.path)
    let (anns, bobs) = (try await desk.listen(as: "ann"), try await desk.listen(as: "bob"))
    let ann = Self.client(1, ReplicatedList(id: Self.list))
    let first = Self.run(ann, anns)
    try await Self.edit(ann, "ann")
    #expect(await Self.settle(ann))
    await ann.stop()
    #expect(await first.value == .finished)
    try await Self.edit(ann, "ann, unsent")
    let bob = Self.client(1, await ann.list)
    guard case .peerFailed(let failure) = await Self.run(bob, bobs).value else {
      Issue.record("bob may write as ann")
      return
    }
    #expect(failure.code == .identityInUse)
    await bob.write(as: Replica(id: ReplicaID(rawValue: 2)) { 1_777_000_000_000 })
    let second = Self.run(bob, bobs)
    try await Self.edit(bob, "bob")
    #expect(await Self.settle(bob))
    let third = Self.run(ann, anns)
    #expect(await Self.settle(ann))
    #expect(await ann.replica == ReplicaID(rawValue: 1))
    #expect(await Self.wait { await desk.server.list(Self.list)?.count == 3 })
    #expect(await Self.wait { await ann.list == bob.list })
    for client in [ann, bob] { await client.stop() }
    #expect(await second.value == .finished)
    #expect(await third.value == .finished)
    for listener in [anns, bobs] { listener.close() }
  }

  /// A stranger who uses somebody's id is sent away; who only opened with it first owns nothing; and
  /// whose id was taken before its first write goes on under another one.
  @Test func aStolenIdLeavesNobodyOutside() async {
    await #expect(processExitsWith: .success) {
      try await ReturningClientTests.checkAStolenIdLeavesNobodyOutside()
    }
  }

  private static func checkAStolenIdLeavesNobodyOutside() async throws {
    let scratch = ScratchDirectory()
    let desk = try Desk(scratch.path)
    let (anns, thieves) = (try await desk.listen(as: "ann"), try await desk.listen(as: "eve"))
    // It opens with the id, and writes nothing.
    let squatter = Self.client(1, ReplicatedList(id: Self.list))
    let squatting = Self.run(squatter, thieves)
    #expect(await Self.wait { await squatter.state == .connected })
    let ann = Self.client(1, ReplicatedList(id: Self.list))
    var running = Self.run(ann, anns)
    try await Self.edit(ann, "ann")
    #expect(await Self.settle(ann))
    #expect(await ann.replica == ReplicaID(rawValue: 1))
    // Now that it is hers, it may not write under it, nor come again.
    try await Self.edit(squatter, "eve")
    guard case .peerFailed(let failure) = await squatting.value else {
      Issue.record("eve may write as ann")
      return
    }
    #expect(failure.code == .identityInUse)
    guard case .peerFailed = await Self.run(squatter, thieves).value else {
      Issue.record("eve may open as ann")
      return
    }
    try await Self.edit(ann, "undisturbed")
    #expect(await Self.settle(ann))
    await ann.stop()
    #expect(await running.value == .finished)
    // An id that was stolen before anything was written with it.
    let eve = Self.client(5, ReplicatedList(id: Self.list))
    let stealing = Self.run(eve, thieves)
    try await Self.edit(eve, "mine now")
    #expect(await Self.settle(eve))
    let victim = Self.client(5, ReplicatedList(id: Self.list))
    running = Self.run(victim, anns)
    guard case .peerFailed(let other) = await running.value else {
      Issue.record("an id belongs to two")
      return
    }
    #expect(other.code == .identityInUse)
    await victim.write(as: Replica(id: ReplicaID(rawValue: 6)) { 1_777_000_000_000 })
    running = Self.run(victim, anns)
    try await Self.edit(victim, "victim")
    #expect(await Self.settle(victim))
    #expect(await Self.wait { await eve.list == victim.list })
    for client in [eve, victim] { await client.stop() }
    #expect(await running.value == .finished)
    #expect(await stealing.value == .finished)
    for listener in [anns, thieves] { listener.close() }
  }
}

import Betwixt
import BetwixtSync
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles

/// Documents in several rooms of one server: what counts over all of them, and the way into a room.
@Suite struct ServerRoomTests {
  private static let lists = (1...24).map { ListID(high: 7, low: UInt64($0)) }

  /// Documents in memory; it takes a while to store.
  private actor Memory: ServerStorage {
    private(set) var documents: [ListID: ReplicatedList] = [:]
    private(set) var callCount = 0
    private(set) var writeCount = 0
    private(set) var atOnce = 0
    private(set) var active = 0
    var milliseconds = 10

    func slowDown(to milliseconds: Int) { self.milliseconds = milliseconds }

    func open(_ list: ListID, for principal: String) -> StoredDocument {
      StoredDocument(documents[list, default: ReplicatedList(id: list)])
    }

    func store(_ writes: [StoredWrite]) async throws {
      active += 1
      atOnce = max(atOnce, active)
      callCount += 1
      writeCount += writes.count
      try await Task.sleep(for: .milliseconds(milliseconds))
      for write in writes {
        documents[write.list, default: ReplicatedList(id: write.list)].merge(write.delta)
      }
      active -= 1
    }

    private(set) var closed: [ListID] = []

    private(set) var hasClosedWhileStoring = false

    func close(_ list: ListID) {
      closed.append(list)
      if active > 0 { hasClosedWhileStoring = true }
    }
  }

  /// A server of four rooms, and the connections that have said hello.
  private final class Desk: Sendable {
    let memory = Memory()
    let server: LiveServer
    private let greeted: Greeted

    private final class Greeted: Sendable {
      let ids = Mutex<[SyncServer.ConnectionID]>([])
    }

    init(_ limits: ServerLimits = ServerLimits()) {
      let random = SharedRandom(seed: 5)
      let greeted = Greeted()
      server = LiveServer(
        SyncServer(limits: limits), storage: memory, rooms: 4, random: random.next,
        note: { output in
          guard case .event(.greeted, let id) = output else { return }
          greeted.ids.withLock { $0.append(id) }
        })
      self.greeted = greeted
    }

    var connections: [SyncServer.ConnectionID] { greeted.ids.withLock { $0 } }

    /// Connects a device; what it says may be cut into pieces of some bytes.
    func connect(
      _ list: ListID, _ replica: UInt64, user: String = "ann", pieces: Int? = nil
    ) -> StreamDevice {
      StreamDevice(ReplicatedList(id: list), replica: replica) { [server] in
        let (said, outbound) = AsyncThrowingStream.makeStream(
          of: [UInt8].self, throwing: (any Error).self)
        let (inbound, answers) = AsyncStream.makeStream(of: [UInt8].self)
        let (cut, piecemeal) = AsyncThrowingStream.makeStream(
          of: [UInt8].self, throwing: (any Error).self)
        Task {
          for try await bytes in said {
            for start in stride(from: 0, to: bytes.count, by: pieces ?? bytes.count) {
              let end = min(start + (pieces ?? bytes.count), bytes.count)
              piecemeal.yield(Array(bytes[start..<end]))
            }
          }
          piecemeal.finish()
        }
        Task {
          await server.serve(
            user, reading: cut, writing: { answers.yield($0) },
            closing: {
              answers.finish()
              outbound.finish()
            })
          answers.finish()
        }
        return StreamDevice.Line(inbound: inbound, outbound: outbound)
      }
    }
  }

  private static func wait(_ isReached: () async throws -> Bool) async rethrows -> Bool {
    for _ in 0..<2_000 {
      if try await isReached() { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  private static func edit(_ device: StreamDevice, _ replica: UInt64) async throws {
    for number in 0..<3 as Range<Int64> {
      try await device.edit { list in
        var me = Replica(
          id: ReplicaID(rawValue: replica), sequence: list.known(of: ReplicaID(rawValue: replica))
        ) { 1_777_000_000_000 }
        try list.append(["n": .int64(number)], by: &me)
      }
    }
  }

  private static func failure(_ device: StreamDevice) async -> SyncFailure? {
    guard case .stopped(.peerFailed(let failure)?) = await device.state else { return nil }
    return failure
  }

  // In processes of their own, as sessions have deadlines: here they would wait behind all other
  // tests.

  @Test func documentsAreSpreadAndStoredTogether() async {
    await #expect(processExitsWith: .success) { try await ServerRoomTests.spread() }
  }

  private static func spread() async throws {
    let desk = Desk()
    let running = Task { await desk.server.run() }
    var devices: [StreamDevice] = []
    for (number, list) in lists.enumerated() {
      for replica in [1, 2] as [UInt64] {
        // Every third one says hello byte by byte.
        devices.append(
          desk.connect(
            list, replica, user: "user \(number)", pieces: devices.count % 3 == 0 ? 1 : nil))
      }
    }
    #expect(Set(lists.map { ObjectIdentifier(desk.server.room(of: $0)) }).count == 4)
    for device in devices { await device.start() }
    for (number, device) in devices.enumerated() { try await edit(device, UInt64(number % 2 + 1)) }
    #expect(
      await wait {
        for (number, device) in devices.enumerated() {
          guard await device.acknowledged == 9, await device.list.count == 6,
            await desk.memory.documents[lists[number / 2]] == device.list
          else { return false }
        }
        return true
      })
    for list in lists { #expect(await desk.server.list(list)?.count == 6) }
    #expect(desk.server.connections == 48)
    // However many rooms there are, one call at a time stores what has gathered.
    #expect(await desk.memory.atOnce == 1)
    #expect(await desk.memory.callCount < desk.memory.writeCount)
    await desk.server.stop(within: 500)
    #expect(await wait { desk.server.connections == 0 })
    running.cancel()
    await running.value
  }

  @Test func limitsCountOverAllRooms() async {
    await #expect(processExitsWith: .success) { await ServerRoomTests.limit() }
  }

  private static func limit() async {
    let desk = Desk(ServerLimits(connections: 5, connectionsPerPrincipal: 3))
    var devices = (0..<3).map { desk.connect(lists[$0], 1) }
    for device in devices { await device.start() }
    #expect(await wait { desk.connections.count == 3 })
    // A fourth one of this user is told to come later, in whichever room; another user's is not.
    for list in lists.prefix(8) {
      let late = desk.connect(list, 9)
      await late.start()
      #expect(await wait { if case .waiting = await late.state { true } else { false } })
      await late.stop()
    }
    #expect(desk.server.connections == 3)
    devices += (3..<5).map { desk.connect(lists[$0], 1, user: "bob") }
    for device in devices[3...] { await device.start() }
    #expect(await wait { desk.connections.count == 5 })
    let carol = desk.connect(lists[6], 1, user: "carol")
    await carol.start()
    #expect(await wait { if case .waiting = await carol.state { true } else { false } })
    await carol.stop()
    // Who leaves makes room.
    await devices[0].stop()
    #expect(await wait { desk.server.connections == 4 })
    let next = desk.connect(lists[7], 1, user: "carol")
    await next.start()
    #expect(await wait { desk.connections.count == 6 })
    for device in devices[1...] + [next] { await device.stop() }
    #expect(await wait { desk.server.connections == 0 })
  }

  /// Documents are not spread evenly; as many are open as the limit says all the same.
  @Test func openDocumentsCountOverAllRooms() async {
    await #expect(processExitsWith: .success) { await ServerRoomTests.crowd() }
  }

  private static func crowd() async {
    let desk = Desk(ServerLimits(documents: 3))
    let first = desk.server.room(of: lists[0])
    let near = Array(lists.filter { desk.server.room(of: $0) === first }.prefix(3))
    let far = Array(lists.filter { desk.server.room(of: $0) !== first }.prefix(2))
    #expect(near.count == 3 && far.count == 2)
    let devices = near.map { desk.connect($0, 1) }
    for device in devices { await device.start() }
    #expect(await wait { desk.connections.count == 3 })
    #expect(await desk.server.openDocuments == near.sorted())
    // All are used, so another one has to wait, in whichever room.
    let late = desk.connect(far[0], 1)
    await late.start()
    #expect(await wait { if case .waiting = await late.state { true } else { false } })
    #expect(await desk.server.openDocuments == near.sorted())
    // The one that nobody uses makes room, in another room.
    await devices[1].stop()
    #expect(await wait { desk.server.connections == 2 })
    let next = desk.connect(far[1], 1)
    await next.start()
    #expect(await wait { desk.connections.count == 4 })
    #expect(await desk.server.openDocuments == [near[0], near[2], far[1]].sorted())
    #expect(await wait { await desk.memory.closed == [near[1]] })
    // One that is closed leaves its place as well.
    await desk.server.close(near[0])
    let last = desk.connect(near[1], 2)
    await last.start()
    #expect(await wait { desk.connections.count == 5 })
    for device in devices + [late, next, last] { await device.stop() }
    #expect(await wait { desk.server.connections == 0 })
  }

  @Test func whoIsSentAwayIsFoundInEveryRoom() async {
    await #expect(processExitsWith: .success) { await ServerRoomTests.kick() }
  }

  private static func kick() async {
    let desk = Desk()
    for (number, list) in lists.prefix(8).enumerated() {
      let device = desk.connect(list, 1)
      await device.start()
      #expect(await wait { desk.connections.count == number + 1 })
      await desk.server.kick(desk.connections[number], because: SyncFailure(.notAuthorised, "out"))
      #expect(await wait { await failure(device)?.code == .notAuthorised })
    }
    #expect(await wait { desk.server.connections == 0 })
    // What the host says while a connection is between two rooms is not lost.
    let door = ServerDoor(ServerLimits())
    let visitor = door.visitor("ann", in: desk.server.room(of: lists[0]))
    #expect(door.enter(visitor) == nil)
    door.kick(visitor.id, because: SyncFailure(.notAuthorised))
    #expect(door.kick(of: visitor.id)?.code == .notAuthorised)
    door.leave(visitor)
    #expect(door.count == 0)
  }

  /// No device's floor is taken where each brings its own only; the server's goes to all.
  @Test func theServerForgetsForEverybody() async {
    await #expect(processExitsWith: .success) { try await ServerRoomTests.forget() }
  }

  private static func forget() async throws {
    let desk = Desk()
    let (ann, bob) = (desk.connect(lists[0], 1), desk.connect(lists[0], 2, user: "bob"))
    for device in [ann, bob] { await device.start() }
    #expect(await wait { desk.connections.count == 2 })
    try await edit(ann, 1)
    try await ann.edit { list in
      let id = ReplicaID(rawValue: 1)
      var me = Replica(id: id, sequence: list.known(of: id)) { 1_777_000_000_000 }
      try list.remove(at: 0, by: &me)
    }
    #expect(await wait { await ann.list.version == bob.list.version })
    await bob.edit { list in list.forget(below: list.version) }
    try? await Task.sleep(for: .milliseconds(200))
    #expect(await desk.server.list(lists[0])?.floor.isEmpty == true)
    #expect(await ann.list.digest != bob.list.digest)
    let version = try #require(await desk.server.list(lists[0])?.version)
    #expect(await desk.server.forget(below: version, in: lists[0]))
    #expect(await wait { await ann.list.floor == bob.list.floor })
    #expect(await ann.list.digest == bob.list.digest)
    #expect(await desk.memory.documents[lists[0]]?.floor == version)
    #expect(await desk.server.openDocuments == [lists[0]])
    #expect(await desk.server.counters(of: lists[0])?.connected == 2)
    #expect(await !desk.server.forget(below: version, in: lists[1]))
  }

  /// A document that makes room for another one is closed behind what is being stored of it.
  @Test func whatForgetsIsNotClosedMeanwhile() async {
    await #expect(processExitsWith: .success) { try await ServerRoomTests.makeRoom() }
  }

  private static func makeRoom() async throws {
    let desk = Desk(ServerLimits(documents: 1))
    let ann = desk.connect(lists[0], 1)
    await ann.start()
    #expect(await wait { desk.connections.count == 1 })
    try await edit(ann, 1)
    #expect(await wait { await desk.server.list(lists[0])?.count == 3 })
    await ann.stop()
    #expect(await wait { desk.server.connections == 0 })
    let version = try #require(await desk.server.list(lists[0])?.version)
    await desk.memory.slowDown(to: 500)
    async let isStored = desk.server.forget(below: version, in: lists[0])
    #expect(await wait { await desk.memory.active == 1 })
    let bob = desk.connect(lists[1], 2, user: "bob")
    await bob.start()
    #expect(await wait { desk.connections.count == 2 })
    #expect(await desk.memory.closed.isEmpty)
    #expect(await isStored)
    #expect(await wait { await desk.memory.closed == [lists[0]] })
    #expect(await !desk.memory.hasClosedWhileStoring)
    await bob.stop()
  }

  /// A document that is deleted is closed whoever uses it, and an account ends with all its lines.
  @Test func whatIsClosedIsLetGoAndNotStoredAgain() async {
    await #expect(processExitsWith: .success) { try await ServerRoomTests.closeAll() }
  }

  private static func closeAll() async throws {
    let desk = Desk()
    let (ann, bob) = (desk.connect(lists[0], 1), desk.connect(lists[1], 2, user: "bob"))
    for device in [ann, bob] { await device.start() }
    #expect(await wait { desk.connections.count == 2 })
    #expect(await wait { await desk.server.list(lists[0]) != nil })
    try await edit(ann, 1)
    await desk.server.close(lists[0])
    let stored = await desk.memory.writeCount
    #expect(await desk.server.list(lists[0]) == nil)
    #expect(await desk.memory.closed == [lists[0]])
    #expect(await wait { await failure(ann)?.code == .documentUnknown })
    try? await Task.sleep(for: .milliseconds(100))
    #expect(await desk.memory.writeCount == stored)
    #expect(await failure(bob) == nil && desk.server.connections == 1)
    // One that is not open is not closed.
    await desk.server.close(lists[5])
    #expect(await desk.memory.closed == [lists[0]])
    await desk.server.kick(all: "ann")
    #expect(await failure(bob) == nil)
    await desk.server.kick(all: "bob")
    #expect(await wait { await failure(bob)?.code == .notAuthorised })
    #expect(await wait { desk.server.connections == 0 })
  }

  /// What is no greeting is refused, whole or in pieces, and takes nothing with it.
  @Test func whoSaysSomethingElseIsTurnedAway() async {
    await #expect(processExitsWith: .success) { try await ServerRoomTests.mumble() }
  }

  private static func mumble() async throws {
    let desk = Desk()
    for (said, isPiecewise) in [
      ([UInt8](repeating: 0x55, count: 64), true), (Array("GET / HTTP/1.1\r\n\r\n".utf8), false),
      ([UInt8](repeating: 0, count: 1 << 20), false),
    ] {
      let (input, saying) = AsyncThrowingStream.makeStream(
        of: [UInt8].self, throwing: (any Error).self)
      let answer = Mutex<[UInt8]>([])
      if isPiecewise { for byte in said { saying.yield([byte]) } } else { saying.yield(said) }
      await withTaskGroup(of: Void.self) { group in
        let (written, writing) = AsyncStream.makeStream(of: [UInt8].self)
        group.addTask {
          await desk.server.serve(
            "eve", reading: input, writing: { writing.yield($0) }, closing: { saying.finish() })
          writing.finish()
        }
        for await bytes in written { answer.withLock { $0 += bytes } }
      }
      #expect(answer.withLock { $0.isEmpty } == false)
    }
    #expect(desk.server.connections == 0 && desk.connections.isEmpty)
    await desk.server.stop(within: .max)
  }
}

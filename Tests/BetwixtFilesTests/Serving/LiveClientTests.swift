import Betwixt
import BetwixtSync
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import BetwixtFiles

/// `LiveClient` and `LiveServer` over sockets, with a server that goes away and a storage that fails.
@Suite struct LiveClientTests {
  private static let list = ListID(high: 7, low: 1)

  /// A server at a socket: it can be ended and begun again, with what is on the drive.
  private final class Desk: Sendable {
    let folder: String
    let address: SocketAddress
    private let work = Mutex<(listener: SocketListener, task: Task<Void, any Error>)?>(nil)

    init(_ scratch: borrowing ScratchDirectory) {
      folder = scratch.path
      address = .path(scratch.path + "/socket")
    }

    func start() async throws {
      let listener = try await SocketListener(address)
      let (sockets, incoming) = AsyncStream.makeStream(of: Socket.self)
      let folder = DocumentFolder(URL(fileURLWithPath: folder))
      let task = Task {
        async let serving: Void = serve(sockets, users: ["": "ann"], folder: folder)
        while let socket = try await listener.next() {
          let (inbound, bytes) = AsyncThrowingStream.makeStream(
            of: [UInt8].self, throwing: (any Error).self)
          Task {
            for try await piece in socket.inbound { bytes.yield(piece) }
            bytes.finish()
          }
          incoming.yield(
            Socket(
              token: "", inbound: inbound, write: { try await socket.write($0) },
              close: { socket.close() }))
        }
        incoming.finish()
        await serving
      }
      work.withLock { $0 = (listener, task) }
    }

    func stop() async throws {
      let (listener, task) = try #require(work.withLock { $0.take() })
      listener.close()
      try await task.value
    }
  }

  /// What is stored, unless it is told to fail.
  private actor Drive: ClientStorage {
    var stored: ReplicatedList
    var isBroken = false
    private(set) var failureCount = 0

    init(_ list: ReplicatedList) { stored = list }

    func set(isBroken: Bool) { self.isBroken = isBroken }

    func store(_ writes: [Delta]) throws {
      guard !isBroken else {
        failureCount += 1
        throw FileSystemError("sync", because: .noSpace)
      }
      for write in writes { stored.merge(write) }
    }
  }

  /// Where connections wait that are being opened.
  private actor Door {
    private(set) var knockCount = 0
    private(set) var mostAtOnce = 0
    private var waitCount = 0
    private var isOpen = false

    func open() { isOpen = true }

    func pass() async throws {
      knockCount += 1
      waitCount += 1
      defer { waitCount -= 1 }
      mostAtOnce = max(mostAtOnce, waitCount)
      while !isOpen { try await Task.sleep(for: .milliseconds(5)) }
    }
  }

  private struct Device: Sendable {
    let client: LiveClient
    let drive: Drive
    let events: AsyncStream<LiveClient.Event>

    init(_ number: UInt64, backOff: BackOff = BackOff(first: 20, longest: 50)) {
      let list = ReplicatedList(id: LiveClientTests.list)
      let drive = Drive(list)
      let (events, note) = AsyncStream.makeStream(of: LiveClient.Event.self)
      let random = Mutex(SplitMix64(seed: number))
      client = LiveClient(
        list, by: Replica(id: ReplicaID(rawValue: number)) { 1_777_000_000_000 },
        storage: drive, backOff: backOff, random: { random.withLock { $0.next() } },
        note: { note.yield($0) })
      self.drive = drive
      self.events = events
    }

    func run(_ desk: Desk) -> Task<SyncEnd, Never> {
      let address = desk.address
      return run(at: address)
    }

    private func run(at address: SocketAddress) -> Task<SyncEnd, Never> {
      Task { [client] in
        await client.run { client in
          let socket = try await SocketConnection.open(address)
          await client.converse(
            reading: socket.inbound, writing: { try await socket.write($0) },
            closing: { socket.close() })
        }
      }
    }

    func append(_ title: String) async throws {
      try await client.edit { list, me in
        _ = try list.append(["title": .string(title)], by: &me)
      }
    }
  }

  private static func wait(_ isReached: () async -> Bool) async -> Bool {
    for _ in 0..<4_000 {
      if await isReached() { return true }
      try? await Task.sleep(for: .milliseconds(5))
    }
    return false
  }

  // In processes of their own, as sessions have deadlines: here they would wait behind all other
  // tests.

  @Test func clientsStayInStepOverServersThatComeAndGo() async {
    await #expect(processExitsWith: .success) {
      try await LiveClientTests.checkClientsStayInStepOverServersThatComeAndGo()
    }
  }

  private static func checkClientsStayInStepOverServersThatComeAndGo() async throws {
    let scratch = ScratchDirectory()
    let desk = Desk(scratch)
    let devices = [Device(1), Device(2)]
    // Nobody listens yet.
    let runs = devices.map { $0.run(desk) }
    for round in 0..<3 {
      for (number, device) in devices.enumerated() {
        for count in 0..<5 { try await device.append("\(round) \(number) \(count)") }
      }
      try await desk.start()
      #expect(
        await Self.wait {
          for device in devices {
            guard await device.client.acknowledged == Int64(15 * (round + 1)),
              await device.client.list.count == 10 * (round + 1)
            else { return false }
          }
          return true
        }, "round \(round)")
      #expect(await devices[0].client.list == devices[1].client.list)
      try await desk.stop()
    }
    for (device, run) in zip(devices, runs) {
      await device.client.stop()
      #expect(await run.value == .finished)
      // What is shown is what is stored.
      #expect(await device.drive.stored == device.client.list)
    }
    let list = try DocumentExamination(
      of: "\(scratch.path)/\(Self.list).trip", in: PosixFileSystem()
    ).list
    #expect(await devices[0].client.list == list)
  }

  /// As a user interface does that is shown, hidden and shown again.
  @Test func aClientRunsAgainAfterItsTaskWasCancelled() async {
    await #expect(processExitsWith: .success) {
      try await LiveClientTests.checkAClientRunsAgainAfterItsTaskWasCancelled()
    }
  }

  private static func checkAClientRunsAgainAfterItsTaskWasCancelled() async throws {
    let scratch = ScratchDirectory()
    let desk = Desk(scratch)
    try await desk.start()
    let device = Device(1)
    for round in 1...3 as ClosedRange<Int64> {
      let run = device.run(desk)
      try await device.append("\(round)")
      #expect(await Self.wait { await device.client.acknowledged == 3 * round })
      run.cancel()
      #expect(await run.value == .finished)
    }
    // One that begins before the other has noticed that it is to end goes on without it.
    let runs = [device.run(desk), device.run(desk)]
    runs[0].cancel()
    try await device.append("4")
    #expect(await Self.wait { await device.client.acknowledged == 12 })
    runs[1].cancel()
    for run in runs { #expect(await run.value == .finished) }
    try await desk.stop()
  }

  /// Each change comes after those before it, and an acknowledgement never goes back.
  @Test func whatHappensIsToldInOrder() async {
    await #expect(processExitsWith: .success) {
      try await LiveClientTests.checkWhatHappensIsToldInOrder()
    }
  }

  private static func checkWhatHappensIsToldInOrder() async throws {
    let scratch = ScratchDirectory()
    let desk = Desk(scratch)
    try await desk.start()
    let (writer, reader) = (Device(1), Device(2))
    let runs = [writer, reader].map { $0.run(desk) }
    for number in 0..<40 { try await writer.append("\(number)") }
    #expect(await Self.wait { await reader.client.list.count == 40 })
    #expect(await Self.wait { await writer.client.acknowledged == 120 })
    for device in [writer, reader] { await device.client.stop() }
    for run in runs { _ = await run.value }
    try await desk.stop()
    var rows: [ItemID] = []
    for await event in reader.events.prefix(while: { $0.state != .stopped(.finished) }) {
      if case .merged(let changes) = event { changes.apply(to: &rows) { $0 } }
    }
    #expect(await rows == reader.client.list.map(\.id))
    var told: [Int64] = []
    for await event in writer.events.prefix(while: { $0.state != .stopped(.finished) }) {
      if case .acknowledged(let number) = event { told.append(number) }
    }
    #expect(told == told.sorted() && told.last == 120)
  }

  @Test func nothingLeavesBeforeItIsStored() async {
    await #expect(processExitsWith: .success) {
      try await LiveClientTests.checkNothingLeavesBeforeItIsStored()
    }
  }

  private static func checkNothingLeavesBeforeItIsStored() async throws {
    let scratch = ScratchDirectory()
    let desk = Desk(scratch)
    try await desk.start()
    let (writer, reader) = (Device(1), Device(2))
    let runs = [writer, reader].map { $0.run(desk) }
    try await writer.append("first")
    #expect(await Self.wait { await reader.client.list.count == 1 })
    await writer.drive.set(isBroken: true)
    try await writer.append("second")
    // It asks again with each connection, and nobody hears of it meanwhile.
    #expect(await Self.wait { await writer.drive.failureCount >= 3 })
    #expect(await writer.client.list.count == 2)
    #expect(await reader.client.list.count == 1)
    #expect(await writer.client.acknowledged == 3)
    await writer.drive.set(isBroken: false)
    #expect(await Self.wait { await reader.client.list.count == 2 })
    #expect(await Self.wait { await writer.client.acknowledged == 6 })
    #expect(await writer.drive.stored.count == 2)
    for device in [writer, reader] { await device.client.stop() }
    for run in runs { #expect(await run.value == .finished) }
    try await desk.stop()
  }

  /// An edit that throws leaves nothing behind, not even a number.
  @Test func editsAreAllOrNothing() async throws {
    struct Refused: Error {}
    let device = Device(1)
    await #expect(throws: Refused.self) {
      try await device.client.edit { list, me in
        _ = try list.append(["title": "x"], by: &me)
        throw Refused()
      }
    }
    #expect(await device.client.list.isEmpty)
    try await device.append("y")
    #expect(await device.client.list.count == 1)
    #expect(await device.client.list.version[ReplicaID(rawValue: 1)] == 3)
  }

  @Test func whoIsCancelledStops() async {
    await #expect(processExitsWith: .success) {
      try await LiveClientTests.checkWhoIsCancelledStops()
    }
  }

  private static func checkWhoIsCancelledStops() async throws {
    let scratch = ScratchDirectory()
    let desk = Desk(scratch)
    try await desk.start()
    let device = Device(1)
    let run = device.run(desk)
    #expect(await Self.wait { await device.client.state == .connected })
    run.cancel()
    #expect(await run.value == .finished)
    #expect(await device.client.state == .stopped(.finished))
    try await desk.stop()
  }

  /// The second run waits until the connection that the first one is opening has come to something.
  @Test func twoRunsOpenOneConnectionAtATime() async {
    let (door, device) = (Door(), Device(1))
    let run = { @Sendable in await device.client.run { _ in try await door.pass() } }
    let first = Task { await run() }
    #expect(await Self.wait { await door.knockCount == 1 })
    let second = Task { await run() }
    #expect(await Self.wait { await device.client.runCount == 2 })
    // What the second run does at once it has done when the client has answered a few times.
    for _ in 0..<100 { _ = await device.client.runCount }
    #expect(await door.knockCount == 1)
    await door.open()
    #expect(await first.value == .finished)
    #expect(await Self.wait { await door.knockCount > 3 })
    #expect(await door.mostAtOnce == 1)
    await device.client.stop()
    #expect(await second.value == .finished)
  }

  /// Another device under the same id takes the place of the first, which stays away until it is
  /// told; then it goes on under an id of its own.
  @Test func whoIsReplacedComesBackAsSomebodyElse() async {
    await #expect(processExitsWith: .success) {
      try await LiveClientTests.checkWhoIsReplacedComesBackAsSomebodyElse()
    }
  }

  private static func checkWhoIsReplacedComesBackAsSomebodyElse() async throws {
    let scratch = ScratchDirectory()
    let desk = Desk(scratch)
    try await desk.start()
    let (first, second) = (Device(1), Device(1))
    let run = first.run(desk)
    try await first.append("one")
    #expect(await Self.wait { await first.client.acknowledged == 3 })
    let other = second.run(desk)
    let end = await run.value
    guard case .peerFailed(let failure) = end else {
      Issue.record("\(end)")
      return
    }
    #expect(failure.code == .replaced)
    #expect(await Self.wait { await second.client.list.count == 1 })
    await first.client.write(as: Replica(id: ReplicaID(rawValue: 9)) { 1_777_000_000_000 })
    let again = first.run(desk)
    try await first.append("two")
    #expect(await Self.wait { await second.client.list.count == 2 })
    #expect(await Self.wait { await first.client.acknowledged > 0 })
    for device in [first, second] { await device.client.stop() }
    #expect(await again.value == .finished)
    #expect(await other.value == .finished)
    try await desk.stop()
  }
}

extension LiveClient.Event {
  fileprivate var state: SyncClient.State? {
    if case .state(let state) = self { state } else { nil }
  }
}

import Betwixt
import BetwixtSync

/// Some of the documents of a ``LiveServer`` with their connections: rooms work beside each other.
///
/// The first room is also where connections are until they have said which document they mean.
actor ServerRoom {
  private var server: SyncServer
  private let door: ServerDoor
  private let storage: any ServerStorage
  private let queue: StoreQueue
  private let random: @Sendable () -> UInt64
  private let wallClock: (@Sendable () -> Int64)?
  private let failed: @Sendable (StorageFailure) -> Void
  private let note: @Sendable (SyncServer.Output) -> Void

  private var lines: [SyncServer.ConnectionID: OutgoingLine] = [:]
  private var waiting: [(ticket: SyncServer.StoreTicket, write: StoredWrite)] = []
  private var owner: (ticket: SyncServer.StoreTicket, owner: StoredWrite.Owner)?
  private var isStoring = false
  /// The documents of what is being stored now.
  private var storing: Set<ListID> = []
  /// The documents that the host closes, and how often.
  private var closing: [ListID: Int] = [:]
  /// The documents that have a place at the door.
  private var placed: Set<ListID> = []
  // What the storage has been asked to do last with a document: one thing at a time, in order.
  private var chores: [ListID: (number: Int, task: Task<Void, Never>)] = [:]
  private var choreCount = 0

  // The time at which a task looks at the clock before the next tick.
  private var alarm: Int64?

  private static let tickMilliseconds: Int64 = 50

  // What the clock showed beside the one that never goes back; they part when it is set.
  private var clockOffset: Int64?

  private static let clockStep: UInt64 = 1_000

  init(
    _ server: SyncServer, behind door: ServerDoor, storage: any ServerStorage, queue: StoreQueue,
    random: @escaping @Sendable () -> UInt64, wallClock: (@Sendable () -> Int64)?,
    failed: @escaping @Sendable (StorageFailure) -> Void,
    note: @escaping @Sendable (SyncServer.Output) -> Void
  ) {
    self.server = server
    self.door = door
    self.storage = storage
    self.queue = queue
    self.random = random
    self.wallClock = wallClock
    self.failed = failed
    self.note = note
  }

  func list(_ id: ListID) -> ReplicatedList? { server.list(id) }

  func counters(of id: ListID) -> HubCounters? { server.counters(of: id) }

  var openDocuments: [ListID] { server.openDocuments }

  /// Lets time go by until the task is cancelled.
  func run() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(ServerRoom.tickMilliseconds))
      noteClock()
      perform(server.tick(now: PipeDriver.now()))
    }
  }

  /// Tells the server when the clock was set, or has gone another way than the one that never goes back.
  private func noteClock() {
    guard let wallClock else { return }
    let (wall, now) = (wallClock(), PipeDriver.now())
    let offset = wall.subtractingReportingOverflow(now).partialValue
    guard let last = clockOffset else {
      clockOffset = offset
      return
    }
    let (step, overflow) = offset.subtractingReportingOverflow(last)
    guard overflow || step.magnitude >= ServerRoom.clockStep else { return }
    clockOffset = offset
    server.clockWasSet(to: wall, now: now)
  }

  // MARK: Connections

  /// Takes a connection that has said nothing here.
  ///
  /// - Parameters:
  ///   - visitor: The connection.
  ///   - failure: Why it is turned away; `nil` if it is not.
  func open(_ visitor: Visitor, turningAway failure: SyncFailure? = nil) {
    lines[visitor.id] = visitor.line
    let nonce = SessionNonce(high: random(), low: random())
    perform(
      server.connect(
        visitor.id, principal: visitor.principal, nonce: nonce, wallClock: wallClock?(),
        turningAway: failure, now: PipeDriver.now()))
  }

  /// Lets a connection go that has said nothing, to another room; returns whether it was here still.
  func release(_ id: SyncServer.ConnectionID) -> Bool {
    server.release(id) && lines.removeValue(forKey: id) != nil
  }

  func receive(_ bytes: [UInt8], from id: SyncServer.ConnectionID) {
    perform(server.receive(bytes, from: id, now: PipeDriver.now()))
  }

  func disconnected(_ id: SyncServer.ConnectionID) {
    perform(server.disconnected(id, now: PipeDriver.now()))
    lines[id] = nil
  }

  func sent(_ byteCount: Int, to id: SyncServer.ConnectionID) {
    server.sent(byteCount, to: id)
  }

  func kick(_ id: SyncServer.ConnectionID, because failure: SyncFailure) {
    perform(server.kick(id, because: failure, now: PipeDriver.now()))
  }

  func merge(_ delta: Delta, owners: [ReplicaID: String] = [:], into list: ListID) {
    perform(server.merge(delta, owners: owners, into: list, now: PipeDriver.now()))
  }

  /// Stores a floor, and lets everybody have it; returns whether it is stored.
  ///
  /// The storage is not asked to close the document meanwhile: with one that is not open it refuses
  /// all that is stored together.
  func forget(below floor: VersionVector, in list: ListID) async -> Bool {
    guard server.list(list) != nil else { return false }
    return await withCheckedContinuation { answer in
      then(list) { answer.resume(returning: await $0.storeFloor(floor, in: list)) }
    }
  }

  private func storeFloor(_ floor: VersionVector, in list: ListID) async -> Bool {
    guard let held = server.list(list) else { return false }
    var builder = Delta.Builder()
    builder.forget(below: floor.intersection(held.version))
    let delta = builder.build()
    guard await queue.store([StoredWrite(list: list, delta: delta, owner: nil)]) else {
      return false
    }
    merge(delta, into: list)
    return true
  }

  /// Closes a document, and waits until nothing of it is being stored and the storage has closed it.
  func close(_ list: ListID, because failure: SyncFailure) async {
    closing[list, default: 0] += 1
    var outputs = server.close(list, because: failure, now: PipeDriver.now())
    let isOpen = outputs.popLast() != nil
    perform(outputs)
    // Nobody was told that it is stored, and nobody will be.
    waiting.removeAll { $0.ticket.list == list }
    // A storage is not asked to close what it is storing.
    while storing.contains(list) { await ServerRoom.pause() }
    if isOpen { perform([.evict(list)]) }
    while chores[list] != nil { await ServerRoom.pause() }
    closing[list] = closing[list].flatMap { $0 > 1 ? $0 - 1 : nil }
  }

  /// Tells every client that the server stops, and waits until they have gone and all is stored, or
  /// it is late.
  func stop(by end: Int64) async {
    perform(server.shutDown(now: PipeDriver.now()))
    while !lines.isEmpty || isStoring || !chores.isEmpty, PipeDriver.now() < end {
      await ServerRoom.pause()
    }
    for line in lines.values { line.finish() }
    lines = [:]
  }

  /// Lets others go on for a while, also where whoever waits was cancelled: a task of its own was not.
  private static func pause() async {
    await Task { try? await Task.sleep(for: .milliseconds(5)) }.value
  }

  // MARK: What the server asks for

  private func perform(_ outputs: [SyncServer.Output]) {
    for output in outputs {
      switch output {
      case .send(let bytes, let id): lines[id]?.send(bytes)
      case .close(let id, _): lines.removeValue(forKey: id)?.finish()
      case .open(let list, let principal):
        if closing[list] != nil {
          let failure = SyncFailure(.unavailable, "the document is being closed")
          perform(server.notOpened(list, because: failure, now: PipeDriver.now()))
        } else {
          then(list) { await $0.open(list, for: principal) }
        }
      case .evict(let list): then(list) { await $0.putAway(list) }
      case .own(let replica, let principal, let ticket):
        owner = (ticket, StoredWrite.Owner(replica: replica, principal: principal))
      case .store(let delta, let ticket): gather(delta, ticket: ticket)
      case .changed, .event: note(output)
      }
    }
    setAlarm()
  }

  /// Looks at the clock when something is due, where the next tick would be late: clients that have
  /// used up their shares are heard one after another, and not all of them at one tick.
  private func setAlarm() {
    guard let deadline = server.nextDeadline, deadline < alarm ?? .max else { return }
    let wait = max(1, deadline - PipeDriver.now())
    guard wait < ServerRoom.tickMilliseconds else { return }
    alarm = deadline
    Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(wait))
      await self?.ring(deadline)
    }
  }

  private func ring(_ time: Int64) {
    // An earlier one may have rung for it.
    guard alarm == time else { return }
    alarm = nil
    perform(server.tick(now: PipeDriver.now()))
  }

  /// Does something with a document when all is done that was begun with it before.
  private func then(_ list: ListID, _ chore: @escaping @Sendable (ServerRoom) async -> Void) {
    choreCount += 1
    let (number, last) = (choreCount, chores[list]?.task)
    let task = Task {
      await last?.value
      await chore(self)
      if chores[list]?.number == number { chores[list] = nil }
    }
    chores[list] = (number, task)
  }

  private func open(_ list: ListID, for principal: String) async {
    let outputs: [SyncServer.Output]
    do {
      guard await door.takePlace() else { throw SyncFailure.tooManyDocuments }
      placed.insert(list)
      let document = try await storage.open(list, for: principal)
      outputs = server.opened(document.list, owners: document.owners, now: PipeDriver.now())
    } catch {
      // A failure of a sync is the storage's answer to the client. What else there is may hold paths.
      let answer = error as? SyncFailure
      if answer == nil { failed(StorageFailure(.open, of: [list], because: error)) }
      leavePlace(of: list)
      outputs = server.notOpened(
        list, because: answer ?? SyncFailure(.unavailable, "the document"), now: PipeDriver.now())
    }
    perform(outputs)
  }

  private func putAway(_ list: ListID) async {
    leavePlace(of: list)
    await storage.close(list)
  }

  private func leavePlace(of list: ListID) {
    if placed.remove(list) != nil { door.leavePlace() }
  }

  /// Since when nobody has used the document here that nobody has used for longest; `nil` if all are
  /// used.
  var idleSince: Int64? { server.idleSince }

  /// Closes that document and leaves its place to another one, which has it when this returns; whether
  /// there was one.
  func giveWay() -> Bool {
    let outputs = server.evictOldest()
    guard case .evict(let list)? = outputs.first else { return false }
    let isPlaced = placed.remove(list) != nil
    perform(outputs)
    return isPlaced
  }

  private func gather(_ delta: Delta, ticket: SyncServer.StoreTicket) {
    let mine = owner.flatMap { $0.ticket == ticket ? $0.owner : nil }
    owner = nil
    waiting.append((ticket, StoredWrite(list: ticket.list, delta: delta, owner: mine)))
    guard !isStoring else { return }
    isStoring = true
    Task { await storeAll() }
  }

  private func storeAll() async {
    while !waiting.isEmpty {
      let group = waiting
      waiting = []
      storing = Set(group.map { $0.ticket.list })
      let isStored = await queue.store(group.map { $0.write })
      storing = []
      perform(
        server.stored(
          all: group.map { $0.ticket }, succeeded: isStored, now: PipeDriver.now()))
    }
    isStoring = false
  }
}

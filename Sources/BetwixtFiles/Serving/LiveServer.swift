public import Betwixt
public import BetwixtSync

/// A `SyncServer` at work: any transport that has bytes as an `AsyncSequence` and takes bytes by an
/// asynchronous function becomes a server of documents.
///
///     let server = LiveServer(SyncServer(relay: .allow), storage: files, random: random)
///     async let ticking: Void = server.run()
///     // For each connection, once its login is known:
///     await server.serve(user, reading: inbound, writing: { try await outbound.write($0) })
///
/// # Stores
/// What comes in while the storage is busy is stored together by its next call, so a sync to the
/// drive serves all who wait for one. Nobody sees a write, and nobody is told that it was taken,
/// before it is stored.
public actor LiveServer {
  private var server: SyncServer
  private let storage: any ServerStorage
  private let random: @Sendable () -> UInt64
  private let wallClock: (@Sendable () -> Int64)?
  private let note: @Sendable (SyncServer.Output) -> Void

  private var connectionCount: UInt64 = 0
  private var lines: [SyncServer.ConnectionID: OutgoingLine] = [:]
  private var waiting: [(ticket: SyncServer.StoreTicket, write: StoredWrite)] = []
  private var owner: (ticket: SyncServer.StoreTicket, owner: StoredWrite.Owner)?
  private var isStoring = false
  // What the storage has been asked to do last with a document: one thing at a time, in order.
  private var chores: [ListID: (number: Int, task: Task<Void, Never>)] = [:]
  private var choreCount = 0

  private static let tickMilliseconds = 50

  /// Makes a server; call ``run()`` beside it.
  ///
  /// - Parameters:
  ///   - server: What it takes on, and whom it lets do what.
  ///   - storage: Where documents are.
  ///   - random: Random bits for the names of connections, never the same ones again.
  ///   - wallClock: Milliseconds since 1970, to tell whose clock is ahead; `nil` for none.
  ///   - note: Is told what changed and what sessions tell, for logs and metrics.
  public init(
    _ server: SyncServer, storage: any ServerStorage, random: @escaping @Sendable () -> UInt64,
    wallClock: (@Sendable () -> Int64)? = nil,
    note: @escaping @Sendable (SyncServer.Output) -> Void = { _ in }
  ) {
    self.server = server
    self.server.boundUnsentBytes()
    self.storage = storage
    self.random = random
    self.wallClock = wallClock
    self.note = note
  }

  /// How many connections there are.
  public var connections: Int { server.connectionCount }

  /// What a document holds; `nil` if it is not open.
  public func list(_ id: ListID) -> ReplicatedList? { server.list(id) }

  /// Lets time go by until the task is cancelled: silent clients are dropped, and documents that
  /// nobody uses are closed.
  public func run() async {
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(LiveServer.tickMilliseconds))
      perform(server.tick(now: PipeDriver.now()))
    }
  }

  // MARK: Connections

  /// Serves one connection to its end.
  ///
  /// - Parameters:
  ///   - principal: Who it is, as the login said.
  ///   - input: The bytes that come, cut anyhow.
  ///   - write: Sends bytes, and returns when there is room for more.
  ///   - close: Closes the connection, so that `input` ends: the server has said its last word, or
  ///     nobody has read it for some seconds.
  public func serve(
    _ principal: String, reading input: some AsyncSequence<[UInt8], any Error> & Sendable,
    writing write: @escaping @Sendable ([UInt8]) async throws -> Void,
    closing close: @escaping @Sendable () async -> Void = {}
  ) async {
    let (id, line) = open(principal)
    let writer = Task {
      await line.run(
        writing: write, closing: close, wrote: { [weak self] in await self?.sent($0, to: id) })
    }
    do {
      for try await bytes in input {
        perform(server.receive(bytes, from: id, now: PipeDriver.now()))
      }
    } catch {
      // A connection that breaks has ended like one that is closed.
    }
    perform(server.disconnected(id, now: PipeDriver.now()))
    line.finish()
    lines[id] = nil
    await writer.value
  }

  private func open(_ principal: String) -> (SyncServer.ConnectionID, OutgoingLine) {
    connectionCount += 1
    let id = SyncServer.ConnectionID(connectionCount)
    let line = OutgoingLine()
    lines[id] = line
    let nonce = SessionNonce(high: random(), low: random())
    perform(
      server.connect(
        id, principal: principal, nonce: nonce, wallClock: wallClock?(), now: PipeDriver.now()))
    return (id, line)
  }

  private func sent(_ byteCount: Int, to id: SyncServer.ConnectionID) {
    server.sent(byteCount, to: id)
  }

  /// Ends a connection of one's own choice; its client is told why.
  public func kick(_ id: SyncServer.ConnectionID, _ failure: SyncFailure) {
    perform(server.kick(id, failure, now: PipeDriver.now()))
  }

  /// Takes what another process has stored in a document.
  public func merge(_ delta: Delta, into list: ListID) {
    perform(server.merge(delta, into: list, now: PipeDriver.now()))
  }

  /// Tells every client that the server stops, and waits until they have gone and all is stored.
  ///
  /// - Parameter milliseconds: How long to wait for them at most.
  public func stop(within milliseconds: Int64 = 5_000) async {
    let end = PipeDriver.now() + milliseconds
    perform(server.shutDown(now: PipeDriver.now()))
    while !lines.isEmpty || isStoring || !chores.isEmpty, PipeDriver.now() < end {
      try? await Task.sleep(for: .milliseconds(5))
    }
    for line in lines.values { line.finish() }
    lines = [:]
  }

  // MARK: What the server asks for

  private func perform(_ outputs: [SyncServer.Output]) {
    for output in outputs {
      switch output {
      case .send(let bytes, let id): lines[id]?.send(bytes)
      case .close(let id, _): lines.removeValue(forKey: id)?.finish()
      case .open(let list, let principal):
        then(list) { await $0.open(list, for: principal) }
      case .evict(let list): then(list) { await $0.storage.close(list) }
      case .own(let replica, let principal, let ticket):
        owner = (ticket, StoredWrite.Owner(replica: replica, principal: principal))
      case .store(let delta, let ticket): gather(delta, ticket)
      case .changed, .event: note(output)
      }
    }
  }

  /// Does something with a document when all is done that was begun with it before.
  private func then(_ list: ListID, _ chore: @escaping @Sendable (LiveServer) async -> Void) {
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
      let document = try await storage.open(list, for: principal)
      outputs = server.opened(document.list, owners: document.owners, now: PipeDriver.now())
    } catch {
      let failure = error as? SyncFailure ?? SyncFailure(.unavailable, "the document")
      outputs = server.notOpened(list, failure, now: PipeDriver.now())
    }
    perform(outputs)
  }

  private func gather(_ delta: Delta, _ ticket: SyncServer.StoreTicket) {
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
      var isStored = true
      do {
        try await storage.store(group.map { $0.write })
      } catch {
        isStored = false
      }
      perform(
        server.stored(
          all: group.map { $0.ticket }, succeeded: isStored, now: PipeDriver.now()))
    }
    isStoring = false
  }
}

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
///
/// # Cores
/// Documents are spread over rooms by their ids, one room for each core: each works by itself, and
/// they meet only where they store. One document is never worked on by two cores at a time.
public final class LiveServer: Sendable {
  private let rooms: [ServerRoom]
  private let door: ServerDoor

  /// Makes a server; call ``run()`` beside it.
  ///
  /// - Parameters:
  ///   - server: What it takes on, and whom it lets do what; without documents as yet. Its
  ///     limits count over all rooms.
  ///   - storage: Where documents are.
  ///   - rooms: How many documents are worked on at a time at most; `nil` for one for each core.
  ///   - random: Random bits for the names of connections, never the same ones again.
  ///   - wallClock: Milliseconds since 1970, to tell whose clock is ahead; `nil` for none.
  ///   - failed: Is told what the storage could not do, and why, for whoever runs the server: clients
  ///     are told only that they may come back. By several rooms at a time.
  ///   - note: Is told what changed and what sessions tell, for logs and metrics: in order for each
  ///     document, and by several rooms at a time.
  public init(
    _ server: SyncServer, storage: any ServerStorage, rooms: Int? = nil,
    random: @escaping @Sendable () -> UInt64, wallClock: (@Sendable () -> Int64)? = nil,
    failed: @escaping @Sendable (StorageFailure) -> Void = { _ in },
    note: @escaping @Sendable (SyncServer.Output) -> Void = { _ in }
  ) {
    let count = max(1, rooms ?? PosixCall.processorCount())
    var part = server
    part.boundUnsentBytes()
    part.countNothing()
    let queue = StoreQueue(storage, failed: failed)
    let door = ServerDoor(server.limits)
    self.rooms = (0..<count).map { [part] _ in
      ServerRoom(
        part, behind: door, storage: storage, queue: queue, random: random, wallClock: wallClock,
        failed: failed, note: note)
    }
    self.door = door
    door.lead(to: self.rooms)
  }

  /// How many connections there are.
  public var connections: Int { door.count }

  /// What a document holds; `nil` if it is not open.
  public func list(_ id: ListID) async -> ReplicatedList? { await room(of: id).list(id) }

  /// What the hub of a document has done since it was opened; `nil` if it is not open.
  public func counters(of id: ListID) async -> HubCounters? { await room(of: id).counters(of: id) }

  /// The documents that are open, rising.
  ///
  /// - Complexity: O(*d* log *d*) for *d* documents
  public var openDocuments: [ListID] {
    get async {
      var open: [ListID] = []
      for room in rooms { open += await room.openDocuments }
      return open.sorted()
    }
  }

  /// Lets time go by until the task is cancelled: silent clients are dropped, and documents that
  /// nobody uses are closed.
  public func run() async {
    await withDiscardingTaskGroup { group in
      for room in rooms { group.addTask { await room.run() } }
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
    let visitor = door.visitor(principal, in: rooms[0])
    await visitor.room.open(visitor, turningAway: door.enter(visitor))
    let writer = Task {
      await visitor.line.run(
        writing: write, closing: close,
        wrote: { await visitor.room.sent($0, to: visitor.id) })
    }
    var (greeting, isGreeted) = ([UInt8](), false)
    do {
      for try await bytes in input {
        if isGreeted {
          await visitor.room.receive(bytes, from: visitor.id)
        } else {
          greeting += bytes
          isGreeted = await greet(visitor, said: greeting)
          if isGreeted { greeting = [] }
        }
      }
    } catch {
      // A connection that breaks has ended like one that is closed.
    }
    await visitor.room.disconnected(visitor.id)
    visitor.line.finish()
    await writer.value
    door.leave(visitor)
  }

  /// Brings a connection to the room of the document that it means.
  ///
  /// - Returns: Whether a room has heard what it has said; not while that is too little to know the
  ///   document.
  private func greet(_ visitor: Visitor, said: [UInt8]) async -> Bool {
    do throws(DecodeFailure) {
      if let list = try SyncServer.document(meantBy: said) {
        await move(visitor, to: room(of: list))
      } else if said.count <= SyncServer.greetingLimit {
        return false
      }
    } catch {
      // The room will say what is wrong with it.
    }
    await visitor.room.receive(said, from: visitor.id)
    return true
  }

  private func move(_ visitor: Visitor, to room: ServerRoom) async {
    // Who was silent for too long has been turned away.
    guard room !== visitor.room, await visitor.room.release(visitor.id) else { return }
    visitor.room = room
    await room.open(visitor)
    // It may have been on its way when the rooms were asked.
    if let failure = door.kick(of: visitor.id) { await room.kick(visitor.id, because: failure) }
  }

  /// The room that a document is worked on in.
  func room(of list: ListID) -> ServerRoom {
    // Ids are random, or numbers in a row.
    let hash = (list.high ^ list.low).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15).low
    return rooms[Int(hash.multipliedFullWidth(by: UInt64(rooms.count)).high)]
  }

  /// Ends a connection of one's own choice; its client is told why.
  public func kick(_ id: SyncServer.ConnectionID, because failure: SyncFailure) async {
    door.kick(id, because: failure)
    for room in rooms { await room.kick(id, because: failure) }
  }

  /// Ends all connections of a principal, of an account that was closed; its clients are told why.
  ///
  /// Let nobody log in as it any more before.
  public func kick(
    all principal: String, because failure: SyncFailure = SyncFailure(.notAuthorised)
  ) async {
    for id in door.connections(of: principal) { await kick(id, because: failure) }
  }

  /// Closes a document now, whoever uses it: one that is to be deleted.
  ///
  /// When this returns all its clients were told why, nothing of it is being stored, and the storage
  /// has closed it. It is opened again when somebody asks for it, unless ``ServerStorage`` throws
  /// `documentUnknown` for it, or `mayOpen` refuses it: see to that first. The article "A whole
  /// server" has the steps.
  ///
  /// - Parameters:
  ///   - list: Which one.
  ///   - failure: Why: `documentUnknown` and `notAuthorised` are for good.
  public func close(
    _ list: ListID, because failure: SyncFailure = SyncFailure(.documentUnknown)
  ) async {
    await room(of: list).close(list, because: failure)
  }

  /// Takes what another process has stored in a document.
  ///
  /// - Parameters:
  ///   - delta: What is in the storage now.
  ///   - owners: Whose the replicas are that wrote it, as the storage says. One that is left out may
  ///     become another's here.
  ///   - list: Which document; nothing happens if it is not open.
  public func merge(
    _ delta: Delta, owners: [ReplicaID: String] = [:], into list: ListID
  ) async {
    await room(of: list).merge(delta, owners: owners, into: list)
  }

  /// Forgets what removed items of a document held, here, in the storage, and on all devices that
  /// take the floor: see `ReplicatedList.forget(below:)`.
  ///
  /// This is how a document of several users forgets: with `RelayPolicy.ownOnly` no device's floor is
  /// taken from it, and every device takes the server's.
  ///
  ///     let month: Int64 = 30 * 86_400_000
  ///     let floor = await server.list(id)?.version(olderThan: Timestamp(milliseconds: now - month))
  ///     if let floor { await server.forget(below: floor, in: id) }
  ///
  /// - Parameters:
  ///   - floor: Up to which writes; what is not known yet does not count.
  ///   - list: Which document.
  /// - Returns: Whether it is stored; not if the document is not open.
  /// - Complexity: O(*n*), and sending the floor to each client
  @discardableResult
  public func forget(below floor: VersionVector, in list: ListID) async -> Bool {
    await room(of: list).forget(below: floor, in: list)
  }

  /// Tells every client that the server stops, and waits until they have gone and all is stored.
  ///
  /// - Parameter milliseconds: How long to wait for them at most.
  public func stop(within milliseconds: Int64 = 5_000) async {
    let (sum, isEndless) = PipeDriver.now().addingReportingOverflow(milliseconds)
    let end = isEndless ? .max : sum
    await withDiscardingTaskGroup { group in
      for room in rooms { group.addTask { await room.stop(by: end) } }
    }
  }
}

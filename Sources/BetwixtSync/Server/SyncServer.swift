public import Betwixt

/// Many documents behind one door: each connection says in its first message which one it means.
///
/// Like a hub it does no I/O and reads no clock. The host moves bytes, opens documents when they are
/// asked for, stores what is to be stored, and lets time go by:
///
///     var server = SyncServer(relay: .allow)
///     perform(server.connect(id, principal: user, nonce: nonce, now: now))
///     perform(server.receive(bytes, from: id, now: now))
///     // .open(let list, _): perform(server.opened(try load(list), now: now))
///     // .store(let delta, let ticket): gather; then
///     perform(server.stored(all: tickets, succeeded: true, now: now))
///     perform(server.tick(now: now))
///
/// # Documents
/// A document is opened when somebody asks for it and closed when nobody has used it for
/// ``ServerLimits/idleTime``. Until the host has opened it, what its clients say waits, bounded; all
/// others go on. Each has a ``SyncHub`` of its own, so that what is said of hubs holds here.
///
/// # Costs
/// A call costs what it does for the document and the connections that it concerns.
public struct SyncServer: Sendable {
  /// Names one connection; the host chooses it and uses it once.
  public typealias ConnectionID = SyncHub.PeerID

  var setup: SyncSetup
  let relay: RelayPolicy
  package private(set) var limits: ServerLimits
  var hubLimits: HubLimits
  let mayOpen: @Sendable (String, ListID, ConnectionID) -> Bool
  let admit: @Sendable (ListID, Entry, AdmissionContext) -> Admission

  var connections: [ConnectionID: Connection] = [:]
  var principals: [String: Int] = [:]
  var documents: [ListID: OpenDocument] = [:]
  /// When documents and greetings have something to do at the earliest.
  var timers = TimerQueue<Alarm>()
  var isShutDown = false

  /// Makes a server without documents.
  ///
  /// - Parameters:
  ///   - setup: What sessions take.
  ///   - relay: Whether connections may bring entries of others.
  ///   - limits: How much the server takes on.
  ///   - hubLimits: How much one document takes on.
  ///   - admit: Decides on each entry of a document before it is merged. It must not depend on the
  ///     order of entries.
  ///   - mayOpen: Whether a principal may open a document at all, asked once for each connection
  ///     before anything is said about the document, or it is opened.
  public init(
    setup: SyncSetup = SyncSetup(), relay: RelayPolicy = .ownOnly,
    limits: ServerLimits = ServerLimits(), hubLimits: HubLimits = HubLimits(),
    admit: @escaping @Sendable (ListID, Entry, AdmissionContext) -> Admission = { _, _, _ in
      .allow
    },
    mayOpen: @escaping @Sendable (String, ListID, ConnectionID) -> Bool = { _, _, _ in true }
  ) {
    self.setup = setup
    self.relay = relay
    self.limits = limits
    self.hubLimits = hubLimits
    self.admit = admit
    self.mayOpen = mayOpen
  }

  /// Bounds the bytes that may wait for one peer, where the limits do not: for a host that tells
  /// what has gone out.
  package mutating func boundUnsentBytes() {
    // Content stops at the window; what else is said is little.
    hubLimits.unsentBytes = hubLimits.unsentBytes ?? setup.window + SyncServer.unsentSlack
  }

  private static let unsentSlack = 4 << 20

  /// Leaves it to the host to count connections and documents, which it spreads over several servers.
  package mutating func countNothing() {
    limits.connections = .max
    limits.connectionsPerPrincipal = .max
    limits.documents = .max
  }

  /// How many connections there are.
  public var connectionCount: Int { connections.count }

  /// The documents that are open.
  ///
  /// - Complexity: O(*d*) for *d* documents
  public var openDocuments: [ListID] {
    documents.filter { $0.value.hub != nil }.map { $0.key }.sorted()
  }

  /// What a document holds; `nil` if it is not open.
  public func list(_ id: ListID) -> ReplicatedList? { documents[id]?.hub?.list }

  /// What the hub of a document has done since it was opened; `nil` if it is not open.
  public func counters(of id: ListID) -> HubCounters? { documents[id]?.hub?.counters }

  // MARK: Connections

  /// Takes a new connection.
  ///
  /// - Parameters:
  ///   - id: A name for it.
  ///   - principal: Who it is, as the host's own login said.
  ///   - nonce: Random, and never used before.
  ///   - wallClock: Milliseconds since 1970 now; `nil` for those of the setup.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do.
  public mutating func connect(
    _ id: ConnectionID, principal: String, nonce: SessionNonce, wallClock: Int64? = nil, now: Int64
  ) -> [Output] {
    connect(
      id, principal: principal, nonce: nonce, wallClock: wallClock,
      turningAway: reasonToTurnAway(principal), now: now)
  }

  // The same for a host that counts connections itself; `failure` says why this one is turned away.
  package mutating func connect(
    _ id: ConnectionID, principal: String, nonce: SessionNonce, wallClock: Int64?,
    turningAway failure: SyncFailure?, now: Int64
  ) -> [Output] {
    forget(id)
    connections[id] = Connection(
      principal: principal, nonce: nonce, wallClock: wallClock, since: now)
    principals[principal, default: 0] += 1
    if let failure = failure ?? stopping { return turnAway(id, because: failure, now: now) }
    timers.insert(.greeting(id), at: now + Connection.patience)
    return []
  }

  private func reasonToTurnAway(_ principal: String) -> SyncFailure? {
    if connections.count >= limits.connections { return .tooManyConnections }
    if principals[principal, default: 0] >= limits.connectionsPerPrincipal {
      return .tooManyConnectionsOfOne
    }
    return nil
  }

  private var stopping: SyncFailure? {
    isShutDown ? SyncFailure(.unavailable, "the server stops") : nil
  }

  /// Takes bytes that came from a connection.
  ///
  /// - Complexity: O(the bytes), and what merging takes
  public mutating func receive(
    _ bytes: some Collection<UInt8>, from id: ConnectionID, now: Int64
  ) -> [Output] {
    guard let index = connections.index(forKey: id) else { return [] }
    if let list = connections.values[index].list, documents[list]?.hub != nil {
      return work(list, now: now) { $0.receive(bytes, from: id, now: now) }
    }
    connections.values[index].waiting += bytes
    if connections.values[index].waiting.count > Connection.waitingLimit {
      return turnAway(
        id, because: SyncFailure(.limitExceeded, "more bytes than were granted"), now: now)
    }
    return connections.values[index].list == nil ? choose(id, now: now) : []
  }

  /// Takes note that a connection has ended.
  public mutating func disconnected(_ id: ConnectionID, now: Int64) -> [Output] {
    guard let connection = connections[id] else { return [] }
    guard let list = connection.list, documents[list]?.hub != nil else {
      forget(id)
      return []
    }
    return work(list, now: now) { $0.disconnected(id, now: now) }
  }

  /// Ends a connection; the peer is told why.
  ///
  /// - Parameters:
  ///   - id: Which one; others are ignored.
  ///   - failure: Why: `notAuthorised` is for good, after `unavailable` a client comes back.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do: the last bytes, and `close`.
  public mutating func kick(
    _ id: ConnectionID, because failure: SyncFailure = SyncFailure(.notAuthorised), now: Int64
  ) -> [Output] {
    guard let connection = connections[id] else { return [] }
    guard let list = connection.list, documents[list]?.hub != nil else {
      return turnAway(id, because: failure, now: now)
    }
    return work(list, now: now) { $0.kick(id, because: failure, now: now) }
  }

  /// Takes note that bytes for a connection have gone out, for ``HubLimits/unsentBytes``.
  public mutating func sent(_ byteCount: Int, to id: ConnectionID) {
    guard let list = connections[id]?.list else { return }
    documents[list]?.hub?.sent(byteCount, to: id)
  }

  // MARK: Documents

  /// Takes a document that was asked for.
  ///
  /// - Parameters:
  ///   - list: What it holds, as it is stored.
  ///   - owners: Which principals own which replicas, as `own` has told.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do: those who wait for it get their answers.
  public mutating func opened(
    _ list: ReplicatedList, owners: [ReplicaID: String] = [:], now: Int64
  ) -> [Output] {
    guard let document = documents[list.id], document.hub == nil else { return [] }
    let (id, admit) = (list.id, admit)
    documents[id]?.hub = SyncHub(
      list: list, setup: setup, relay: relay, limits: hubLimits, owners: owners,
      admit: { admit(id, $0, $1) })
    documents[id]?.expected = []
    var outputs: [Output] = []
    for connection in document.expected { outputs += enter(connection, in: id, now: now) }
    rest(id, now: now)
    return outputs
  }

  /// Takes note that a document cannot be opened; those who wait for it are told.
  ///
  /// - Parameters:
  ///   - list: Which one.
  ///   - failure: Why: `documentUnknown` or `notAuthorised` are for good.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do.
  public mutating func notOpened(
    _ list: ListID, because failure: SyncFailure = SyncFailure(.documentUnknown), now: Int64
  ) -> [Output] {
    guard let document = documents[list], document.hub == nil else { return [] }
    documents[list] = nil
    return document.expected.flatMap { turnAway($0, because: failure, now: now) }
  }

  /// Closes a document whoever uses it: one that is to be deleted.
  ///
  /// All who are connected to it or wait for it are told why, and what was being stored of it is told
  /// to nobody. Who asks for it later asks the host again: it says no in `mayOpen`, or by
  /// ``notOpened(_:because:now:)``, *before* it closes the document.
  ///
  /// - Parameters:
  ///   - list: Which one; nothing happens if it is not open.
  ///   - failure: Why: `documentUnknown` and `notAuthorised` are for good.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do: the last bytes to each, `close`, and `evict`.
  /// - Complexity: O(*p*) for *p* connections to it
  public mutating func close(
    _ list: ListID, because failure: SyncFailure = SyncFailure(.documentUnknown), now: Int64
  ) -> [Output] {
    guard let document = documents[list] else { return [] }
    var outputs: [Output] = []
    for id in document.hub?.connected ?? document.expected {
      outputs += kick(id, because: failure, now: now)
    }
    documents[list] = nil
    return outputs + [.evict(list)]
  }

  /// Takes note that what was to be stored is durable, or could not be stored, for many at once.
  ///
  /// - Parameters:
  ///   - tickets: Those of the outputs, in their order, of any documents.
  ///   - succeeded: Whether all of it is durable, or none.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do next.
  public mutating func stored(
    all tickets: some Sequence<StoreTicket>, succeeded: Bool, now: Int64
  ) -> [Output] {
    var order: [ListID] = []
    var groups: [ListID: [SyncHub.StoreTicket]] = [:]
    for ticket in tickets {
      if groups[ticket.list] == nil { order.append(ticket.list) }
      groups[ticket.list, default: []].append(ticket.ticket)
    }
    var outputs: [Output] = []
    for list in order {
      let group = groups[list] ?? []
      outputs += work(list, now: now) { $0.stored(all: group, succeeded: succeeded, now: now) }
    }
    return outputs
  }

  /// Takes what another process has stored in a document; nothing if it is not open here.
  ///
  /// - Parameters:
  ///   - delta: What is in the storage now.
  ///   - owners: Whose the replicas are that wrote it, as the storage says: see
  ///     ``SyncHub/merge(_:owners:now:)``.
  ///   - list: Which document.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do.
  /// - Complexity: O(*k* log *n*) for *k* entries and owners, and sending it to each client
  public mutating func merge(
    _ delta: Delta, owners: [ReplicaID: String] = [:], into list: ListID, now: Int64
  ) -> [Output] {
    work(list, now: now) { $0.merge(delta, owners: owners, now: now) }
  }

  // MARK: Time

  /// Takes note of the time.
  ///
  /// - Complexity: O(*k* log *d*), and what the *k* documents take whose time has come
  public mutating func tick(now: Int64) -> [Output] {
    var due: [(time: Int64, alarm: Alarm)] = []
    while let (time, alarm) = timers.next(at: now) { due.append((time, alarm)) }
    var outputs: [Output] = []
    // Each list once: what is due again at once is for the next time.
    for (time, alarm) in due {
      switch alarm {
      case .greeting(let id):
        // Who has said which document it means is looked after there.
        guard let connection = connections[id], connection.list == nil,
          connection.since + Connection.patience <= now
        else { continue }
        outputs += turnAway(id, because: SyncFailure(.timeout), now: now)
      case .document(let list):
        guard documents[list]?.alarm == time else { continue }
        documents[list]?.alarm = .max
        outputs += work(list, now: now) { $0.tick(now: now) }
        outputs += evict(list, now: now)
      }
    }
    return outputs
  }

  /// Takes note that the clock was set; see ``SyncHub/clockWasSet(to:now:)``.
  ///
  /// - Parameters:
  ///   - wallClock: Milliseconds since 1970 now.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Complexity: O(*p*) for *p* connections
  public mutating func clockWasSet(to wallClock: Int64, now: Int64) {
    if setup.wallClock != nil { setup.wallClock = wallClock }
    if setup.admission.now != nil { setup.admission.now = wallClock }
    for index in connections.values.indices where connections.values[index].wallClock != nil {
      connections.values[index].wallClock = wallClock
    }
    for index in documents.values.indices {
      documents.values[index].hub?.clockWasSet(to: wallClock, now: now)
    }
  }

  /// When `tick` has something to do at the earliest; it may turn out that it has nothing to do.
  public var nextDeadline: Int64? { timers.earliest }

  /// Ends all connections in order, and takes no new ones.
  ///
  /// Each peer is told; its connection is closed when it has answered, or by `tick` when it has not
  /// for two minutes, which begin for a peer whose write is being stored when that is done. What is
  /// being stored is taken.
  ///
  /// - Returns: What to do.
  public mutating func shutDown(now: Int64) -> [Output] {
    isShutDown = true
    var outputs: [Output] = []
    for id in connections.keys.sorted() {
      guard let list = connections[id]?.list, documents[list]?.hub != nil else {
        outputs += turnAway(id, because: SyncFailure(.unavailable, "the server stops"), now: now)
        continue
      }
    }
    for list in openDocuments { outputs += work(list, now: now) { $0.shutDown(now: now) } }
    return outputs
  }
}

extension SyncFailure {
  package static let tooManyConnections = SyncFailure(.unavailable, "too many connections")
  package static let tooManyConnectionsOfOne = SyncFailure(
    .unavailable, "too many connections of one user")
  package static let tooManyDocuments = SyncFailure(.unavailable, "too many documents")
}

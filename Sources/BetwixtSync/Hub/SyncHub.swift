public import Betwixt

/// Many conversations about one list: what one peer brings, the others get.
///
/// Like a session it does no I/O and reads no clock. The host moves bytes between connections and
/// peers and stores what the hub asks it to store:
///
///     var hub = SyncHub(list: list) { entry, context in
///       context.principal == "guest" ? .deny(reason: "read only") : .allow
///     }
///     perform(hub.connect(peer, principal: name, nonce: nonce, now: now))
///     perform(hub.receive(bytes, from: peer, now: now))
///
/// A change marks the other peers; each gets it when its last round is over. There are no queues
/// per peer: a slow peer costs its window and nothing else.
public struct SyncHub: Sendable {
  /// Names one connection; the host chooses it and uses it once.
  public struct PeerID: Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Makes an id.
    public init(_ rawValue: UInt64) {
      self.rawValue = rawValue
    }

    /// Earlier ids are less.
    public static func < (left: PeerID, right: PeerID) -> Bool { left.rawValue < right.rawValue }
  }

  /// A question that waits for ``SyncHub/stored(_:succeeded:now:)``.
  public struct StoreTicket: Hashable, Sendable {
    let peer: PeerID
    let ticket: Ticket
  }

  /// What the hub asks its host to do, in this order.
  public enum Output: Sendable {
    /// Send bytes to a peer.
    case send([UInt8], to: PeerID)

    /// Make entries durable, then call `stored`: nobody else sees them before.
    case store(Delta, StoreTicket)

    /// Know what a peer's entries changed in the list, and which writes lost.
    case changed(ListChanges, PeerID)

    /// Know what a session tells.
    case event(SyncEvent, PeerID)

    /// End a connection once everything is sent.
    case close(PeerID, SyncEnd)
  }

  private struct Peer {
    var session: SyncSession
    let principal: String
    let wallClock: Int64?
    var skew: Int64?
    var isKnown = false
    var isDirty = false
    var lastRound: Int64
  }

  /// The list as it is stored.
  public private(set) var list: ReplicatedList

  private let setup: SyncSetup
  private let relay: RelayPolicy
  private let admit: @Sendable (Entry, AdmissionContext) -> Admission
  private var peers: [PeerID: Peer] = [:]
  /// What waits to be stored, and what was refused of it.
  private var pending: [StoreTicket: (delta: Delta, refusals: [Refusal])] = [:]
  // Lent to the session that is at work, so that its deltas serve the others.
  private var encodings: EncodedDeltas? = EncodedDeltas()

  /// Which principal each replica belongs to: the first one that opened with it.
  ///
  /// Keep it if the hub is to know its clients after a restart.
  public private(set) var owners: [ReplicaID: String]

  /// How many deltas were encoded for the peers.
  package var encodedDeltaCount: Int { encodings?.encodedCount ?? 0 }

  /// How long a peer's last round must be over before the next one begins.
  private static let pause: Int64 = 50

  /// Makes a hub.
  ///
  /// - Parameters:
  ///   - list: The list as it is stored.
  ///   - setup: What sessions take; they are live, and a hub does not write.
  ///   - relay: Whether peers may bring entries of others.
  ///   - owners: Which principals own which replicas, as an earlier hub knew it.
  ///   - admit: Decides on each entry before it is merged. It must not depend on the order of
  ///     entries.
  public init(
    list: ReplicatedList, setup: SyncSetup = SyncSetup(), relay: RelayPolicy = .ownOnly,
    owners: [ReplicaID: String] = [:],
    admit: @escaping @Sendable (Entry, AdmissionContext) -> Admission = { _, _ in .allow }
  ) {
    self.list = list
    self.setup = setup
    self.relay = relay
    self.owners = owners
    self.admit = admit
    self.list.settleDigest()
  }

  /// The connected peers, rising.
  ///
  /// - Complexity: O(*p* log *p*)
  public var connected: [PeerID] { peers.keys.sorted() }

  // MARK: What happens

  /// Takes a new connection.
  ///
  /// - Parameters:
  ///   - peer: A name for it.
  ///   - principal: Who it is, as the host's own login said.
  ///   - nonce: Random, and never used before.
  ///   - wallClock: Milliseconds since 1970 now, to tell how far the peer's clock is off; `nil` for
  ///     those of the setup.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do.
  public mutating func connect(
    _ peer: PeerID, principal: String, nonce: SessionNonce, wallClock: Int64? = nil, now: Int64
  ) -> [Output] {
    var setup = setup
    setup.isLive = true
    setup.replica = nil
    if let wallClock {
      setup.wallClock = wallClock
      if setup.admission.now != nil { setup.admission.now = wallClock }
    }
    var session = SyncSession(setup, list: list, nonce: nonce, now: now)
    let outputs = session.start(now: now)
    peers[peer] = Peer(
      session: session, principal: principal, wallClock: setup.wallClock, lastRound: now)
    return handle(outputs, peer, now)
  }

  /// Takes bytes that came from a peer.
  public mutating func receive(
    _ bytes: some Collection<UInt8>, from peer: PeerID, now: Int64
  ) -> [Output] {
    converse(peer, now) { $0.receive(bytes, now: now) } + meet(peer, now) + flush(now)
  }

  /// Takes note that a connection has ended.
  public mutating func disconnected(_ peer: PeerID, now: Int64) -> [Output] {
    converse(peer, now) { $0.inputEnded(now: now) }
  }

  /// Takes note that what was to be stored is durable, or could not be stored.
  public mutating func stored(
    _ ticket: StoreTicket, succeeded: Bool, now: Int64
  ) -> [Output] {
    guard let pending = pending.removeValue(forKey: ticket) else { return [] }
    guard succeeded else {
      return settle(ticket, .failed("not stored"), now)
    }
    // What is stored counts, also if the peer has left meanwhile.
    let before = list.digest
    let changes = list.merge(pending.delta)
    list.settleDigest()
    if list.digest != before {
      for id in connected where id != ticket.peer { peers[id]?.isDirty = true }
    }
    let outputs: [Output] = changes.isEmpty ? [] : [.changed(changes, ticket.peer)]
    return outputs + settle(ticket, .done(refused: pending.refusals), now) + flush(now)
  }

  /// Takes a list that the host changed by itself.
  public mutating func listChanged(_ list: ReplicatedList, now: Int64) -> [Output] {
    self.list.merge(list)
    self.list.settleDigest()
    for id in connected { peers[id]?.isDirty = true }
    return flush(now)
  }

  /// Takes note of the time: silent peers are dropped, and waiting changes go out.
  public mutating func tick(now: Int64) -> [Output] {
    var outputs: [Output] = []
    for id in connected {
      outputs += converse(id, now) { $0.tick(now: now) }
    }
    return outputs + flush(now)
  }

  /// When `tick` has something to do at the earliest.
  ///
  /// - Complexity: O(*p*)
  public var nextDeadline: Int64? {
    var earliest: Int64?
    for peer in peers.values {
      var deadline = peer.session.nextDeadline
      if peer.isDirty, peer.session.isIdle {
        deadline = min(deadline ?? .max, peer.lastRound + SyncHub.pause)
      }
      if let deadline { earliest = min(earliest ?? .max, deadline) }
    }
    return earliest
  }
}

// MARK: - Sessions

extension SyncHub {
  /// Lets a peer's session do something, and does what it asks for.
  private mutating func converse(
    _ peer: PeerID, _ now: Int64, _ body: (inout SyncSession) -> [SyncOutput]
  ) -> [Output] {
    guard let place = peers.index(forKey: peer) else { return [] }
    swap(&peers.values[place].session.encodings, &encodings)
    let outputs = body(&peers.values[place].session)
    swap(&peers.values[place].session.encodings, &encodings)
    return handle(outputs, peer, now)
  }

  private mutating func handle(
    _ outputs: [SyncOutput], _ peer: PeerID, _ now: Int64
  ) -> [Output] {
    var result: [Output] = []
    for output in outputs {
      switch output {
      case .send(let bytes): result.append(.send(bytes, to: peer))
      case .merge(let delta, let ticket):
        // Whose replica it is must be known before its first entry is looked at.
        result += meet(peer, now)
        result += take(delta, StoreTicket(peer: peer, ticket: ticket), now)
      case .makeDurable(_, let ticket):
        // What the hub holds is stored already.
        result += settle(StoreTicket(peer: peer, ticket: ticket), .done(), now)
      case .event(let event):
        note(event, peer, now)
        result.append(.event(event, peer))
      case .close(let end):
        peers[peer] = nil
        result.append(.close(peer, end))
      }
    }
    return result
  }

  private mutating func settle(
    _ ticket: StoreTicket, _ outcome: SyncOutcome, _ now: Int64
  ) -> [Output] {
    let list = list
    return converse(ticket.peer, now) {
      $0.settled(ticket.ticket, outcome, list: list, now: now)
    }
  }

  private mutating func note(_ event: SyncEvent, _ peer: PeerID, _ now: Int64) {
    switch event {
    case .greeted(let description):
      if let theirs = description.wallClock, let ours = peers[peer]?.wallClock {
        let (skew, overflow) = theirs.subtractingReportingOverflow(ours)
        peers[peer]?.skew = overflow ? .max : skew
      }
    case .synced: peers[peer]?.lastRound = now
    default: break
    }
  }

  /// Looks at whose replica a peer claims to be, once.
  private mutating func meet(_ id: PeerID, _ now: Int64) -> [Output] {
    guard let peer = peers[id], !peer.isKnown, let replica = peer.session.peerReplica else {
      return []
    }
    peers[id]?.isKnown = true
    if let owner = owners[replica], owner != peer.principal {
      return refuse(id, SyncFailure(.notAuthorised, "another's replica"), now)
    }
    owners[replica] = peer.principal
    let twins = connected.filter { $0 != id && peers[$0]?.session.peerReplica == replica }
    guard !twins.isEmpty else { return [] }
    var outputs: [Output] = []
    for twin in twins + [id] {
      outputs += refuse(twin, SyncFailure(.identityInUse, replica.description), now)
    }
    return outputs
  }

  private mutating func refuse(
    _ id: PeerID, _ failure: SyncFailure, _ now: Int64
  ) -> [Output] {
    converse(id, now) { $0.refuse(failure, now: now) }
  }

  /// Starts rounds with the peers that lack something and are ready for it.
  private mutating func flush(_ now: Int64) -> [Output] {
    var outputs: [Output] = []
    for id in connected {
      guard let peer = peers[id], peer.isDirty, peer.session.isIdle,
        now >= peer.lastRound + SyncHub.pause
      else { continue }
      peers[id]?.isDirty = false
      let list = list
      outputs += converse(id, now) { $0.listChanged(list, now: now) }
    }
    return outputs
  }
}

// MARK: - Admission

extension SyncHub {
  private mutating func take(
    _ delta: Delta, _ ticket: StoreTicket, _ now: Int64
  ) -> [Output] {
    guard let peer = peers[ticket.peer] else { return [] }
    let refusals = refusals(delta, peer)
    let admitted = delta.leavingOut(refusals, mergingInto: list)
    pending[ticket] = (admitted, refusals)
    return admitted.isEmpty
      ? stored(ticket, succeeded: true, now: now) : [.store(admitted, ticket)]
  }

  /// One refusal for each reason, in the order in which they come up.
  private func refusals(_ delta: Delta, _ peer: Peer) -> [Refusal] {
    var groups: [(admission: Admission, entries: [Entry], held: [Entry])] = []
    for entry in delta.entries {
      let held = list.entry(at: RegisterAddress(entry.item, entry.register))
      let admission = admission(entry, held, peer)
      guard admission != .allow else { continue }
      let index = groups.firstIndex { $0.admission == admission } ?? groups.count
      if index == groups.count { groups.append((admission, [], [])) }
      groups[index].entries.append(entry)
      if let held { groups[index].held.append(held) }
    }
    return groups.map { group in
      switch group.admission {
      case .deny(let reason):
        Refusal(entries: group.entries, isDeferred: false, reason: reason, held: group.held)
      case .postpone(let reason):
        Refusal(entries: group.entries, isDeferred: true, reason: reason, held: group.held)
      case .allow:
        Refusal(entries: [], isDeferred: false, reason: "", held: [])
      }
    }
  }

  private func admission(_ entry: Entry, _ held: Entry?, _ peer: Peer) -> Admission {
    if held == entry { return .allow }
    let replica = peer.session.peerReplica
    if relay == .ownOnly, entry.stamp.replica != replica {
      return .postpone(reason: "its writer has not brought it")
    }
    return admit(
      entry,
      AdmissionContext(
        principal: peer.principal, replica: replica, clockSkew: peer.skew, held: held))
  }
}

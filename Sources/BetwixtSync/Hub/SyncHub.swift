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
/// # Costs
/// A change is encoded once, and pushed to each peer that is idle; who is in a round gets it when
/// that is over. There are no queues per peer, only its place in a log that all share: a slow one
/// costs its window and holds nobody up, and when the log has moved on, a round brings what it
/// lacks. A call costs what it does for the peers that it concerns: others that are connected cost
/// it nothing. A change that a peer brings is as great however many replicas there are.
///
/// # Owners
/// A replica belongs to the principal whose write under it was stored first: from then on another
/// principal that writes under it, or opens with it, is told that the id is in use, and takes a new
/// one. Who connects again under the replica that it has replaces its older connection.
public struct SyncHub: Sendable {
  /// The list as it is stored.
  public internal(set) var list: ReplicatedList

  var setup: SyncSetup
  let relay: RelayPolicy
  let limits: HubLimits
  let mayOpen: @Sendable (String, PeerID) -> Bool
  let admit: @Sendable (Entry, AdmissionContext) -> Admission

  var peers: [PeerID: Peer] = [:]
  /// How many connections each principal has.
  var principals: [String: Int] = [:]
  /// The connection of each replica that a principal opened with.
  var holders: [Holder: PeerID] = [:]
  /// What waits to be stored.
  var pending: [StoreTicket: Pending] = [:]
  var ownership: Ownership
  var isShutDown = false

  /// What became of the list: what sessions push, each from its own place on.
  var log = EditLog()
  /// Whether it has grown since the calm peers were looked at.
  var hasNews = false
  /// Peers that lack nothing: the ones to look at when the list changes.
  var calm: [PeerID] = []
  /// When sessions have something to do at the earliest: one entry for each peer that counts, and
  /// later ones that counted before and go when their time comes.
  var timers = TimerQueue<PeerID>()
  // Lent to the session that is at work, so that its deltas serve the others.
  var encodings: EncodedDeltas? = EncodedDeltas()
  var counts = HubCounters()

  /// Makes a hub.
  ///
  /// - Parameters:
  ///   - list: The list as it is stored.
  ///   - setup: What sessions take; they are live, and a hub does not write.
  ///   - relay: Whether peers may bring entries of others.
  ///   - limits: How much the hub takes on.
  ///   - owners: Which principals own which replicas, as an earlier hub told.
  ///   - admit: Decides on each entry before it is merged. It must not depend on the order of
  ///     entries.
  ///   - mayOpen: Whether a principal may open this list at all, asked once for each connection
  ///     before anything is said about the list.
  public init(
    list: ReplicatedList, setup: SyncSetup = SyncSetup(), relay: RelayPolicy = .ownOnly,
    limits: HubLimits = HubLimits(), owners: [ReplicaID: String] = [:],
    admit: @escaping @Sendable (Entry, AdmissionContext) -> Admission = { _, _ in .allow },
    mayOpen: @escaping @Sendable (String, PeerID) -> Bool = { _, _ in true }
  ) {
    self.list = list
    self.relay = relay
    self.limits = limits
    self.mayOpen = mayOpen
    self.admit = admit
    ownership = Ownership(owners)
    var setup = setup
    setup.isLive = true
    setup.replica = nil
    // A floor speaks for all writers, as entries of others do.
    setup.takesFloor = setup.takesFloor && relay == .allow
    self.setup = setup
    self.list.settleDigest()
  }

  /// The connected peers, rising.
  ///
  /// - Complexity: O(*p* log *p*)
  public var connected: [PeerID] { peers.keys.sorted() }

  /// What the hub has done since it was made.
  public var counters: HubCounters {
    var counters = counts
    counters.connected = peers.count
    counters.encodedDeltas = Int64((encodings?.encodedCount ?? 0) + log.encodedCount)
    return counters
  }

  // MARK: What happens

  /// Takes bytes that came from a peer.
  ///
  /// - Complexity: O(the bytes), and what merging takes
  public mutating func receive(
    _ bytes: some Collection<UInt8>, from peer: PeerID, now: Int64
  ) -> [Output] {
    counts.receivedBytes += Int64(bytes.count)
    var outputs = converse(peer, now: now) { $0.receive(bytes, now: now) }
    outputs += meet(peer, now: now)
    regard(peer)
    return outputs + spread(now)
  }

  /// Takes note that a connection has ended.
  public mutating func disconnected(_ peer: PeerID, now: Int64) -> [Output] {
    converse(peer, now: now) { $0.inputEnded(now: now) }
  }

  /// Takes note that what was to be stored is durable, or could not be stored.
  public mutating func stored(
    _ ticket: StoreTicket, succeeded: Bool, now: Int64
  ) -> [Output] {
    stored(all: CollectionOfOne(ticket), succeeded: succeeded, now: now)
  }

  /// Takes note that what was to be stored is durable, or could not be stored, for many at once.
  ///
  /// A host gathers what the hub asks it to store while it is busy with the drive, and stores it
  /// all with one sync: who sends many small pieces then waits for as many syncs, and others for
  /// one. All is merged before anybody is told, so that it goes out together.
  ///
  /// - Parameters:
  ///   - tickets: Those of the outputs, in their order.
  ///   - succeeded: Whether all of it is durable, or none.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do next.
  public mutating func stored(
    all tickets: some Sequence<StoreTicket>, succeeded: Bool, now: Int64
  ) -> [Output] {
    var outputs: [Output] = []
    var settled: [(ticket: StoreTicket, outcome: SyncOutcome)] = []
    for ticket in tickets {
      guard let pending = pending.removeValue(forKey: ticket) else { continue }
      if let claim = pending.claim {
        ownership.settle(claim, with: ticket, isStored: succeeded)
      }
      if succeeded {
        // What is stored counts, also if the peer has left meanwhile.
        outputs += merge(pending, ticket: ticket)
        settled.append((ticket, .done(refused: pending.refusals)))
      } else {
        settled.append((ticket, .failed("not stored")))
      }
    }
    for (ticket, outcome) in settled {
      outputs += settle(ticket, outcome: outcome, now: now)
      regard(ticket.peer)
    }
    return outputs + spread(now)
  }

  /// Takes what the host stored by itself, or another process in the same storage.
  ///
  ///     perform(hub.merge(newer.delta(since: hub.list.version), owners: stored, now: now))
  ///
  /// - Parameters:
  ///   - delta: What is in the storage now; any delta of this list.
  ///   - owners: Whose the replicas are that wrote it, as the storage says, which is right where the hub
  ///     believes something else; others may be among them. Where other processes serve the same
  ///     list, one that is left out may become another's here.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do next.
  /// - Complexity: O(*k* log *n*) for *k* entries and owners, and sending it to each peer
  public mutating func merge(
    _ delta: Delta, owners: [ReplicaID: String] = [:], now: Int64
  ) -> [Output] {
    ownership.learn(owners)
    counts.mergedEntries += Int64(delta.count)
    follow(delta, from: nil)
    return spread(now)
  }

  /// Takes a list that the host changed by itself.
  ///
  /// - Complexity: O(*n*), where ``merge(_:owners:now:)`` takes what the change takes
  public mutating func listChanged(_ list: ReplicatedList, now: Int64) -> [Output] {
    let before = self.list
    self.list.merge(list)
    self.list.settleDigest()
    note(
      EditLog.Position(
        from: before, to: self.list, restoredWhole: log.sendsRestoredWhole))
    return spread(now)
  }

  /// Forgets what removed items held, here and at all peers that take the floor: see
  /// `ReplicatedList.forget(below:)`.
  ///
  /// Nothing need be stored for anybody's sake: a server that starts again without the floor holds
  /// more than the others and agrees with them. To store it, store a delta that says the floor, and
  /// merge it.
  ///
  ///     perform(hub.forget(below: acknowledgedByAll, now: now))
  ///
  /// - Parameters:
  ///   - floor: Up to which writes; what the list does not know is left out.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do next.
  /// - Complexity: O(*n*), and sending the floor to each peer
  public mutating func forget(below floor: VersionVector, now: Int64) -> [Output] {
    var builder = Delta.Builder()
    builder.forget(below: floor.intersection(list.version))
    return merge(builder.build(), now: now)
  }

  /// Merges what is stored, and notes it for those who have yet to hear of it.
  @discardableResult
  mutating func follow(_ delta: Delta, from origin: UInt64?) -> ListChanges {
    let draft = EditLog.Position.Draft(delta, on: list)
    let changes = list.mergeSettling(delta)
    note(
      EditLog.Position(
        draft, behind: list, origin: origin, restoredWhole: log.sendsRestoredWhole))
    return changes
  }

  private mutating func note(_ position: EditLog.Position) {
    // Also one without content is an answer to who brought it.
    guard !position.isEmpty || position.origin != nil else { return }
    log.append(position)
    hasNews = true
  }

  /// Takes note of the time: silent peers are dropped, and waiting changes go out.
  ///
  /// - Complexity: O(*k* log *p*), and what the *k* peers take whose time has come
  public mutating func tick(now: Int64) -> [Output] {
    var due: [(time: Int64, peer: PeerID)] = []
    while let (time, peer) = timers.next(at: now) { due.append((time, peer)) }
    var outputs: [Output] = []
    // Each peer once: what is due again at once is for the next time.
    for (time, peer) in due { outputs += alarm(peer, at: time, now: now) }
    return outputs + spread(now)
  }

  /// When `tick` has something to do at the earliest; it may turn out that it has nothing to do.
  ///
  /// - Complexity: O(1)
  public var nextDeadline: Int64? { timers.earliest }
}

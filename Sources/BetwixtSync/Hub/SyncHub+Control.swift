import Betwixt

// Who is connected, and how connections end.

extension SyncHub {
  /// Takes a new connection.
  ///
  /// - Parameters:
  ///   - peer: A name for it.
  ///   - principal: Who it is, as the host's own login said.
  ///   - nonce: Random, and never used before.
  ///   - wallClock: Milliseconds since 1970 now, to tell how far the peer's clock is off, and which
  ///     writes are too far ahead; `nil` for those of the setup.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do.
  public mutating func connect(
    _ peer: PeerID, principal: String, nonce: SessionNonce, wallClock: Int64? = nil, now: Int64
  ) -> [Output] {
    var setup = setup
    if let wallClock {
      // A setup with a clock and an admission without one judges no times on purpose.
      let judges = setup.admission.now != nil || setup.wallClock == nil
      setup.wallClock = wallClock
      if judges { setup.admission.now = wallClock }
    }
    let failure = reasonToTurnAway(peer, principal: principal)
    drop(peer)
    counts.connections += failure == nil ? 1 : 0
    counts.turnedAway += failure == nil ? 0 : 1
    principals[principal, default: 0] += 1
    peers[peer] = Peer(
      session: SyncSession(
        setup, list: failure == nil ? list : nil, nonce: nonce, now: now, hubOrigin: peer.rawValue),
      principal: principal, wallClock: setup.wallClock)
    peers[peer]?.session.share = limits.messagesPerSecond.map { PeerShare(perSecond: $0, now: now) }
    let outputs = converse(peer, now: now) { $0.start(now: now) }
    if let failure { return outputs + refuse(peer, because: failure, now: now) }
    regard(peer)
    return outputs
  }

  /// Takes note that the clock was set, for those who are connected and those who come.
  ///
  /// A host looks now and then whether its clock and the one that never goes back still go together:
  /// connections last for weeks, and each is judged by the time that it began with.
  ///
  /// - Parameters:
  ///   - wallClock: Milliseconds since 1970 now.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Complexity: O(*p*) for *p* connections
  public mutating func clockWasSet(to wallClock: Int64, now: Int64) {
    if setup.wallClock != nil { setup.wallClock = wallClock }
    if setup.admission.now != nil { setup.admission.now = wallClock }
    for index in peers.values.indices {
      peers.values[index].session.clockWasSet(to: wallClock, now: now)
      peers.values[index].clockWasSet(to: wallClock)
    }
  }

  private func reasonToTurnAway(_ peer: PeerID, principal: String) -> SyncFailure? {
    if isShutDown { return SyncFailure(.unavailable, "the server stops") }
    if peers.count >= limits.connections {
      return SyncFailure(.unavailable, "too many connections")
    }
    if principals[principal, default: 0] >= limits.connectionsPerPrincipal {
      return SyncFailure(.unavailable, "too many connections of one user")
    }
    return mayOpen(principal, peer) ? nil : SyncFailure(.notAuthorised, "this list")
  }

  /// Forgets a connection.
  mutating func drop(_ id: PeerID) {
    guard let peer = peers.removeValue(forKey: id) else { return }
    let count = principals[peer.principal, default: 1] - 1
    principals[peer.principal] = count > 0 ? count : nil
    if let holder = peer.holder, holders[holder] == id { holders[holder] = nil }
    // Those that have left stay in the queues until it is worth while to look for them.
    let room = 2 * peers.count + 64
    if calm.count > room { calm.removeAll { peers[$0] == nil } }
    if timers.count > room { timers.keep { peers[$0]?.alarm == $1 } }
  }

  // MARK: Ending

  /// Ends a connection; the peer is told why.
  ///
  /// - Parameters:
  ///   - peer: Which one; others are ignored.
  ///   - failure: Why: `notAuthorised` is for good, after `unavailable` a client comes back.
  ///   - now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do: the last bytes, and `close`.
  public mutating func kick(
    _ peer: PeerID, because failure: SyncFailure = SyncFailure(.notAuthorised), now: Int64
  ) -> [Output] {
    refuse(peer, because: failure, now: now)
  }

  /// Ends all connections in order, and takes no new ones.
  ///
  /// Each peer is told; its connection is closed when it has answered, or by `tick` when it has not
  /// for two minutes, which begin for a peer whose write is being stored when that is done. What is
  /// being stored is taken and told to nobody: its writer sends it again.
  ///
  /// - Parameter now: Milliseconds of a clock that never goes back.
  /// - Returns: What to do.
  /// - Complexity: O(*p* log *p*)
  public mutating func shutDown(now: Int64) -> [Output] {
    isShutDown = true
    var outputs: [Output] = []
    for id in connected {
      outputs += converse(id, now: now) { $0.end(now: now) }
      regard(id)
    }
    return outputs
  }

  // MARK: Bytes that wait

  /// Takes note that bytes for a peer have gone out, for ``HubLimits/unsentBytes``.
  ///
  /// - Parameters:
  ///   - byteCount: How many, since the last time.
  ///   - peer: To whom.
  public mutating func sent(_ byteCount: Int, to peer: PeerID) {
    guard let index = peers.index(forKey: peer) else { return }
    look(at: index) { $0.unsentByteCount = max(0, $0.unsentByteCount - byteCount) }
  }

  mutating func count(sent byteCount: Int, peer: PeerID) {
    counts.sentBytes += Int64(byteCount)
    guard limits.unsentBytes != nil, let index = peers.index(forKey: peer) else { return }
    peers.values[index].unsentByteCount += byteCount
  }

  /// Ends the connection of a peer that does not read.
  mutating func cutOff(_ peer: PeerID, now: Int64) -> [Output] {
    guard let limit = limits.unsentBytes, let index = peers.index(forKey: peer),
      look(at: index, { $0.unsentByteCount > limit && !$0.session.isClosed })
    else { return [] }
    return refuse(peer, because: SyncFailure(.limitExceeded, "what was sent is not read"), now: now)
  }
}

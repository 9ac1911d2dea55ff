import Betwixt

// The sessions of a hub, and who lacks what.

extension SyncHub {
  /// One connection.
  struct Peer {
    var session: SyncSession
    let principal: String
    let wallClock: Int64?
    /// By how many milliseconds its clock is ahead.
    var skew: Int64?
    /// What it opened with, once that was looked at.
    var holder: Holder?
    /// The list of its last round.
    var seen: UInt64
    /// Whether it stands in ``SyncHub/calm``.
    var isCalm = false
    /// Whether it stands in ``SyncHub/pauses``.
    var isPausing = false
    /// The time of its entry in ``SyncHub/timers`` that counts.
    var alarm = Int64.max
    var lastRound: Int64
    var unsentByteCount = 0
  }

  /// Lets a peer's session do something, and does what it asks for.
  mutating func converse(
    _ peer: PeerID, _ now: Int64, _ body: (inout SyncSession) -> [SyncOutput]
  ) -> [Output] {
    guard let place = peers.index(forKey: peer) else { return [] }
    counts.turns += 1
    let round = peers.values[place].session.roundNumber
    // A round that begins now compares all that there is.
    peers.values[place].session.list = list
    swap(&peers.values[place].session.encodings, &encodings)
    let outputs = body(&peers.values[place].session)
    swap(&peers.values[place].session.encodings, &encodings)
    if peers.values[place].session.roundNumber != round { peers.values[place].seen = generation }
    return handle(outputs, peer, now)
  }

  mutating func handle(
    _ outputs: [SyncOutput], _ peer: PeerID, _ now: Int64
  ) -> [Output] {
    var result: [Output] = []
    for output in outputs {
      switch output {
      case .send(let bytes):
        count(sent: bytes.count, peer)
        result.append(.send(bytes, to: peer))
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
        drop(peer)
        result.append(.close(peer, end))
      }
    }
    return result + cutOff(peer, now)
  }

  mutating func settle(
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
    case .synced:
      counts.rounds += 1
      peers[peer]?.lastRound = now
    default: break
    }
  }

  mutating func refuse(_ id: PeerID, _ failure: SyncFailure, _ now: Int64) -> [Output] {
    converse(id, now) { $0.refuse(failure, now: now) }
  }

  // MARK: Who lacks what

  /// Starts a round with a peer that lacks something, if it is ready for one.
  mutating func regard(_ id: PeerID, _ now: Int64) -> [Output] {
    var outputs: [Output] = []
    while let place = peers.index(forKey: id) {
      setAlarm(place)
      guard peers.values[place].session.isIdle else { break }
      guard peers.values[place].seen != generation else {
        if !peers.values[place].isCalm {
          peers.values[place].isCalm = true
          calm.append(id)
        }
        break
      }
      let due = peers.values[place].lastRound + SyncHub.pause
      guard now >= due else {
        if !peers.values[place].isPausing {
          peers.values[place].isPausing = true
          pauses.insert(id, at: due)
        }
        break
      }
      peers.values[place].seen = generation
      let list = list
      outputs += converse(id, now) { $0.listChanged(list, now: now) }
    }
    return outputs
  }

  /// Starts rounds with the peers that were idle when the list changed.
  mutating func spread(_ now: Int64) -> [Output] {
    guard !calm.isEmpty else { return [] }
    var outputs: [Output] = []
    let waiting = calm
    calm = []
    for id in waiting {
      peers[id]?.isCalm = false
      outputs += regard(id, now)
    }
    return outputs
  }

  /// Starts rounds with those whose pause is over.
  mutating func resume(_ now: Int64) -> [Output] {
    var outputs: [Output] = []
    while let (_, id) = pauses.next(at: now) {
      peers[id]?.isPausing = false
      outputs += regard(id, now)
    }
    return outputs
  }

  // MARK: Time

  /// Sees to it that there is an entry not later than what the session waits for.
  private mutating func setAlarm(_ place: Dictionary<PeerID, Peer>.Index) {
    guard let deadline = peers.values[place].session.nextDeadline,
      deadline < peers.values[place].alarm
    else { return }
    peers.values[place].alarm = deadline
    timers.insert(peers.keys[place], at: deadline)
  }

  /// The time of an entry has come; most often there was news meanwhile, and it is put off.
  mutating func alarm(_ id: PeerID, _ time: Int64, _ now: Int64) -> [Output] {
    guard let place = peers.index(forKey: id), peers.values[place].alarm == time else {
      return []
    }
    peers.values[place].alarm = .max
    guard let deadline = peers.values[place].session.nextDeadline, deadline <= now else {
      setAlarm(place)
      return []
    }
    return converse(id, now) { $0.tick(now: now) } + regard(id, now)
  }
}

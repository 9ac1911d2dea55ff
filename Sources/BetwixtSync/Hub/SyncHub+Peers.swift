import Betwixt

// The sessions of a hub, and who lacks what.

extension SyncHub {
  /// One connection.
  struct Peer {
    var session: SyncSession
    let principal: String
    /// This side's clock when it came.
    var wallClock: Int64?
    /// By how many milliseconds its clock is ahead.
    var skew: Int64?
    /// What it opened with, once that was looked at.
    var holder: Holder?
    /// Whether it stands in ``SyncHub/calm``.
    var isCalm = false
    /// The time of its entry in ``SyncHub/timers`` that counts.
    var alarm = Int64.max
    var unsentByteCount = 0

    /// How far its clock is off is from then on by the clock as it is now.
    mutating func clockWasSet(to wallClock: Int64) {
      guard let old = self.wallClock else { return }
      let (start, overflow) = wallClock.subtractingReportingOverflow(session.elapsed)
      guard !overflow else { return }
      self.wallClock = start
      let (step, isFar) = start.subtractingReportingOverflow(old)
      skew = skew.flatMap { skew in
        let (now, overflow) = skew.subtractingReportingOverflow(step)
        return overflow || isFar ? nil : now
      }
    }
  }

  /// Looks at a peer where it stands: to read one of its values through the dictionary would copy all
  /// of it.
  mutating func look<Value>(
    at index: Dictionary<PeerID, Peer>.Index, _ body: (inout Peer) -> Value
  ) -> Value {
    body(&peers.values[index])
  }

  /// What a session asked for and is done at once, so that it can go on.
  struct Settled {
    let ticket: StoreTicket
    let outcome: SyncOutcome
  }

  /// Lets a peer's session do something, and does what it asks for.
  mutating func converse(
    _ peer: PeerID, now: Int64, _ body: (inout SyncSession) -> [SyncOutput]
  ) -> [Output] {
    var settled: Settled?
    var outputs = turn(peer, now: now, settled: &settled, body)
    // In a loop: who sends many small changes that are all refused would fill the stack.
    while let last = settled {
      settled = nil
      let list = list
      outputs += turn(last.ticket.peer, now: now, settled: &settled) {
        $0.settled(last.ticket.ticket, outcome: last.outcome, list: list, now: now)
      }
    }
    return outputs
  }

  /// One turn of a session, which asks for one thing at most that is to be settled.
  private mutating func turn(
    _ peer: PeerID, now: Int64, settled: inout Settled?,
    _ body: (inout SyncSession) -> [SyncOutput]
  ) -> [Output] {
    guard let index = peers.index(forKey: peer) else { return [] }
    counts.turns += 1
    let others = peers.count - 1
    let list = list
    look(at: index) { peer in
      peer.session.share?.readerCount = others
      // A round that begins now compares all that there is.
      if peer.session.list != nil { peer.session.list = list }
    }
    swap(&peers.values[index].session.encodings, &encodings)
    swap(&peers.values[index].session.log, &log)
    let outputs = body(&peers.values[index].session)
    swap(&peers.values[index].session.log, &log)
    swap(&peers.values[index].session.encodings, &encodings)
    return handle(outputs, peer: peer, now: now, settled: &settled)
  }

  private mutating func handle(
    _ outputs: [SyncOutput], peer: PeerID, now: Int64, settled: inout Settled?
  ) -> [Output] {
    var result: [Output] = []
    for output in outputs {
      switch output {
      case .send(let bytes):
        count(sent: bytes.count, peer: peer)
        result.append(.send(bytes, to: peer))
      case .merge(let delta, let ticket):
        // Whose replica it is must be known before its first entry is looked at.
        result += meet(peer, now: now)
        result += take(
          delta, ticket: StoreTicket(peer: peer, ticket: ticket), now: now, settled: &settled)
      case .makeDurable(_, let ticket):
        // What the hub holds is stored already.
        settled = Settled(ticket: StoreTicket(peer: peer, ticket: ticket), outcome: .done())
      case .event(let event):
        note(event, peer: peer)
        result.append(.event(event, peer))
      case .close(let end):
        drop(peer)
        result.append(.close(peer, end))
      }
    }
    return result + cutOff(peer, now: now)
  }

  mutating func settle(
    _ ticket: StoreTicket, outcome: SyncOutcome, now: Int64
  ) -> [Output] {
    let list = list
    return converse(ticket.peer, now: now) {
      $0.settled(ticket.ticket, outcome: outcome, list: list, now: now)
    }
  }

  private mutating func note(_ event: SyncEvent, peer: PeerID) {
    switch event {
    case .greeted(let description):
      if let theirs = description.wallClock, let ours = peers[peer]?.wallClock {
        let (skew, overflow) = theirs.subtractingReportingOverflow(ours)
        peers[peer]?.skew = overflow ? .max : skew
      }
    case .synced: counts.rounds += 1
    default: break
    }
  }

  mutating func refuse(_ id: PeerID, because failure: SyncFailure, now: Int64) -> [Output] {
    converse(id, now: now) { $0.refuse(failure, now: now) }
  }

  // MARK: Who lacks what

  /// Notes a peer that lacks nothing: it is looked at again when the list changes.
  mutating func regard(_ id: PeerID) {
    guard let index = peers.index(forKey: id) else { return }
    setAlarm(index)
    let end = log.end
    let becomesCalm = look(at: index) { peer in
      guard !peer.isCalm, peer.session.place >= end else { return false }
      peer.isCalm = true
      return true
    }
    if becomesCalm { calm.append(id) }
  }

  /// Hands what is new to the peers that lacked nothing before.
  mutating func spread(_ now: Int64) -> [Output] {
    var outputs: [Output] = []
    // Again if somebody has brought something meanwhile that had to wait.
    while !calm.isEmpty, hasNews {
      hasNews = false
      let waiting = calm
      calm = []
      for id in waiting {
        peers[id]?.isCalm = false
        outputs += converse(id, now: now) { $0.resume(now: now) }
        regard(id)
      }
    }
    return outputs
  }

  // MARK: Time

  /// Sees to it that there is an entry not later than what the session waits for.
  private mutating func setAlarm(_ index: Dictionary<PeerID, Peer>.Index) {
    let deadline = look(at: index) { peer -> Int64? in
      guard let deadline = peer.session.nextDeadline, deadline < peer.alarm else { return nil }
      peer.alarm = deadline
      return deadline
    }
    if let deadline { timers.insert(peers.keys[index], at: deadline) }
  }

  /// The time of an entry has come; most often there was news meanwhile, and it is put off.
  mutating func alarm(_ id: PeerID, at time: Int64, now: Int64) -> [Output] {
    guard let index = peers.index(forKey: id) else { return [] }
    let isDue = look(at: index) { peer -> Bool? in
      guard peer.alarm == time else { return nil }
      peer.alarm = .max
      return peer.session.nextDeadline.map { $0 <= now } ?? false
    }
    guard let isDue else { return [] }
    guard isDue else {
      setAlarm(index)
      return []
    }
    let outputs = converse(id, now: now) { $0.tick(now: now) }
    regard(id)
    return outputs
  }
}

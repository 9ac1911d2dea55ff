import Betwixt

/// Where one comparison of two lists stands.
struct Round {
  let number: UInt32
  let opening: Open
  var peer: Open?

  /// What this side still has to send.
  var outgoing: OutgoingDelta?
  var hasSentLast = false
  var hasSentAck = false
  var peerAck: Ack?
  var reconciliation: Reconciliation?
  var isReconciled = false
  var isClean = true

  /// How many entries came in this part of the round.
  var receivedCount: Int64 = 0
}

extension SyncSession {
  /// A side that holds more entries than this without claiming them compares contents: an earlier
  /// session was cut, and the versions would have it all sent again.
  private static let uncoveredLimit = 512

  // MARK: Opening

  mutating func startRound(_ number: UInt32) {
    list?.settleDigest()
    guard let list else { return }
    view = list
    agreedDigest = nil
    hasNews = false
    roundNumber = number
    let uncovered = list.delta(since: list.version).count
    let opening = Open(
      round: number, digest: digest(list),
      entryCount: Int64(list.entryCount), version: list.version,
      asksToReconcile: uncovered > SyncSession.uncoveredLimit, replica: setup.replica)
    round = Round(number: number, opening: opening)
    timing.noteProgress()
    emit(Frame(.open, payload: opening.payload, isCritical: true))
  }

  mutating func take(_ open: Open) {
    if round == nil, open.round == roundNumber &+ 1 { startRound(open.round) }
    guard let current = round, current.peer == nil, current.number == open.round else {
      fail(SyncFailure(.malformed, "round \(open.round) does not follow"))
      return
    }
    if let replica = open.replica, replica == setup.replica {
      fail(SyncFailure(.identityInUse, replica.description))
      return
    }
    guard open.entryCount <= setup.limits.entries else {
      fail(SyncFailure(.limitExceeded, "\(open.entryCount) entries"))
      return
    }
    round?.peer = open
    peerReplica = peerReplica ?? open.replica
    doubtIdentity(open.version)
    if open.digest == current.opening.digest {
      joinVersions(open.version)
    } else if current.opening.asksToReconcile || open.asksToReconcile || open.version == nil
      || current.opening.version?.encoded(atMost: 60 << 10) == nil
    {
      reconcile()
    } else if let version = open.version {
      send(since: version)
    }
  }

  private mutating func doubtIdentity(_ version: VersionVector?) {
    guard let replica = setup.replica, let version, let list, !hasDoubtedIdentity else { return }
    let own = list.version[replica]
    if version[replica] > own {
      hasDoubtedIdentity = true
      outputs.append(.event(.identityDoubtful(known: version[replica], own: own)))
    }
  }

  // MARK: Sending what the peer lacks

  private mutating func send(since version: VersionVector) {
    guard let view, let list else { return }
    guard refused.isEmpty, encodings != nil else {
      // The peer's version stays below what was refused, so that it does not tell what else came.
      let delta = view.delta(since: version)
      let table = delta.replicaTable
      send(
        delta,
        delta.rows.filter { row in
          !agreed.covers(Dot(replica: table[Int(row.replica)], sequence: row.sequence))
        })
      return
    }
    let replica = setup.replica
    let maximumFrame = maximumFrame
    round?.outgoing = encodings?.delta(of: view, since: version, maximumFrame) { delta in
      OutgoingDelta(delta, rows: delta.rows, of: list.id, own: replica, maximumFrame)
    }
  }

  mutating func send(_ delta: Delta, _ rows: [Delta.Row]) {
    guard let list else { return }
    let wanted =
      refused.isEmpty
      ? rows
      : rows.filter { row in
        let address = RegisterAddress(row.item, delta.register(of: row))
        let dot = Dot(replica: delta.replicaTable[Int(row.replica)], sequence: row.sequence)
        return refused[address]?.dot != dot
      }
    round?.outgoing = OutgoingDelta(
      delta, rows: wanted, of: list.id, own: setup.replica, maximumFrame)
  }

  /// Sends the next part of this side's entries, or asks first that they be durable.
  mutating func sendDelta() -> Bool {
    guard var outgoing = round?.outgoing else { return false }
    guard outgoing.highestOwn <= durable else {
      let sequence = outgoing.highestOwn
      ask(.durable(sequence)) { .makeDurable(upTo: sequence, $0) }
      return true
    }
    let place = outgoing.firstDot?.description ?? ""
    do throws(LimitExceeded) {
      let frame = try outgoing.frame()
      guard frame.payload.count <= maximumFrame else {
        throw LimitExceeded(.byteCount, frame.payload.count)
      }
      guard pay(for: frame) else {
        round?.outgoing = outgoing
        return false
      }
      sentEntryCount += Int64(outgoing.frameEntryCount)
      outgoing.advance()
      round?.outgoing = frame.isLast ? nil : outgoing
      emit(frame)
      if frame.isLast {
        round?.hasSentLast = true
        verify()
      }
    } catch {
      fail(SyncFailure(.limitExceeded, place))
    }
    return true
  }

  // MARK: Taking what the peer sends

  mutating func takeDelta(_ frame: Frame) throws(DecodeFailure) {
    guard let current = round, let open = current.peer, !current.hasSentAck, let list else {
      throw DecodeFailure(.badOrder, at: 0)
    }
    let block = try Block(decoding: frame.payload, limits: setup.limits)
    guard block.kind == .delta else { throw DecodeFailure(.otherKind, at: 1) }
    guard block.list == list.id else { throw DecodeFailure(.otherList, at: 4) }
    guard frame.isLast || block.delta.ranges.isEmpty && !block.delta.rows.isEmpty else {
      throw DecodeFailure(.badOrder, at: 0)
    }
    // A side sends each of its entries at most once, and it holds no more than it said and was sent.
    let received = current.receivedCount + Int64(block.delta.count)
    let (most, isAny) = open.entryCount.addingReportingOverflow(current.opening.entryCount)
    guard isAny || received <= most else { throw DecodeFailure(.badNumber, at: 0) }
    round?.receivedCount = received
    if let (dot, excess) = setup.limits.excess(of: list, merging: block.delta) {
      fail(SyncFailure(.limitExceeded, "\(dot): \(excess)"))
      return
    }
    var (delta, withheld) = admit(block.delta, to: list)
    for refusal in withheld { outputs.append(.event(.withheld(refusal))) }
    // What was refused before may have replaced what a range of this frame covers.
    if frame.isLast, refusedSent > 0 { delta = delta.claimingDensely(besides: list) }
    if let version = open.version { delta.know(version) }
    let byteCount = frame.payload.count + Frame.overhead
    if delta.isEmpty {
      merged(delta, withheld, byteCount, isLast: frame.isLast)
    } else {
      let merge = Waiting.merge(
        delta, withheld: withheld, byteCount: byteCount, isLast: frame.isLast)
      ask(merge) { .merge(delta, $0) }
    }
  }

  mutating func merged(_ delta: Delta, _ refusals: [Refusal], _ byteCount: Int, isLast: Bool) {
    timing.noteProgress()
    refuse(refusals)
    guard phase != .closed, let before = view else { return }
    view?.merge(delta.leavingOut(refusals, mergingInto: before))
    release(byteCount)
    guard isLast else { return }
    view?.settleDigest()
    sendAck()
    verify()
  }

  mutating func sendAck() {
    guard let view else { return }
    round?.hasSentAck = true
    let ack = Ack(
      digest: digest(view), refusedFrameCount: refusedReceived,
      version: view.version)
    enqueue(Frame(.ack, payload: ack.payload, isCritical: true))
  }

  // MARK: Comparing at the end

  mutating func take(_ ack: Ack) {
    guard let current = round, current.hasSentLast else {
      fail(SyncFailure(.malformed, "an acknowledgement of nothing"))
      return
    }
    // One that has not seen every refusal will be sent again.
    guard ack.refusedFrameCount == refusedSent else { return }
    round?.peerAck = ack
    doubtIdentity(ack.version)
    verify()
  }

  mutating func verify() {
    guard let current = round, let view, let ack = current.peerAck, current.hasSentAck,
      current.hasSentLast
    else { return }
    let digest = digest(view)
    if digest == ack.digest {
      joinVersions(ack.version)
    } else if current.isReconciled {
      fail(SyncFailure(.notConverged, "\(digest) here, \(ack.digest) there"))
    } else {
      if current.isClean, refused.isEmpty { outputs.append(.event(.unequal)) }
      reconcile()
    }
  }

  /// Equal digests: what one side covers the other holds too.
  private mutating func joinVersions(_ version: VersionVector?) {
    guard let view, let current = round else { return }
    outputs.append(.event(.synced(round: current.number, digest: view.digest)))
    agreed = view.version
    agreedDigest = digest(view)
    guard current.isClean, refused.isEmpty, let version, !view.version.covers(version) else {
      endRound()
      return
    }
    let (claim, _) = admit(Delta(claiming: version), to: view)
    // Claims only make sync cheap: those that a list has no room for are left.
    guard !claim.isEmpty, setup.limits.excess(of: view, merging: claim) == nil else {
      endRound()
      return
    }
    self.view?.merge(claim)
    ask(.join) { .merge(claim, $0) }
  }

  mutating func endRound() {
    round = nil
    timing.noteProgress()
    guard phase == .running else { return }
    // What still waits is the acknowledgement: it takes no credit and must be the first to go.
    for frame in queue { emit(frame) }
    queue = []
    queuedByteCount = 0
    startRoundIfNew()
    if round == nil, !setup.isLive { sendEnd() }
  }

  /// Starts a round if the list is not what the last one ended with.
  mutating func startRoundIfNew() {
    guard hasNews else { return }
    hasNews = false
    list?.settleDigest()
    guard let list else { return }
    if list.digest != view?.digest { startRound(roundNumber &+ 1) }
  }
}

extension Delta {
  /// A delta without entries: who merges it holds all that the version claims.
  init(claiming version: VersionVector) {
    var builder = Delta.Builder()
    for component in version {
      builder.cover(component.replica, after: 0, through: component.sequence)
    }
    self = builder.build()
  }
}

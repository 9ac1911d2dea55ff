import Betwixt

/// Where one comparison of two lists stands.
struct Round {
  let number: UInt32
  let opening: Open
  var peer: Open?
  /// What came of the peer's version, if it follows its OPEN, and then of its floor.
  var rows: [VersionVector.Component] = []
  var hasWholeVersion = false
  /// What both sides together have forgotten: what they compare is left under it.
  var floor = VersionVector()
  /// As much of that as this side forgets, too.
  var takenFloor = VersionVector()
  /// What of that is about replicas that the list knew at the start, until it is taken; what is about
  /// others is taken as they come.
  var dueFloor = VersionVector()
  /// Whether both sides have said what they know.
  var isOpen = false

  /// What this side still has to send.
  var outgoing: OutgoingDelta?
  var hasSentLast = false
  var hasSentAck = false
  /// What the acknowledgement says, kept as refusals come: each of them has it sent again.
  var comparedSum: EntrySum?
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
    viewIsList = true
    live.place = log.end
    hasNews = false
    roundNumber = number
    let version = list.version
    let uncovered = list.delta(since: version).count
    let canBeSaid = version.count <= VersionParts.rowLimit
    let opening = Open(
      round: number, digest: digest(list), entryCount: Int64(list.entryCount),
      version: canBeSaid ? version : nil, versionFollows: canBeSaid && Open.isTooGreat(version),
      asksToReconcile: uncovered > SyncSession.uncoveredLimit || !canBeSaid,
      replica: setup.replica, floor: list.floor, floorFollows: Open.isTooGreat(floor: list.floor))
    guard list.floor.count <= VersionParts.floorRowLimit else {
      fail(SyncFailure(.limitExceeded, "\(list.floor.count) rows of a floor"))
      return
    }
    round = Round(number: number, opening: opening)
    timing.noteProgress()
    emit(Frame(.open, payload: opening.payload, isCritical: true))
    if opening.versionFollows { flow.enqueue(version) }
    if opening.floorFollows { flow.enqueue(list.floor) }
  }

  mutating func startNextRound() { startRound(roundNumber &+ 1) }

  mutating func take(_ open: Open) {
    if round == nil, open.round == roundNumber &+ 1 {
      // No peer has ended a round of which it has not heard this side's version.
      guard !flow.hasRows else {
        fail(SyncFailure(.malformed, "round \(open.round) comes before the end of the last"))
        return
      }
      startNextRound()
    }
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
    agreedDigest = nil
    peerReplica = peerReplica ?? open.replica
    if !open.versionFollows, !open.floorFollows { compare() }
  }

  mutating func takeVersion(_ frame: Frame) throws(DecodeFailure) {
    guard let open = round?.peer, round?.isOpen == false, open.versionFollows || open.floorFollows
    else { throw DecodeFailure(.badOrder, at: 0) }
    guard open.versionFollows, round?.hasWholeVersion == false else {
      try takeFloor(frame)
      return
    }
    try takeRows(frame, atMost: VersionParts.rowLimit)
    release(SessionFlow.cost(of: frame))
    guard frame.isLast else { return }
    let version = takeRows()
    round?.peer?.version = version
    round?.hasWholeVersion = true
    if !open.floorFollows { compare() }
  }

  private mutating func takeFloor(_ frame: Frame) throws(DecodeFailure) {
    guard round?.peer?.floorFollows == true else { throw DecodeFailure(.badOrder, at: 0) }
    try takeRows(frame, atMost: min(VersionParts.floorRowLimit, setup.limits.replicas))
    release(SessionFlow.cost(of: frame))
    guard frame.isLast else { return }
    let floor = takeRows()
    round?.peer?.floor = floor
    compare()
  }

  /// Puts the rows of a frame behind those that came before, where they are: a frame may bring one
  /// of a hundred thousand.
  private mutating func takeRows(_ frame: Frame, atMost limit: Int) throws(DecodeFailure) {
    var reader = Reader(frame.payload)
    let rows = try VersionVector.components(&reader, after: round?.rows.last?.replica)
    try reader.finish()
    guard !rows.isEmpty, (round?.rows.count ?? 0) + rows.count <= limit else {
      throw DecodeFailure(.badNumber, at: 0)
    }
    round?.rows += rows
  }

  /// The version or floor that all rows make which came.
  private mutating func takeRows() -> VersionVector {
    let rows = round?.rows ?? []
    round?.rows = []
    return VersionVector(rows)
  }

  /// Goes on once both sides have said what they know.
  private mutating func compare() {
    guard let current = round, let open = current.peer else { return }
    round?.isOpen = true
    guard meetFloor(of: open) else { return }
    if let replica = setup.replica, let version = open.version {
      doubtIdentity(replica, through: version[replica])
    }
    if open.digest == current.opening.digest {
      finish()
    } else if current.opening.asksToReconcile || open.asksToReconcile {
      reconcile()
    } else if let version = open.version {
      send(since: version)
    } else {
      reconcile()
    }
  }

  /// Takes note of how many writes of a replica the peer knows: there may be more of the own one than
  /// this side has made.
  mutating func doubtIdentity(_ replica: ReplicaID, through: Int64) {
    guard replica == setup.replica, let list, !hasDoubtedIdentity else { return }
    let own = list.known(of: replica)
    if through > own {
      hasDoubtedIdentity = true
      tell(.identityDoubtful(known: through, own: own))
    }
  }

  // MARK: Sending what the peer lacks

  private mutating func send(since version: VersionVector) {
    guard let view, let list else { return }
    guard refusals.isEmpty, encodings != nil else {
      // The peer's version stays below what was refused, so that it does not tell what else came.
      let delta = view.delta(since: version)
      let table = delta.replicaTable
      let restored = view.floor.isEmpty ? [] : delta.restoredItems(beyond: agreed)
      send(
        delta,
        rows: delta.rows.filter { row in
          !agreed.covers(Dot(replica: table[Int(row.replica)], sequence: row.sequence))
            || restored.contains(row.item)
        })
      return
    }
    let replica = setup.replica
    let outgoing = encodings?.delta(of: view, since: version) { delta in
      OutgoingDelta(delta, rows: delta.rows, of: list.id, own: replica)
    }
    round?.outgoing = outgoing
  }

  mutating func send(_ delta: Delta, rows: [Delta.Row]) {
    guard let list else { return }
    let replicas = delta.replicaTable
    let wanted =
      refusals.isEmpty
      ? rows
      : rows.filter { row in
        let address = RegisterAddress(row.item, register: delta.register(of: row))
        let dot = Dot(replica: replicas[Int(row.replica)], sequence: row.sequence)
        return refusals.entries[address]?.dot != dot
      }
    let outgoing = OutgoingDelta(delta, rows: wanted, of: list.id, own: setup.replica)
    round?.outgoing = outgoing
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
      guard frame.payload.count <= flow.maximumFrame else {
        throw LimitExceeded(.byteCount, count: frame.payload.count)
      }
      guard flow.pay(for: frame) else {
        round?.outgoing = outgoing
        return false
      }
      refusals.sentEntryCount += Int64(outgoing.frameEntryCount)
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
    guard let current = round, current.isOpen, let open = current.peer, !current.hasSentAck,
      let list
    else {
      throw DecodeFailure(.badOrder, at: 0)
    }
    let block = try Block(decoding: frame.payload, limits: setup.limits)
    guard block.kind == .delta else { throw DecodeFailure(.otherKind, at: 1) }
    guard block.list == list.id else { throw DecodeFailure(.otherList, at: 4) }
    // What may be claimed was said before, and is claimed when both hold the same.
    guard frame.isLast || !block.delta.rows.isEmpty, block.delta.ranges.isEmpty,
      !block.delta.saysWhatIsKnown, block.delta.floor.isEmpty
    else { throw DecodeFailure(.badOrder, at: 0) }
    // A side sends each of its entries at most once, and it holds no more than it said and was sent.
    let received = current.receivedCount + Int64(block.delta.count)
    let (most, isAny) = open.entryCount.addingReportingOverflow(current.opening.entryCount)
    guard isAny || received <= most else { throw DecodeFailure(.badNumber, at: 0) }
    round?.receivedCount = received
    share?.takeChange(byteCount: frame.payload.count, pieceCount: 1, at: timing.now)
    if let (dot, excess) = setup.limits.excess(of: list, merging: block.delta) {
      fail(SyncFailure(.limitExceeded, "\(dot): \(excess)"))
      return
    }
    round?.dueFloor = VersionVector()
    // Items that the peer has forgotten come without a place.
    var (delta, withheld) = admit(block.delta.forgetting(below: current.dueFloor), to: list)
    for refusal in withheld { tell(.withheld(refusal)) }
    delta = delta.forgetting(below: current.floor(with: delta, for: list))
    if let version = open.version { delta.know(version) }
    let byteCount = SessionFlow.cost(of: frame)
    if delta.isEmpty {
      merged(delta, refusals: withheld, byteCount: byteCount, isLast: frame.isLast)
    } else {
      let merge = Waiting.merge(
        delta, withheld: withheld, byteCount: byteCount, isLast: frame.isLast)
      ask(merge) { .merge(delta, $0) }
    }
  }

  mutating func merged(_ delta: Delta, refusals: [Refusal], byteCount: Int, isLast: Bool) {
    timing.noteProgress()
    refuse(refusals)
    guard !isClosed, let before = view else { return }
    follow(delta.leavingOut(refusals, mergingInto: before))
    release(byteCount)
    guard isLast else { return }
    view?.settleDigest()
    sendAck()
    verify()
  }

  /// Merges into what is compared, and into the list as it is known here.
  mutating func follow(_ delta: Delta) {
    view?.merge(delta)
    passOwn()
    guard setup.isLive, !isOfHub else { return }
    if viewIsList { list = view } else { list?.merge(delta) }
  }

  mutating func sendAck() {
    guard let view else { return }
    round?.hasSentAck = true
    let sum = round?.comparedSum ?? view.sum(leavingOut: refusals.excluded(in: view))
    round?.comparedSum = sum
    let ack = Ack(
      digest: Digest(sum),
      refusedFrameCount: refusals.isUntold ? Ack.incomparable : refusals.received)
    enqueue(Frame(.ack, payload: ack.payload, isCritical: true))
  }

  // MARK: Comparing at the end

  mutating func take(_ ack: Ack) {
    guard let current = round, current.hasSentLast else {
      fail(SyncFailure(.malformed, "an acknowledgement of nothing"))
      return
    }
    // One that has not seen every refusal will be sent again.
    let isTheLast = refusals.isUntold && ack.refusedFrameCount == Ack.incomparable
    guard ack.refusedFrameCount == refusals.sent || isTheLast else { return }
    round?.peerAck = ack
    verify()
  }

  mutating func verify() {
    guard let current = round, let view, let ack = current.peerAck, current.hasSentAck,
      current.hasSentLast
    else { return }
    let digest = digest(view)
    if digest == ack.digest || refusals.isUntold {
      finish()
    } else if current.isReconciled {
      guard refusals.forgotten == nil else {
        failRefusing()
        return
      }
      fail(SyncFailure(.notConverged, "\(digest) here, \(ack.digest) there"))
    } else {
      if current.isClean, refusals.isEmpty { tell(.unequal) }
      reconcile()
    }
  }

  /// Equal digests: what one side covers the other holds too.
  private mutating func finish() {
    guard let view, let current = round else { return }
    guard !refusals.isUntold else {
      failRefusing()
      return
    }
    tell(.synced(round: current.number, digest: view.digest))
    if let replica = setup.replica {
      let own = view.known(of: replica)
      if own > 0 { tell(.acknowledged(upTo: own)) }
    }
    agreed = view.version
    agreedDigest = digest(view)
    let floor = list.map { current.takenFloor.news(to: $0) } ?? VersionVector()
    let version = current.peer?.version ?? VersionVector()
    if let peerReplica, refusals.isEmpty {
      tell(.met(peerReplica, holding: agreed.union(version)))
    }
    guard !agreed.covers(version) || !floor.isEmpty else {
      endRound()
      return
    }
    var claim = Delta(claiming: version, above: view)
    // What was refused may have replaced what the peer claims.
    if refusals.sent > 0 { claim = claim.claimingDensely(besides: view) }
    claim = admit(claim, to: view).delta
    // Of a floor that names who is not known here, what is named may be held already.
    let named = current.takenFloor.naming(
      only: Set(claim.ranges.map { $0.replica }), besides: view)
    claim = claim.forgetting(below: list.map { named.news(to: $0) } ?? named)
    // Claims only make sync cheap: those that a list has no room for are left.
    guard !claim.isEmpty, setup.limits.excess(of: view, merging: claim) == nil else {
      endRound()
      return
    }
    ask(.join(claim)) { .merge(claim, $0) }
  }

  mutating func endRound() {
    round = nil
    if setup.isLive { view = nil }
    live.endRound(at: log.end, now: timing.now)
    seekFloor()
    timing.noteProgress()
    guard isRunning else { return }
    // The acknowledgement takes no credit and must be the first to go. What else waits are parts of
    // a version that the peer has still to hear: they go as it makes room for them.
    for frame in flow.dequeueFree() { emit(frame) }
  }

  /// Goes on behind the last round of a session that is not live, once all was said in it.
  mutating func finishSession() -> Bool {
    guard !setup.isLive, isRunning, round == nil, !isWaiting else { return false }
    startRoundIfNew()
    if round == nil { sendEnd() }
    return true
  }

  /// Starts a round if the list is not what the last one ended with.
  mutating func startRoundIfNew() {
    guard hasNews, !setup.isLive else { return }
    hasNews = false
    list?.settleDigest()
    guard let list else { return }
    if list.digest != view?.digest || list.floor != view?.floor { startNextRound() }
  }
}

extension Delta {
  /// The items that were restored by writes which a version does not know.
  func restoredItems(beyond version: VersionVector) -> Set<ItemID> {
    let table = replicaTable
    var items: Set<ItemID> = []
    for row in rows where isRestored(row) {
      let dot = Dot(replica: table[Int(row.replica)], sequence: row.sequence)
      if !version.covers(dot) { items.insert(row.item) }
    }
    return items
  }
}

extension Delta {
  /// A delta without entries for a list that holds all that a version claims.
  init(claiming version: VersionVector, above list: ReplicatedList) {
    var builder = Delta.Builder()
    for component in version where component.sequence > list.known(of: component.replica) {
      builder.cover(component.replica, after: 0, through: component.sequence)
    }
    self = builder.build()
  }
}

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
    guard let replica = setup.replica, let version, let list else { return }
    let own = list.version[replica]
    if version[replica] > own {
      outputs.append(.event(.identityDoubtful(known: version[replica], own: own)))
    }
  }

  // MARK: Sending what the peer lacks

  private mutating func send(since version: VersionVector) {
    guard let view else { return }
    let delta = view.delta(since: version)
    send(delta, delta.rows)
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
    round?.outgoing = OutgoingDelta(delta, rows: wanted, of: list.id, own: setup.replica)
  }

  /// Sends the next part of this side's entries, or asks first that they be durable.
  mutating func sendDelta(_ peer: Hello) -> Bool {
    guard var outgoing = round?.outgoing else { return false }
    guard outgoing.highestOwn <= durable else {
      let sequence = outgoing.highestOwn
      ask(.durable(sequence)) { .makeDurable(upTo: sequence, $0) }
      return true
    }
    let limit = min(peer.maximumFrame, setup.maximumFrame)
    let place = outgoing.firstDot?.description ?? ""
    do throws(LimitExceeded) {
      let frame = try outgoing.frame()
      guard frame.payload.count <= limit else {
        throw LimitExceeded(.byteCount, frame.payload.count)
      }
      guard pay(for: frame, peer) else {
        round?.outgoing = outgoing
        return false
      }
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
    guard frame.isLast || block.delta.ranges.isEmpty else { throw DecodeFailure(.badOrder, at: 0) }
    var delta = block.delta
    if frame.isLast { delta = delta.claiming(below: refusedFloor) }
    if let version = open.version { delta.know(version) }
    let byteCount = frame.payload.count + Frame.overhead
    if delta.isEmpty {
      merged(delta, [], byteCount, isLast: frame.isLast)
    } else {
      ask(.merge(delta, byteCount: byteCount, isLast: frame.isLast)) { .merge(delta, $0) }
    }
  }

  mutating func merged(_ delta: Delta, _ refusals: [Refusal], _ byteCount: Int, isLast: Bool) {
    timing.noteProgress()
    refuse(refusals)
    guard phase != .closed else { return }
    view?.merge(delta.leavingOut(refusals))
    release(byteCount)
    guard isLast else { return }
    view?.settleDigest()
    sendAck()
    verify()
  }

  private mutating func sendAck() {
    guard let view else { return }
    round?.hasSentAck = true
    let ack = Ack(
      digest: digest(view), refusedFrameCount: refusedReceived,
      version: view.version)
    enqueue(Frame(.ack, payload: ack.payload, isCritical: true))
  }

  // MARK: Refusals

  private mutating func refuse(_ refusals: [Refusal]) {
    guard let list else { return }
    for refusal in refusals where !refusal.entries.isEmpty {
      for entry in refusal.entries {
        note(refused: entry)
        let floor = refusedFloor[entry.stamp.replica] ?? .max
        refusedFloor[entry.stamp.replica] = min(floor, entry.sequence)
      }
      let limit = min(peer?.maximumFrame ?? 0, setup.maximumFrame)
      guard let payload = try? refusal.payload(of: list.id, atMost: limit) else {
        fail(SyncFailure(.limitExceeded, "a refusal"))
        return
      }
      round?.isClean = false
      refusedSent += 1
      enqueue(Frame(.refused, payload: payload, isCritical: true))
    }
  }

  private mutating func note(refused entry: Entry) {
    let address = RegisterAddress(entry.item, entry.register)
    guard let earlier = refused[address], !earlier.isLess(than: entry) else {
      refused[address] = entry
      return
    }
  }

  /// Registers to leave out of digests: after the exchange the one side holds the refused write
  /// exactly where the other holds nothing greater.
  func excluded(_ list: ReplicatedList) -> Set<RegisterAddress> {
    var addresses: Set<RegisterAddress> = []
    for (address, entry) in refused {
      let held = list[id: address.item]?.entries.first { $0.register == address.register }
      if let held, entry.isLess(than: held) { continue }
      addresses.insert(address)
    }
    return addresses
  }

  func digest(_ list: ReplicatedList) -> Digest {
    refused.isEmpty ? list.digest : list.digest(leavingOut: excluded(list))
  }

  mutating func takeRefused(_ frame: Frame) throws(DecodeFailure) {
    guard let list, let current = round else { throw DecodeFailure(.badOrder, at: 0) }
    let refusal = try Refusal(decoding: frame.payload, of: list.id, limits: setup.limits)
    // Nobody can refuse what this side does not hold.
    for entry in refusal.entries where view?[id: entry.item] != nil { note(refused: entry) }
    round?.isClean = false
    refusedReceived += 1
    outputs.append(.event(.refused(refusal)))
    release(frame.payload.count + Frame.overhead)
    if current.hasSentAck { sendAck() }
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
      reconcile()
    }
  }

  /// Equal digests: what one side covers the other holds too.
  private mutating func joinVersions(_ version: VersionVector?) {
    guard let view, let current = round else { return }
    outputs.append(.event(.synced(round: current.number, digest: view.digest)))
    guard current.isClean, refused.isEmpty, let version, !view.version.covers(version) else {
      endRound()
      return
    }
    let claim = Delta(claiming: version)
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
    guard hasNews, let list else { return }
    hasNews = false
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

  /// This delta with no range that reaches a refused write.
  func claiming(below floors: [ReplicaID: Int64]) -> Delta {
    guard !floors.isEmpty else { return self }
    var kept: [CoveredRange] = []
    for range in ranges {
      let through = min(range.through, (floors[range.replica] ?? .max) - 1)
      guard through > range.after else { continue }
      kept.append(CoveredRange(replica: range.replica, after: range.after, through: through))
    }
    return selecting(rows, ranges: kept)
  }

  /// This delta without entries that were refused, and without claims about them.
  func leavingOut(_ refusals: [Refusal]) -> Delta {
    guard !refusals.isEmpty else { return self }
    var addresses: Set<RegisterAddress> = []
    var floors: [ReplicaID: Int64] = [:]
    for entry in refusals.lazy.flatMap(\.entries) {
      addresses.insert(RegisterAddress(entry.item, entry.register))
      floors[entry.stamp.replica] = min(floors[entry.stamp.replica] ?? .max, entry.sequence)
    }
    let rows = rows.filter { !addresses.contains(RegisterAddress($0.item, register(of: $0))) }
    return selecting(rows, ranges: ranges).claiming(below: floors)
  }
}

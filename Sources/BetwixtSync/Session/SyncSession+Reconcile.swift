import Betwixt

// Comparing contents where versions do not tell what is missing.

extension SyncSession {
  /// Starts to compare contents; the side with the smaller nonce speaks first.
  mutating func reconcile() {
    guard let view, let peer, round != nil else { return }
    tell(.reconciling)
    let set = EntrySet(view, leavingOut: refusals.excluded(in: view))
    let reconciliation = Reconciliation(set)
    round?.reconciliation = reconciliation
    round?.isReconciled = true
    round?.outgoing = nil
    round?.hasSentLast = false
    round?.hasSentAck = false
    round?.comparedSum = nil
    round?.peerAck = nil
    round?.receivedCount = 0
    if nonce < peer.nonce { enqueue(reconciliation.opening()) }
  }

  private mutating func enqueue(_ ranges: RangeList) {
    enqueue(Frame(.ranges, payload: ranges.payload, isCritical: true))
  }

  mutating func takeRanges(_ frame: Frame) throws(DecodeFailure) {
    guard round?.reconciliation?.isNarrowed == false else {
      throw DecodeFailure(.badOrder, at: 0)
    }
    let message = try RangeList(decoding: frame.payload)
    do throws(SyncFailure) {
      // Where it is, as what was found so far may be great.
      if let answer = try round?.reconciliation?.answer(message) ?? nil { enqueue(answer) }
      if let wants = round?.reconciliation?.takeWants(isLast: false) ?? nil { enqueue(wants) }
      release(SessionFlow.cost(of: frame))
      if round?.reconciliation?.isNarrowed == true { finishAsking() }
    } catch {
      fail(error)
    }
  }

  private mutating func finishAsking() {
    guard round?.reconciliation?.hasAsked == false else { return }
    round?.reconciliation?.hasAsked = true
    if let wants = round?.reconciliation?.takeWants(isLast: true) ?? nil { enqueue(wants) }
    sendWanted()
  }

  mutating func takeWant(_ frame: Frame) throws(DecodeFailure) {
    guard round?.reconciliation?.wasAsked == false, frame.isLast || !frame.payload.isEmpty else {
      throw DecodeFailure(.badOrder, at: 0)
    }
    try round?.reconciliation?.note(wants: frame.payload)
    round?.reconciliation?.wasAsked = frame.isLast
    release(SessionFlow.cost(of: frame))
    sendWanted()
  }

  /// Sends what the peer lacks, once both sides have said everything.
  private mutating func sendWanted() {
    guard let reconciliation = round?.reconciliation, reconciliation.hasAsked,
      reconciliation.wasAsked
    else { return }
    let delta = reconciliation.set.delta
    round?.reconciliation = nil
    send(delta, rows: reconciliation.missingThere.sorted().map { delta.rows[$0] })
  }
}

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
    round?.peerAck = nil
    round?.receivedCount = 0
    if nonce < peer.nonce { enqueue(reconciliation.opening()) }
  }

  private mutating func enqueue(_ ranges: RangeList) {
    enqueue(Frame(.ranges, payload: ranges.payload, isCritical: true))
  }

  mutating func takeRanges(_ frame: Frame) throws(DecodeFailure) {
    guard var reconciliation = round?.reconciliation, !reconciliation.isNarrowed else {
      throw DecodeFailure(.badOrder, at: 0)
    }
    let message = try RangeList(decoding: frame.payload)
    do throws(SyncFailure) {
      let answer = try reconciliation.answer(message)
      if let answer { enqueue(answer) }
      if let wants = reconciliation.takeWants(isLast: false) { enqueue(wants) }
      round?.reconciliation = reconciliation
      release(SessionFlow.cost(of: frame))
      if reconciliation.isNarrowed { finishAsking() }
    } catch {
      fail(error)
    }
  }

  private mutating func finishAsking() {
    guard var reconciliation = round?.reconciliation, !reconciliation.hasAsked else { return }
    reconciliation.hasAsked = true
    if let wants = reconciliation.takeWants(isLast: true) { enqueue(wants) }
    round?.reconciliation = reconciliation
    sendWanted()
  }

  mutating func takeWant(_ frame: Frame) throws(DecodeFailure) {
    guard var reconciliation = round?.reconciliation, !reconciliation.wasAsked,
      frame.isLast || !frame.payload.isEmpty
    else { throw DecodeFailure(.badOrder, at: 0) }
    try reconciliation.note(wants: frame.payload)
    reconciliation.wasAsked = frame.isLast
    round?.reconciliation = reconciliation
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

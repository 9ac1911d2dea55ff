public import Betwixt

// Writes that one side does not take: both leave them out of what they compare.

extension SyncSession {
  // MARK: Refusing

  /// How long the session has lasted, in milliseconds.
  var elapsed: Int64 { timing.elapsed }

  /// The policy with the time as it is now.
  var admission: AdmissionPolicy {
    var policy = setup.admission
    policy.now = policy.now.map { now in
      let (sum, overflow) = now.addingReportingOverflow(timing.elapsed)
      return overflow ? now : sum
    }
    return policy
  }

  /// Takes note that the clock was set by which this side judges what is ahead of it.
  ///
  /// A session goes on from the time that it was made with, as long as it lasts. What was put off until
  /// then comes again with the next round, or with the next connection.
  ///
  /// - Parameters:
  ///   - wallClock: Milliseconds since 1970 now; without effect where no times are judged.
  ///   - now: Milliseconds of a clock that never goes back.
  public mutating func clockWasSet(to wallClock: Int64, now: Int64) {
    timing.note(now)
    guard setup.admission.now != nil else { return }
    let (start, overflow) = wallClock.subtractingReportingOverflow(timing.elapsed)
    setup.admission.now = overflow ? wallClock : start
  }

  /// What the policy lets in of what the peer sent, and the rest as refusals, one for each reason.
  ///
  /// - Complexity: as for `AdmissionPolicy.admit`
  mutating func admit(
    _ delta: Delta, to list: ReplicatedList
  ) -> (delta: Delta, withheld: [Refusal]) {
    let admitted = admission.admit(delta, to: list, introduced: refusals.introducedReplicaCount)
    refusals.introducedReplicaCount += admitted.newReplicaCount
    var withheld: [Refusal] = []
    for reason in [WithheldWrite.Reason.timeAhead, .lifeAhead, .incomplete] {
      let writes = admitted.withheld.filter { $0.reason == reason }
      guard let first = writes.first else { continue }
      let entries = writes.map { $0.entry }
      withheld.append(
        Refusal(
          entries: entries, isDeferred: first.isPostponed, reason: "\(reason)",
          held: list.entries(at: entries.map { $0.address }).compactMap { $0 }))
    }
    return (admitted.delta, withheld)
  }

  /// Tells the peer what is not taken.
  ///
  /// What is too much for that does not keep the rest of a round from being taken: the conversation
  /// ends behind it, and not before.
  mutating func refuse(_ refused: [Refusal]) {
    guard let list, !refusals.isUntold else { return }
    for refusal in refused where !refusal.entries.isEmpty {
      round?.isClean = false
      guard flow.queuedByteCount <= SessionRefusals.byteLimit,
        refusals.noteOwn(refusal, on: list),
        let payload = try? refusal.payload(of: list.id, atMost: flow.maximumFrame)
      else {
        refusals.leaveUntold(refusal)
        if round == nil { failRefusing() }
        return
      }
      refusals.noteSent()
      enqueue(Frame(.refused, payload: payload, isCritical: true))
    }
  }

  /// Ends because more was refused than can be told or remembered.
  mutating func failRefusing() {
    let reason = refusals.forgotten ?? ""
    fail(
      SyncFailure(
        .limitExceeded, "too many writes were refused, and the others taken: \(reason)"))
  }

  // MARK: Being refused

  mutating func takeRefused(_ frame: Frame) throws(DecodeFailure) {
    guard let list, round != nil || setup.isLive else { throw DecodeFailure(.badOrder, at: 0) }
    let refusal = try Refusal(decoding: frame.payload, of: list.id, limits: setup.limits)
    guard refusals.count(refused: refusal.entries.count) else {
      throw DecodeFailure(.badNumber, at: 0)
    }
    let present = (view ?? list).entries(at: refusal.entries.map { $0.address })
    for case (let entry, let held?) in zip(refusal.entries, present) {
      let wasLeftOut = refusals.leaveOut(held)
      refusals.note(entry)
      if !wasLeftOut, refusals.leaveOut(held) { round?.comparedSum?.subtract(held) }
    }
    round?.isClean = false
    refusals.noteReceived()
    tell(.refused(refusal))
    release(SessionFlow.cost(of: frame))
    if round?.hasSentAck == true { sendAck() }
  }

  // MARK: Comparing without them

  func digest(_ list: ReplicatedList) -> Digest {
    refusals.isEmpty ? list.digest : list.digest(leavingOut: refusals.excluded(in: list))
  }
}

extension Delta {
  /// This delta without entries that were refused, claiming only what those that are left prove.
  ///
  /// A host that does not take everything of a ``SyncOutput/merge(_:_:)`` merges this: a number
  /// without an entry stands for a write that was replaced, perhaps by one that is refused, and who
  /// claimed it would hold nothing of it.
  ///
  ///     let taken = delta.leavingOut(refusals, mergingInto: list)
  ///     list.merge(taken)
  ///     perform(session.settled(ticket, outcome: .done(refused: refusals), list: list, now: now))
  ///
  /// - Parameters:
  ///   - refusals: What is not taken.
  ///   - list: The list that takes the rest.
  /// - Returns: The rest.
  /// - Complexity: O(*k* log *k*) for *k* entries, here and not claimed in the list
  public func leavingOut(_ refusals: [Refusal], mergingInto list: ReplicatedList) -> Delta {
    guard !refusals.isEmpty else { return self }
    var addresses: Set<RegisterAddress> = []
    for entry in refusals.lazy.flatMap({ $0.entries }) { addresses.insert(entry.address) }
    let refused = rows.indices.filter {
      addresses.contains(RegisterAddress(rows[$0].item, register: register(of: rows[$0])))
    }
    return leavingOut(refused).claimingDensely(besides: list)
  }
}

public import Betwixt

// Writes that one side does not take: both leave them out of what they compare.

extension SyncSession {
  /// What remembering refused writes may take: a peer that sends without end what is refused
  /// fills no memory.
  private static let refusedByteLimit = 1 << 20
  private static let refusedOverhead = 128

  // MARK: Refusing

  /// The policy with the time as it is now.
  var admission: AdmissionPolicy {
    var policy = setup.admission
    policy.now = policy.now.map { now in
      let (sum, overflow) = now.addingReportingOverflow(timing.elapsed)
      return overflow ? now : sum
    }
    return policy
  }

  /// What the policy lets in of what the peer sent, and the rest as refusals, one for each reason.
  mutating func admit(
    _ delta: Delta, to list: ReplicatedList
  ) -> (delta: Delta, withheld: [Refusal]) {
    let admitted = admission.admit(delta, to: list, introduced: introducedReplicaCount)
    introducedReplicaCount += admitted.newReplicaCount
    var refusals: [Refusal] = []
    for reason in [WithheldWrite.Reason.timeAhead, .lifeAhead, .incomplete] {
      let writes = admitted.withheld.filter { $0.reason == reason }
      guard let first = writes.first else { continue }
      let entries = writes.map { $0.entry }
      refusals.append(
        Refusal(
          entries: entries, isDeferred: first.isPostponed, reason: "\(reason)",
          held: entries.compactMap { list.entry(at: RegisterAddress($0.item, $0.register)) }))
    }
    return (admitted.delta, refusals)
  }

  mutating func refuse(_ refusals: [Refusal]) {
    guard let list else { return }
    for refusal in refusals where !refusal.entries.isEmpty {
      for entry in refusal.entries {
        note(refused: entry)
        refusedByteCount +=
          SyncSession.refusedOverhead + entry.value.canonicalBytes.count
          + entry.register.nameBytes.count
      }
      guard refusedByteCount <= SyncSession.refusedByteLimit,
        let payload = try? refusal.payload(of: list.id, atMost: maximumFrame)
      else {
        fail(SyncFailure(.limitExceeded, "refusals"))
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

  // MARK: Being refused

  mutating func takeRefused(_ frame: Frame) throws(DecodeFailure) {
    guard let list, round != nil || setup.isLive else { throw DecodeFailure(.badOrder, at: 0) }
    let refusal = try Refusal(decoding: frame.payload, of: list.id, limits: setup.limits)
    // Nothing is refused twice, nor what was not sent.
    refusedEntryCount += Int64(refusal.entries.count)
    guard !refusal.entries.isEmpty, refusedEntryCount <= sentEntryCount else {
      throw DecodeFailure(.badNumber, at: 0)
    }
    for entry in refusal.entries
    where (view ?? list).entry(at: RegisterAddress(entry.item, entry.register)) != nil {
      note(refused: entry)
    }
    round?.isClean = false
    refusedReceived += 1
    outputs.append(.event(.refused(refusal)))
    release(frame.payload.count + Frame.overhead)
    if round?.hasSentAck == true { sendAck() }
  }

  // MARK: Comparing without them

  /// Registers to leave out of digests: after the exchange the one side holds the refused write
  /// exactly where the other holds nothing greater.
  func excluded(_ list: ReplicatedList) -> Set<RegisterAddress> {
    var addresses: Set<RegisterAddress> = []
    for (address, entry) in refused {
      if let held = list.entry(at: address), entry.isLess(than: held) { continue }
      addresses.insert(address)
    }
    return addresses
  }

  func digest(_ list: ReplicatedList) -> Digest {
    refused.isEmpty ? list.digest : list.digest(leavingOut: excluded(list))
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
  ///     perform(session.settled(ticket, .done(refused: refusals), list: list, now: now))
  ///
  /// - Parameters:
  ///   - refusals: What is not taken.
  ///   - list: The list that takes the rest.
  /// - Returns: The rest.
  /// - Complexity: O(*k* log *k*) for *k* entries, here and not claimed in the list
  public func leavingOut(_ refusals: [Refusal], mergingInto list: ReplicatedList) -> Delta {
    guard !refusals.isEmpty else { return self }
    var addresses: Set<RegisterAddress> = []
    for entry in refusals.lazy.flatMap({ $0.entries }) {
      addresses.insert(RegisterAddress(entry.item, entry.register))
    }
    let refused = rows.indices.filter {
      addresses.contains(RegisterAddress(rows[$0].item, register(of: rows[$0])))
    }
    return leavingOut(refused).claimingDensely(besides: list)
  }
}

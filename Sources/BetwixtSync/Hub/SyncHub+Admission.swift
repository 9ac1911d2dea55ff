import Betwixt

// What peers bring, until it is stored.

extension SyncHub {
  /// What waits to be stored, what was refused of it, and which replica it makes whose own.
  struct Pending {
    let delta: Delta
    let refusals: [Refusal]
    let claim: ReplicaID?
  }

  mutating func take(
    _ delta: Delta, ticket: StoreTicket, now: Int64, settled: inout Settled?
  ) -> [Output] {
    guard let index = peers.index(forKey: ticket.peer) else { return [] }
    let peer = peers.values[index]
    if let replica = peer.session.peerReplica, isAnothers(replica, principal: peer.principal) {
      return refuseAnothers(ticket.peer, using: replica, now: now)
    }
    let refusals = refusals(delta, from: peer, id: ticket.peer)
    for refusal in refusals { counts.refusedEntries += Int64(refusal.entries.count) }
    var admitted = delta.leavingOut(refusals, mergingInto: list)
    let claim = claim(of: admitted, peer: peer)
    if let claim, !hasRoom(for: claim, of: peer.principal) {
      return refuse(
        ticket.peer, because: SyncFailure(.limitExceeded, "replicas of one user"), now: now)
    }
    if let claim { ownership.claim(claim, principal: peer.principal, with: ticket) }
    admitted = claimingOwn(admitted, of: peer.principal)
    let taken = Pending(delta: admitted, refusals: refusals, claim: claim)
    guard !admitted.isEmpty else {
      settled = Settled(ticket: ticket, outcome: .done(refused: refusals))
      return merge(taken, ticket: ticket)
    }
    pending[ticket] = taken
    // What is stored stands behind what was stored before, and names no other replicas.
    let store = Output.store(admitted.forStorage, ticket)
    guard let claim else { return [store] }
    return [.own(claim, principal: peer.principal, ticket), store]
  }

  /// Merges what was stored.
  mutating func merge(_ pending: Pending, ticket: StoreTicket) -> [Output] {
    if !pending.delta.isEmpty {
      counts.storedDeltas += 1
      counts.storedEntries += Int64(pending.delta.count)
    }
    let changes = follow(pending.delta, from: ticket.peer.rawValue)
    return changes.isEmpty ? [] : [.changed(changes, ticket.peer)]
  }

  /// One refusal for each reason, in the order in which they come up.
  ///
  /// - Complexity: O(*k* log *n*) for *k* entries and O(*f*) for each item with *f* fields, beside what
  ///   the host asks, and O(*g*) for each entry that is not let in and *g* reasons
  private func refusals(_ delta: Delta, from peer: Peer, id: PeerID) -> [Refusal] {
    var groups: [(admission: Admission, entries: [Entry], held: [Entry])] = []
    var strangers: Set<ReplicaID> = []
    let entries = delta.entries
    for (entry, held) in zip(entries, list.entries(at: entries.map { $0.address })) {
      let admission = admission(
        entry, held: held, from: peer, id: id, strangers: &strangers)
      guard admission != .allow else { continue }
      let index = groups.firstIndex { $0.admission == admission } ?? groups.count
      if index == groups.count { groups.append((admission, [], [])) }
      groups[index].entries.append(entry)
      if let held { groups[index].held.append(held) }
    }
    return groups.map { group in
      switch group.admission {
      case .deny(let reason):
        Refusal(entries: group.entries, isDeferred: false, reason: reason, held: group.held)
      case .postpone(let reason):
        Refusal(entries: group.entries, isDeferred: true, reason: reason, held: group.held)
      case .allow:
        Refusal(entries: [], isDeferred: false, reason: "", held: [])
      }
    }
  }

  private func admission(
    _ entry: Entry, held: Entry?, from peer: Peer, id: PeerID, strangers: inout Set<ReplicaID>
  ) -> Admission {
    if held == entry { return .allow }
    let replica = peer.session.peerReplica
    // What was here once and is forgotten its writer has forgotten too: only who restores the item
    // can bring it back. While the item stays removed it is not taken in anyway.
    let isForgotten = held == nil && list.floor.covers(entry.dot)
    if relay == .ownOnly, entry.stamp.replica != replica, !isForgotten,
      let reason = reasonToWait(for: entry.stamp.replica, from: peer, among: &strangers)
    {
      // What was replaced already changes nothing, and its writer may never come again.
      if let held, entry.isLess(than: held) { return .allow }
      return .postpone(reason: reason)
    }
    return admit(
      entry,
      AdmissionContext(
        peer: id, principal: peer.principal, replica: replica, clockSkew: peer.skew, held: held))
  }

  // Why entries of another replica than the peer's are not taken from it; `nil` if they are.
  // Strangers are those of whom nothing is held, and who belong to nobody.
  private func reasonToWait(
    for replica: ReplicaID, from peer: Peer, among strangers: inout Set<ReplicaID>
  ) -> String? {
    if isAnothers(replica, principal: peer.principal) { return "its writer has not brought it" }
    if ownership.owners[replica] != nil || list.version[replica] > 0 { return nil }
    // Names cost memory for ever, and who makes them up owns none of them.
    let ownerless = list.version.count - ownership.owners.count + strangers.count
    if strangers.contains(replica) { return nil }
    guard ownerless < limits.unownedReplicas else { return "too many writers belong to nobody" }
    strangers.insert(replica)
    return nil
  }

  // MARK: Claims

  /// A delta with claims that its principal may make.
  ///
  /// How much a replica has written is for its owner to say: who claimed more for it would have its
  /// owner believe that a copy of the device writes, too. So of what belongs to others the list claims
  /// only what it proves itself, and the rest when its owner comes; nothing is missing until then, as
  /// entries are compared and not claims. A replica that belongs to nobody is named with an entry of
  /// it, and only so many are.
  private func claimingOwn(_ delta: Delta, of principal: String) -> Delta {
    guard relay == .ownOnly,
      delta.ranges.contains(where: { ownership.owners[$0.replica] != principal })
    else { return delta }
    let version = list.version
    let written = delta.writers.union(list.delta(since: version).writers)
    var room = limits.unownedReplicas - (version.count - ownership.owners.count)
    var (claims, others) = (Delta.Builder(), Delta.Builder())
    var strangers: Set<ReplicaID> = []
    for range in delta.ranges {
      let owner = ownership.owners[range.replica]
      if owner == nil, version[range.replica] == 0, !strangers.contains(range.replica) {
        guard room > 0, written.contains(range.replica) else { continue }
        strangers.insert(range.replica)
        room -= 1
      }
      if owner == nil || owner == principal {
        claims.cover(range.replica, after: range.after, through: range.through)
      } else {
        others.cover(range.replica, after: range.after, through: range.through)
      }
    }
    // Not with the entries of the delta: those of others that are taken change nothing, and anybody
    // makes them up.
    for range in others.build().claimingDensely(besides: list).ranges
    where range.through > version[range.replica] {
      claims.cover(range.replica, after: range.after, through: range.through)
    }
    return delta.keeping(claims.build().ranges)
  }
}

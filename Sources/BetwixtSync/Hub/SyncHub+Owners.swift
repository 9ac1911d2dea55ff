public import Betwixt

// Which replica belongs to whom.

extension SyncHub {
  /// A replica that a principal opened with.
  struct Holder: Hashable {
    let replica: ReplicaID
    let principal: String
  }

  /// Which principal owns which replicas.
  struct Ownership: Sendable {
    private(set) var owners: [ReplicaID: String]
    private var counts: [String: Int] = [:]
    // The writes that are being stored with whose a replica is, until one of them is.
    private var claims: [ReplicaID: Set<StoreTicket>] = [:]

    init(_ owners: [ReplicaID: String]) {
      self.owners = owners
      for owner in owners.values { counts[owner, default: 0] += 1 }
    }

    func count(of principal: String) -> Int { counts[principal] ?? 0 }

    /// Whether the storage has whose a replica is, so that a write of it need not say so.
    func isStored(_ replica: ReplicaID) -> Bool {
      owners[replica] != nil && claims[replica] == nil
    }

    /// Notes that a write is being stored with whose its replica is.
    mutating func claim(_ replica: ReplicaID, principal: String, with ticket: StoreTicket) {
      if owners[replica] != principal { give(replica, to: principal) }
      claims[replica, default: []].insert(ticket)
    }

    /// Takes note that a claim was stored, or not: it goes with the last of the writes that bring it.
    ///
    /// What the storage has said meanwhile stands.
    mutating func settle(_ replica: ReplicaID, with ticket: StoreTicket, isStored: Bool) {
      guard claims[replica]?.remove(ticket) != nil else { return }
      if isStored {
        claims[replica] = nil
      } else if claims[replica]?.isEmpty ?? true {
        release(replica)
      }
    }

    /// Takes what the storage says, where the first one has become the owner.
    mutating func learn(_ stored: [ReplicaID: String]) {
      for (replica, principal) in stored {
        claims[replica] = nil
        if owners[replica] != principal { give(replica, to: principal) }
      }
    }

    private mutating func give(_ replica: ReplicaID, to principal: String) {
      release(replica)
      owners[replica] = principal
      counts[principal, default: 0] += 1
    }

    mutating func release(_ replica: ReplicaID) {
      claims[replica] = nil
      guard let owner = owners.removeValue(forKey: replica) else { return }
      let count = counts[owner, default: 1] - 1
      counts[owner] = count > 0 ? count : nil
    }
  }

  /// Which principal each replica belongs to: the one whose write under it was stored first.
  ///
  /// ``Output/own(_:principal:_:)`` tells each one when it is claimed; give those that were stored to
  /// the hub that follows this one.
  public var owners: [ReplicaID: String] { ownership.owners }

  /// Forgets whose a replica is: the next one that writes under it owns it.
  ///
  /// For an account that was closed, or one that has taken another's id. The host forgets it in its
  /// storage, too.
  public mutating func release(_ replica: ReplicaID) { ownership.release(replica) }

  /// Looks at what a peer opened with, once: another's replica is refused, and an older connection
  /// of the same one ends.
  mutating func meet(_ id: PeerID, now: Int64) -> [Output] {
    guard let index = peers.index(forKey: id) else { return [] }
    let holder = look(at: index) { peer -> Holder? in
      guard peer.holder == nil, let replica = peer.session.peerReplica else { return nil }
      peer.holder = Holder(replica: replica, principal: peer.principal)
      return peer.holder
    }
    guard let holder else { return [] }
    let replica = holder.replica
    if isAnothers(replica, principal: holder.principal) {
      return refuseAnothers(id, using: replica, now: now)
    }
    let older = holders.updateValue(id, forKey: holder)
    guard let older, older != id else { return [] }
    counts.replaced += 1
    return refuse(older, because: SyncFailure(.replaced, replica.description), now: now)
  }

  func isAnothers(_ replica: ReplicaID, principal: String) -> Bool {
    ownership.owners[replica].map { $0 != principal } ?? false
  }

  mutating func refuseAnothers(
    _ id: PeerID, using replica: ReplicaID, now: Int64
  ) -> [Output] {
    refuse(id, because: SyncFailure(.identityInUse, replica.description), now: now)
  }

  /// The replica that a peer's delta makes its own, unless the storage has that already: a write that
  /// says so may fail while another one does not.
  func claim(of delta: Delta, peer: Peer) -> ReplicaID? {
    guard let replica = peer.session.peerReplica, !ownership.isStored(replica),
      delta.isWritten(by: replica)
    else { return nil }
    return replica
  }

  func hasRoom(for replica: ReplicaID, of principal: String) -> Bool {
    ownership.owners[replica] != nil
      || ownership.owners.count < limits.owners
        && ownership.count(of: principal) < limits.replicasPerPrincipal
  }
}

extension Delta {
  /// Who wrote the entries.
  var writers: Set<ReplicaID> {
    let table = replicaTable
    return Set(rows.lazy.map { table[Int($0.replica)] })
  }

  func isWritten(by replica: ReplicaID) -> Bool {
    let table = replicaTable
    return rows.contains { table[Int($0.replica)] == replica }
  }
}

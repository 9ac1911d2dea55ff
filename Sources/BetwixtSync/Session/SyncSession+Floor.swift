import Betwixt

// What the peer has forgotten, and how much of that is forgotten here.

extension SyncSession {
  /// Joins a floor to what the peer has said before; whether the session goes on.
  ///
  /// An honest floor only rises, so all that was said of it together has no more rows than the last one,
  /// which an OPEN must have room for.
  mutating func hear(floor: VersionVector) -> Bool {
    let joined = peerFloor.union(floor)
    guard joined.count <= min(VersionParts.floorRowLimit, setup.limits.replicas) else {
      fail(SyncFailure(.limitExceeded, "\(joined.count) rows of a floor"))
      return false
    }
    peerFloor = joined
    log.sendsRestoredWhole = true
    return true
  }

  /// Looks at both floors: what is compared from here on is left under both.
  ///
  /// - Returns: Whether the session goes on.
  mutating func meetFloor(of open: Open) -> Bool {
    guard let view, !open.floor.isEmpty || !view.floor.isEmpty else { return true }
    guard hear(floor: open.floor) else { return false }
    let floor = view.floor.union(open.floor)
    round?.floor = floor
    if setup.takesFloor {
      // Nobody forgets what is yet to be written.
      let taken = open.floor.intersection(view.version.union(open.version ?? [:]))
      round?.takenFloor = taken
      if let list { round?.dueFloor = taken.naming(only: [], besides: list).news(to: list) }
    }
    guard floor != view.floor else { return true }
    self.view?.raise(to: floor)
    self.view?.settleDigest()
    viewIsList = false
    return true
  }

  /// Whether all that the peer has forgotten is forgotten here, what is yet to come included.
  var hasPeerFloor: Bool { peerFloor.isEmpty || list?.floor.covers(peerFloor) == true }

  /// Whether the peer has forgotten nothing that this side still holds.
  var isFloorMet: Bool { hasPeerFloor || unmetFloor == nil }

  /// What of the peer's floor is about writes that are here and is not forgotten here; `nil` if
  /// there is nothing of that.
  private var unmetFloor: VersionVector? {
    guard let list else { return peerFloor }
    let known = peerFloor.intersection(list.version)
    return list.floor.covers(known) ? nil : known
  }

  /// Wants a round if others have brought what the peer has forgotten.
  ///
  /// Once for each such floor: a list may have no room for it.
  mutating func seekFloor() {
    guard setup.isLive, setup.takesFloor, round == nil, !hasPeerFloor, let floor = unmetFloor,
      floor != live.soughtFloor
    else { return }
    live.soughtFloor = floor
    live.wantsRound = true
  }
}

extension Round {
  /// What a list takes of the floor with entries that came: what is due, and what is about those who
  /// wrote them.
  ///
  /// Most frames bring a few entries, and pay for no more rows than that.
  func floor(with delta: Delta, for list: ReplicatedList) -> VersionVector {
    guard !takenFloor.isEmpty else { return dueFloor }
    let new = delta.writers.compactMap { writer -> VersionVector.Component? in
      let sequence = takenFloor[writer]
      guard sequence > max(list.floor[writer], dueFloor[writer]) else { return nil }
      return VersionVector.Component(replica: writer, sequence: sequence)
    }
    return new.isEmpty ? dueFloor : dueFloor.union(VersionVector(new))
  }
}

extension VersionVector {
  /// A floor, unless a list has it.
  func news(to list: ReplicatedList) -> VersionVector {
    list.floor.covers(self) ? VersionVector() : self
  }

  /// The components of those of whom a list knows anything, or who are named: a floor does nothing by
  /// the others, and whoever makes them up fills the list with them.
  func naming(only named: Set<ReplicaID>, besides list: ReplicatedList) -> VersionVector {
    guard !isEmpty else { return self }
    let known = filter { named.contains($0.replica) || list.knows($0.replica) }
    return known.count == count ? self : VersionVector(known)
  }
}

public import Betwixt

/// Who writes in one document on this installation, and what of it has left the device.
///
///     var identity = try Identity.open(file.list, in: store, random: random)
///     if let rotation = identity.rotation { print("new identity:", rotation.evidence) }
///     var me = identity.replica(for: file.list, clock: clock)
///
/// Before own writes leave the device, their commit must be on the drive and ``publish(upTo:)``
/// must have returned: whatever a crash then takes, nobody has seen, and its numbers may be used again.
public struct Identity: Sendable {
  /// The record as it is in the store.
  public private(set) var record: IdentityRecord

  /// The last change of the id, to be shown once; `nil` if there was none.
  public private(set) var rotation: IdentityRotation?

  private let store: any IdentityStore
  private let random: @Sendable () -> UInt64

  /// Who writes.
  public var replica: ReplicaID { record.replica }

  /// Takes the identity of a document out of a store, or makes one.
  ///
  /// - Parameters:
  ///   - list: The document as it was opened.
  ///   - store: Where identities are kept.
  ///   - evidence: What opening the document has shown already.
  ///   - random: Random bits, different in every run of a program.
  /// - Returns: An identity whose id is in the store.
  /// - Throws: ``IdentityStoreFailure``; do not write then.
  public static func open(
    _ list: ReplicatedList, in store: any IdentityStore, evidence: IdentityEvidence? = nil,
    random: @escaping @Sendable () -> UInt64
  ) throws(IdentityStoreFailure) -> Identity {
    guard let record = try store.record(of: list.id) else {
      let fresh = IdentityRecord(
        document: list.id, replica: ReplicaID(rawValue: random()),
        place: StorePlace(machine: [], device: 0, inode: 0))
      return Identity(record: try store.save(fresh), store: store, random: random)
    }
    var identity = Identity(record: record, store: store, random: random)
    let found = try identity.evidence(against: list)
    if let evidence = evidence ?? found {
      try identity.rotate(evidence)
    }
    return identity
  }

  private init(
    record: IdentityRecord, store: any IdentityStore, random: @escaping @Sendable () -> UInt64
  ) {
    self.record = record
    self.store = store
    self.random = random
  }

  private func evidence(
    against list: ReplicatedList
  ) throws(IdentityStoreFailure) -> IdentityEvidence? {
    if list.version[replica] < record.published { return .rolledBack }
    if try store.place(of: record.document) != record.place { return .copied }
    return nil
  }

  /// A writer under this id, behind all that the list and the store know of it.
  ///
  /// - Parameters:
  ///   - list: The document.
  ///   - clock: Milliseconds since 1970-01-01T00:00:00Z.
  /// - Returns: The writer.
  public func replica(
    for list: ReplicatedList, clock: @escaping @Sendable () -> Int64
  ) -> Replica {
    Replica(
      id: replica, sequence: max(record.published, list.version[replica]), clock: clock)
  }

  /// Notes that own writes are about to leave the device, whose commits are on the drive.
  ///
  /// - Parameter sequence: The highest number of an own write among them.
  /// - Throws: ``IdentityStoreFailure``; then nothing may leave.
  public mutating func publish(upTo sequence: Int64) throws(IdentityStoreFailure) {
    guard sequence > record.published else { return }
    var next = record
    next.published = sequence
    record = try store.save(next)
  }

  /// Takes a new id, because the present one may not be this installation's alone.
  ///
  /// - Parameter evidence: What showed it.
  /// - Returns: The change, or `nil` if a mismatch has changed the id already and no exchange has
  ///   ended equal since.
  /// - Throws: ``IdentityStoreFailure``; do not write then.
  @discardableResult
  public mutating func rotate(
    _ evidence: IdentityEvidence
  ) throws(IdentityStoreFailure) -> IdentityRotation? {
    if evidence == .notEqual, record.awaitsEqualExchange { return nil }
    var next = record
    if evidence == .notEqual { next.awaitsEqualExchange = true }
    next.former.append(record.replica)
    next.replica = freshID()
    next.published = 0
    let change = IdentityRotation(old: record.replica, new: next.replica, evidence: evidence)
    record = try store.save(next)
    rotation = change
    return change
  }

  private func freshID() -> ReplicaID {
    var id = ReplicaID(rawValue: random())
    while id == record.replica || record.former.contains(id) {
      id = ReplicaID(rawValue: random())
    }
    return id
  }

  /// Notes that an exchange has ended with equal digests.
  ///
  /// - Throws: ``IdentityStoreFailure``; the note is made again after the next exchange.
  public mutating func exchangeEndedEqual() throws(IdentityStoreFailure) {
    guard record.awaitsEqualExchange else { return }
    var next = record
    next.awaitsEqualExchange = false
    record = try store.save(next)
  }

  /// What a peer's version shows about my id.
  ///
  /// - Parameters:
  ///   - version: What the peer says it knows.
  ///   - list: The document.
  /// - Returns: `foreignClaim` if the peer knows writes that I never made.
  public func evidence(
    inPeer version: VersionVector, against list: ReplicatedList
  ) -> IdentityEvidence? {
    version[replica] > max(list.version[replica], record.published) ? .foreignClaim : nil
  }

  /// What entries that arrived show about my id.
  ///
  /// - Parameters:
  ///   - delta: Entries from outside.
  ///   - list: The document before they are merged.
  /// - Returns: `foreignWrite` if one is under my id and I did not make it, `foreignClaim` if a
  ///   range claims more of me than I wrote.
  /// - Complexity: O(*k* log *n*) for *k* entries
  public func evidence(
    in delta: Delta, against list: ReplicatedList
  ) -> IdentityEvidence? {
    let own = max(list.version[replica], record.published)
    let table = delta.replicaTable
    for row in delta.rows where table[Int(row.replica)] == replica {
      if row.sequence > own { return .foreignWrite }
      // Other content under the same number; what was replaced meanwhile cannot be compared.
      let entry = delta.entry(row)
      let mine = list.entry(at: RegisterAddress(entry.item, entry.register))
      if let mine, mine.dot == entry.dot, mine != entry { return .foreignWrite }
    }
    let isClaimed = delta.ranges.contains { $0.replica == replica && $0.through > own }
    return isClaimed ? .foreignClaim : nil
  }
}

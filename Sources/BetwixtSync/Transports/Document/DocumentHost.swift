public import Betwixt

/// Lets a session work on a document file: what arrives is committed before it is acknowledged, and
/// own writes are on the drive and noted as published before they leave.
public struct DocumentHost: ~Copyable, SessionHost {
  /// The document.
  public var file: DocumentFile

  /// Who writes on this side; `nil` for a side that never does.
  public var identity: Identity?

  /// What the session told, in order.
  public private(set) var events: [SyncEvent] = []

  // The id that the session works under: a rotation in the middle does not change it.
  private let writer: ReplicaID?

  /// Takes a document and an identity into a session.
  public init(_ file: consuming DocumentFile, _ identity: Identity?) {
    self.file = file
    writer = identity?.replica
    self.identity = identity
  }

  /// Ends with the document and the identity as they are now.
  public consuming func finish() -> DocumentFile { file }

  /// The list as of the last commit.
  public var list: ReplicatedList? { file.list }

  /// Commits what a peer sent.
  public mutating func merge(_ delta: Delta) -> SyncOutcome {
    do {
      if let identity, identity.evidence(in: delta, against: file.list) != nil {
        // Another program of this installation may have written it meanwhile.
        try file.refresh()
      }
      if let found = identity?.evidence(in: delta, against: file.list) {
        try identity?.rotate(found)
      }
      try file.commit(delta)
      try file.makeDurable()
      return .done()
    } catch {
      return .failed("\(error)")
    }
  }

  /// Makes own writes durable and notes that they are published.
  public mutating func makeDurable(upTo sequence: Int64) -> SyncOutcome {
    do {
      try file.makeDurable()
      // Writes of an id that was given up are the concern of nobody's numbers any more.
      if identity?.replica == writer { try identity?.publish(upTo: sequence) }
      return .done()
    } catch {
      return .failed("\(error)")
    }
  }

  /// Keeps an event, and changes the identity if it is one that shows another writer.
  public mutating func note(_ event: SyncEvent) {
    events.append(event)
    // If a change cannot be kept, the next session finds the same evidence.
    switch event {
    case .identityDoubtful(let known, _): doubtIdentity(known)
    case .unequal: _ = try? identity?.rotate(.notEqual)
    case .synced: try? identity?.exchangeEndedEqual()
    default: break
    }
  }

  /// Gives up the id if a peer knows more of it than this installation has written by now.
  private mutating func doubtIdentity(_ known: Int64) {
    _ = try? file.refresh()
    guard let identity, known > file.list.version[identity.replica] else { return }
    // If it cannot be kept, the next opening finds the same evidence.
    _ = try? self.identity?.rotate(.foreignClaim)
  }

  /// Changes the identity if the end shows another writer.
  public mutating func note(_ end: SyncEnd) {
    switch end {
    case .failed(let failure), .peerFailed(let failure):
      switch failure.code {
      case .identityInUse: _ = try? identity?.rotate(.inUse)
      case .notConverged: _ = try? identity?.rotate(.notEqual)
      default: break
      }
    case .finished, .cut: break
    }
  }
}

public import Betwixt
public import BetwixtSync

/// Lets a session work on a document file: what arrives is committed before it is acknowledged, and
/// own writes are on the drive before they leave.
public struct DocumentHost: ~Copyable, SessionHost, Sendable {
  /// The document.
  public var file: DocumentFile

  /// Who writes on this side; `nil` for a side that never does.
  public var identity: Identity? { file.identity }

  /// What the session told, in order.
  public private(set) var events: [SyncEvent] = []

  /// Concurrent writes of one register, of which one lost when the peer's were merged, in order.
  public private(set) var conflicts: [Conflict] = []

  /// Items that are removed, with edits that whoever removed them had not seen, in order.
  public private(set) var removalConflicts: [RemovalConflict] = []

  // How often the document had gone back when the session began.
  private var goneBackCount: Int

  /// Takes a document into a session, with its identity.
  public init(_ file: consuming DocumentFile) {
    goneBackCount = file.goneBackCount
    self.file = file
  }

  /// All that has lost.
  var losses: ListChanges {
    var losses = ListChanges()
    losses.addLosses(conflicts, removals: removalConflicts)
    return losses
  }

  /// Forgets what earlier sessions told, for one that begins with what is there now.
  mutating func forget() {
    goneBackCount = file.goneBackCount
    events = []
    conflicts = []
    removalConflicts = []
  }

  /// Ends with the document as it is now.
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
        try file.identity?.rotate(found)
      }
      let changes = try file.commit(delta)
      conflicts += changes.conflicts
      removalConflicts += changes.removalConflicts
      try file.makeDurable()
      // What was acknowledged before is not there any more: the next session sees what is.
      let hasGoneBack = file.goneBackCount != goneBackCount
      return hasGoneBack ? .failed("\(DocumentFileFailure.surprise)") : .done()
    } catch {
      return .failed("\(error)")
    }
  }

  /// Makes own writes durable.
  public mutating func makeDurable(upTo sequence: Int64) -> SyncOutcome {
    do {
      try file.makeDurable()
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
    case .unequal: _ = try? file.identity?.rotate(.notEqual)
    case .synced: try? file.identity?.exchangeEndedEqual()
    default: break
    }
  }

  /// Gives up the id if a peer knows more of it than this installation has written by now.
  private mutating func doubtIdentity(_ known: Int64) {
    _ = try? file.refresh()
    guard let identity, known > file.list.version[identity.replica] else { return }
    // If it cannot be kept, the next opening finds the same evidence.
    _ = try? file.identity?.rotate(.foreignClaim)
  }

  /// Changes the identity if the end shows another writer.
  public mutating func note(_ end: SyncEnd) {
    switch end {
    case .failed(let failure), .peerFailed(let failure):
      switch failure.code {
      case .identityInUse: _ = try? file.identity?.rotate(.inUse)
      case .notConverged: _ = try? file.identity?.rotate(.notEqual)
      default: break
      }
    case .finished, .cut: break
    }
  }
}

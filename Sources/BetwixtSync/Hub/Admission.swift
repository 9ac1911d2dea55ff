public import Betwixt

/// What a hub does with one entry that a peer sent.
public enum Admission: Hashable, Sendable {
  /// Take it.
  case allow

  /// Never take it; the peer is told why and keeps its write marked.
  case deny(reason: String)

  /// Do not take it now; it comes again in the peer's next session.
  case postpone(reason: String)
}

/// What is known when an entry asks to be admitted.
public struct AdmissionContext: Sendable {
  /// The connection that brings it.
  public let peer: SyncHub.PeerID

  /// Who is at the other end, as the host's own login said.
  public let principal: String

  /// The replica that the peer writes as, if it said so.
  public let replica: ReplicaID?

  /// By how many milliseconds the peer's clock is ahead of the hub's, if both are known.
  public let clockSkew: Int64?

  /// What the hub holds in the entry's register.
  public let held: Entry?
}

/// Whether peers may bring entries of other replicas.
public enum RelayPolicy: Hashable, Sendable {
  /// Only entries of the peer's own replica, of others of its principal, and of such as belong to
  /// nobody, and what changes nothing; those of other principals wait until these bring them.
  ///
  /// So are claims of how much others have written: of replicas of other principals as much as the hub
  /// holds an entry for each number, of such as belong to nobody with an entry of theirs.
  ///
  /// What the hub held once and has forgotten is taken from anyone: it comes with an item that is
  /// restored, and nobody else may have it any more.
  ///
  /// A device takes a new id where its document was copied or went back, and a page at each visit: what
  /// they had not sent under the old one is written by nobody who will ever come, and is taken from
  /// them. It makes no replica theirs; that does only who opens with it, and writes.
  case ownOnly

  /// All of them: for one person's devices, or people who trust each other.
  case allow
}

public import Betwixt

extension SyncHub {
  /// Names one connection; the host chooses it and uses it once.
  public struct PeerID: Hashable, Comparable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Makes an id.
    public init(_ rawValue: UInt64) {
      self.rawValue = rawValue
    }

    /// Earlier ids are less.
    public static func < (left: PeerID, right: PeerID) -> Bool { left.rawValue < right.rawValue }
  }

  /// A question that waits for ``SyncHub/stored(_:succeeded:now:)``.
  public struct StoreTicket: Hashable, Sendable {
    let peer: PeerID
    let ticket: Ticket
  }

  /// What the hub asks its host to do, in this order.
  public enum Output: Sendable {
    /// Send bytes to a peer.
    case send([UInt8], to: PeerID)

    /// Make durable, with what the ticket asks to store, that a replica belongs to a principal.
    ///
    /// It comes right before the `store` of that ticket, with each one of a replica until the first of
    /// them is stored: who was cut off while it was sends the same again.
    case own(ReplicaID, principal: String, StoreTicket)

    /// Make entries durable, then call `stored`: nobody else sees them before.
    ///
    /// The answer may come later, and for many tickets at once: see
    /// ``SyncHub/stored(all:succeeded:now:)``. As long as `tick` is called the peer hears meanwhile that
    /// somebody is here; only in a round it waits no longer than for any progress. Of one peer at most one waits. The delta stands behind
    /// those that were stored before it, and is as great however many replicas there are.
    case store(Delta, StoreTicket)

    /// Know what a peer's entries changed in the list, and which writes lost.
    case changed(ListChanges, PeerID)

    /// Know what a session tells.
    case event(SyncEvent, PeerID)

    /// End a connection once everything is sent.
    case close(PeerID, SyncEnd)
  }
}

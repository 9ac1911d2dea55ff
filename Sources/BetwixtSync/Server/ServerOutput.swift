public import Betwixt

extension SyncServer {
  /// A question that waits for ``SyncServer/stored(all:succeeded:now:)``.
  public struct StoreTicket: Hashable, Sendable {
    /// The document.
    public let list: ListID

    let ticket: SyncHub.StoreTicket
  }

  /// What the server asks its host to do, in this order.
  public enum Output: Sendable {
    /// Open or create a document, and answer with ``SyncServer/opened(_:owners:now:)`` or
    /// ``SyncServer/notOpened(_:because:now:)``, at once or later.
    ///
    /// It is asked for once, whoever waits for the document; the principal is the first of them.
    case open(ListID, principal: String)

    /// Nobody has used a document for some time: close it. It is opened again when somebody comes.
    case evict(ListID)

    /// Send bytes to a connection.
    case send([UInt8], to: SyncHub.PeerID)

    /// Make durable, with what the ticket asks to store, that a replica of a document belongs to a
    /// principal.
    case own(ReplicaID, principal: String, StoreTicket)

    /// Make entries durable, then call `stored`: nobody else sees them before.
    case store(Delta, StoreTicket)

    /// Know what a connection's entries changed in a document, and which writes lost.
    case changed(ListID, ListChanges, SyncHub.PeerID)

    /// Know what a session tells.
    case event(SyncEvent, SyncHub.PeerID)

    /// End a connection once everything is sent.
    case close(SyncHub.PeerID, SyncEnd)
  }
}

/// How much a server takes on, beside what ``HubLimits`` say of each document.
public struct ServerLimits: Hashable, Sendable {
  /// The most connections at a time, over all documents.
  public var connections: Int

  /// Those of one principal.
  public var connectionsPerPrincipal: Int

  /// The most documents that are open at a time.
  public var documents: Int

  /// How long a document that nobody uses stays open, in milliseconds.
  public var idleTime: Int64

  /// Makes limits.
  ///
  /// - Parameters:
  ///   - connections: The most connections at a time.
  ///   - connectionsPerPrincipal: Those of one principal.
  ///   - documents: The most documents that are open at a time.
  ///   - idleTime: How long one that nobody uses stays open, in milliseconds.
  public init(
    connections: Int = 10_000, connectionsPerPrincipal: Int = 256, documents: Int = 10_000,
    idleTime: Int64 = 60_000
  ) {
    self.connections = connections
    self.connectionsPerPrincipal = connectionsPerPrincipal
    self.documents = documents
    self.idleTime = idleTime
  }
}

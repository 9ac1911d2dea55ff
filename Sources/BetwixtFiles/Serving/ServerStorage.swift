public import Betwixt
import BetwixtSync

/// Where a ``LiveServer`` keeps documents: files, a database, or anything that can bring bytes to a
/// drive.
public protocol ServerStorage: Sendable {
  /// Opens a document, or makes it.
  ///
  /// - Parameters:
  ///   - list: Which one.
  ///   - principal: Who asks first.
  /// - Returns: What it holds, and whose its replicas are.
  /// - Throws: `SyncFailure` to tell the client why, such as `documentUnknown`; any other error is
  ///   told as `unavailable`, and the client comes back later; the host is told which it was.
  func open(_ list: ListID, for principal: String) async throws -> StoredDocument

  /// Brings writes to the drive: all of them, or an error.
  ///
  /// While it works others gather, from all documents, and come with the next call, so that one sync
  /// serves many clients. The host is told of an error, clients only that nothing was stored.
  func store(_ writes: [StoredWrite]) async throws

  /// Closes a document that nobody uses any more.
  func close(_ list: ListID) async
}

/// What a storage could not do for a ``LiveServer``, and why, for whoever runs the server.
public struct StorageFailure: Sendable {
  /// What a storage is asked for.
  public enum Request: Hashable, Sendable {
    /// To open a document; it threw something else than a `SyncFailure`, which is an answer.
    case open

    /// To store writes: none of them was acknowledged.
    case store
  }

  /// What it was asked for.
  public let request: Request

  /// The documents that it was asked for, rising.
  public let lists: [ListID]

  /// What it threw.
  public let error: any Error

  init(_ request: Request, of lists: Set<ListID>, because error: any Error) {
    self.request = request
    self.lists = lists.sorted()
    self.error = error
  }
}

/// What a storage holds of a document.
public struct StoredDocument: Sendable {
  /// The list.
  public var list: ReplicatedList

  /// Which principals own which replicas, as ``StoredWrite/owner`` has said.
  public var owners: [ReplicaID: String]

  /// Makes a document.
  public init(_ list: ReplicatedList, owners: [ReplicaID: String] = [:]) {
    self.list = list
    self.owners = owners
  }
}

/// What is to be stored together, or not at all.
public struct StoredWrite: Sendable {
  /// A replica, and the principal that it belongs to from now on.
  public struct Owner: Hashable, Sendable {
    /// The replica.
    public let replica: ReplicaID

    /// Whose it is.
    public let principal: String

    /// Says whose a replica is.
    public init(replica: ReplicaID, principal: String) {
      self.replica = replica
      self.principal = principal
    }
  }

  /// The document.
  public let list: ListID

  /// What was written.
  public let delta: Delta

  /// Whose replica wrote it, with each write of a replica until the first of them is stored.
  public let owner: Owner?

  /// Makes a write, such as one with which a storage of one's own is tested.
  public init(list: ListID, delta: Delta, owner: Owner? = nil) {
    self.list = list
    self.delta = delta
    self.owner = owner
  }
}

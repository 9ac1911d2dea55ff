public import Betwixt

/// Keeps nothing: each opening of a document takes a new id.
///
/// For servers and tools that have no place of their own. The version of a document grows by one
/// replica each time that something is written.
public struct EphemeralIdentityStore: IdentityStore {
  private static let nowhere = StorePlace(machine: [], device: 0, inode: 0)

  /// Makes a store that keeps nothing.
  public init() {}

  /// There never is one.
  public func record(of document: ListID) throws(IdentityStoreFailure) -> IdentityRecord? { nil }

  /// Lets the record be, for as long as it is in use.
  public func save(
    _ record: IdentityRecord, durably: Bool
  ) throws(IdentityStoreFailure) -> IdentityRecord {
    record
  }

  /// Nowhere.
  public func place(of document: ListID) throws(IdentityStoreFailure) -> StorePlace {
    EphemeralIdentityStore.nowhere
  }
}

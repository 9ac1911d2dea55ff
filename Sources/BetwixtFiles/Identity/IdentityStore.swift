public import Betwixt

/// Where an installation keeps its identities, one record for each document.
///
/// Hosts may bring their own; ``FileIdentityStore`` is for systems with files.
public protocol IdentityStore: Sendable {
  /// The record of a document, or `nil` if there is none that can be read.
  func record(of document: ListID) throws(IdentityStoreFailure) -> IdentityRecord?

  /// Keeps a record.
  ///
  /// Where several programs share a store, what another one saved meanwhile must not be undone: an id
  /// that was given up stays so, and one whose record is gone is not kept again, because the record
  /// may be somewhere else now.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - durably: Whether it is on the drive when this returns; else a power cut may take it away, and
  ///     leaves an older one or none.
  /// - Returns: The record as it is kept, with the place where it lies now.
  /// - Throws: ``IdentityStoreFailure``; the record may be kept or not.
  @discardableResult
  func save(
    _ record: IdentityRecord, durably: Bool
  ) throws(IdentityStoreFailure) -> IdentityRecord

  /// Where the record of a document lies, to be compared with the place that it names.
  func place(of document: ListID) throws(IdentityStoreFailure) -> StorePlace
}

/// Why a store could not be read or written.
public struct IdentityStoreFailure: Error, Hashable, Sendable {
  /// What the file system said.
  public let cause: FileSystemError

  /// Makes a failure.
  public init(_ cause: FileSystemError) { self.cause = cause }
}

/// What shows that an id may be in use twice, or that its numbers went back.
public enum IdentityEvidence: String, Hashable, Sendable {
  /// The document is not as any of the last writers left it here: it went back to an older state, or
  /// is a copy from elsewhere.
  case wentBack = "went-back"

  /// The last commit that was begun here was never made: the program ended before it was written, and
  /// nothing about the file was changed since. Nothing that was acknowledged is missing.
  case unfinished

  /// The record lies in another place than where it was made: it was copied or restored.
  case copied

  /// A write under my id arrived that I did not make, or another one under a number of mine.
  case foreignWrite = "foreign-write"

  /// A peer's version claims more of me than I wrote.
  case foreignClaim = "foreign-claim"

  /// A shared folder holds a file in my directory that I did not write, or another in its place.
  case foreignFile = "foreign-file"

  /// Opening a document file left bytes out.
  case droppedBytes = "dropped-bytes"

  /// A server sees another session with my id.
  case inUse = "in-use"

  /// Two lists differed after a complete exchange.
  case notEqual = "not-equal"

  /// Another program of this installation has given the id up, or what is kept about the document
  /// was taken away: it was deleted, or followed a document that was moved.
  case givenUp = "given-up"

  /// The user asked for a new id.
  case requested
}

/// The change of an identity: an event that hosts show, not an error.
public struct IdentityRotation: Hashable, Sendable {
  /// The id that was given up.
  public let old: ReplicaID

  /// The id from now on.
  public let new: ReplicaID

  /// Why.
  public let evidence: IdentityEvidence

  /// Makes a rotation.
  public init(old: ReplicaID, new: ReplicaID, evidence: IdentityEvidence) {
    self.old = old
    self.new = new
    self.evidence = evidence
  }
}

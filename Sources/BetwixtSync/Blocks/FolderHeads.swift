public import Betwixt

/// Where a file of a shared folder stands: whose it is, its number, and which files its writer had
/// read before.
public struct FolderHeads: Hashable, Sendable {
  /// The newest file that was read of one directory.
  public struct Head: Hashable, Sendable {
    /// The replica whose directory it is.
    public let directory: ReplicaID

    /// The number of the newest file, up to which all were read.
    public let ordinal: Int64

    /// The SHA-256 of that file, 32 bytes.
    public let hash: [UInt8]

    /// Makes a head.
    ///
    /// - Precondition: The hash has 32 bytes and the ordinal is not negative.
    public init(directory: ReplicaID, ordinal: Int64, hash: [UInt8]) {
      precondition(hash.count == 32 && ordinal >= 0, "a head has an ordinal and 32 bytes of hash")
      self.directory = directory
      self.ordinal = ordinal
      self.hash = hash
    }
  }

  /// The replica in whose directory the file lies.
  public let directory: ReplicaID

  /// The number of the file.
  public let ordinal: Int64

  /// What was read, rising by directory.
  public let heads: [Head]

  /// Makes heads.
  ///
  /// - Precondition: The ordinal is not negative, and no directory is named twice.
  public init(directory: ReplicaID, ordinal: Int64, heads: [Head]) {
    precondition(ordinal >= 0, "ordinals are not negative")
    self.directory = directory
    self.ordinal = ordinal
    self.heads = heads.sorted { $0.directory < $1.directory }
    for (head, next) in zip(self.heads, self.heads.dropFirst()) {
      precondition(head.directory != next.directory, "a directory has one head")
    }
  }

  /// Takes parts that were checked.
  init(checked directory: ReplicaID, ordinal: Int64, heads: [Head]) {
    self.directory = directory
    self.ordinal = ordinal
    self.heads = heads
  }
}

package import Betwixt

/// Where decoded snapshots are found again, so that a program that opens a document need not decode
/// what one before it has decoded.
package struct SnapshotCache: Sendable {
  /// How many bytes a snapshot has at least that is looked for and kept.
  package let leastByteCount: Int

  /// The list of a snapshot; `nil` if it is not there.
  package let find: @Sendable (SnapshotMark) -> ReplicatedList?

  /// Keeps the list of a snapshot, or does not.
  package let keep: @Sendable (ReplicatedList, SnapshotMark) -> Void

  package init(
    leastByteCount: Int, find: @escaping @Sendable (SnapshotMark) -> ReplicatedList?,
    keep: @escaping @Sendable (ReplicatedList, SnapshotMark) -> Void
  ) {
    self.leastByteCount = leastByteCount
    self.find = find
    self.keep = keep
  }
}

/// Which snapshot it is: of a document, a generation, and with bytes that have been checked.
///
/// A generation has one snapshot, which is written once; its log id is random. The checksum says that
/// what stands there now is what was decoded then.
package struct SnapshotMark: Hashable, Sendable {
  private let header: DocumentHeader
  private let byteCount: Int
  private let checksum: UInt32

  init(_ frame: CommitFrame, of header: DocumentHeader) {
    self.header = header
    byteCount = frame.payload.count
    checksum = frame.checksum
  }

  /// The same as bytes.
  package var bytes: [UInt8] {
    var bytes = header.bytes
    bytes.appendBigEndian(UInt64(byteCount))
    bytes.appendBigEndian(checksum)
    return bytes
  }
}

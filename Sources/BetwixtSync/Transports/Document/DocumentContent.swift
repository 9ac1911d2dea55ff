import Betwixt

/// What the bytes of a document file say: the list of all commits that can be trusted, and what is
/// wrong with the rest.
struct DocumentContent {
  /// What stands behind the commits that follow each other.
  enum Tail: Hashable {
    /// Nothing.
    case clean

    /// Bytes that never were a whole commit: a write that was cut.
    case torn(bytes: Int)

    /// Whole commits, behind bytes that are damaged.
    case damaged(at: Int, salvaged: Int, lost: Int)
  }

  let header: DocumentHeader
  private(set) var list: ReplicatedList
  private(set) var scan: CommitScan
  private(set) var tail = Tail.clean

  /// Why parts were kept out of the list although they are whole.
  private(set) var needsUpgrade: DecodeFailure?

  /// Whether the first commit, the snapshot, is whole.
  var hasSnapshot: Bool { !scan.commits.isEmpty }

  /// What the snapshot takes, header included.
  var snapshotSize: Int { scan.commits.first?.end ?? DocumentHeader.size }

  /// The ordinal that the next commit gets.
  var nextOrdinal: Int { scan.commits.count }

  /// Reads a file's bytes.
  ///
  /// - Throws: ``DecodeFailure`` if the header cannot be read.
  /// - Complexity: O(*b* log *b*) for *b* bytes
  init(_ bytes: [UInt8]) throws(DecodeFailure) {
    header = try DocumentHeader(bytes)
    list = ReplicatedList(id: header.document)
    scan = CommitScan(bytes, in: header)
    for (index, frame) in scan.commits.enumerated() where !join(bytes, frame, withRanges: true) {
      scan.stop(before: index)
      break
    }
    describeTail(bytes)
  }

  private mutating func describeTail(_ bytes: [UInt8]) {
    guard scan.end < bytes.count else { return }
    let rest = bytes.count - scan.end
    // Behind a hole entries may be joined, but no range may be claimed: what was in the hole may
    // be covered by it.
    var lost = rest
    var salvaged = 0
    for frame in scan.islands where join(bytes, frame, withRanges: false) {
      salvaged += 1
      lost -= frame.payload.count + CommitFrame.overhead
    }
    // A commit that is whole and says nothing is no write that was cut: its bytes are kept.
    tail =
      scan.islands.isEmpty && !scan.isStopped
      ? .torn(bytes: rest) : .damaged(at: scan.end, salvaged: salvaged, lost: lost)
  }

  /// Joins one commit; false if it is no block of this document.
  private mutating func join(
    _ bytes: [UInt8], _ frame: CommitFrame, withRanges: Bool
  ) -> Bool {
    do {
      let content = Array(bytes[frame.payload])
      let isSnapshot = frame.ordinal == 0
      let block =
        isSnapshot ? try SealedBlock.decodeBlock(content) : try Block(decoding: content)
      guard block.list == header.document, block.kind == (isSnapshot ? .snapshot : .delta) else {
        return false
      }
      list.join(withRanges && needsUpgrade == nil ? block.delta : block.delta.withoutRanges)
      return true
    } catch {
      guard error.code == .needsUpgrade else { return false }
      needsUpgrade = error
      return true
    }
  }

  /// Joins what an earlier generation of the file holds: it was whole when it was kept.
  mutating func join(_ previous: ReplicatedList) { list.merge(previous) }
}

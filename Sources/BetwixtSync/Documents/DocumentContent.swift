package import Betwixt

/// What the bytes of a document file say: the list of all commits that can be trusted, and what is
/// wrong with the rest.
package struct DocumentContent {
  /// What stands behind the commits that follow each other.
  package enum Tail: Hashable {
    /// Nothing.
    case clean

    /// The beginning of a commit: a write that was cut.
    case torn(bytes: Int)

    /// Bytes that were something else once, or whole commits behind such.
    case damaged(at: Int, salvaged: Int, lost: Int)
  }

  /// The header; if it is damaged, what the commits say should stand there.
  package let header: DocumentHeader

  /// What is wrong with the header.
  package let headerDamage: DecodeFailure?

  /// How many bytes were read.
  package let byteCount: Int

  package private(set) var list: ReplicatedList
  package private(set) var scan: CommitScan
  package private(set) var tail = Tail.clean

  /// Why parts were kept out of the list although they are whole.
  package private(set) var needsUpgrade: DecodeFailure?

  /// Whether the first commit, the snapshot, is whole.
  package var hasSnapshot: Bool { !scan.commits.isEmpty }

  /// What the snapshot takes, header included.
  package var snapshotSize: Int { scan.commits.first?.end ?? DocumentHeader.size }

  /// The ordinal that the next commit gets.
  package var nextOrdinal: Int { scan.commits.count }

  /// Whether the file is as it was written, to its last byte.
  package var isSound: Bool { tail == .clean && hasSnapshot && headerDamage == nil }

  /// Where the first damage is, for who reads whole files only.
  package var damage: DecodeFailure {
    headerDamage ?? DecodeFailure(hasSnapshot ? .badChecksum : .truncated, at: scan.end)
  }

  /// Reads a file's bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - cache: Where its snapshot may be, decoded; nothing but the time depends on that.
  /// - Throws: ``DecodeFailure`` if the header cannot be read, nor made anew from the commits.
  /// - Complexity: O(*b* log *b*) for *b* bytes
  package init(
    _ bytes: [UInt8], cache: SnapshotCache? = nil
  ) throws(DecodeFailure) {
    byteCount = bytes.count
    do {
      header = try DocumentHeader(bytes)
      headerDamage = nil
      scan = CommitScan(bytes, of: header.log)
    } catch {
      guard error.code != .needsUpgrade else { throw error }
      scan = CommitScan(bytes, of: nil)
      guard let rebuilt = DocumentHeader(of: scan, in: bytes) else { throw error }
      header = rebuilt
      headerDamage = error
    }
    list = ReplicatedList(id: header.document)
    for (index, frame) in scan.commits.enumerated()
    where !join(bytes, frame: frame, withRanges: true, cache: cache) {
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
    for frame in scan.islands where join(bytes, frame: frame, withRanges: false) {
      salvaged += 1
      lost -= frame.payload.count + CommitFrame.overhead
    }
    tail =
      scan.isTorn(bytes, of: header.log)
      ? .torn(bytes: rest) : .damaged(at: scan.end, salvaged: salvaged, lost: max(0, lost))
  }

  /// Joins one commit; false if it is no block of this document.
  private mutating func join(
    _ bytes: [UInt8], frame: CommitFrame, withRanges: Bool, cache: SnapshotCache? = nil
  ) -> Bool {
    do {
      if frame.ordinal == 0, withRanges {
        let snapshot = try snapshot(bytes, frame: frame, cache: cache)
        guard snapshot.id == header.document else { return false }
        list = snapshot
        return true
      }
      let block = try frame.block(in: bytes)
      guard block.list == header.document, frame.isFit(block.kind) else { return false }
      list.join(withRanges && needsUpgrade == nil ? block.delta : block.delta.withoutRanges)
      return true
    } catch {
      guard error.code == .needsUpgrade else { return false }
      needsUpgrade = error
      return true
    }
  }

  /// The list of the first commit, decoded here unless it was before.
  private func snapshot(
    _ bytes: [UInt8], frame: CommitFrame, cache: SnapshotCache?
  ) throws(DecodeFailure) -> ReplicatedList {
    // Of a header that was made anew, nothing tells which generation it was.
    guard let cache, headerDamage == nil, frame.payload.count >= cache.leastByteCount else {
      return try SealedBlock.decodeSnapshot(bytes, in: frame.payload)
    }
    let mark = SnapshotMark(frame, of: header)
    if let list = cache.find(mark) { return list }
    let list = try SealedBlock.decodeSnapshot(bytes, in: frame.payload)
    cache.keep(list, mark)
    return list
  }

  /// Joins what an earlier generation of the file holds.
  package mutating func join(_ previous: ReplicatedList) { list.merge(previous) }

  // MARK: What is missing

  /// The commits that were written once and are not whole any more, rising.
  package var missing: [MissingCommits] {
    guard case .damaged = tail else { return hasSnapshot ? [] : [MissingCommits(0, last: nil)] }
    var missing: [MissingCommits] = []
    var next = scan.commits.count
    let islands = scan.islands.filter { $0.log == header.log }
    for ordinal in islands.map({ Int($0.ordinal) }).sorted() where ordinal >= next {
      if ordinal > next { missing.append(MissingCommits(next, last: ordinal - 1)) }
      next = ordinal + 1
    }
    if endsInDamage { missing.append(MissingCommits(next, last: nil)) }
    return missing
  }

  /// Whether the last bytes belong to no whole commit.
  private var endsInDamage: Bool { (scan.islands.last?.end ?? scan.end) < byteCount }
}

/// Some commits, by their numbers.
package struct MissingCommits: Hashable {
  package let first: Int

  /// `nil` if nothing behind them tells how many there were.
  package let last: Int?

  package init(_ first: Int, last: Int?) {
    self.first = first
    self.last = last
  }
}

extension CommitFrame {
  /// What the commit holds.
  fileprivate func block(in bytes: [UInt8]) throws(DecodeFailure) -> Block {
    let content = Array(bytes[payload])
    return ordinal == 0 ? try SealedBlock.decodeBlock(content) : try Block(decoding: content)
  }

  /// Whether a commit of its number holds such a block.
  fileprivate func isFit(_ kind: Block.Kind) -> Bool { kind == (ordinal == 0 ? .snapshot : .delta) }
}

extension DocumentHeader {
  /// The header that the commits of a file are for; `nil` if none of them can be read.
  ///
  /// Which generation it was stands nowhere else.
  fileprivate init?(of scan: CommitScan, in bytes: [UInt8]) {
    for frame in scan.commits + scan.islands {
      guard let block = try? frame.block(in: bytes), frame.isFit(block.kind) else { continue }
      self.init(document: block.list, log: frame.log, generation: 0)
      return
    }
    return nil
  }
}

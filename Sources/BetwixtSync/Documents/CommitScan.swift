/// Where the commits of a document file's bytes stand: those that follow each other from the
/// header on, and those behind a place that is damaged.
package struct CommitScan {
  /// The commits from the header on, of one log, ordinals rising by one from 0.
  package private(set) var commits: [CommitFrame] = []

  /// The first byte that is no part of those.
  package private(set) var end = DocumentHeader.size

  /// Other whole commits, of whatever log, in the order they stand in the file.
  package private(set) var islands: [CommitFrame] = []

  /// Whether a whole commit was forgotten.
  package private(set) var isStopped = false

  /// How many bytes the search for islands has compared checksums of.
  package private(set) var islandWork = 0

  /// Finds the commits of a log, or, without a header that says which, of the one that the first
  /// commit names.
  ///
  /// - Complexity: O(*b*) for *b* bytes: looking for islands stops when checksums have read eight
  ///   times the file, which takes a file made for it
  package init(_ bytes: [UInt8], of log: LogID?) {
    var work = 0
    var log = log
    while let frame = CommitFrame(bytes, at: end, work: &work),
      Int(frame.ordinal) == commits.count, frame.log == log ?? frame.log
    {
      log = frame.log
      commits.append(frame)
      end = frame.end
    }
    // Without a header there is no saying where the first commit should be.
    findIslands(bytes, from: log == nil ? 0 : end)
  }

  private mutating func findIslands(_ bytes: [UInt8], from start: Int) {
    var offset = start
    // So that neither it nor the work outgrows an integer of 32 bits.
    let limit = min(bytes.count, Int.max / 16) * 8
    while islandWork <= limit, let next = CommitHead.firstOffset(in: bytes, from: offset) {
      if let frame = CommitFrame(bytes, at: next, work: &islandWork) {
        islands.append(frame)
        offset = frame.end
      } else {
        offset = next + 1
      }
    }
  }

  /// Forgets a commit and those behind it; they become islands, the first one excepted.
  package mutating func stop(before index: Int) {
    guard index < commits.count else { return }
    isStopped = true
    islands = commits[(index + 1)...] + islands
    end = commits[index].start
    commits.removeSubrange(index...)
  }

  /// Whether bytes behind the last whole commit are what a write leaves that was cut.
  ///
  /// Those are fewer than it had, or end in zeros. A commit that is whole and says nothing is no write
  /// that was cut: its bytes are kept.
  package func isTorn(_ bytes: [UInt8], of log: LogID) -> Bool {
    guard islands.isEmpty, !isStopped else { return false }
    if bytes.count - end < CommitFrame.overhead { return true }
    if let head = CommitHead(bytes, at: end), head.log == log, head.byteCount > bytes.count - end {
      return true
    }
    return bytes.suffix(CommitScan.unwrittenSize).allSatisfy { $0 == 0 }
  }

  // The checksum of a whole commit stands at its end, so that it hardly ever ends in zeros.
  private static let unwrittenSize = 8
}

extension CommitScan {
  /// Whether the bytes of a document end within a commit, by what the heads of its commits say: also
  /// what a reader sees while one is being written.
  ///
  /// - Complexity: O(the commits)
  package static func isCut(_ bytes: [UInt8]) -> Bool {
    guard let header = try? DocumentHeader(bytes) else { return false }
    var end = DocumentHeader.size
    while end < bytes.count {
      guard let head = CommitHead(bytes, at: end), head.log == header.log else {
        return bytes.count - end < CommitFrame.overhead
          || bytes.suffix(unwrittenSize).allSatisfy { $0 == 0 }
      }
      guard head.byteCount <= bytes.count - end else { return true }
      end += head.byteCount
    }
    return false
  }
}

extension CommitHead {
  /// The first offset from one on at which a head stands, if there is one.
  ///
  /// - Complexity: O(the bytes up to it)
  package static func firstOffset(in bytes: [UInt8], from start: Int) -> Int? {
    var offset = start
    while offset + CommitFrame.headSize <= bytes.count {
      if mayStand(bytes, at: offset), CommitHead(bytes, at: offset) != nil { return offset }
      offset += 1
    }
    return nil
  }

  /// Whether type, flags and channel are those of a commit: cheap, and seldom wrong.
  private static func mayStand(_ bytes: [UInt8], at offset: Int) -> Bool {
    let type = offset + LogID.size + 4
    return bytes[type] == FrameType.delta.rawValue && bytes[type + 1] == flags
      && bytes[type + 2] == 0 && bytes[type + 3] == 0
  }
}

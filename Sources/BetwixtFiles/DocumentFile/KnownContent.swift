import Betwixt
import BetwixtSync

/// What an open handle has read of its file, kept while the file is read again.
///
/// If the file is damaged by then, this is one more copy of what it held. If it is whole and holds
/// less, somebody has put it there.
struct KnownContent {
  /// The list as of the last commit.
  let list: ReplicatedList

  /// The header of the file.
  let header: DocumentHeader

  private let commitCount: Int
  private let byteCount: Int
  private let file: FileStatus?

  init(_ file: borrowing DocumentFile) {
    self.file = file.status
    list = file.list
    header = file.header
    commitCount = file.nextOrdinal
    byteCount = file.size
  }

  /// Which generation it was, if it is the one with this log.
  func generation(of log: LogID) -> UInt64? { log == header.log ? header.generation : nil }

  /// Whether the very file that was read is kept as a damaged one: another program has repaired it.
  ///
  /// Where a drive has no second names a copy of it is kept, which is another file: that is one of the
  /// same log, which no other file has but copies of this one, and as long as what was read.
  ///
  /// - Parameters:
  ///   - kept: Where damaged files are kept.
  ///   - now: The header of the file that is there now. Who repairs begins another log: a file of the
  ///     same one is a copy that somebody put there. So is an earlier generation, unless whoever
  ///     repaired could not read which one it was.
  ///   - fileSystem: Where the files are.
  /// - Returns: Whether it was.
  func wasRepaired(
    as kept: KeptCopies, to now: DocumentHeader, in fileSystem: some FileSystem
  ) -> Bool {
    guard now.log != header.log else { return false }
    let isLater = now.generation > header.generation
    return kept.paths.contains { path in
      guard let there = (try? fileSystem.status(at: path)) ?? nil else { return false }
      let isSame = file.map { there.isSameFile(as: $0) } ?? false
      if isSame, isLater { return true }
      guard isSame || there.kind == .regular && there.size >= byteCount else { return false }
      guard let bytes = try? fileSystem.documentBytes(at: path),
        let content = try? DocumentContent(bytes)
      else { return isSame }
      guard isLater || content.headerDamage != nil else { return false }
      return isSame
        || content.header.log == header.log && content.header.document == header.document
    }
  }

  /// What is missing of commits that a damaged file does not hold.
  ///
  /// - Parameters:
  ///   - commits: The commits.
  ///   - content: What the file holds.
  /// - Returns: Those of which nothing was read before.
  func missing(
    _ commits: [MissingCommits], in content: borrowing DocumentContent
  ) -> [MissingCommits] {
    guard content.header.log == header.log else { return commits }
    let isLonger = content.byteCount > byteCount
    return commits.compactMap { missing in
      if let last = missing.last, last < commitCount { return nil }
      // No commit stood behind those that were read, unless the file is longer.
      if missing.last == nil, !isLonger { return nil }
      return MissingCommits(max(missing.first, commitCount), last: missing.last)
    }
  }
}

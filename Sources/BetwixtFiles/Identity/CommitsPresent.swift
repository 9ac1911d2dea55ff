import BetwixtSync

/// The commits of a file that follow each other from its start.
struct CommitsPresent {
  let header: DocumentHeader

  /// The last four bytes of each, by number.
  let checksums: [UInt32]

  /// The file; `nil` if that cannot be told.
  let file: FileStatus?

  /// Whether a commit is among them.
  func holds(_ tail: CommitTail) -> Bool {
    tail.log == header.log && tail.generation == header.generation
      && checksums.count > tail.ordinal && checksums[Int(tail.ordinal)] == tail.checksum
  }

  /// Whether the newest commit that a record names was begun and never made: the file is the same one,
  /// ends with the commit before, and nothing about it was changed since.
  func lacksUnfinishedCommit(of record: IdentityRecord) -> Bool {
    guard let file, file.changeTime != 0, file.changeTime == record.changeTime,
      record.file == FileMark(file), let base = record.base
    else { return false }
    return holds(base) && checksums.count == Int(base.ordinal) + 1
  }
}

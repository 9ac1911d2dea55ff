import Betwixt
import BetwixtSync

// What shows that the file is not as this installation left it.

extension DocumentFile {
  /// Finds out who writes in this document here, by what the file holds.
  ///
  ///     try file.identify(in: store, random: random)
  ///     guard var me = file.identity?.replica(for: file.list, clock: clock) else { return }
  ///
  /// From then on each commit of own writes is noted in the store, before it is made: a file that is
  /// opened without it was put back, cut, or is another branch, and is written under another id.
  ///
  /// - Parameters:
  ///   - store: Where identities are kept.
  ///   - evidence: What else is known against the present id.
  ///   - random: Random bits, different in every run of a program.
  /// - Throws: ``IdentityStoreFailure``; do not write then.
  public mutating func identify(
    in store: any IdentityStore, evidence: IdentityEvidence? = nil,
    random: @escaping @Sendable () -> UInt64
  ) throws(IdentityStoreFailure) {
    identity = try Identity.open(
      list, in: store, evidence: evidence ?? lossEvidence, random: random, commits: commits)
    judgedFindingCount = report.findings.count
  }

  /// What the findings show that no identity was found by; a loss is none of the id that was taken
  /// for it.
  private var lossEvidence: IdentityEvidence? {
    report.findings.dropFirst(judgedFindingCount).contains(where: \.isLoss) ? .droppedBytes : nil
  }

  /// The commits of the file.
  var commits: CommitsPresent {
    CommitsPresent(header: header, checksums: checksums, file: status)
  }

  /// The last commit of the file; `nil` if there is none yet.
  private var lastCommit: CommitTail? {
    checksums.last.map {
      CommitTail(
        log: header.log, generation: header.generation,
        ordinal: UInt32(truncatingIfNeeded: checksums.count - 1), checksum: $0)
    }
  }

  /// Which file is open; `nil` if that cannot be told.
  var status: FileStatus? { handle.flatMap { try? fileSystem.status(of: $0) } }

  /// Finds out anew who writes, after the file was read again.
  ///
  /// - Throws: ``DocumentFileFailure``, `identity` if that cannot be kept; the handle has ended.
  mutating func identifyAgain() throws(DocumentFileFailure) {
    guard identity != nil else { return }
    let (commits, evidence) = (commits, lossEvidence)
    do {
      try identity?.reopen(list, evidence: evidence, commits: commits)
      judgedFindingCount = report.findings.count
    } catch {
      state = .ended
      throw .identity(error)
    }
  }

  /// Notes a commit that is about to be appended, if writes of this installation are in it.
  ///
  /// - Returns: What was kept about the writer before; `nil` if nothing was noted.
  mutating func noteEvidence(
    _ frame: [UInt8], of delta: Delta
  ) throws(DocumentFileFailure) -> IdentityRecord? {
    guard let writer = identity?.replica, delta.holdsWrites(of: writer) else { return nil }
    return try note(
      CommitTail(header, ordinal: UInt32(truncatingIfNeeded: nextOrdinal), bytes: frame),
      isSame: false, in: status)
  }

  /// Forgets that a commit was about to be made, of which nobody can have read the numbers.
  ///
  /// Where that cannot be kept, the next edit is made under a new id, which is right as well.
  mutating func forgetNote(since evidence: IdentityRecord?) {
    guard let evidence else { return }
    try? identity?.takeBack(to: evidence)
  }

  /// Notes a generation that is about to take the place of the file.
  ///
  /// - Parameters:
  ///   - generation: Its bytes.
  ///   - next: Its header.
  ///   - file: The file that has them.
  /// - Throws: ``DocumentFileFailure``
  mutating func noteEvidence(
    _ generation: [UInt8], under next: DocumentHeader, in file: OpenFile
  ) throws(DocumentFileFailure) {
    guard identity != nil else { return }
    try note(
      CommitTail(next, ordinal: 0, bytes: generation), isSame: true,
      in: try? fileSystem.status(of: file))
  }

  /// Notes what is about to be written, and says what was kept before.
  @discardableResult
  private mutating func note(
    _ tail: CommitTail, isSame: Bool, in file: FileStatus?
  ) throws(DocumentFileFailure) -> IdentityRecord? {
    let isMine: Bool?
    let (base, commits, writer) = (lastCommit, commits, identity?.replica)
    do throws(IdentityStoreFailure) {
      try identity?.catchUp(with: list, commits: commits)
    } catch {
      throw .identity(error)
    }
    // A generation that only writes anew what is there is anybody's.
    guard isSame || identity?.replica == writer else { throw .surprise }
    let before = identity?.record
    do {
      isMine = try identity?.note(tail, isSame: isSame, after: base, in: file)
    } catch {
      throw .identity(error)
    }
    // Another program has given the id up meanwhile.
    guard isMine == true else { throw .surprise }
    return before
  }

  /// Refuses own writes that were made on another state of the file than this one: their numbers are
  /// taken, or are those of an id that is not in use any more.
  ///
  /// - Parameters:
  ///   - delta: What is about to be written, made before the file was read again.
  ///   - writer: Who wrote it.
  /// - Throws: ``DocumentFileFailure``, `surprise`.
  func checkNumbers(
    of delta: Delta, by writer: ReplicaID?
  ) throws(DocumentFileFailure) {
    guard let writer, delta.holdsWrites(of: writer) else { return }
    guard let identity, identity.replica == writer else { throw .surprise }
    let table = delta.replicaTable
    let isStale = delta.rows.contains { row in
      guard table[Int(row.replica)] == writer, row.sequence <= list.version[writer] else {
        return false
      }
      return list.isForeign(delta.entry(row))
    }
    if isStale { throw .surprise }
  }

  /// Whether the last bytes on the drive are those of the last commit here, or of the sealed list that
  /// was read.
  func hasSameTail(_ handle: OpenFile) throws(DocumentFileFailure) -> Bool {
    guard let checksum = checksums.last ?? sealedTail else { return true }
    var bytes: [UInt8] = []
    bytes.appendBigEndian(checksum)
    return try attempt { () throws(FileSystemError) in
      try fileSystem.read(handle, at: size - 4, count: 4)
    } == bytes
  }
}

extension CommitTail {
  fileprivate init(_ header: DocumentHeader, ordinal: UInt32, bytes: [UInt8]) {
    log = header.log
    generation = header.generation
    self.ordinal = ordinal
    checksum = UInt32(truncatingIfNeeded: UInt64(bigEndianBytes: bytes.suffix(4)))
  }
}

extension Delta {
  /// Whether a replica made one of the entries.
  fileprivate func holdsWrites(of replica: ReplicaID) -> Bool {
    guard let index = replicaTable.firstIndex(of: replica) else { return false }
    return rows.contains { $0.replica == index }
  }
}

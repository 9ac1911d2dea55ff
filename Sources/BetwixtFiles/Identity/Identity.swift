public import Betwixt

/// Who writes in one document on this installation.
///
///     var file = try DocumentFile.open(at: "trip.trip", settings: settings)
///     try file.identify(in: store, random: random)
///     if let rotation = file.identity?.rotation { print("new identity:", rotation.evidence) }
///
/// Of each writer the record keeps the last commit of its own, so that a document that went back to
/// an older state shows, and with it a number that would be used twice.
public struct Identity: Sendable {
  /// The record as it is in the store.
  public private(set) var record: IdentityRecord

  /// The last change to a new id, to be shown once; `nil` if there was none.
  public private(set) var rotation: IdentityRotation?

  /// Whether the record is on the drive as it is here.
  private var isDurable = false

  private let keptIn: Indirect<any IdentityStore>
  private let random: @Sendable () -> UInt64

  /// Who writes.
  public var replica: ReplicaID { record.replica }

  private var store: any IdentityStore { keptIn.value }

  /// Takes the identity of a list out of a store, or makes one; for a list that is no
  /// ``DocumentFile``, which finds more evidence: see ``DocumentFile/identify(in:evidence:random:)``.
  ///
  /// - Parameters:
  ///   - list: The list as it was opened.
  ///   - store: Where identities are kept.
  ///   - evidence: What opening it has shown already. Whoever keeps lists in a place of their own has
  ///     to know when one went back to an older state, and say ``IdentityEvidence/wentBack`` here.
  ///   - random: Random bits, different in every run of a program.
  /// - Returns: An identity whose id is in the store.
  /// - Throws: ``IdentityStoreFailure``; do not write then.
  public static func open(
    _ list: ReplicatedList, in store: any IdentityStore, evidence: IdentityEvidence? = nil,
    random: @escaping @Sendable () -> UInt64
  ) throws(IdentityStoreFailure) -> Identity {
    try open(list, in: store, evidence: evidence, random: random, commits: nil)
  }

  /// The same, for a document file that tells which commits it holds.
  static func open(
    _ list: ReplicatedList, in store: any IdentityStore, evidence: IdentityEvidence?,
    random: @escaping @Sendable () -> UInt64, commits: CommitsPresent?
  ) throws(IdentityStoreFailure) -> Identity {
    let document = list.id
    guard let (record, isInPlace) = try kept(of: document, in: store) else {
      let fresh = IdentityRecord(
        document: document, replica: ReplicaID(rawValue: random()),
        place: StorePlace(machine: [], device: 0, inode: 0))
      let kept = try store.save(fresh, durably: true)
      return Identity(record: kept, store: store, random: random)
    }
    var identity = Identity(record: record, store: store, random: random)
    if !isInPlace {
      try identity.rotate(.copied)
    } else if let evidence {
      try identity.rotate(evidence)
    } else {
      try identity.goOn(in: commits)
    }
    try identity.leaveClaimedNumbers(of: list)
    return identity
  }

  /// The record of a document, and whether it lies where it was made.
  ///
  /// Record and place are two looks: what another program saves in between has a place of its own, and
  /// is looked at anew. Only a record that stays the same one and names another place was copied.
  private static func kept(
    of document: ListID, in store: any IdentityStore
  ) throws(IdentityStoreFailure) -> (record: IdentityRecord, isInPlace: Bool)? {
    guard var record = try store.record(of: document) else { return nil }
    while try store.place(of: document) != record.place {
      guard let again = try store.record(of: document) else { return nil }
      if again.place == record.place { return (again, false) }
      record = again
    }
    return (record, true)
  }

  private init(
    record: IdentityRecord, store: any IdentityStore, random: @escaping @Sendable () -> UInt64
  ) {
    self.record = record
    keptIn = Indirect(store)
    self.random = random
  }

  /// Finds out anew who writes, after the document was read again.
  mutating func reopen(
    _ list: ReplicatedList, evidence: IdentityEvidence?, commits: CommitsPresent
  ) throws(IdentityStoreFailure) {
    self = try Identity.open(
      list, in: store, evidence: evidence, random: random, commits: commits)
  }

  /// Finds out anew who writes, if another program has noted something since.
  ///
  /// The file may be as it was read here although that program wrote in it: it was put back.
  mutating func catchUp(
    with list: ReplicatedList, commits: CommitsPresent
  ) throws(IdentityStoreFailure) {
    guard let present = try store.record(of: record.document), present.writer != record.writer
    else { return }
    try reopen(list, evidence: nil, commits: commits)
  }

  // So many writes nobody makes: some at each nanosecond of a lifetime.
  private static let mostWrites = Int64.max / 2

  /// Takes another id where somebody has claimed numbers of this one up to where hardly any are left.
  ///
  /// It comes with a file that was copied over this one, from a place where nobody writes under the id.
  private mutating func leaveClaimedNumbers(of list: ReplicatedList) throws(IdentityStoreFailure) {
    if list.version[replica] > Identity.mostWrites { try rotate(.foreignClaim) }
  }

  /// Goes on as the newest writer whose last commit is in the document.
  private mutating func goOn(in commits: CommitsPresent?) throws(IdentityStoreFailure) {
    // Who has not written yet can go on anywhere.
    guard let commits, let tail = record.writer.tail, !commits.holds(tail) else { return }
    var next = record
    if let earlier = record.earlier.first(where: { $0.tail.map(commits.holds) ?? false }) {
      next.begin(earlier)
      try keep(next, durably: false)
    } else {
      // Nothing went back; but a drive that was put back as a whole looks the same, and then the
      // commit may be with others. So its numbers are not used again.
      try rotate(commits.lacksUnfinishedCommit(of: record) ? .unfinished : .wentBack)
    }
  }

  /// A writer under this id, behind all that the list knows of it.
  ///
  /// It makes items of a new family. Take one for each commit, or call `Replica.endCommit()` behind
  /// each.
  ///
  /// - Parameters:
  ///   - list: The document.
  ///   - clock: Milliseconds since 1970-01-01T00:00:00Z.
  /// - Returns: The writer.
  public func replica(
    for list: ReplicatedList, clock: @escaping @Sendable () -> Int64
  ) -> Replica {
    Replica(id: replica, sequence: list.version[replica], families: random, clock: clock)
  }

  /// Notes a commit of own writes that is about to be made.
  ///
  /// The first of a writer is on the drive when this returns: a record of somebody who has not written
  /// yet goes on in any file. Later ones need not reach it before the commit does, nor before
  /// ``makeDurable()``: what a power cut takes of them shows at the next opening as an older commit, or
  /// as none.
  ///
  /// - Parameters:
  ///   - tail: The commit.
  ///   - isSame: Whether it only writes anew what the one before left.
  ///   - base: The last commit of the file before it.
  ///   - file: The file that it will stand in, before it does.
  /// - Returns: Whether the id is still this program's; if not, nothing may be written under it.
  /// - Throws: ``IdentityStoreFailure``; do not write then.
  mutating func note(
    _ tail: CommitTail, isSame: Bool = false, after base: CommitTail? = nil,
    in file: FileStatus? = nil
  ) throws(IdentityStoreFailure) -> Bool {
    var next = record
    next.note(tail, isSame: isSame, after: base, in: file)
    return try keepUnlessGivenUp(next, durably: record.writer.tail == nil)
  }

  /// Notes in which file something is about to be kept for this installation that is no write of its own:
  /// wherever that file is moved, what was kept follows.
  ///
  /// - Parameter file: The file.
  /// - Throws: ``IdentityStoreFailure``; nothing is noted then.
  mutating func note(_ file: FileStatus) throws(IdentityStoreFailure) {
    // What another program has noted since stays.
    var next = try store.record(of: record.document) ?? record
    guard next.replica == replica, next.file != FileMark(file) else { return }
    // How that one was before the newest own commit nobody has noted.
    (next.file, next.base, next.changeTime) = (FileMark(file), nil, 0)
    next.isNews = true
    _ = try keepUnlessGivenUp(next, durably: false)
  }

  /// Keeps a record; returns whether the id is still this program's.
  private mutating func keepUnlessGivenUp(
    _ next: IdentityRecord, durably: Bool
  ) throws(IdentityStoreFailure) -> Bool {
    let writer = replica
    try keep(next, durably: durably)
    guard replica != writer else { return true }
    rotation = IdentityRotation(old: writer, new: replica, evidence: .givenUp)
    return false
  }

  /// Keeps again what was kept before the newest commit was noted, which was not made.
  ///
  /// What another program has noted since stays.
  ///
  /// - Parameter before: ``record`` as it was then.
  /// - Throws: ``IdentityStoreFailure``; the commit stays noted.
  mutating func takeBack(to before: IdentityRecord) throws(IdentityStoreFailure) {
    guard before.replica == replica else { return }
    var next = before
    next.withdrawn = record.writer.tail
    try keep(next, durably: false)
  }

  /// Brings to the drive what was noted, before own writes leave the device: if a power cut took it, and
  /// an older copy of the document were put in its place, their numbers would be used again.
  ///
  /// - Throws: ``IdentityStoreFailure``; let nothing leave the device then.
  mutating func makeDurable() throws(IdentityStoreFailure) {
    guard !isDurable, record.writer.tail != nil else { return }
    try keepWithoutNote(record)
  }

  /// Keeps what was noted about a commit, or who writes from now on.
  private mutating func keep(
    _ next: IdentityRecord, durably: Bool
  ) throws(IdentityStoreFailure) {
    record = try store.save(next, durably: durably)
    (record.withdrawn, record.isNews) = (nil, false)
    isDurable = durably
  }

  /// Keeps what is no news of any commit.
  private mutating func keepWithoutNote(
    _ next: IdentityRecord
  ) throws(IdentityStoreFailure) {
    let kept = try store.save(next, durably: true)
    // Where another program has noted something since, or given the id up, the next commit finds it so.
    isDurable = kept.writer == record.writer
    record = isDurable ? kept : next
  }

  /// Takes a new id, because the present one may not be this installation's alone.
  ///
  /// - Parameter evidence: What showed it.
  /// - Returns: The change, or `nil` if a mismatch has changed the id already and no exchange has
  ///   ended equal since.
  /// - Throws: ``IdentityStoreFailure``; do not write then.
  @discardableResult
  public mutating func rotate(
    _ evidence: IdentityEvidence
  ) throws(IdentityStoreFailure) -> IdentityRotation? {
    if evidence == .notEqual, record.awaitsEqualExchange { return nil }
    var next = record
    if evidence == .notEqual { next.awaitsEqualExchange = true }
    let fresh = freshID()
    if evidence == .wentBack || evidence == .unfinished {
      next.begin(IdentityRecord.Writer(replica: fresh))
    } else {
      next.giveUp(for: fresh)
    }
    // Nobody knows what the others have written since.
    if evidence == .copied {
      next.former += next.earlier.map(\.replica).filter { !next.former.contains($0) }
      next.earlier = []
    }
    let change = IdentityRotation(old: record.replica, new: fresh, evidence: evidence)
    try keep(next, durably: true)
    rotation = change
    return change
  }

  private func freshID() -> ReplicaID {
    let used = [record.replica] + record.earlier.map(\.replica) + record.former
    var id = ReplicaID(rawValue: random())
    while used.contains(id) { id = ReplicaID(rawValue: random()) }
    return id
  }

  /// Notes that an exchange has ended with equal digests.
  ///
  /// - Throws: ``IdentityStoreFailure``; the note is made again after the next exchange.
  public mutating func exchangeEndedEqual() throws(IdentityStoreFailure) {
    guard record.awaitsEqualExchange else { return }
    var next = record
    next.awaitsEqualExchange = false
    try keepWithoutNote(next)
  }

  /// What entries that arrived show about my id.
  ///
  /// - Parameters:
  ///   - delta: Entries from outside.
  ///   - list: The document before they are merged.
  /// - Returns: `foreignWrite` if one is under my id and I did not make it, `foreignClaim` if a
  ///   range claims more of me than I wrote.
  /// - Complexity: O(*k* log *n*) for *k* entries
  public func evidence(
    in delta: Delta, against list: ReplicatedList
  ) -> IdentityEvidence? {
    let own = list.version[replica]
    let table = delta.replicaTable
    for row in delta.rows where table[Int(row.replica)] == replica {
      if row.sequence > own || list.isForeign(delta.entry(row)) { return .foreignWrite }
    }
    let isClaimed = delta.ranges.contains { $0.replica == replica && $0.through > own }
    return isClaimed ? .foreignClaim : nil
  }
}

extension ReplicatedList {
  /// Whether an entry, under a number that was used here, is another one than was made here.
  ///
  /// A register never falls back, so what was written is there, or a greater write; but at or below
  /// the floor it may be forgotten. A lesser one cannot be told from one that was replaced.
  func isForeign(_ entry: Entry) -> Bool {
    let isForgotten = floor.covers(entry.dot)
    guard let mine = self.entry(at: RegisterAddress(entry.item, register: entry.register)) else {
      return !isForgotten
    }
    return mine != entry && (mine.dot == entry.dot || !isForgotten && mine.isLess(than: entry))
  }
}

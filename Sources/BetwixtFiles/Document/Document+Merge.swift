public import Betwixt
public import BetwixtSync

extension Document {
  /// Takes in what other programs wrote into the file since.
  ///
  /// - Returns: What changed in ``list``.
  /// - Throws: ``Failure``
  /// - Complexity: O(1) if nobody wrote, else O(*n* log *n*)
  @discardableResult
  public mutating func refresh() throws(Failure) -> ListChanges {
    try lock()
    unlock()
    return show()
  }

  /// Takes in entries from elsewhere, and has them on the drive when it returns.
  ///
  /// - Parameter delta: Any delta of this list.
  /// - Returns: What changed in ``list``, and which concurrent writes lost.
  /// - Throws: ``Failure``; ``list`` is as it was.
  /// - Complexity: O(*k* log *n*) for *k* entries, and O(*n*) if a compaction is due
  @discardableResult
  public mutating func merge(_ delta: Delta) throws(Failure) -> ListChanges {
    try committing(delta) { (file) throws(DocumentFileFailure) in try file.commit(delta) }
  }

  /// Takes in another copy of the list, and has it on the drive when it returns.
  ///
  /// - Parameter other: A copy of this list that was edited elsewhere.
  /// - Returns: What changed in ``list``, and which concurrent writes lost.
  /// - Throws: ``Failure``, `otherDocument` if it is another list; ``list`` is as it was.
  /// - Complexity: O(*n* log *n*)
  @discardableResult
  public mutating func merge(_ other: ReplicatedList) throws(Failure) -> ListChanges {
    try merge(other, step: nil)
  }

  /// Takes in another copy of the list, as a step that ``undo(window:)`` takes back.
  ///
  /// - Parameters:
  ///   - other: A copy of this list that was edited elsewhere.
  ///   - step: What the user would call it; `nil` makes no step.
  /// - Returns: What changed in ``list``, and which concurrent writes lost.
  /// - Throws: ``Failure``, `otherDocument` if it is another list; ``list`` is as it was.
  /// - Complexity: O(*n* log *n*)
  @discardableResult
  package mutating func merge(
    _ other: ReplicatedList, step: String?
  ) throws(Failure) -> ListChanges {
    guard other.id == id else { throw Failure(name, cause: .otherDocument(other.id)) }
    return try committing(other.delta(since: VersionVector()), step: step) {
      (file) throws(DocumentFileFailure) in try file.commit(other)
    }
  }

  /// Commits what came from elsewhere, again if somebody wrote whom no lock kept out.
  private mutating func committing(
    _ delta: Delta, step: String? = nil,
    _ body: (inout DocumentFile) throws(DocumentFileFailure) -> ListChanges
  ) throws(Failure) -> ListChanges {
    var failure = DocumentFileFailure.surprise
    for _ in 0..<20 {
      try lock()
      defer { unlock() }
      try takeNewWriter(onEvidenceIn: delta)
      let before = host.file.list
      let isAnnounced = step != nil && announceStep(changing: delta)
      do {
        let changes = try body(&host.file)
        if let step { keepStep(step, since: before, isAnnounced: isAnnounced) }
        return show(after: changes)
      } catch {
        failure = error
        if isAnnounced { withdrawStep() }
        guard error == .surprise else {
          var merged = before
          tellIfDone(merged.merge(delta))
          break
        }
      }
    }
    throw Failure(name, cause: .file(failure))
  }

  /// Takes another id if entries are under the present one that are not from here.
  package mutating func takeNewWriter(onEvidenceIn delta: Delta) throws(Failure) {
    guard let evidence = host.file.identity?.evidence(in: delta, against: host.file.list) else {
      return
    }
    try takeNewWriter(evidence)
  }

  /// Makes sure that all is on the drive, whatever the sync level: before any of it leaves the
  /// device.
  ///
  /// - Throws: ``Failure``
  public mutating func makeDurable() throws(Failure) {
    do {
      try host.file.makeDurable()
    } catch {
      throw Failure(name, cause: .file(error))
    }
  }
}

// MARK: - Two documents

extension Document {
  /// What an exchange brought.
  public struct Exchange: Hashable, Sendable {
    /// What changed here, with the concurrent writes that lost.
    public internal(set) var changes: ListChanges

    /// What changed on the other side.
    public internal(set) var changesThere: ListChanges

    /// Writes of the other side that were not let in here.
    public internal(set) var withheld: [WithheldWrite] = []

    /// Writes from here that were not let in there.
    public internal(set) var withheldThere: [WithheldWrite] = []
  }

  /// Brings this document and another copy of it on this machine to one state.
  ///
  ///     var stick = try Document.open(at: "/media/stick/rome.trip", settings: settings)
  ///     let changes = try trip.sync(with: &stick).changes
  ///
  /// - Parameters:
  ///   - other: The other copy.
  ///   - admission: What is let in; by default what the clock of ``Settings`` allows.
  /// - Returns: What changed on both sides, and what was not let in.
  /// - Throws: ``Failure``: `sameFile`, `otherDocument`, or what kept one of the files from being
  ///   written. What was taken in before stays, and comes with the next operation's changes.
  /// - Complexity: O(*k* log *n*) for *k* entries that one side lacks, and O(*n*) to see that nothing
  ///   else differs; O(*n* log *n*) if something does
  @discardableResult
  public mutating func sync(
    with other: inout Document, admission: AdmissionPolicy? = nil
  ) throws(Failure) -> Exchange {
    guard !path.hasSameBytes(as: other.path) else {
      throw Failure(name, cause: .sameFile(other.name))
    }
    guard id == other.id else { throw Failure(name, cause: .otherDocument(other.id)) }
    let before = (list, other.list)
    var exchange = Exchange(changes: ListChanges(), changesThere: ListChanges())
    do throws(Failure) {
      try meet(&other, admission: admission ?? defaultAdmission, in: &exchange)
    } catch {
      tellLater(since: before.0, losing: exchange.changes)
      other.tellLater(since: before.1, losing: exchange.changesThere)
      throw error
    }
    noteWritesAhead()
    exchange.changes = before.0.difference(to: list, losing: exchange.changes)
    exchange.changesThere = before.1.difference(to: other.list, losing: exchange.changesThere)
    return exchange
  }

  /// Lets each take from the other until both hold the same, and notes what has lost.
  private mutating func meet(
    _ other: inout Document, admission: AdmissionPolicy, in exchange: inout Exchange
  ) throws(Failure) {
    exchange.changes.addLosses(try refresh())
    exchange.changesThere.addLosses(try other.refresh())
    // First what each lacks by its version. That says what need not be sent, never what is held: if
    // they differ then, all of it. Other programs may write meanwhile; what they wrote is taken along
    // if it comes early enough.
    for round in 0..<4 {
      let start = (list, other.list)
      let (here, withheld) = try take(from: &other, all: round > 0, admission: admission)
      exchange.changes.addLosses(here)
      let (there, withheldThere) = try other.take(
        from: &self, all: round > 0, admission: admission)
      exchange.changesThere.addLosses(there)
      if round < 2 { (exchange.withheld, exchange.withheldThere) = (withheld, withheldThere) }
      if list.holdsSameEntries(as: other.list) { break }
      // What is withheld now is in the next round as well.
      let isStill = list.isSame(as: start.0) && other.list.isSame(as: start.1)
      if round > 0, isStill { break }
    }
  }

  /// Takes in what is let in of what another document holds: all of it, or what is news by version.
  private mutating func take(
    from giver: inout Document, all: Bool, admission: AdmissionPolicy
  ) throws(Failure) -> (ListChanges, [WithheldWrite]) {
    try giver.makeDurable()
    let there = giver.list
    let (version, floor) = all ? (VersionVector(), VersionVector()) : (list.version, list.floor)
    let news = there.delta(since: version, floor: floor)
    let admitted = admission.admit(news, to: list)
    // Of all that is there most is here: only what is news is written, and nothing if nothing is.
    var merged = list
    let merge = merged.merge(admitted.delta)
    // Somebody else's write under the id of this one may lose here, and is evidence all the same.
    let evidence = host.file.identity?.evidence(in: admitted.delta, against: host.file.list)
    if merged.isSame(as: list), evidence == nil { return (merge, Array(admitted.withheld)) }
    // No more than the news: what the document held before may be there no longer, since an older copy
    // was put in its place, and that stays as it is.
    let brief = merged.delta(since: list.version, floor: list.floor)
    var joined = list
    joined.merge(brief)
    let delta = joined.isSame(as: merged) ? brief : admitted.delta
    var changes = try committing(admitted.delta) { (file) throws(DocumentFileFailure) in
      try file.commit(delta)
    }
    changes.addLosses(merge)
    return (changes, Array(admitted.withheld))
  }
}

extension ListChanges {
  /// Adds the writes that another merge of the same exchange says have lost.
  mutating func addLosses(_ others: [Conflict], removals: [RemovalConflict]) {
    conflicts += others.filter { !conflicts.contains($0) }
    removalConflicts += removals.filter { !removalConflicts.contains($0) }
  }

  /// Adds what has lost in another merge of the same exchange.
  mutating func addLosses(_ other: ListChanges) {
    addLosses(other.conflicts, removals: other.removalConflicts)
  }

  /// Of losses that may have happened those that have: the list knows the write that came.
  func losses(metBy list: ReplicatedList) -> ListChanges {
    func knows(_ write: Entry) -> Bool {
      list.version.covers(write.dot)
        || list.entry(at: RegisterAddress(write.item, register: write.register)) == write
    }
    var losses = ListChanges()
    losses.addLosses(
      conflicts.filter { knows($0.lostHere ? $0.winner : $0.loser) },
      removals: removalConflicts.filter { conflict in
        conflict.lostHere ? knows(conflict.removal) : conflict.edits.allSatisfy(knows)
      })
    return losses
  }
}

extension ReplicatedList {
  /// Whether another one holds, claims and has forgotten the same.
  package func isSame(as other: ReplicatedList) -> Bool {
    version == other.version && floor == other.floor && holdsSameEntries(as: other)
  }

  /// What changes for someone who saw this list, with the losses of a merge on the way.
  func difference(to other: ReplicatedList, losing merge: ListChanges) -> ListChanges {
    var changes = difference(to: other)
    changes.conflicts = merge.conflicts
    changes.removalConflicts = merge.removalConflicts
    return changes
  }
}

// MARK: - Sessions

extension Document {
  /// How a session over two descriptors went.
  public struct Conversation: Sendable {
    /// What changed in ``Document/list``, with the concurrent writes that lost.
    public let changes: ListChanges

    /// How the session ended, and how many bytes went to and fro.
    public let ending: PipeEnding

    /// What the session told, in order.
    public let events: [SyncEvent]
  }

  /// Syncs with whoever speaks the protocol at the other end of two descriptors: a pipe, a socket, a
  /// program that was started with them as its standard input and output.
  ///
  /// What arrives is on the drive before it is acknowledged. Let the process ignore SIGPIPE, or an
  /// early end of the other side ends this one too.
  ///
  /// - Parameters:
  ///   - input: The descriptor to read from. It stays open.
  ///   - output: The descriptor to write to; may be the same one. It stays open.
  ///   - implementation: The name and version of the app, for the other side's messages.
  ///   - admission: What is let in; by default what the clock of ``Settings`` allows.
  /// - Returns: What changed, and how it ended: a session that was cut keeps what had arrived.
  /// - Throws: ``Failure``, `connection` if a descriptor fails.
  @discardableResult
  public mutating func sync(
    reading input: Int32, writing output: Int32, as implementation: String,
    admission: AdmissionPolicy? = nil
  ) throws(Failure) -> Conversation {
    let setup = SyncSetup(
      replica: writer, implementation: implementation, wallClock: settings.clock(),
      admission: admission ?? defaultAdmission)
    let nonce = SessionNonce(high: settings.random(), low: settings.random())
    // Sessions compare digests: that of what is here is kept, so that the next one need not ask again.
    host.file.list.settleDigest()
    let result: (value: PipeEnding, changes: ListChanges)
    do throws(FileSystemError) {
      result = try hosting { (host) throws(FileSystemError) in
        let session = SyncSession(
          setup, list: host.file.list, nonce: nonce, now: PipeDriver.now())
        var driver = PipeDriver(session, reading: input, writing: output)
        return try driver.run(&host)
      }
    } catch {
      throw Failure(name, cause: .connection(error))
    }
    return Conversation(changes: result.changes, ending: result.value, events: host.events)
  }

  /// Lets a session work on the document, and says what it changed.
  package mutating func hosting<Value, Reason: Error>(
    _ body: (inout DocumentHost) throws(Reason) -> Value
  ) throws(Reason) -> (value: Value, changes: ListChanges) {
    host.forget()
    let value: Value
    do throws(Reason) {
      value = try body(&host)
    } catch {
      noteRotation()
      noteDevices(in: host.events)
      tellLater(since: list, losing: host.losses)
      throw error
    }
    noteRotation()
    noteDevices(in: host.events)
    noteWritesAhead()
    // Each merge of the session has told a part; together they are one change.
    tellLater(since: list, losing: host.losses)
    return (value, show())
  }
}

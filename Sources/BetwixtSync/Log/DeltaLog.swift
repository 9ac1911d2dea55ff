public import Betwixt

/// A list that a storage keeps as rows, one for each edit, which several processes add to.
///
/// Any storage will do that has transactions: a table with the columns list, name and bytes, of which
/// the first two are the key. The log does no I/O; it says what to store and what to ask for:
///
///     var log = DeltaLog(of: id)
///     // To open it, and whenever somebody else may have stored something:
///     while true {
///       let missing = log.missing(among: try names(of: id))  // SELECT name … WHERE list = …
///       if missing.isEmpty { break }
///       hub.merge(try log.take(try rows(missing, of: id)), now: now)  // SELECT name, bytes …
///     }
///     // To store an edit:
///     let row = try log.row(storing: delta)
///     try insert(row, of: id)                                // INSERT … ON CONFLICT DO NOTHING
///     try log.take([row])                                    // once it is committed
///
/// # Rules
/// What looks like an easier way loses writes:
/// * Rows have names and no numbers. A serial number is given when a row is written and seen when its
///   transaction commits, in another order: who asks for `id > last` never sees what came later with
///   a lesser number, and who folds `id <= last` deletes it.
/// * The names are asked for again until none is missing: between the names and the rows somebody
///   may have folded.
/// * A row counts when it is committed, not before: ``take(_:)`` is for what is there.
/// * Rows that have gone may have been folded, or the storage was put back to an older state: then
///   ``lost()`` says what is to be stored again.
/// * A row that continues what is not there yet is merged, and claims when the other one comes. It is
///   not folded before.
/// * Whoever reads the rows, whenever, holds the same: what is left of them under the floors of all.
///   So where a floor comes later than what it takes, or an item that was forgotten has another life,
///   all rows are asked for once more: something that was dropped here may count for those who read
///   it at once.
public struct DeltaLog: Sendable {
  /// What all rows hold that were taken.
  public private(set) var list: ReplicatedList

  // The rows in the storage that were taken.
  private var taken: [RowName: TakenRow] = [:]
  private var takenByteCount = 0
  private var snapshot: RowName?
  // What rows claim that continue what is not here yet, without their entries.
  private var waiting: [RowName: Delta] = [:]
  // The least number of each replica that one of them waits for.
  private var needs: [ReplicaID: Int64] = [:]
  // All that is stored, as it was read once more: rows have gone that were taken, or something may
  // have been dropped here that others hold. Pieces of it count when all are there.
  private var again: [RowName: Delta]?
  // Whether nothing was missing when the names were asked for last.
  private var isRead = false

  // Rows that are read at once at little cost.
  private static let shortRowCount = 64
  private static let shortByteCount = 16 * 1024

  /// Makes a log that knows nothing of what is stored.
  public init(of list: ListID) { self.list = ReplicatedList(id: list) }

  /// How often rows were taken or folded: a moment to ask for the names at, see
  /// ``missing(among:askedAt:)``.
  public private(set) var moment = 0

  /// How many rows there are in the storage, as far as this log knows.
  public var rowCount: Int { taken.count }

  // MARK: Reading

  /// Says which rows to ask for.
  ///
  /// - Parameters:
  ///   - names: Those of all rows of the list, as they are stored now. Names that are not among them
  ///     are forgotten: those rows were folded into others, or the storage was put back to an older
  ///     state. To tell which, all rows are asked for once more.
  ///   - moment: The ``moment`` at which the names were asked for, if rows are taken while the answer
  ///     is on its way: what was taken since may be missing in it, and is not gone.
  /// - Returns: The names of the rows to ask for, rising; none if all that is stored was taken.
  /// - Complexity: O(*r* log *r*) for *r* rows
  public mutating func missing(
    among names: some Sequence<RowName>, askedAt moment: Int = .max
  ) -> [RowName] {
    let names = Set(names)
    func isThere(_ name: RowName) -> Bool {
      names.contains(name) || taken[name].map { $0.moment > moment } ?? false
    }
    let kept = taken.filter { isThere($0.key) }
    again = again?.filter { isThere($0.key) }
    if kept.count < taken.count { readAgain() }
    taken = kept
    takenByteCount = kept.values.reduce(0) { $0 + $1.byteCount }
    let missing = names.filter { name in
      if let again { again[name] == nil } else { taken[name] == nil }
    }
    isRead = missing.isEmpty
    return missing.sorted()
  }

  /// Merges rows that are stored.
  ///
  /// - Parameter rows: Any rows of the list, in any order, also such as were taken before.
  /// - Returns: What they bring a list that was as ``list`` was before, as a hub takes it.
  /// - Throws: ``LogFailure`` if one of them is damaged, or belongs to another list; then none is
  ///   merged.
  /// - Complexity: O(*k* log *n*) for *k* entries, and O(*f*) for each item with *f* fields
  @discardableResult
  public mutating func take(_ rows: [LogRow]) throws(LogFailure) -> Delta {
    var arrived: [StoredBlock] = []
    var known: [StoredBlock] = []
    for row in rows {
      let isKnown = taken[row.name] != nil
      guard !isKnown || again != nil else { continue }
      let block = StoredBlock(name: row.name, byteCount: row.bytes.count, block: try read(row))
      if isKnown { known.append(block) } else { arrived.append(block) }
    }
    let version = list.version
    let news = take(arrived)
    for block in arrived + known { again?[block.name] = block.block.delta }
    let missed = takeAgain(known)
    if news.mayCount { readAgain() }
    return missed.rows.isEmpty ? news.delta : Delta(joining: [news.delta, missed], for: version)
  }

  /// Joins rows that are new here.
  ///
  /// - Returns: What they bring, and whether something that was dropped here may count for who reads
  ///   them together with what was taken before.
  private mutating func take(_ arrived: [StoredBlock]) -> (delta: Delta, mayCount: Bool) {
    moment += 1
    let news = join(list.leavingOutForgotten(arrived.map { $0.block.delta }))
    let mayCount =
      !taken.isEmpty && !list.floor.covers(news.floor) || list.revivesForgotten(news)
    list.join(news)
    for stored in arrived {
      note(stored.name, byteCount: stored.byteCount)
      if stored.block.kind == .snapshot, stored.byteCount > snapshotByteCount {
        snapshot = stored.name
      }
      let delta = stored.block.delta
      if !delta.isClaimed(by: list.version) {
        wait(stored.name, claims: delta.claims, above: list.version)
      }
    }
    return (news, mayCount)
  }

  private mutating func note(_ name: RowName, byteCount: Int) {
    let row = TakenRow(byteCount: byteCount, moment: moment)
    takenByteCount += byteCount - (taken.updateValue(row, forKey: name)?.byteCount ?? 0)
  }

  // MARK: Rows that wait for others

  private mutating func wait(_ name: RowName, claims: Delta, above version: VersionVector) {
    waiting[name] = claims
    for need in claims.needs(above: version) {
      needs[need.replica] = min(need.sequence, needs[need.replica] ?? .max)
    }
  }

  /// Joins what has come with the claims that wait, if it brings what one of them waits for: most
  /// often it brings nothing of that.
  private mutating func join(_ deltas: [Delta]) -> Delta {
    let alone = Delta(joining: deltas, for: list.version)
    let isAwaited = alone.ranges.contains { range in
      needs[range.replica].map { $0 <= range.through } ?? false
    }
    guard isAwaited else { return alone }
    let claims = waiting.sorted { $0.key < $1.key }
    let news = Delta(joining: claims.map { $0.value } + deltas, for: list.version)
    var version = list.version
    for range in news.ranges { version[range.replica] = max(version[range.replica], range.through) }
    (waiting, needs) = ([:], [:])
    for (name, claims) in claims where !claims.isClaimed(by: version) {
      wait(name, claims: claims, above: version)
    }
    return news
  }

  /// Joins once more what was taken before, of which something may have been dropped.
  ///
  /// - Returns: What is held now and was not.
  private mutating func takeAgain(_ known: [StoredBlock]) -> Delta {
    guard !known.isEmpty else { return Delta.Builder().build() }
    let deltas = list.leavingOutForgotten(known.map { $0.block.delta.withoutRanges })
    let delta = Delta(joining: deltas, for: list.version)
    // No copy of the list is kept, which joining would have to write all over.
    let wasHeld = list.holds(delta.rows, of: delta)
    list.join(delta)
    let isHeld = list.holds(delta.rows, of: delta)
    let held = delta.rows.indices.filter { wasHeld[$0] || !isHeld[$0] }
    return delta.leavingOut(held).forgetting(below: VersionVector())
  }

  private mutating func readAgain() {
    again = [:]
    isRead = false
  }

  private func read(_ row: LogRow) throws(LogFailure) -> Block {
    do throws(DecodeFailure) {
      let block = try SealedBlock.decodeBlock(row.bytes)
      guard block.kind == .delta || block.kind == .snapshot else {
        throw DecodeFailure(.otherKind, at: 0)
      }
      guard block.list == list.id else { throw DecodeFailure(.otherList, at: 0) }
      guard RowName(ofSealed: row.bytes) == row.name else {
        throw DecodeFailure(.badChecksum, at: 0)
      }
      return block
    } catch {
      throw LogFailure(row: row.name, failure: error)
    }
  }

  // MARK: Writing

  /// The row that stores an edit.
  ///
  /// Storing it twice stores it once. It is part of the log when it is committed, and then taken.
  ///
  /// - Parameter delta: What was written: what a hub asks to be stored, or what an edit of one's own
  ///   has changed.
  /// - Returns: The row.
  /// - Throws: `LimitExceeded` beyond what a block can hold.
  /// - Complexity: O(*k* log *k*) for *k* entries
  public func row(storing delta: Delta) throws(LimitExceeded) -> LogRow {
    LogRow(
      sealed: try SealedBlock.encode(block: Block(.delta, of: list.id, holding: delta.forStorage)))
  }

  /// What this log holds and the storage no longer does: it was put back to an older state, while this
  /// process went on.
  ///
  /// To be stored like an edit. What a process does not store again before it ends is not lost as
  /// long as a client holds it: clients send what a server lacks, and may send, see `RelayPolicy`.
  ///
  ///     if let delta = log.lost() { try insert(try log.row(storing: delta), of: id) }
  ///
  /// - Returns: What is to be stored again; `nil` if nothing is lost, or rows are missing still.
  /// - Complexity: O(1) unless all rows were asked for once more since the last call; then O(*k*
  ///   log *k*) for *k* entries in the rows
  public mutating func lost() -> Delta? {
    guard isRead, let again else { return nil }
    var stored = ReplicatedList(id: list.id)
    let rows = again.sorted { $0.key < $1.key }.map { $0.value }
    stored.join(Delta(joining: stored.leavingOutForgotten(rows), for: [:]))
    if stored.digest == list.digest, stored.version.covers(list.version),
      stored.floor.covers(list.floor)
    {
      self.again = nil
      return nil
    }
    let lost = list.delta(since: stored.version, floor: stored.floor)
    var whole = stored
    whole.merge(lost)
    // Two writes with one number, of a replica that was copied, look like one.
    return whole.digest == list.digest ? lost : list.delta(since: [:])
  }

  // MARK: Folding

  private var snapshotByteCount: Int { snapshot.flatMap { taken[$0]?.byteCount } ?? 0 }

  // While rows are to be read once more, one of them may hold what was dropped here and counts.
  private var holdsWhatWasTaken: Bool { again == nil || isRead }

  /// Whether it is time to ``fold()``.
  ///
  /// It is when the rows of single edits take more room than all there was before them, so everything
  /// is written again only after it has doubled. It is not while rows are to be read once more.
  ///
  /// - Complexity: O(1)
  public var isLong: Bool {
    guard holdsWhatWasTaken, taken.count > DeltaLog.shortRowCount else { return false }
    let bytes = takenByteCount - snapshotByteCount
    return bytes > max(snapshotByteCount, DeltaLog.shortByteCount)
  }

  /// One row in place of those that were taken, but for those that wait.
  ///
  /// - Returns: What to remove and to add in one transaction, if all that is to be removed is there;
  ///   `nil` if there are less than two rows to fold, or rows are to be read once more: see
  ///   ``missing(among:askedAt:)``. Whether it happened or not, tell ``folded(_:)``, and ask for
  ///   the names again.
  /// - Throws: `LimitExceeded` beyond what a block can hold.
  /// - Complexity: O(*n*) for *n* entries
  public func fold() throws(LimitExceeded) -> LogFold? {
    guard holdsWhatWasTaken else { return nil }
    let old = taken.keys.filter { waiting[$0] == nil }
    guard old.count > 1 else { return nil }
    let whole = LogRow(sealed: try SealedBlock.encode(list, as: .snapshot))
    // Rows that bring nothing new leave the snapshot as it was: the row that comes is one of them.
    return LogFold(removing: old.filter { $0 != whole.name }.sorted(), adding: whole)
  }

  /// Takes note that a fold was tried: its row need not be asked for.
  ///
  /// If it did not happen, the names that are stored say so.
  public mutating func folded(_ fold: LogFold) {
    moment += 1
    for name in fold.removing {
      takenByteCount -= taken.removeValue(forKey: name)?.byteCount ?? 0
    }
    note(fold.adding.name, byteCount: fold.adding.bytes.count)
    if again != nil { readAgain() }
    snapshot = fold.adding.name
  }
}

/// How great a row is, and when it was taken.
private struct TakenRow {
  let byteCount: Int
  let moment: Int
}

/// A row of which the bytes were read.
private struct StoredBlock {
  let name: RowName
  let byteCount: Int
  let block: Block
}

extension ReplicatedList {
  /// Deltas without what the floors take that came before or come with them.
  ///
  /// A write above a floor counts, also if one below it was later. Only the greatest life of an item
  /// is left: a delta that says a removal below its floor takes what the item holds with it.
  fileprivate func leavingOutForgotten(_ deltas: [Delta]) -> [Delta] {
    let floor = deltas.reduce(into: self.floor) { $0.formUnion($1.floor) }
    guard !floor.isEmpty else { return deltas }
    var lives: [ItemID: Entry] = [:]
    for delta in deltas {
      for row in delta.rows where row.register == .life {
        let entry = delta.entry(row)
        let held = lives[row.item] ?? life(of: row.item) ?? entry
        lives[row.item] = held.isLess(than: entry) ? entry : held
      }
    }
    return deltas.map { delta in
      let replicas = delta.replicaTable
      let without = delta.rows.indices.filter { index in
        let row = delta.rows[index]
        if row.register == .life { return lives[row.item] != delta.entry(row) }
        let dot = Dot(replica: replicas[Int(row.replica)], sequence: row.sequence)
        guard row.item != .root, floor.covers(dot) else { return false }
        let life = lives[row.item] ?? life(of: row.item)
        return life?.isRemoval(below: floor) ?? false
      }
      return without.isEmpty ? delta : delta.leavingOut(without)
    }
  }

  /// Whether a delta gives another life to an item of which something may have been dropped here, so
  /// that what was dropped counts again.
  fileprivate func revivesForgotten(_ delta: Delta) -> Bool {
    let floor = self.floor.union(delta.floor)
    guard !floor.isEmpty else { return false }
    return delta.rows.contains { row in
      guard row.register == .life, let held = life(of: row.item), held.isRemoval(below: floor)
      else { return false }
      let entry = delta.entry(row)
      return held.isLess(than: entry) && !entry.isRemoval(below: floor)
    }
  }

  private func life(of item: ItemID) -> Entry? {
    entry(at: RegisterAddress(item, register: .life))
  }
}

extension Entry {
  fileprivate func isRemoval(below floor: VersionVector) -> Bool {
    guard case .life(let length) = value else { return false }
    return length & 1 == 0 && floor.covers(dot)
  }
}

extension Delta {
  /// What it claims, without entries.
  fileprivate var claims: Delta {
    var builder = Delta.Builder()
    for range in ranges { builder.cover(range.replica, after: range.after, through: range.through) }
    builder.require(premise)
    return builder.build()
  }

  /// What a version has to know before any more of it is claimed: what it stands on, then what is before
  /// each of its ranges.
  fileprivate func needs(above version: VersionVector) -> [VersionVector.Component] {
    if let need = premise.first(where: { version[$0.replica] < $0.sequence }) { return [need] }
    return ranges.filter { version[$0.replica] < $0.after }
      .map { VersionVector.Component(replica: $0.replica, sequence: $0.after) }
  }

  fileprivate func isClaimed(by version: VersionVector) -> Bool {
    ranges.allSatisfy { version[$0.replica] >= $0.through }
  }
}

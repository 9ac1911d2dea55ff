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
public struct DeltaLog: Sendable {
  /// What all rows hold that were taken.
  public private(set) var list: ReplicatedList

  // The rows in the storage that were taken, with their sizes.
  private var taken: [RowName: Int] = [:]
  private var snapshot: RowName?
  // What rows claim that continue what is not here yet, without their entries.
  private var waiting: [RowName: Delta] = [:]
  // The storage once more from the beginning, since rows have gone that were taken: one or none.
  private var again: [DeltaLog] = []
  // Whether nothing was missing when the names were asked for last.
  private var isRead = false

  // Rows that are read at once at little cost.
  private static let shortRowCount = 64
  private static let shortByteCount = 16 * 1024

  /// Makes a log that knows nothing of what is stored.
  public init(of list: ListID) { self.list = ReplicatedList(id: list) }

  /// How many rows there are in the storage, as far as this log knows.
  public var rowCount: Int { taken.count }

  // MARK: Reading

  /// Says which rows to ask for.
  ///
  /// - Parameter names: Those of all rows of the list, as they are stored now. Names that are not
  ///   among them are forgotten: those rows were folded into others, or the storage was put back to
  ///   an older state. To tell which, all rows are asked for once more.
  /// - Returns: The names of the rows to ask for, rising; none if all that is stored was taken.
  /// - Complexity: O(*r* log *r*) for *r* rows
  public mutating func missing(among names: some Sequence<RowName>) -> [RowName] {
    var kept: [RowName: Int] = [:]
    var missing: [RowName] = []
    let names = Array(names)
    for name in names {
      if let size = taken[name] { kept[name] = size } else { missing.append(name) }
    }
    if kept.count < taken.count { again = [DeltaLog(of: list.id)] }
    taken = kept
    if !again.isEmpty { missing = again[0].missing(among: names) }
    isRead = missing.isEmpty
    return missing.sorted()
  }

  /// Merges rows that are stored.
  ///
  /// - Parameter rows: Any rows of the list, in any order, also such as were taken before.
  /// - Returns: What they bring a list that was as ``list`` was before, as a hub takes it.
  /// - Throws: ``LogFailure`` if one of them is damaged, or belongs to another list; then none is
  ///   merged.
  /// - Complexity: O(*k* log *n*) for *k* entries
  @discardableResult
  public mutating func take(_ rows: [LogRow]) throws(LogFailure) -> Delta {
    var arrived: [(row: LogRow, block: Block)] = []
    for row in rows where taken[row.name] == nil { arrived.append((row, try read(row))) }
    if !again.isEmpty { try again[0].take(rows) }
    let news = Delta(
      joining: waiting.sorted { $0.key < $1.key }.map { $0.value } + arrived.map { $0.block.delta },
      for: list.version)
    list.join(news)
    for (row, block) in arrived {
      taken[row.name] = row.bytes.count
      if block.kind == .snapshot, row.bytes.count > snapshotByteCount { snapshot = row.name }
      waiting[row.name] = block.delta.claims
    }
    for (name, claims) in waiting where claims.isClaimed(by: list.version) { waiting[name] = nil }
    return news
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
  /// long as a client holds it: clients send what a server lacks.
  ///
  ///     if let delta = log.lost() { try insert(try log.row(storing: delta), of: id) }
  ///
  /// - Returns: What is to be stored again; `nil` if nothing is lost, or rows are missing still.
  /// - Complexity: O(1) unless rows have gone since the last call; then O(*n*) for *n* entries
  public mutating func lost() -> Delta? {
    guard isRead, let stored = again.first?.list else { return nil }
    if stored.digest == list.digest, stored.version.covers(list.version),
      stored.floor.covers(list.floor)
    {
      again = []
      return nil
    }
    let lost = list.delta(since: stored.version, floor: stored.floor)
    var whole = stored
    whole.merge(lost)
    // Two writes with one number, of a replica that was copied, look like one.
    return whole.digest == list.digest ? lost : list.delta(since: [:])
  }

  // MARK: Folding

  private var snapshotByteCount: Int { snapshot.flatMap { taken[$0] } ?? 0 }

  /// Whether it is time to ``fold()``.
  ///
  /// It is when the rows of single edits take more room than all there was before them, so everything
  /// is written again only after it has doubled.
  public var isLong: Bool {
    guard taken.count > DeltaLog.shortRowCount else { return false }
    let bytes = taken.values.reduce(0, +) - snapshotByteCount
    return bytes > max(snapshotByteCount, DeltaLog.shortByteCount)
  }

  /// One row in place of those that were taken, but for those that wait.
  ///
  /// - Returns: What to remove and to add in one transaction, if all that is to be removed is there;
  ///   `nil` if there are less than two rows to fold. Whether it happened or not, tell
  ///   ``folded(_:)``, and ask for the names again.
  /// - Throws: `LimitExceeded` beyond what a block can hold.
  /// - Complexity: O(*n*) for *n* entries
  public func fold() throws(LimitExceeded) -> LogFold? {
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
    for name in fold.removing { taken[name] = nil }
    taken[fold.adding.name] = fold.adding.bytes.count
    if !again.isEmpty { again = [DeltaLog(of: list.id)] }
    snapshot = fold.adding.name
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

  fileprivate func isClaimed(by version: VersionVector) -> Bool {
    ranges.allSatisfy { version[$0.replica] >= $0.through }
  }
}

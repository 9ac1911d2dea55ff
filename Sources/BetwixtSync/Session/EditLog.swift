import Betwixt

/// What became of a list since somebody began to listen, change by change: what live sessions push.
///
/// The newest changes are kept, so that memory stays bounded: who has fallen further behind compares
/// lists in a round. A hub has one log for all of its sessions.
struct EditLog {
  /// One change: what one store changed, or one edit of the host.
  struct Position {
    /// The block to push; `nil` if it is too great for one frame, and a round has to bring it.
    let payload: [UInt8]?
    let entryCount: Int
    /// The ranges by which the version grew.
    let steps: [CoveredRange]
    /// The replicas of the entries with their highest numbers, in no order; none if there is nothing
    /// to push.
    let writers: [CoveredRange]
    /// What the list has forgotten with it.
    let floor: VersionVector
    /// The session that brought it; `nil` for the host.
    let origin: UInt64?
    /// The start of the digest of the list behind it.
    let digest: UInt64

    /// What it takes to keep it.
    var byteCount: Int {
      let rows = (steps.count + writers.count) * MemoryLayout<CoveredRange>.stride
      let floorRows = floor.count * MemoryLayout<VersionVector.Component>.stride
      return 64 + (payload?.count ?? 0) + rows + floorRows
    }

    var isEmpty: Bool { entryCount == 0 && steps.isEmpty && floor.isEmpty }

    /// The highest number that an entry has which a replica wrote; 0 without any.
    func highest(of replica: ReplicaID?) -> Int64 {
      writers.first { $0.replica == replica }?.through ?? 0
    }
  }

  /// The number of the first position that is kept.
  private(set) var first = 0
  private var positions: [Position] = []
  // Those before it are forgotten; they are removed when there are many of them.
  private var start = 0
  private var byteCount = 0
  // Groups of positions that were encoded as one, the newest last.
  private var joined: [(places: Range<Int>, payload: [UInt8])] = []
  private var joinedByteCount = 0
  /// Whether somebody who listens has forgotten something: then items that were restored go whole.
  var sendsRestoredWhole = false
  /// How many changes were encoded.
  private(set) var encodedCount = 0

  private let byteLimit: Int

  private static let positionLimit = 4_096
  private static let fewPositions = 8

  /// Makes a log that keeps so many bytes, and the newest position in any case.
  init(byteLimit: Int = 1 << 20) { self.byteLimit = byteLimit }

  /// The number that the next position gets.
  var end: Int { first + positions.count - start }

  /// How many positions take room, those that are forgotten and not let go yet included.
  var storedCount: Int { positions.count }

  /// A position that is kept.
  subscript(number: Int) -> Position { positions[start + number - first] }

  mutating func append(_ position: Position) {
    positions.append(position)
    if position.payload != nil { encodedCount += 1 }
    byteCount += position.byteCount
    while byteCount > byteLimit || positions.count - start > EditLog.positionLimit,
      positions.count - start > 1
    {
      byteCount -= positions[start].byteCount
      start += 1
      first += 1
    }
    // As soon as it pays, so that what is forgotten takes no more room than what is kept.
    if start > max(EditLog.fewPositions, positions.count / 2) {
      positions.removeSubrange(..<start)
      start = 0
    }
  }
}

// MARK: - Many as one

extension EditLog {
  /// How many changes are pushed as one, at most, and what they take.
  private static let groupCount = 64
  private static let groupByteCount = SyncSetup.plainFrame / 2
  private static let joinedLimit = 2 * groupCount
  private static let joinedByteLimit = 1 << 20

  /// The positions that can go out together: up to what is empty, too great, or came from there; one
  /// with a floor goes alone, as what was restored before it was restored without it.
  ///
  /// All who only read get the same. Each of those who write beside others lacks other positions,
  /// its own: they get runs of 2, 4, 8 and so on that begin at multiples of that, so that what is
  /// encoded for one of them serves the others.
  ///
  /// - Complexity: O(their number)
  func group(from start: Int, for origin: UInt64) -> Range<Int> {
    let run = run(from: start, for: origin)
    guard run.count > 2, hasWritten(origin, beside: run) else { return run }
    var count = 1
    while start.isMultiple(of: 2 * count), 2 * count <= run.count { count *= 2 }
    return start..<start + count
  }

  /// Whether something of an origin stands near to positions of others.
  private func hasWritten(_ origin: UInt64, beside run: Range<Int>) -> Bool {
    let near = max(first, run.lowerBound - EditLog.groupCount)..<min(end, run.upperBound + 1)
    return near.contains { positions[start + $0 - first].origin == origin }
  }

  private func run(from start: Int, for origin: UInt64) -> Range<Int> {
    var end = start
    var byteCount = 0
    while end < self.end, end - start < EditLog.groupCount, self[end].origin != origin,
      let payload = self[end].payload, byteCount + payload.count <= EditLog.groupByteCount
    {
      guard self[end].floor.isEmpty else { return start..<max(end, start + 1) }
      byteCount += payload.count
      end += 1
    }
    return start..<end
  }

  /// The highest number that an entry of these positions has which a replica wrote.
  func highest(of replica: ReplicaID?, in places: Range<Int>) -> Int64 {
    places.reduce(0) { max($0, self[$1].highest(of: replica)) }
  }

  /// One block that brings what these positions bring, encoded once for all who lack just them.
  ///
  /// - Complexity: O(*k* log *k*) for *k* entries, if it was not asked for before
  mutating func payload(joining places: Range<Int>) -> [UInt8]? {
    if let found = joined.last(where: { $0.places == places }) { return found.payload }
    var deltas: [Delta] = []
    var before = VersionVector()
    var named: Set<ReplicaID> = []
    var list: ListID?
    for place in places {
      guard let payload = self[place].payload,
        let block = try? Block(decoding: payload, limits: .ceiling)
      else { return nil }
      for range in block.delta.ranges where named.insert(range.replica).inserted {
        before[range.replica] = range.after
      }
      deltas.append(block.delta)
      list = block.list
    }
    guard let list else { return nil }
    let delta = Delta(joining: deltas, for: before).withoutKnowledge
    guard let payload = try? Block(.delta, of: list, holding: delta).encoded(),
      payload.count <= SyncSetup.plainFrame
    else { return nil }
    encodedCount += 1
    keep(payload, joining: places)
    return payload
  }
}

extension EditLog {
  private mutating func keep(_ payload: [UInt8], joining places: Range<Int>) {
    joined.append((places, payload))
    joinedByteCount += payload.count
    guard joined.count > EditLog.joinedLimit || joinedByteCount > EditLog.joinedByteLimit else {
      return
    }
    // Half of them at a time, so that it is not done for each one.
    for old in joined.prefix(joined.count / 2) { joinedByteCount -= old.payload.count }
    joined.removeFirst(joined.count / 2)
  }
}

// MARK: - Making positions

extension EditLog.Position {
  /// What merging a delta will change, found before it is merged.
  struct Draft {
    fileprivate let delta: Delta
    fileprivate let rows: [Delta.Row]
    fileprivate let known: [(replica: ReplicaID, through: Int64)]
    fileprivate let floor: VersionVector

    /// - Complexity: O(*k* log *n*) for *k* entries and ranges, and O(*f*) for each item with *f* fields
    init(_ delta: Delta, on list: ReplicatedList) {
      self.delta = delta
      rows = delta.rows(of: delta.rows, areHeld: false, in: list)
      var last: ReplicaID?
      var known: [(replica: ReplicaID, through: Int64)] = []
      for range in delta.ranges where range.replica != last {
        last = range.replica
        known.append((range.replica, list.known(of: range.replica)))
      }
      self.known = known
      floor = list.floor
    }
  }

  /// What merging a delta has changed.
  ///
  /// - Parameters:
  ///   - draft: What was found before.
  ///   - list: The list afterwards, its digest settled.
  ///   - origin: Who brought it.
  ///   - isAnswerOnly: Whether there is nobody else to push it to.
  ///   - restoredWhole: Whether somebody may have forgotten what a restored item holds.
  /// - Complexity: O(*k* log *n*) for *k* entries and ranges, and O(*f*) for each item with *f* fields
  init(
    _ draft: Draft, behind list: ReplicatedList, origin: UInt64?, isAnswerOnly: Bool = false,
    restoredWhole: Bool
  ) {
    let delta = draft.delta
    let rows = delta.rows(of: draft.rows, areHeld: true, in: list)
    let steps = draft.known.compactMap { replica, known in
      let through = list.known(of: replica)
      return through > known
        ? CoveredRange(replica: replica, after: known, through: through) : nil
    }
    self.init(
      delta.forgetting(below: list.floor == draft.floor ? VersionVector() : list.floor), rows: rows,
      steps: steps, behind: list, origin: origin, isAnswerOnly: isAnswerOnly,
      restoredWhole: restoredWhole)
  }

  /// What a host has changed by itself.
  ///
  /// - Complexity: O(*k* log *n* + *r* log *r*) for *k* changes and *r* replicas, and O(*f*) for each
  ///   item with *f* fields that was changed
  init(from old: ReplicatedList, to list: ReplicatedList, restoredWhole: Bool) {
    let delta = list.delta(since: old.version, floor: old.floor)
    let rows = delta.rows(of: delta.rows, areHeld: false, in: old)
    self.init(
      delta, rows: rows, steps: delta.ranges, behind: list, origin: nil, isAnswerOnly: false,
      restoredWhole: restoredWhole)
  }

  private init(
    _ delta: Delta, rows: [Delta.Row], steps: [CoveredRange], behind list: ReplicatedList,
    origin: UInt64?, isAnswerOnly: Bool, restoredWhole: Bool
  ) {
    floor = delta.floor
    self.steps = steps
    self.origin = origin
    digest = list.digest.start
    guard !isAnswerOnly else {
      payload = nil
      writers = []
      entryCount = rows.count
      return
    }
    var part = delta.selecting(rows, ranges: steps).forgetting(below: floor)
    if restoredWhole || !list.floor.isEmpty { part = part.restoringWhole(in: list) }
    entryCount = part.count
    let isGreat =
      part.count > SyncSetup.plainFrame / 8 || steps.count > SyncSetup.plainFrame / 8
      || floor.count > SyncSetup.plainFrame / 8
    let bytes =
      isGreat || part.isEmpty ? nil : try? Block(.delta, of: list.id, holding: part).encoded()
    payload = bytes.flatMap { $0.count <= SyncSetup.plainFrame ? $0 : nil }
    guard payload != nil else {
      writers = []
      return
    }
    let table = delta.replicaTable
    var highest: [ReplicaID: Int64] = [:]
    for row in rows {
      let replica = table[Int(row.replica)]
      highest[replica] = max(highest[replica] ?? 0, row.sequence)
    }
    writers = highest.map { CoveredRange(replica: $0.key, after: 0, through: $0.value) }
  }
}

extension Delta {
  /// Those of some rows that a list holds, or those that it does not.
  fileprivate func rows(of rows: [Row], areHeld: Bool, in list: ReplicatedList) -> [Row] {
    zip(rows, list.holds(rows, of: self)).compactMap { $1 == areHeld ? $0 : nil }
  }
}

extension Digest {
  /// The first eight bytes: enough against accidents, as rounds compare all of them.
  var start: UInt64 { UInt64(bigEndianBytes: bytes.prefix(8)) }
}

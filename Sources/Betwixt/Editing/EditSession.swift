/// The numbers and times of one edit: taken from the replica at its start, given back at its end,
/// so that an edit that fails has used nothing.
struct EditSession {
  let replica: UInt32
  let family: UInt64
  let now: Timestamp
  /// Up to here the replica's writes were made before.
  let base: Int64
  /// The number of the newest write of this edit.
  private(set) var sequence: Int64

  /// Starts an edit of so many writes, and as many as making room may take.
  init(
    _ list: inout ReplicatedList, _ writer: inout Replica, writes: Int = 1
  ) throws(EditFailure) {
    try EditSession.check(writer, writes: writes)
    replica = list.tableIndex(of: &writer)
    family = writer.family
    now = writer.now
    // A number out of the blue, under this replica's id but not by it, must not stop its edits:
    // neither this one nor, by using up the numbers, the next.
    var seen = list.replicas.rows[Int(replica)].highest
    // A write at or below the floor would be forgotten at once.
    if !list.floor.isEmpty { seen = max(seen, list.floor[writer.id]) }
    base = seen <= EditSession.greatestBelieved ? max(writer.sequence, seen) : writer.sequence
    sequence = base
  }

  /// Finds out whether an edit of so many writes can start, before anything is changed for it.
  static func check(_ writer: borrowing Replica, writes: Int = 1) throws(EditFailure) {
    let highest = Int64.max - Int64(writes) - EditSession.reserve
    guard writer.sequence <= highest else { throw EditFailure(.sequenceExhausted) }
  }

  // Numbers for spreading, and for item ids that are taken.
  private static let reserve: Int64 = 1 << 32

  // No replica makes so many writes, and as many numbers are left behind it.
  static let greatestBelieved: Int64 = 1 << 62

  /// The id that an item gets if its life is the next write.
  var nextItem: ItemID { ItemID(family: family, sequence: sequence + 1) }

  /// The number of the next write.
  mutating func next() throws(EditFailure) -> Int64 {
    guard sequence < Int64.max - 1 else { throw EditFailure(.sequenceExhausted) }
    sequence += 1
    return sequence
  }

  /// Leaves a number out.
  mutating func skip() throws(EditFailure) { _ = try next() }

  /// The time of a write that follows one at `time` in its register.
  func time(after time: UInt64, _ item: ItemID) throws(EditFailure) -> UInt64 {
    guard let successor = Timestamp(unchecked: time).successor else {
      throw EditFailure(.stampExhausted, item)
    }
    return max(now, successor).rawValue
  }
}

extension ReplicatedList {
  /// The index of a writer in the table, where it was the last time if possible.
  mutating func tableIndex(of writer: inout Replica) -> UInt32 {
    let hint = writer.tableIndex
    if Int(hint) < replicas.rows.count, replicas[hint] == writer.id { return hint }
    let index = replicas.insert(writer.id)
    writer.tableIndex = index
    return index
  }

  /// Ends an edit: the numbers are used now.
  mutating func finish(_ session: EditSession, _ writer: inout Replica) {
    writer.advance(to: session.sequence)
    replicas.noteLocal(session.replica, after: session.base, through: session.sequence)
    checkInvariants()
  }
}

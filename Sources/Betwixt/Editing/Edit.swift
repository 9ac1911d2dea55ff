/// One edit under way: the list, the replica, and the numbers and the time of what it writes.
///
/// The numbers are used up at the end, so an edit that fails has used none. Keys and values are made
/// in the replica's scratch.
///
/// It borrows both from their owners: a list that is moved back and forth makes an edit a fifth
/// slower. Only ``ReplicatedList/edit(by:writes:_:)`` makes one, and only for as long as it has both.
@safe struct Edit: ~Copyable {
  private let listPointer: UnsafeMutablePointer<ReplicatedList>
  private let replicaPointer: UnsafeMutablePointer<Replica>
  /// The index of the replica in the table of the list.
  let writer: UInt32
  let now: Timestamp
  /// Up to here the replica's writes were made before.
  private let base: Int64
  /// The number of the newest write of this edit.
  private(set) var sequence: Int64

  /// Starts an edit of a replica that was seen to have numbers for it.
  fileprivate init(
    _ list: UnsafeMutablePointer<ReplicatedList>, by replica: UnsafeMutablePointer<Replica>
  ) {
    unsafe (listPointer, replicaPointer) = (list, replica)
    unsafe writer = list.pointee.tableIndex(of: &replica.pointee)
    unsafe now = replica.pointee.now
    var base = unsafe replica.pointee.sequence
    // A number out of the blue, under this replica's id but not by it, must not stop its edits:
    // neither this one nor, by using up the numbers, the next.
    let seen = unsafe list.pointee.replicas.rows[Int(writer)].highest
    if seen <= Edit.greatestBelieved, seen > base { base = seen }
    // A write at or below the floor, which is believable, would be forgotten at once.
    if unsafe !list.pointee.floor.isEmpty {
      base = unsafe max(base, list.pointee.floor[replica.pointee.id])
    }
    self.base = base
    sequence = base
  }

  var list: ReplicatedList {
    _read { yield unsafe listPointer.pointee }
    _modify { yield unsafe &listPointer.pointee }
  }

  var replica: Replica {
    _read { yield unsafe replicaPointer.pointee }
    _modify { yield unsafe &replicaPointer.pointee }
  }

  /// Finds out whether an edit of so many writes can start, before anything is changed for it.
  static func check(_ replica: borrowing Replica, writes: Int = 1) throws(EditFailure) {
    let highest = Int64.max - Int64(writes) - Edit.reserve
    guard replica.sequence <= highest else { throw EditFailure(.sequenceExhausted) }
  }

  // Numbers for spreading, and for item ids that are taken.
  private static let reserve: Int64 = 1 << 32

  // No replica makes so many writes, and as many numbers are left behind it.
  static let greatestBelieved: Int64 = 1 << 62

  /// The id that an item gets if its life is the next write.
  var nextItem: ItemID { ItemID(family: replica.family, sequence: sequence + 1) }

  /// The number of the next write.
  mutating func next() throws(EditFailure) -> Int64 {
    guard sequence < Int64.max - 1 else { throw EditFailure(.sequenceExhausted) }
    sequence += 1
    return sequence
  }

  /// The time of a write that follows one at `time` in its register.
  func time(after time: UInt64, of item: ItemID) throws(EditFailure) -> UInt64 {
    guard let successor = Timestamp(unchecked: time).successor else {
      throw EditFailure(.stampExhausted, of: item)
    }
    return max(now, successor).rawValue
  }

  /// Uses the numbers up to here.
  fileprivate mutating func finish() {
    replica.advance(to: sequence)
    list.replicas.noteLocal(writer, after: base, through: sequence)
    list.checkInvariants()
  }
}

extension ReplicatedList {
  /// Makes an edit of so many writes, and as many as making room may take.
  mutating func edit<Value>(
    by replica: inout Replica, writes: Int = 1,
    _ body: (inout Edit) throws(EditFailure) -> Value
  ) throws(EditFailure) -> Value {
    try Edit.check(replica, writes: writes)
    return try unsafe withUnsafeMutablePointer(to: &self) { list throws(EditFailure) in
      try unsafe withUnsafeMutablePointer(to: &replica) { replica throws(EditFailure) in
        var edit = unsafe Edit(list, by: replica)
        let value = try body(&edit)
        edit.finish()
        return value
      }
    }
  }

  /// The index of a writer in the table, where it was the last time if possible.
  fileprivate mutating func tableIndex(of writer: inout Replica) -> UInt32 {
    let hint = writer.tableIndex
    if Int(hint) < replicas.rows.count, replicas[hint] == writer.id { return hint }
    let index = replicas.insert(writer.id)
    writer.tableIndex = index
    return index
  }
}

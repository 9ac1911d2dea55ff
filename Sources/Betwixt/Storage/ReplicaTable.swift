/// The replicas of a list, each stored once and named by its index, with what is known of each.
struct ReplicaTable: Sendable {
  struct Row: Sendable {
    let id: ReplicaID
    /// The number up to which all writes are known: the version vector's component.
    var known: Int64 = 0
    /// The greatest number seen, covered or not.
    var highest: Int64 = 0
  }

  private(set) var rows: [Row] = []
  private var indices: [ReplicaID: UInt32] = [:]

  subscript(index: UInt32) -> ReplicaID { rows[Int(index)].id }

  func index(of id: ReplicaID) -> UInt32? { indices[id] }

  mutating func insert(_ id: ReplicaID) -> UInt32 {
    if let index = indices[id] { return index }
    let index = UInt32(truncatingIfNeeded: rows.count)
    rows.append(Row(id: id))
    indices[id] = index
    return index
  }

  /// Notes writes of one's own, which continue what is known only if nothing is missing before.
  mutating func noteLocal(_ index: UInt32, after: Int64, through: Int64) {
    cover(index, after: after, through: through)
    noteSeen(index, sequence: through)
  }

  mutating func noteSeen(_ index: UInt32, sequence: Int64) {
    if sequence > rows[Int(index)].highest { rows[Int(index)].highest = sequence }
  }

  /// Claims the writes `1...through`, if those up to `after` are known.
  mutating func cover(_ index: UInt32, after: Int64, through: Int64) {
    guard rows[Int(index)].known >= after, through > rows[Int(index)].known else { return }
    rows[Int(index)].known = through
    noteSeen(index, sequence: through)
  }

  func covers(_ dot: Dot) -> Bool {
    guard let index = indices[dot.replica] else { return false }
    return dot.sequence <= rows[Int(index)].known
  }

  func covers(_ vector: VersionVector) -> Bool {
    vector.allSatisfy { covers(Dot(replica: $0.replica, sequence: $0.sequence)) }
  }

  var version: VersionVector {
    VersionVector(
      rows.filter { $0.known > 0 }
        .map { VersionVector.Component(replica: $0.id, sequence: $0.known) })
  }
}

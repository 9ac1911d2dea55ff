import Betwixt

// What a list would hold after a merge. Totals are no part of what is valid, because which write
// comes last depends on the order of arrival: a merge that would pass one fails as a whole.

extension FormatLimits {
  /// The first write of a delta with which a list would hold more than this, and how much.
  ///
  /// - Complexity: O(*k* (log *n* + *f*)) for *k* entries of items with *f* fields
  func excess(of list: ReplicatedList, merging delta: Delta) -> (Dot, LimitExceeded)? {
    guard self != .ceiling else { return nil }
    var totals = Totals(list)
    let table = delta.replicaTable
    for row in delta.rows {
      let dot = Dot(replica: table[Int(row.replica)], sequence: row.sequence)
      totals.add(row, by: dot.replica, in: delta)
      if let excess = totals.excess(self) { return (dot, excess) }
    }
    for range in delta.ranges {
      totals.add(range.replica)
      if let excess = totals.excess(self) {
        return (Dot(replica: range.replica, sequence: range.through), excess)
      }
    }
    return nil
  }

  /// The most entries that a list within these limits holds.
  var entries: Int64 {
    let (perItem, _) = Int64(clamping: fieldsPerItem).addingReportingOverflow(2)
    let (product, overflow) = Int64(clamping: items).multipliedReportingOverflow(by: perItem)
    return overflow || perItem < 0 ? .max : product
  }

  private struct Totals {
    private let list: ReplicatedList
    private var items: Int
    private var replicas: Int
    private var newReplicas: Set<ReplicaID> = []
    private var item: ItemID?
    private var fields: Set<Register> = []

    init(_ list: ReplicatedList) {
      self.list = list
      items = list.knownItemCount
      replicas = list.knownReplicaCount
    }

    mutating func add(_ replica: ReplicaID) {
      if !list.knows(replica), newReplicas.insert(replica).inserted { replicas += 1 }
    }

    /// Rows rise by item, so that one item's registers come one behind another.
    mutating func add(_ row: Delta.Row, by replica: ReplicaID, in delta: Delta) {
      add(replica)
      if row.item != item {
        item = row.item
        fields = []
        if !list.knows(row.item) { items += 1 }
      }
      guard row.register.rawValue >= 2 else { return }
      if fields.isEmpty { fields = Set(list.fieldRegisters(of: row.item)) }
      fields.insert(delta.register(of: row))
    }

    func excess(_ limits: FormatLimits) -> LimitExceeded? {
      if items > limits.items { return LimitExceeded(.items, count: items) }
      if replicas > limits.replicas { return LimitExceeded(.replicas, count: replicas) }
      if fields.count > limits.fieldsPerItem {
        return LimitExceeded(.fieldsPerItem, count: fields.count)
      }
      return nil
    }
  }
}

extension ReplicatedList {
  /// Joins what a delta holds, as ``merge(_:)-(Delta)`` does; what a list that was empty takes is
  /// not reported.
  ///
  /// A list that holds nothing yet, as when a file is opened, is built page by page, without asking
  /// for each entry what was there before.
  ///
  /// - Parameter delta: Entries that were checked when the delta was made.
  /// - Returns: What the merge reported.
  /// - Complexity: O(*k* (log *n* + *f*)) for *k* entries of items with *f* fields
  @discardableResult
  package mutating func join(_ delta: Delta) -> ListChanges {
    guard store.count == 0, replicas.rows.isEmpty, floor.isEmpty else { return merge(delta) }
    self = ListLoader.list(of: id, holding: delta)
    return ListChanges()
  }
}

extension ListLoader {
  /// A list of what a delta holds.
  fileprivate static func list(of id: ListID, holding delta: Delta) -> ReplicatedList {
    var loader = ListLoader(
      of: id, replicas: delta.replicaTable, registers: delta.registers.registers)
    loader.append(delta)
    // Ranges that take something else for known claim nothing in a list that was empty.
    let ranges = delta.premise.isEmpty ? delta.ranges : []
    return loader.finish(ranges: ranges, floor: delta.floor)
  }

  private mutating func append(_ delta: Delta) {
    var last: ItemID?
    for row in delta.rows {
      if row.item != last {
        append(row.item)
        last = row.item
      }
      let stamp = EntryStamp(
        time: row.time, sequence: row.sequence, replica: Int(row.replica))
      let value = delta.bytes[row.extent].span
      switch row.register {
      case .life: setLife(stamp, length: value.bigEndian())
      case .position:
        let section = Int64(bitPattern: value.extracting(first: 8).bigEndian() ^ 1 << 63)
        setPosition(stamp, section: section, key: value.extracting(droppingFirst: 8))
      default: addField(stamp, register: Int(row.register.index), tag: nil, value: value)
      }
    }
  }
}

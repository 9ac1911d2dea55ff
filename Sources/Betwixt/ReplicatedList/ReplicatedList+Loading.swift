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
    load(delta)
    return ListChanges()
  }

  private mutating func load(_ delta: Delta) {
    var map = TableMap(delta)
    var draft = PageDraft()
    var start = 0
    while start < delta.rows.count {
      let end = delta.endOfPage(from: start)
      fill(&draft, with: delta.rows[start..<end], in: delta, through: &map)
      store.append(Page(draft))
      start = end
    }
    _ = store.shorten(replicas, at: store.count)
    var arrivals: [Arrival] = []
    arrivals.reserveCapacity(store.count)
    for number in 0..<store.count {
      // All items are touched, so each is the one of its number.
      let slot = Slot(number)
      index.insert(store.id(slot), at: slot)
      if store.record(slot).isVisible { arrivals.append(Arrival(slot, touched: number, in: store)) }
    }
    arrivals.sort { $0.stands(before: $1, in: store) }
    order.rebuild(arrivals.map { $0.entry })
    raise(to: delta.floor)
    claim(delta)
    checkInvariants()
  }

  /// Makes a page of items from all their rows.
  private mutating func fill(
    _ draft: inout PageDraft, with rows: ArraySlice<Delta.Row>, in delta: Delta,
    through map: inout TableMap
  ) {
    draft.start(byteCount: ByteArena.byteCount(toHold: rows))
    for row in rows {
      if draft.items.last?.id != row.item { draft.append(row.item) }
      let replica = map.replica(row.replica, in: delta, table: &replicas)
      replicas.noteSeen(replica, sequence: row.sequence)
      let value = delta.bytes[row.extent].span
      switch row.register {
      case .life:
        draft.setLife(LifeRecord(row, by: replica, value: value))
      case .position:
        draft.setPosition(
          PositionRecord(row, by: replica, value: value), key: value.extracting(droppingFirst: 8))
      default:
        let name = map.register(row.register, in: delta, table: &registers)
        // Rows rise by register, as an item's fields do.
        draft.addField(FieldRecord(row, by: replica, named: name), value: value)
      }
    }
  }
}

extension ByteArena {
  /// How much room the keys and values of some rows take.
  fileprivate static func byteCount(toHold rows: ArraySlice<Delta.Row>) -> Int {
    var count = 0
    for row in rows {
      switch row.register {
      case .life: break
      case .position: count += byteCount(toHold: row.count - 8)
      default: count += byteCount(toHold: row.count)
      }
    }
    return count
  }
}

extension Delta {
  /// The end of the rows from `start` on whose items fill a page.
  fileprivate func endOfPage(from start: Int) -> Int {
    var items = 0
    for index in rows.indices[start...] {
      if index > start, rows[index].item == rows[index - 1].item { continue }
      if items == Slot.fanOut { return index }
      items += 1
    }
    return rows.count
  }
}

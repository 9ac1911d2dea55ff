extension ReplicatedList {
  /// Joins what another replica sent: of each register the greater write stays.
  ///
  /// Any delta of this list may be merged, in any order and any number of times; it never fails and
  /// reads no clock. The version advances by those of the delta's ranges that continue it, if it
  /// covers what the delta was made for. The floors join first: what the sender's floor takes from
  /// an item that is removed here goes before the sender's entries come.
  ///
  ///     let changes = list.merge(delta)
  ///     for conflict in changes.conflicts { print("lost:", conflict.loser) }
  ///     for conflict in changes.removalConflicts { print("not shown:", conflict.edits) }
  ///
  /// - Parameter delta: Entries that were checked when the delta was made.
  /// - Returns: What changed, which concurrent writes lost, and which edits a removal hides.
  /// - Complexity: O(*k* (log *n* + *f*)) for *k* entries of items with *f* fields, and O(*r*) for the *r*
  ///   replicas and names of registers that the delta has a table of: one of ``delta(since:)`` has
  ///   those of its whole list
  @discardableResult
  public mutating func merge(_ delta: Delta) -> ListChanges {
    raise(to: delta.floor)
    var map = TableMap(delta)
    var plan = plan(delta, through: &map)
    // From about here on, one pass over all items, removed ones too, is cheaper than a descent for
    // each.
    plan.isBulk = plan.touched.count > store.count / 64
    let oldPlaces = places(plan)
    for index in plan.touched.indices { plan.touched[index].oldPlace = oldPlaces[index] }
    perform(&plan, in: delta, through: &map)
    return changes(plan, in: delta)
  }

  /// Joins another list: see ``merge(_:)-(Delta)``.
  ///
  /// - Parameter other: A copy of this list that was edited elsewhere. Its id does not count.
  /// - Returns: What changed, which concurrent writes lost, and which edits a removal hides.
  /// - Complexity: O(*n* log *n*)
  @discardableResult
  public mutating func merge(_ other: ReplicatedList) -> ListChanges { merge(other.everything()) }

  /// The join of two lists.
  ///
  /// - Parameter other: A copy of this list that was edited elsewhere.
  /// - Returns: A list with this one's id.
  /// - Complexity: O(*n* log *n*)
  public func merging(_ other: ReplicatedList) -> ReplicatedList {
    var result = self
    result.merge(other)
    return result
  }

  // MARK: Performing

  private mutating func perform(
    _ plan: inout MergePlan, in delta: Delta, through map: inout TableMap
  ) {
    let leaving = plan.touched.filter { $0.changesOrder }.compactMap { $0.oldPlace }.sorted()
    var rest = plan.isBulk ? remainder(without: leaving) : []
    if !plan.isBulk { for place in leaving.reversed() { order.remove(at: place) } }
    for row in delta.rows {
      replicas.noteSeen(
        map.replica(row.replica, in: delta, table: &replicas), sequence: row.sequence)
    }
    for touched in plan.touched {
      var field = FieldRecord.none
      for winner in plan.winners[touched.winners] {
        write(delta.rows[winner.row], of: touched.slot, after: &field, in: delta, through: &map)
      }
      normalize(touched.slot)
      if plan.isNew(touched.slot) { store.packIfFull(touched.slot) }
    }
    if plan.isBulk, store.shorten(replicas, at: store.count) {
      rest = rest.map { store.orderEntry($0.slot) }
    }
    let arrivals = arrivals(plan)
    if plan.isBulk {
      order.rebuild(joined(rest, arrivals: arrivals))
      let newPlaces = places(plan)
      for index in plan.touched.indices { plan.touched[index].newPlace = newPlaces[index] }
    } else {
      // Rising, so that the place at insertion is the final one.
      for arrival in arrivals {
        let place = order.lowerBound(store.orderKey(arrival.entry.slot), in: store)
        enter(arrival.entry.slot, at: place)
        plan.touched[arrival.touched].newPlace = place
      }
    }
    claim(delta)
    checkInvariants()
  }

  /// Advances the version by the delta's ranges, if all is known that it was made for.
  mutating func claim(_ delta: Delta) {
    guard replicas.covers(delta.premise) else { return }
    for range in delta.ranges {
      replicas.cover(replicas.insert(range.replica), after: range.after, through: range.through)
    }
  }

  /// Where each of the touched items stands now; `nil` for those that are not shown.
  private func places(_ plan: MergePlan) -> [Int?] {
    guard plan.isBulk else {
      return plan.touched.map { store.record($0.slot).isVisible ? index(of: $0.slot) : nil }
    }
    let indexBySlot = order.indicesBySlot(slotCount: store.count)
    return plan.touched.map { indexBySlot[Int($0.slot.rawValue)].map { Int($0) } }
  }

  private func remainder(without leaving: [Int]) -> [OrderEntry] {
    var rest: [OrderEntry] = []
    rest.reserveCapacity(count - leaving.count)
    var next = 0
    for (place, entry) in order.entries.enumerated() {
      if next < leaving.count, leaving[next] == place { next += 1 } else { rest.append(entry) }
    }
    return rest
  }

  /// The touched items that now are shown, or are shown elsewhere, in order.
  private func arrivals(_ plan: MergePlan) -> [Arrival] {
    var arrivals: [Arrival] = []
    for (index, touched) in plan.touched.enumerated()
    where touched.changesOrder && store.record(touched.slot).isVisible {
      arrivals.append(Arrival(touched.slot, touched: index, in: store))
    }
    arrivals.sortByPlace(in: store)
    return arrivals
  }

  /// What stayed and what came in one order.
  private func joined(_ rest: [OrderEntry], arrivals: [Arrival]) -> [OrderEntry] {
    var joined: [OrderEntry] = []
    joined.reserveCapacity(rest.count + arrivals.count)
    var start = 0
    for arrival in arrivals {
      let end = store.end(of: rest, from: start, before: arrival.entry)
      joined.append(contentsOf: rest[start..<end])
      joined.append(arrival.entry)
      start = end
    }
    joined.append(contentsOf: rest[start...])
    return joined
  }

  /// Writes a row; `field` is where the item's last row was written, which stands before this one.
  private mutating func write(
    _ row: Delta.Row, of slot: Slot, after field: inout Int32, in delta: Delta,
    through map: inout TableMap
  ) {
    let replica = map.replica(row.replica, in: delta, table: &replicas)
    let value = delta.bytes[row.extent].span
    switch row.register {
    case .life:
      store.setLife(slot, life: LifeRecord(row, by: replica, value: value))
    case .position:
      store.setPosition(
        slot, position: PositionRecord(row, by: replica, value: value),
        key: value.extracting(droppingFirst: 8))
    default:
      let name = map.register(row.register, in: delta, table: &registers)
      field = store.setField(
        slot, field: FieldRecord(row, by: replica, named: name), value: value, names: registers,
        after: field)
    }
  }

  // MARK: Reporting

  private func changes(_ plan: MergePlan, in delta: Delta) -> ListChanges {
    var changes = ListChanges()
    changes.conflicts = plan.conflicts
    changes.removalConflicts = plan.removalConflicts
    for touched in plan.touched {
      let id = store.id(touched.slot)
      if id == .root {
        changes.metadata = content(touched, plan: plan, in: delta)
        continue
      }
      let newPlace =
        plan.isBulk || touched.newPlace != nil || !store.record(touched.slot).isVisible
        ? touched.newPlace : index(of: touched.slot)
      switch (touched.oldPlace, newPlace) {
      case (nil, nil): break
      case (nil, let new?): changes.inserted.append(.init(id: id, newIndex: new))
      case (let old?, nil): changes.removed.append(.init(id: id, oldIndex: old))
      case (let old?, let new?):
        if touched.changesPosition {
          changes.moved.append(.init(id: id, oldIndex: old, newIndex: new))
        }
        if touched.changesContent {
          let registers = content(touched, plan: plan, in: delta)
          changes.updated.append(
            .init(id: id, oldIndex: old, newIndex: new, registers: registers))
        }
      }
    }
    changes.sort()
    return changes
  }

  /// What else than life and position has another value.
  private func content(
    _ touched: MergePlan.Touched, plan: MergePlan, in delta: Delta
  ) -> [Register] {
    plan.winners[touched.winners].filter { $0.changesValue }.map { delta.rows[$0.row] }
      .filter { !$0.changesOrder }.map { delta.register($0.register) }
  }
}

extension Delta.Row {
  /// Whether this is a write of `life` or `position`.
  var changesOrder: Bool { register == .life || register == .position }
}

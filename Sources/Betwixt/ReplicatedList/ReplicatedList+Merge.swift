extension ReplicatedList {
  /// Joins what another replica sent: of each register the greater write stays.
  ///
  /// Any delta of this list may be merged, in any order and any number of times; it never fails and
  /// reads no clock. The version advances by those of the delta's ranges that continue it, if it
  /// covers what the delta was made for.
  ///
  ///     let changes = list.merge(delta)
  ///     for conflict in changes.conflicts { print("lost:", conflict.loser) }
  ///
  /// - Parameter delta: Entries that were checked when the delta was made.
  /// - Returns: What changed, and which concurrent writes lost.
  /// - Complexity: O(*k* (log *n* + *f*)) for *k* entries of items with *f* fields
  @discardableResult
  public mutating func merge(_ delta: Delta) -> ListChanges {
    var map = TableMap(delta)
    var plan = plan(delta, &map)
    // From about here on, one pass over all items, removed ones too, is cheaper than a descent for
    // each.
    plan.isBulk = plan.touched.count > store.count / 64
    let oldPlaces = places(plan)
    for index in plan.touched.indices { plan.touched[index].oldPlace = oldPlaces[index] }
    perform(&plan, delta, &map)
    return changes(plan, delta)
  }

  /// Joins another list: see ``merge(_:)-(Delta)``.
  ///
  /// - Parameter other: A copy of this list that was edited elsewhere. Its id does not count.
  /// - Returns: What changed, and which concurrent writes lost.
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

  // MARK: Planning

  private mutating func plan(_ delta: Delta, _ map: inout TableMap) -> MergePlan {
    var plan = MergePlan()
    plan.winners.reserveCapacity(delta.rows.count)
    var item: ItemID?
    var slot = Slot(0)
    for (index, row) in delta.rows.enumerated() {
      if row.item != item {
        slot = slotMaking(row.item)
        item = row.item
      }
      let present = present(row, slot, delta, &map)
      guard let present else {
        plan.add(winner: index, of: slot, row.register)
        continue
      }
      let order = compare(row, delta, present)
      if order != 0, isConflict(row, delta, present) {
        plan.conflicts.append(conflict(row, delta, present, rowWins: order > 0))
      }
      if order > 0 { plan.add(winner: index, of: slot, row.register) }
    }
    return plan
  }

  /// The write that a row's register holds in this list.
  private struct Present {
    var time: UInt64
    var replica: UInt32
    var sequence: Int64
    /// For `life`, which has no bytes.
    var length: UInt32 = 0
    var slot: Slot
    var value: ByteArena.Reference?
  }

  private mutating func present(
    _ row: Delta.Row, _ slot: Slot, _ delta: Delta, _ map: inout TableMap
  ) -> Present? {
    switch row.register {
    case .life:
      let life = store.record(slot).life
      guard life.isWritten else { return nil }
      return Present(
        time: life.time, replica: life.replica, sequence: life.sequence, length: life.length,
        slot: slot)
    case .position:
      let position = store.record(slot).position
      guard position.isWritten else { return nil }
      return Present(
        time: position.time, replica: position.replica, sequence: position.sequence, slot: slot)
    default:
      let name = map.register(row.register, delta, &registers)
      guard let field = store.field(slot, name) else { return nil }
      return Present(
        time: field.time, replica: field.replica, sequence: field.sequence, slot: slot,
        value: field.value)
    }
  }

  private func value(_ present: Present, _ register: Delta.RegisterCode) -> ArraySlice<UInt8> {
    switch register {
    case .life:
      var bytes: [UInt8] = []
      bytes.appendBigEndian(present.length)
      return bytes[...]
    case .position:
      return store.page(present.slot).positionValue(present.slot.place)[...]
    default:
      return present.value.map { store.page(present.slot).arena[$0] } ?? []
    }
  }

  /// The order of a row and the write that is present.
  private func compare(_ row: Delta.Row, _ delta: Delta, _ present: Present) -> Int {
    if row.register != .life, row.time != present.time { return row.time < present.time ? -1 : 1 }
    return writeOrder(
      row.register == .life,
      (row.time, delta.replicas[row.replica], delta.value(row), row.sequence),
      (
        present.time, replicas[present.replica], value(present, row.register), present.sequence
      ))
  }

  private func isConflict(_ row: Delta.Row, _ delta: Delta, _ present: Present) -> Bool {
    let theirs = Dot(replica: delta.replicas[row.replica], sequence: row.sequence)
    let mine = Dot(replica: replicas[present.replica], sequence: present.sequence)
    guard !delta.context.covers(mine), !replicas.covers(theirs) else { return false }
    return compareBytes(delta.value(row), value(present, row.register)) != 0
  }

  private func conflict(
    _ row: Delta.Row, _ delta: Delta, _ present: Present, rowWins: Bool
  ) -> Conflict {
    let theirs = delta.entry(row)
    let mine = RawEntry(
      item: row.item, register: theirs.register, time: Timestamp(unchecked: present.time),
      replica: replicas[present.replica], sequence: present.sequence,
      value: value(present, row.register)
    ).entry
    return rowWins ? Conflict(winner: theirs, loser: mine) : Conflict(winner: mine, loser: theirs)
  }

  // MARK: Performing

  private mutating func perform(_ plan: inout MergePlan, _ delta: Delta, _ map: inout TableMap) {
    let leaving = plan.touched.filter { $0.changesOrder }.compactMap { $0.oldPlace }.sorted()
    let rest = plan.isBulk ? remainder(without: leaving) : []
    if !plan.isBulk { for place in leaving.reversed() { order.remove(at: place) } }
    for row in delta.rows {
      replicas.noteSeen(map.replica(row.replica, delta, &replicas), row.sequence)
    }
    for touched in plan.touched {
      for winner in plan.winners[touched.winners] {
        write(delta.rows[winner], of: touched.slot, delta, &map)
      }
    }
    let arrivals = arrivals(plan)
    if plan.isBulk {
      order.rebuild(joined(rest, arrivals))
      let newPlaces = places(plan)
      for index in plan.touched.indices { plan.touched[index].newPlace = newPlaces[index] }
    } else {
      // Rising, so that the place at insertion is the final one.
      for arrival in arrivals {
        let place = order.lowerBound(store.orderKey(arrival.entry.slot), in: store)
        order.insert(arrival.entry, at: place)
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
      return plan.touched.map { store.record($0.slot).isVisible ? place(of: $0.slot) : nil }
    }
    let places = order.placesBySlot(slotCount: store.count)
    return plan.touched.map { places[Int($0.slot.rawValue)].map { Int($0) } }
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
      arrivals.append(Arrival(touched.slot, index, in: store))
    }
    arrivals.sort { $0.stands(before: $1, in: store) }
    return arrivals
  }

  /// What stayed and what came in one order.
  private func joined(_ rest: [OrderEntry], _ arrivals: [Arrival]) -> [OrderEntry] {
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

  private mutating func write(
    _ row: Delta.Row, of slot: Slot, _ delta: Delta, _ map: inout TableMap
  ) {
    let replica = map.replica(row.replica, delta, &replicas)
    let value = delta.bytes.span.extracting(row.extent)
    switch row.register {
    case .life:
      store.setLife(slot, LifeRecord(row, replica, value))
    case .position:
      store.setPosition(
        slot, PositionRecord(row, replica, value), key: value.extracting(droppingFirst: 8))
    default:
      let name = map.register(row.register, delta, &registers)
      store.setField(slot, FieldRecord(row, replica, name), value: value, names: registers)
    }
  }

  // MARK: Reporting

  private func changes(_ plan: MergePlan, _ delta: Delta) -> ListChanges {
    var changes = ListChanges()
    changes.conflicts = plan.conflicts
    for touched in plan.touched {
      let id = store.id(touched.slot)
      if id == .root {
        changes.metadata = content(touched, plan, delta)
        continue
      }
      let newPlace =
        plan.isBulk || touched.newPlace != nil || !store.record(touched.slot).isVisible
        ? touched.newPlace : place(of: touched.slot)
      switch (touched.oldPlace, newPlace) {
      case (nil, nil): break
      case (nil, let new?): changes.inserted.append(.init(id: id, newIndex: new))
      case (let old?, nil): changes.removed.append(.init(id: id, oldIndex: old))
      case (let old?, let new?):
        if touched.changesPosition {
          changes.moved.append(.init(id: id, oldIndex: old, newIndex: new))
        }
        if touched.changesContent {
          let registers = content(touched, plan, delta)
          changes.updated.append(
            .init(id: id, oldIndex: old, newIndex: new, registers: registers))
        }
      }
    }
    changes.sort()
    return changes
  }

  /// What else than life and position changed.
  private func content(
    _ touched: MergePlan.Touched, _ plan: MergePlan, _ delta: Delta
  ) -> [Register] {
    plan.winners[touched.winners].map { delta.rows[$0] }.filter { !$0.changesOrder }
      .map { delta.register($0.register) }
  }
}

extension Delta.Row {
  /// Whether this is a write of `life` or `position`.
  var changesOrder: Bool { register == .life || register == .position }
}

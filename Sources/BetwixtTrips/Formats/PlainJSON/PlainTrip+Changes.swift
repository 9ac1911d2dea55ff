import Betwixt

extension PlainTrip {
  /// What the file says otherwise than what it is compared with, as writes.
  ///
  /// - Parameters:
  ///   - ground: What it is compared with.
  ///   - takesAllPlaces: Whether also those places are written that are older than the list's.
  /// - Returns: The writes.
  /// - Complexity: O(*n* log *n*)
  func changes(
    against ground: ImportGround, takingAllPlaces takesAllPlaces: Bool = false
  ) -> ImportWrites {
    var writes = ImportWrites()
    let view = ground.view
    addFields(of: root, against: view.root, in: ground, to: &writes)
    let places = PlainPlaces(
      of: items, in: ground, staying: unmovedItems(in: view)
    ) { item in
      ground.isKnown || takesAllPlaces || ground.isNewer(item)
        // Of what has no time the day counts as the other fields do.
        || item.time == .zero && ground.isOnAnotherDay(item)
    }
    // By index: items are looked at where they are, and most say what the base says.
    let order = view.items.indices.sorted { view.items[$0].id < view.items[$1].id }
    var (mine, theirs) = (0, 0)
    while mine < items.count || theirs < order.count {
      let id = mine < items.count ? items[mine].id : nil
      let oldID = theirs < order.count ? view.items[order[theirs]].id : nil
      if let id, oldID.map({ id < $0 }) ?? true {
        addNew(items[mine], at: places[items[mine]], in: ground, to: &writes)
        mine += 1
      } else if id == oldID {
        let old = order[theirs]
        if let place = places[items[mine]] {
          let time = time(of: .position, of: items[mine], shownAs: view.items[old], in: ground)
          writes.add(place, to: .position, of: items[mine].id, at: time)
        }
        addFields(of: items[mine], against: view.items[old], in: ground, to: &writes)
        mine += 1
        theirs += 1
      } else if let oldID {
        if ground.removesMissing {
          addRemoval(of: oldID, shownAs: view.items[order[theirs]], in: ground, to: &writes)
        }
        theirs += 1
      }
    }
    return writes
  }

  private func addNew(
    _ item: PlainItem, at place: RegisterValue?, in ground: ImportGround,
    to writes: inout ImportWrites
  ) {
    guard !ground.isKnown, let held = ground.list[id: item.id] else {
      let known = ground.base[id: item.id]?.newestTime
      let time = known.map { PlainTrip.time(item.time, after: $0) } ?? item.time
      return writes.addNew(item, at: time, place: place)
    }
    // What was removed here stays so, and is edited only by who did it later.
    if ground.isNewer(item) {
      writes.addNew(item, at: item.time, place: held.isVisible ? place : nil)
    }
  }

  private func addRemoval(
    of id: ItemID, shownAs old: PlainViewItem, in ground: ImportGround,
    to writes: inout ImportWrites
  ) {
    // What the base has under an id that the list never knew, nobody can miss there.
    guard let known = ground.base[id: id] else { return }
    let length = known.lifeLength
    guard length < RegisterValue.longestLife else { return }
    let time = PlainTrip.time(.zero, after: max(old.time, known.newestTime ?? .zero))
    writes.add(.life(length + 1), to: .life, of: id, at: time)
  }

  /// When a register was edited: later than all that its maker saw, if that is known.
  ///
  /// What has no time is later than what it replaces, and than nothing else: it was edited some time
  /// after that was written. Without a base an import replaces what has no time either, as the file is
  /// taken in later, and nothing that somebody edited; in a merge neither file is later.
  private func time(
    of register: Register, of item: PlainItem, shownAs old: PlainViewItem, in ground: ImportGround
  ) -> Timestamp {
    let address = RegisterAddress(item.id, register: register)
    guard item.time == .zero else {
      guard ground.isKnown else { return item.time }
      let known = ground.base[id: old.id]?.newestTime ?? .zero
      return PlainTrip.time(item.time, after: max(old.time, known))
    }
    guard let held = ground.base.entry(at: address)?.stamp.time,
      ground.isKnown || ground.skipsKnown && held.milliseconds == 0
    else { return item.time }
    return held.successor ?? .max
  }

  private static func time(_ time: Timestamp, after old: Timestamp) -> Timestamp {
    max(time, old.successor ?? .max)
  }

  private func addFields(
    of item: PlainItem, against old: PlainViewItem, in ground: ImportGround,
    to writes: inout ImportWrites
  ) {
    // Of a member that has the other of its two forms, both are edited where the one was.
    var changed: [(name: FieldName, value: FieldValue?, over: FieldName)] = []
    for field in item.fields where ground.isKnown || item.means(field) {
      guard let shown = old.member(field.member) else {
        if let value = field.value, old.carried[field.name] != value {
          changed.append((field.name, value, field.name))
        }
        continue
      }
      if field.value == nil {
        if shown.value != nil { changed.append((shown.register, nil, shown.register)) }
      } else if shown.register != field.name {
        // The member had the other of its two forms, `NAME` and `json:NAME`.
        changed.append((field.name, field.value, shown.register))
        if shown.value != nil { changed.append((shown.register, nil, shown.register)) }
      } else if shown.value != field.value {
        changed.append((field.name, field.value, field.name))
      }
    }
    for change in changed.sorted(by: { $0.name < $1.name }) {
      let time = time(of: .field(change.over), of: item, shownAs: old, in: ground)
      writes.add(.field(change.value), to: .field(change.name), of: item.id, at: time)
    }
  }

  /// Items without `sortOrder` that stand as the base has them.
  ///
  /// A tool that drops the numbers moves nothing. Where all such items of a day stand on that day
  /// in the base and in the same order, they are unmoved; else the order of the file counts.
  private func unmovedItems(in view: PlainView) -> Set<ItemID> {
    guard items.contains(where: { $0.place.origin != .given }) else { return [] }
    var places: [ItemID: (index: Int, section: Int64)] = [:]
    for index in view.items.indices {
      places[view.items[index].id] = (index, view.items[index].section)
    }
    var unmoved: Set<ItemID> = []
    var appended: [Int64: [PlainItem]] = [:]
    for item in items {
      switch item.place.origin {
      case .given: continue
      case .anchored:
        let old = places[item.id]
        if let old, old.section == item.place.section,
          hasSameStart(item, old: view.items[old.index])
        {
          unmoved.insert(item.id)
        }
      case .appended: appended[item.place.section, default: []].append(item)
      }
    }
    for (section, day) in appended {
      let indices = day.sorted { $0.place.fileIndex < $1.place.fileIndex }.map { item -> Int? in
        places[item.id].flatMap { $0.section == section ? $0.index : nil }
      }
      let isUnmoved = zip(indices, indices.dropFirst()).allSatisfy { above, below in
        guard let above, let below else { return false }
        return above < below
      }
      if isUnmoved, indices.first != .some(nil) { unmoved.formUnion(day.map { $0.id }) }
    }
    return unmoved
  }

  private func hasSameStart(_ item: PlainItem, old: PlainViewItem) -> Bool {
    let start = item.fields.first { $0.name == .start }
    return start?.value == old.member(FieldName.start.text)?.value
  }
}

extension ImportGround {
  fileprivate func isOnAnotherDay(_ item: PlainItem) -> Bool {
    list[id: item.id]?.section.map { $0 != item.place.section } ?? false
  }

  /// Whether a file says of an item that it was edited after all that the list has of it.
  ///
  /// Files have milliseconds.
  fileprivate func isNewer(_ item: PlainItem) -> Bool {
    let known = list[id: item.id]?.newestTime
    return known.map { $0.milliseconds < item.time.milliseconds } ?? true
  }
}

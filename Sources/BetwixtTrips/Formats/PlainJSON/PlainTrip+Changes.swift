import Betwixt

extension PlainTrip {
  /// What the file says against a base, as writes.
  ///
  /// - Parameters:
  ///   - base: The base.
  ///   - view: The same as a plain file shows it.
  /// - Returns: The writes.
  /// - Complexity: O(*n* log *n*)
  func changes(against base: ReplicatedList, shownAs view: PlainView) -> ImportWrites {
    var writes = ImportWrites()
    let rootTime = PlainTrip.time(root.time, after: view.root.time)
    addFields(of: root, against: view.root, at: rootTime, to: &writes)
    let unmoved = unmovedItems(in: view)
    // By index: items are looked at where they are, and most say what the base says.
    let order = view.items.indices.sorted { view.items[$0].id < view.items[$1].id }
    var (mine, theirs) = (0, 0)
    while mine < items.count || theirs < order.count {
      let id = mine < items.count ? items[mine].id : nil
      let oldID = theirs < order.count ? view.items[order[theirs]].id : nil
      if let id, oldID.map({ id < $0 }) ?? true {
        let known = base[id: id]?.newestTime
        let time = known.map { PlainTrip.time(items[mine].time, after: $0) } ?? items[mine].time
        writes.addNew(items[mine], at: time)
        mine += 1
      } else if id == oldID {
        let old = order[theirs]
        let time = PlainTrip.time(items[mine].time, after: view.items[old].time)
        if !view.items[old].stands(at: items[mine].place), !unmoved.contains(items[mine].id) {
          writes.addPosition(items[mine].id, place: items[mine].place, at: time)
        }
        addFields(of: items[mine], against: view.items[old], at: time, to: &writes)
        mine += 1
        theirs += 1
      } else if let oldID {
        let time = PlainTrip.time(.zero, after: view.items[order[theirs]].time)
        theirs += 1
        let length = base[id: oldID]?.lifeLength ?? 1
        guard length < RegisterValue.longestLife else { continue }
        writes.add(.life(length + 1), to: .life, of: oldID, at: time)
      }
    }
    return writes
  }

  private static func time(_ time: Timestamp, after old: Timestamp) -> Timestamp {
    max(time, old.successor ?? .max)
  }

  private func addFields(
    of item: PlainItem, against old: PlainViewItem, at time: Timestamp,
    to writes: inout ImportWrites
  ) {
    var changed: [(name: FieldName, value: FieldValue?)] = []
    for field in item.fields {
      guard let shown = old.member(field.member) else {
        if let value = field.value, old.carried[field.name] != value {
          changed.append((field.name, value))
        }
        continue
      }
      if field.value == nil {
        if shown.value != nil { changed.append((shown.register, nil)) }
      } else if shown.register != field.name {
        // The member had the other of its two forms, `NAME` and `json:NAME`.
        changed.append((field.name, field.value))
        if shown.value != nil { changed.append((shown.register, nil)) }
      } else if shown.value != field.value {
        changed.append((field.name, field.value))
      }
    }
    guard !changed.isEmpty else { return }
    for change in changed.sorted(by: { $0.name < $1.name }) {
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

extension PlainViewItem {
  fileprivate func stands(at place: PlainPlace) -> Bool {
    section == place.section && number == place.number
  }
}

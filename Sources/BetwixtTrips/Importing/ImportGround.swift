import Betwixt

/// What a file without history is compared with, and the list that takes in what it says otherwise.
///
/// A plain file has numbers for places and one time for each item, cut to what its format has room
/// for. Joined as it is with a list that has history, some of that would win against what it was
/// written from, and some would lose. So only what differs becomes writes, and these are made to fit
/// the list: later than what they were made from, and at places between its keys.
struct ImportGround {
  /// The list that takes the writes in.
  let list: ReplicatedList

  /// What of the list the file was made from, as far as that is known.
  let base: ReplicatedList

  /// What of the base the list takes in beside the edits of it.
  let added: ReplicatedList

  /// The base as a file of this kind shows it.
  var view: PlainView

  /// What of the list was there when the base was made; empty where there is none.
  var past = ListPast()

  /// What the rows of the file are in the base, if it has some without ids.
  var rows: ReturnedRows?

  /// What stays in the list though the file may lack it, as a note.
  var doubts: [(line: Int, text: String)] = []

  /// Whether the file was made from the base; else the base is the list itself, and of what differs
  /// the later write counts.
  let isKnown: Bool

  /// Whether what the view has and the file lacks was removed from it.
  var removesMissing: Bool

  /// Whether nothing is written that the list says already, so that a file can be taken in again.
  ///
  /// In a merge, whose bytes do not depend on what was joined before, each write counts.
  var skipsKnown = false

  /// Whether numbers are places, and not just counted anew in each file.
  let hasPlaceNumbers: Bool

  /// Where the rows of the file come from.
  var origin: RowOrigin { rows.map { .base($0) } ?? (isKnown ? .list : .elsewhere) }
}

// MARK: - What a file was made from

extension TripFile {
  /// What the file is compared with in a list that has history, or in a base that has none.
  ///
  /// - Parameters:
  ///   - base: What it was made from; `nil` where nobody says.
  ///   - list: The list that takes it in; `nil` for the base itself.
  /// - Returns: The ground; `nil` without a base and a list.
  func ground(base: TripFile?, over list: ReplicatedList?) -> ImportGround? {
    guard let base else {
      return list.map { list in
        let (view, _) = shown(list, as: list, isOwnFormat: false)
        return ImportGround(
          list: list, base: list, added: ReplicatedList(id: list.id), view: view, isKnown: false,
          removesMissing: false, hasPlaceNumbers: hasPlaceNumbers)
      }
    }
    let (state, rows, doubts) = returned(to: base, over: list)
    let (view, isExact) = shown(state, as: list ?? state, isOwnFormat: base.format == format)
    let past = base.past(state, of: list)
    let aligned = base.aligned(state, to: list, past: past)
    return ImportGround(
      list: list ?? state, base: aligned, added: base.added(aligned, to: list), view: view,
      past: past, rows: rows, doubts: isExact ? doubts : [], isKnown: true, removesMissing: isExact,
      hasPlaceNumbers: hasPlaceNumbers)
  }

  /// The state that a base stands for, what the rows of the file are in that, and what is doubtful.
  private func returned(
    to base: TripFile, over list: ReplicatedList?
  ) -> (ReplicatedList, ReturnedRows?, doubts: [(line: Int, text: String)]) {
    guard case .foreign(let foreign) = content, hasRowsWithoutID || base.hasRowsWithoutID
    else { return (base.state(for: list, utcOffset: utcOffset), nil, []) }
    func rows(_ state: ReplicatedList, of baseRows: [ForeignItem]) -> ReturnedRows {
      let known = list.map { state.withRoot(of: $0) } ?? state
      let days = foreign.days(
        in: list ?? state, comparedWith: known, countedAs: base.countedDays(as: known, in: list))
      return ReturnedRows(foreign, in: state, of: baseRows, on: days)
    }
    guard case .foreign(let old) = base.content else {
      let state = base.state(for: list, utcOffset: utcOffset)
      return (state, rows(state, of: []), [])
    }
    let alone = old.plain(for: list, from: .itself).list()
    var returned = rows(alone, of: old.items)
    guard list != nil else { return (alone, returned, []) }
    let reading = old.reading(for: list, from: .earlierList(returned))
    returned.rename(reading.names)
    return (reading.plain.list(), returned, reading.notes)
  }

  /// Whether some of its rows are told by their text: of a file that lost its last one, the base's.
  private var hasRowsWithoutID: Bool {
    guard case .foreign(let foreign) = content else { return false }
    return foreign.items.contains { !$0.hasOwnID }
  }

  private var hasPlaceNumbers: Bool {
    if case .plain(let plain) = content { plain.dialect == .trip } else { false }
  }

  /// The base for a calendar, which is compared with it event by event.
  ///
  /// - Parameters:
  ///   - list: The list that takes the calendar in.
  ///   - utcOffset: The clock that the calendar's UTC times are shown by, if somebody said so.
  /// - Returns: The base as the list has it.
  func alignedState(in list: ReplicatedList?, utcOffset: Int? = nil) -> ReplicatedList {
    let state = state(for: list, utcOffset: utcOffset)
    return aligned(state, to: list, past: past(state, of: list))
  }

  /// What of a base a list takes in beside the edits of it.
  ///
  /// A base without history is there to be compared with. What it says of an item that the list knows
  /// is what the list said once, or what its format makes of that, so none of it is an edit. Only items
  /// that the list never knew come in with it, and a first day where the list has none.
  ///
  /// - Parameters:
  ///   - base: The base as the list has it.
  ///   - list: The list; `nil` where only files without history are joined.
  /// - Returns: What is joined with the list.
  func added(_ base: ReplicatedList, to list: ReplicatedList?) -> ReplicatedList {
    guard !hasHistory, let list else { return base }
    var builder = Delta.Builder()
    let root = Set((list[id: .root]?.entries ?? []).map { $0.register })
    for item in base.allItems() where item.id == .root || list[id: item.id] == nil {
      if item.id == .root, root.contains(.field(.startDate)) { continue }
      for entry in item.entries where item.id != .root || !root.contains(entry.register) {
        // Entries of a list are entries.
        try? builder.add(entry)
      }
    }
    var added = ReplicatedList(id: list.id)
    added.merge(builder.build())
    return added
  }

  /// What of a list was there when this base, which stands for a state, was made of it.
  private func past(_ state: ReplicatedList, of list: ReplicatedList?) -> ListPast {
    guard !hasHistory else { return ListPast(of: state) }
    return list.map { ListPast(shownBy: state, of: $0) } ?? ListPast()
  }

  private func aligned(
    _ state: ReplicatedList, to list: ReplicatedList?, past: ListPast
  ) -> ReplicatedList {
    guard !hasHistory, let list else { return state }
    switch content {
    case .plain, .list: return state.aligned(to: list, reading: .all)
    case .calendar(let calendar):
      return state.aligned(to: list, reading: .calendar(CalendarView(calendar)))
    case .foreign(let foreign):
      return state.aligned(
        to: list, reading: .known(reread(list, as: list), past),
        hasIDs: foreign.items.allSatisfy { $0.hasOwnID })
    }
  }

  /// The state that the file stands for, with the identities and the days of a list.
  private func state(for list: ReplicatedList?, utcOffset: Int?) -> ReplicatedList {
    switch content {
    case .foreign(let foreign): foreign.plain(for: list, from: .earlierList(nil)).list()
    case .calendar(let calendar):
      CalendarImport(
        calendar, into: ReplicatedList(id: calendar.listID), seenIn: list,
        utcOffset: self.utcOffset ?? utcOffset
      ).list
    case .list, .plain: self.list()
    }
  }

  /// A state as a file of this one's format shows it, and whether it is known what that leaves out.
  private func shown(
    _ state: ReplicatedList, as list: ReplicatedList, isOwnFormat: Bool
  ) -> (PlainView, isExact: Bool) {
    guard case .foreign = content, !isOwnFormat else { return (PlainView(state), true) }
    return reread(state.withRoot(of: list), as: list).map { (PlainView($0), true) }
      ?? (PlainView(state), false)
  }

  /// What comes back of a state that is written as a file of this one's format; `nil` if it is none
  /// that is written.
  private func reread(_ state: ReplicatedList, as list: ReplicatedList) -> ReplicatedList? {
    guard let bytes = try? state.encoded(as: format).bytes else { return nil }
    var options = ReadingOptions()
    options.format = format
    // By the clock that the file itself was read with.
    options.utcOffset = utcOffset
    guard let file = try? TripFile(decoding: bytes, name: name, options: options),
      case .foreign(let foreign) = file.content
    else { return nil }
    return foreign.reading(for: list, base: state, from: .list).plain.list()
  }
}

/// What of a list a file without history could say, so that a field which it lacks was not there.
private enum FileReach {
  /// Everything.
  case all
  /// What comes back of the list in such a file, `nil` if nobody knows, and what was there by then.
  case known(ReplicatedList?, ListPast)
  /// What the events of a calendar say.
  case calendar(CalendarView)

  /// Whether an entry can have been in the list that the file was made from, though the file does
  /// not say so.
  func leavesOpen(_ entry: Entry, of item: ListItem) -> Bool {
    switch self {
    case .all: false
    // What was written since is no part of the base, be there room for it or not.
    case .known(_, let past) where entry.item != .root && !past.explains(entry): false
    case .known(nil, _): true
    case .known(let shown?, _):
      shown.entry(at: RegisterAddress(entry.item, register: entry.register)) == nil
    case .calendar(let view): view.leavesOpen(entry, of: item)
    }
  }

  /// Whether a register that only the file has is none of the list: the version of an event says how
  /// often the list was edited, and no edit made it.
  func isMade(_ register: Register, of item: ItemID) -> Bool {
    guard case .calendar(let view) = self else { return false }
    return view.isOwn(item)
      && (register == .field(.calendarSequence) || register == .field(.calendarModified))
  }
}

extension ReplicatedList {
  /// The list with what another one says of itself, where this one says nothing: a file that is read
  /// for a list leaves out what that says already, such as that it is one of tasks.
  fileprivate func withRoot(of list: ReplicatedList) -> ReplicatedList {
    let known = Set((self[id: .root]?.entries ?? []).map { $0.register })
    var builder = Delta.Builder()
    for entry in list[id: .root]?.entries ?? [] where !known.contains(entry.register) {
      // Entries of a list are entries.
      try? builder.add(entry)
    }
    var whole = self
    whole.merge(builder.build())
    return whole
  }

  /// What a list holds of a state that one of its earlier states was written out as: its own entries
  /// where it shows the same still, and those of the state where it was changed since.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - reach: What of the list the state could say.
  ///   - hasIDs: Whether what the state was read from has ids.
  /// - Returns: The state as the list has it.
  fileprivate func aligned(
    to list: ReplicatedList, reading reach: FileReach, hasIDs: Bool = true
  ) -> ReplicatedList {
    // Whose position in the list is no later than the state was moved by nobody since.
    // Without times it is as it came, or another file without times has moved it.
    func isNoLater(_ other: Entry, than entry: Entry) -> Bool {
      let (time, own) = (other.stamp.time, entry.stamp.time)
      return own == .zero ? time == own : time.milliseconds <= own.milliseconds
    }
    let places = SamePlaces(self, list) { isNoLater($1, than: $0) }
    var builder = Delta.Builder()
    // What the file did not say of the list itself is as it is.
    if self[id: .root] == nil {
      let root = list[id: .root]
      for entry in root?.entries ?? [] where root.map({ reach.leavesOpen(entry, of: $0) }) ?? false
      {
        try? builder.add(entry)
      }
    }
    for item in allItems() {
      let held = list[id: item.id]
      // Without ids, one that got another text here, or is gone, cannot be told from a new one.
      if held == nil, !hasIDs { continue }
      let mine = item.entries
      var theirs: [Register: Entry] = [:]
      for entry in held?.entries ?? [] { theirs[entry.register] = entry }
      for entry in mine {
        let other = theirs.removeValue(forKey: entry.register)
        let isSame =
          switch entry.register {
          case .life: held?.isVisible == item.isVisible
          // One that was there when the state was written out is what the number stands for.
          case .position:
            places.contains(item.id) || other.map { isNoLater($0, than: entry) } ?? false
          default: other?.value == entry.value
          }
        if held != nil, reach.isMade(entry.register, of: item.id) {
          if let other { try? builder.add(other) }
          continue
        }
        // Entries of a list are entries.
        try? builder.add(isSame ? other ?? entry : entry)
      }
      guard let held else { continue }
      for entry in theirs.values where entry.register != .life {
        if reach.leavesOpen(entry, of: held) { try? builder.add(entry) }
      }
    }
    var aligned = ReplicatedList(id: list.id)
    aligned.merge(builder.build())
    return aligned
  }
}

// MARK: - What a file says

/// What a file says of a list.
struct FileState {
  /// What the list is joined with.
  let writes: ReplicatedList

  /// What the file shows: its own writes, and the list's where it shows the same.
  let shown: ReplicatedList

  /// What the file was made from, as the list has it.
  var base: ReplicatedList?

  /// What an item held that was removed in the list and comes back: nobody misses it.
  private(set) var replaced: Set<Entry> = []

  /// The items that it has anew, but that were removed in the list and may be older: what it says of
  /// them is neither written nor shown.
  private(set) var removedHere: Set<ItemID> = []

  /// The items that it shows; `nil` where the file says that itself.
  var named: Set<ItemID>?

  /// What the file has beyond that, or what is doubtful, with the line where it stands.
  var notes: [(line: Int, text: String)] = []

  /// Whether a list holds what another file without times said otherwise: then this one says something
  /// again.
  ///
  /// - Complexity: O(*n* log *n*)
  func isOutdated(in list: ReplicatedList) -> Bool {
    writes.allItems().contains { item in
      guard let held = list[id: item.id] else { return false }
      var others: [Register: Entry] = [:]
      for entry in held.entries { others[entry.register] = entry }
      return item.entries.contains { entry in
        guard entry.stamp.time == .zero, let other = others[entry.register] else { return false }
        return other.stamp.time.milliseconds == 0 && other.value != entry.value
      }
    }
  }

  init(_ list: ReplicatedList, base: ReplicatedList? = nil) {
    (writes, shown) = (list, list)
    self.base = base
  }

  /// What a calendar says of the list that it was taken into.
  init(_ calendar: CalendarImport, base: ReplicatedList?) {
    (shown, replaced, notes) = (calendar.shown, calendar.replaced, calendar.notes)
    self.base = base
    guard base != nil else {
      writes = calendar.list
      return
    }
    var list = ReplicatedList(id: calendar.list.id)
    list.merge(calendar.writes)
    writes = list
  }

  /// What a plain file says of a list.
  ///
  /// - Parameters:
  ///   - plain: The file.
  ///   - ground: What it is compared with.
  ///   - removedHere: The items of which nothing is taken.
  /// - Complexity: O(*n* log *n*)
  init(_ plain: PlainTrip, over ground: ImportGround, without removedHere: Set<ItemID> = []) {
    self.removedHere = removedHere
    var list = ReplicatedList(id: ground.base.id)
    let changes = plain.changes(against: ground).without(removedHere)
    if ground.isKnown {
      list.merge(changes.delta())
      (shown, base) = (list.merging(ground.base), ground.base)
      list = ground.added
      list.merge((ground.skipsKnown ? changes.without(ground.list) : changes).delta())
      writes = list
    } else {
      list.merge(changes.delta())
      writes = list
      shown = plain.shown(over: ground)
    }
  }
}

extension PlainTrip {
  /// What the file shows in a list that it was not made from, as far as anybody knows: also the places
  /// that are not taken, so that they are named.
  fileprivate func shown(over ground: ImportGround) -> ReplicatedList {
    var shown = ReplicatedList(id: ground.list.id)
    shown.merge(changes(against: ground, takingAllPlaces: true).delta())
    var builder = Delta.Builder()
    for item in list(clearing: FieldName.ofEachList).allItems() {
      let held = ground.list[id: item.id]
      let isHere = held.map { $0.isVisible || item.id == .root } ?? false
      let changed = Set((shown[id: item.id]?.entries ?? []).map { $0.register })
      var others: [Register: Entry] = [:]
      for entry in isHere ? held?.entries ?? [] : [] { others[entry.register] = entry }
      for entry in item.entries where !changed.contains(entry.register) {
        // Entries of a list are entries.
        try? builder.add(others[entry.register] ?? entry)
      }
    }
    shown.merge(builder.build())
    return shown
  }
}

public import Betwixt

/// What comes out when a file is taken into a document.
///
///     let result = try TripImport(file, into: document)
///     result.list    // the document joined with the file
///     result.counts  // added 3, updated 1, unchanged 92, kept removed 1
///
/// An import never removes an item that the file merely lacks, and a removed item stays removed: only
/// an event that the base of a calendar lacks, and that is later than the removal, comes back.
/// Places of a plain file are taken only if it shows another order, and of as few items as that needs.
/// Only an import with a base removes: what the base has and the file has not.
public struct TripImport: Sendable {
  /// What an import did, counted in items.
  public struct Counts: Hashable, Sendable {
    /// Items that the document did not know.
    public var added = 0
    /// Items of which a field or the place is another one now.
    public var updated = 0
    /// Items that are as they were.
    public var unchanged = 0
    /// Items that the document had removed, and that stay so.
    public var keptRemoved = 0
    /// Items that the file removed against its base.
    public var removed = 0
    /// Events of a calendar that were not taken; `nil` for other files.
    public var skipped: Int?

    /// Makes counts.
    public init(
      added: Int = 0, updated: Int = 0, unchanged: Int = 0, keptRemoved: Int = 0,
      removed: Int = 0, skipped: Int? = nil
    ) {
      self.skipped = skipped
      self.added = added
      self.updated = updated
      self.unchanged = unchanged
      self.keptRemoved = keptRemoved
      self.removed = removed
    }
  }

  /// The document with the import.
  public let list: ReplicatedList

  /// What changed.
  public let counts: Counts

  /// One line for each part of the file that was skipped or is doubtful.
  public let notes: [String]

  /// Which writes lost where the file and the document knew nothing of each other; for a calendar
  /// without a base, whose events are compared one by one, only those that a removal hides.
  public let losses: MergeLosses

  /// Takes a file into a document.
  ///
  /// - Parameters:
  ///   - file: What is imported.
  ///   - document: The list to join; without one the imported state itself is the result.
  ///   - base: What the file was made from; only what the file changed against it is imported.
  /// - Throws: `wrong-trip` if the ids differ, or if tasks are to go into a trip or a trip into tasks.
  /// - Complexity: O(*n* log *n*)
  public init(
    _ file: TripFile, into document: ReplicatedList? = nil, base: TripFile? = nil
  ) throws(DocumentFailure) {
    let before =
      document ?? base.flatMap { $0.belongsToNoTrip ? nil : $0.list() }
      ?? ReplicatedList(id: file.listID)
    let name = before[id: .root]?.words(.name)
    try file.check(isTrip: before.id, called: name)
    try base?.check(isTrip: before.id, called: name)
    try file.check(isOfKindOf: before)
    if let base { try TripFile.checkKinds(of: [base, file], joining: before) }
    let history = document ?? base.flatMap { $0.hasHistory ? before : nil }
    var losses = MergeLosses()
    var joined = before
    switch file.content {
    case .calendar(let calendar):
      let baseList = base?.alignedState(in: history, utcOffset: file.utcOffset)
      if let base, let baseList { joined.merge(base.added(baseList, to: history)) }
      let result = CalendarImport(
        calendar, into: joined, base: baseList, utcOffset: file.utcOffset)
      (list, counts) = (result.list, result.counts)
      losses.note(
        result.merged, madeFrom: FileState(result, base: baseList), from: before, in: result.list,
        onlyRemovals: baseList == nil)
      notes = file.words(result.notes) + file.notes(outside: result.list, before: before)
    case .foreign, .list, .plain:
      let state = file.state(joining: joined, base: base, over: history, skippingKnown: true)
      losses.note(
        joined.merge(state.writes), madeFrom: file.hasHistory ? nil : state, from: before,
        in: joined)
      list = joined
      var counts = Counts(
        of: state.shown, naming: state.named ?? file.namedItems, from: before, to: joined)
      counts.keptRemoved += state.removedHere.count
      self.counts = counts
      notes = file.words(state.notes) + file.notes(outside: joined, before: before)
    }
    self.losses = losses
  }
}

extension TripImport.Counts {
  fileprivate init(
    of imported: ReplicatedList, naming named: Set<ItemID>, from before: ReplicatedList,
    to after: ReplicatedList
  ) {
    let places = SamePlaces(before, after)
    for item in imported.allItems() where item.id != .root {
      let old = before[id: item.id]
      let isVisible = after.contains(id: item.id)
      if isVisible, old?.isVisible ?? false {
        let isSame = old?.has(after[id: item.id], inPlace: places.contains(item.id)) ?? false
        if isSame { unchanged += 1 } else { updated += 1 }
      } else if isVisible {
        added += 1
      } else if old?.isVisible ?? false {
        removed += 1
      } else if old != nil, named.contains(item.id) {
        keptRemoved += 1
      }
    }
  }
}

extension MergeLosses {
  /// Takes note of what the merge of a file reported, but for places that are the same, and for what
  /// the file was made from: nobody wrote that again.
  fileprivate mutating func note(
    _ changes: ListChanges, madeFrom state: FileState?, from before: ReplicatedList,
    in result: ReplicatedList, onlyRemovals: Bool = false
  ) {
    guard let state else { return note(changes) }
    let here = SamePlaces(before, result)
    let there = SamePlaces(state.shown, result)
    func isOld(_ entry: Entry) -> Bool {
      state.replaced.contains(entry)
        || state.base?.entry(at: RegisterAddress(entry.item, register: entry.register)) == entry
    }
    let conflicts =
      onlyRemovals
      ? []
      : changes.conflicts.filter { conflict in
        if isOld(conflict.loser) || isOld(conflict.winner) { return false }
        if state.base == nil, conflict.isUpdate { return false }
        return conflict.register != .position
          || !(conflict.lostHere ? here : there).contains(conflict.item)
      }
    let removals = changes.removalConflicts.compactMap { conflict in
      conflict.keepingEdits { !isOld($0) }
    }
    note(conflicts, removalConflicts: removals)
  }
}

extension Conflict {
  /// Whether a file without times replaced what had none either: nobody edited that here.
  fileprivate var isUpdate: Bool {
    lostHere && loser.stamp.time < winner.stamp.time
      && winner.stamp.time.milliseconds == Timestamp.zero.milliseconds
  }
}

extension TripFile {
  /// What the list of the file alone does not have of it, and what is doubtful: one line each.
  ///
  /// `TripImport` and `TripMerge` have those of a file that other copies know more of.
  ///
  /// - Complexity: As ``list()``
  public var notes: [String] {
    switch content {
    case .list, .plain: return []
    case .calendar, .foreign:
      let empty = ReplicatedList(id: listID)
      let state = state(joining: empty, base: nil, over: nil)
      return words(state.notes) + notes(outside: state.shown, before: empty)
    }
  }

  /// Notes as lines that name the file.
  func words(_ notes: [(line: Int, text: String)]) -> [String] {
    notes.map { "\(name):\($0.line): \($0.text)" }
  }

  /// One line if items came in on days that the trip does not have.
  func notes(outside list: ReplicatedList, before: ReplicatedList) -> [String] {
    guard belongsToNoTrip, PlainDialect(of: list) == .trip else { return [] }
    let days = 1...Swift.max(1, Trip(list).dayCount)
    var count = 0
    for item in list where !days.contains(item.section ?? 1) {
      if before[id: item.id]?.section != item.section { count += 1 }
    }
    guard count > 0 else { return [] }
    return [
      "\(name):1: \(count) × a date outside of the days 1 to \(days.upperBound) of the trip: "
        + (days.upperBound < Trip.maximumDayCount
          ? "'betwixt check' names them, and 'set trip days=N' makes room for later ones"
          : "no trip has more; take them into one that begins later")
    ]
  }

  /// The items that the file shows.
  fileprivate var namedItems: Set<ItemID> {
    switch content {
    case .list(let list): Set(list.map { $0.id })
    case .plain(let plain): Set(plain.items.map { $0.id })
    case .calendar(let calendar): Set(calendar.events.map { $0.id })
    case .foreign(let foreign): Set(foreign.items.map { $0.id })
    }
  }
}

extension TripImport.Counts: CustomStringConvertible {
  /// `added A, updated U, unchanged S, kept removed K`, and `removed R` where a base says so; for
  /// a calendar `added A, updated U, unchanged S, removed R, skipped K`.
  public var description: String {
    if let skipped {
      return "added \(added), updated \(updated), unchanged \(unchanged), removed \(removed), "
        + "skipped \(skipped)"
    }
    return "added \(added), updated \(updated), unchanged \(unchanged), kept removed \(keptRemoved)"
      + (removed > 0 ? ", removed \(removed)" : "")
  }
}

extension ListItem {
  /// Whether the registers hold what another one's do; in one place its key may be another.
  fileprivate func has(_ other: ListItem?, inPlace isInPlace: Bool) -> Bool {
    guard var theirs = other?.values else { return false }
    var mine = values
    if isInPlace {
      mine[.position] = nil
      theirs[.position] = nil
    }
    return mine == theirs
  }

  /// What the registers hold, whoever wrote it and whenever.
  var values: [Register: RegisterValue] {
    Dictionary(uniqueKeysWithValues: entries.map { ($0.register, $0.value) })
  }
}

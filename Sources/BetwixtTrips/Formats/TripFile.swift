public import Betwixt

/// One file, read completely and checked.
///
///     let phone = try TripFile(decoding: bytes, name: "phone.json")
///     phone.format   // .json
///     phone.list()   // the state that it stands for
///     phone.notes    // what that leaves out, or is doubtful
public struct TripFile: Sendable {
  /// What a file holds.
  public enum Content: Sendable {
    /// A list with its history.
    case list(ReplicatedList)
    /// One state without history.
    case plain(PlainTrip)
    /// Events of a calendar.
    case calendar(CalendarFile)
    /// What another program wrote.
    case foreign(ForeignFile)
  }

  /// The name that the caller gave the file; errors and reports use it.
  public var name: String

  /// The format that was recognised.
  public let format: DocumentFormat

  /// What it holds.
  public let content: Content

  /// Where it names its trip.
  let idPlace: DocumentFailure.Place

  /// The minutes that the clock for a file's UTC times is ahead of UTC.
  let utcOffset: Int?

  /// Whether it knows of each value when it was written, and has keys for places: a plain file has
  /// one time and a number.
  var hasHistory: Bool { if case .list = content { true } else { false } }

  /// The zones of its own that it speaks of; `nil` for one that keeps those in its list.
  var zones: CalendarZones? {
    switch content {
    case .calendar(let calendar): calendar.zones
    case .foreign(let foreign): foreign.zones
    case .list, .plain: nil
    }
  }

  /// The calendar, if it holds one.
  var calendar: CalendarFile? {
    if case .calendar(let calendar) = content { calendar } else { nil }
  }

  init(
    name: String, format: DocumentFormat, content: Content, idPlace: DocumentFailure.Place,
    utcOffset: Int?
  ) {
    self.name = name
    self.format = format
    self.content = content
    self.idPlace = idPlace
    self.utcOffset = utcOffset
  }

  /// Takes a list that the caller has decoded.
  public init(list: ReplicatedList, name: String, format: DocumentFormat = .trip) {
    self.init(
      name: name, format: format, content: .list(list), idPlace: .binary(offset: 0),
      utcOffset: nil)
  }

  /// The trip that the file belongs to.
  public var listID: ListID {
    switch content {
    case .list(let list): list.id
    case .plain(let plain): plain.listID
    case .calendar(let calendar): calendar.listID
    case .foreign(let foreign): foreign.listID
    }
  }

  /// The list that the file stands for.
  ///
  /// - Complexity: O(*n* log *n*) for a file without history
  public func list() -> ReplicatedList {
    switch content {
    case .list(let list): list
    case .plain(let plain): plain.list()
    case .calendar(let calendar):
      CalendarImport(calendar, into: ReplicatedList(id: calendar.listID), utcOffset: utcOffset).list
    case .foreign(let foreign): foreign.plain(for: nil).list()
    }
  }

  /// What the file says of a list.
  ///
  /// - Parameters:
  ///   - list: The list that takes it in.
  ///   - base: What it was made from; `nil` where nobody says.
  ///   - history: The list again, if it has history: then its keys and times count.
  ///   - zones: The zones that are known; `nil` for those of the list.
  ///   - names: What the file may clear of the list without history or a base, as others say it.
  ///   - skipsKnown: Whether nothing is written that the list says already.
  /// - Returns: What it says.
  func state(
    joining list: ReplicatedList, base: TripFile?, over history: ReplicatedList?,
    zones: KnownZones? = nil, clearing names: Set<FieldName> = [],
    skippingKnown skipsKnown: Bool = false
  ) -> FileState {
    // What was taken in as it stands is taken in the same way again.
    if let history, calendar == nil {
      let alone = state(joining: list, base: base, over: nil, zones: zones)
      let isOutdated = skipsKnown && base == nil && alone.isOutdated(in: history)
      if history.version.covers(alone.writes.version), !isOutdated { return alone }
    }
    switch content {
    case .list(let mine): return FileState(mine)
    case .plain(let plain):
      guard var ground = ground(base: base, over: history) else {
        return FileState(plain.list(clearing: names))
      }
      ground.skipsKnown = skipsKnown
      return FileState(plain, over: ground)
    case .calendar(let calendar):
      let aligned = base.map { $0.alignedState(in: history, utcOffset: utcOffset) }
      var joined = list
      if let base, let aligned { joined.merge(base.added(aligned, to: history)) }
      return FileState(
        CalendarImport(
          calendar, into: joined, base: aligned, heldIn: history, utcOffset: utcOffset,
          zones: zones),
        base: aligned)
    case .foreign(let foreign):
      var state: FileState
      var doubts: [(line: Int, text: String)] = []
      var holder = list
      if var ground = ground(base: base, over: history) {
        ground.skipsKnown = skipsKnown
        let isRemoving = ground.removesMissing
        holder = ground.base
        ground.leave(foreign)
        let (plain, unsure, removedHere, _) = foreign.reading(
          for: ground.list, base: ground.base,
          countedAs: base?.countedDays(as: ground.base, in: history), isBaseKnown: ground.isKnown,
          from: ground.origin, past: ground.past, zones: zones)
        state = FileState(plain, over: ground, without: removedHere)
        doubts = unsure + ground.doubts
        let named = Set(plain.items.map { $0.id })
        state.named = named
        let keptCount = ground.view.items.count { item in
          !named.contains(item.id)
            && ![ground.list, list].contains { $0[id: item.id]?.isRemoved ?? false }
        }
        if isRemoving, !ground.removesMissing, keptCount > 0 {
          let words = "\(keptCount) × missing item stays: what could not be read has no id"
          state.notes.append((1, words))
        }
      } else {
        state = FileState(foreign.plain(for: list, zones: zones).list())
      }
      let known = zones ?? KnownZones(of: history ?? list)
      let held = foreign.holdingZones(of: holder, besides: known) ?? foreign
      let notes = foreign.notes + held.zoneNotes(in: known) + doubts
      state.notes = notes.sorted { $0.line < $1.line } + state.notes
      return state
    }
  }

  /// What kind of list the file is; `nil` for one that may become either.
  private var dialect: PlainDialect? {
    switch content {
    case .list(let list): PlainDialect(ifKnownOf: list)
    case .plain(let plain): plain.dialect
    case .calendar(let calendar): calendar.events.isEmpty && calendar.skips.isEmpty ? nil : .trip
    case .foreign(let foreign): foreign.dialect
    }
  }

  /// Refuses the file if it holds tasks and the list is a trip, or the other way around.
  ///
  /// A list stays what it is: the day of a trip is no date, and the date of a task no day.
  ///
  /// - Parameter list: The list that takes the file in; nobody knows of an empty one what it will be.
  /// - Throws: `wrong-trip`.
  func check(isOfKindOf list: ReplicatedList) throws(DocumentFailure) {
    try check(isOfKind: PlainDialect(ifKnownOf: list))
  }

  /// Refuses the file if it is of another kind than those that it is joined with.
  ///
  /// - Parameters:
  ///   - files: Files of one list.
  ///   - histories: What is joined of those with history; they stay what they became together.
  /// - Throws: `wrong-trip`.
  static func checkKinds(
    of files: [TripFile], joining histories: ReplicatedList
  ) throws(DocumentFailure) {
    var kind = PlainDialect(ifKnownOf: histories)
    for file in files where !file.hasHistory {
      try file.check(isOfKind: kind)
      kind = kind ?? file.dialect
    }
  }

  private func check(isOfKind kind: PlainDialect?) throws(DocumentFailure) {
    guard !hasHistory, let kind, let dialect, dialect != kind else { return }
    let words =
      kind == .trip
      ? "this holds tasks, and the list is a trip"
      : "this holds a trip, and the list is one of tasks"
    throw DocumentFailure(
      file: name, place: idPlace, reason: .wrongTrip, text: words + ": make a list of its own of it"
    )
  }

  /// How the days of the file, which is a base, are those of a list; `nil` where nobody knows.
  ///
  /// - Parameters:
  ///   - state: What the list makes of the base.
  ///   - list: The list; `nil` for the base itself.
  /// - Returns: The days.
  func countedDays(as state: ReplicatedList, in list: ReplicatedList?) -> CountedDays? {
    if case .foreign(let foreign) = content {
      if foreign.countedStart != nil {
        return foreign.days(in: list, comparedWith: list, countedAs: nil)
      }
      // Rows that count from different dates say nothing of the days of a trip.
      if foreign.items.contains(where: { $0.countedStart != nil }) { return nil }
    }
    return Trip(state).startDate.map { CountedDays(counted: $0) }
  }

  /// Whether the file was not exported from a trip, so that each trip can take it in.
  var belongsToNoTrip: Bool {
    switch content {
    case .calendar(let calendar): calendar.tripID == nil
    case .foreign(let foreign): foreign.ownID == nil
    case .list, .plain: false
    }
  }

  /// What the file calls its list.
  var listName: String? {
    switch content {
    case .list(let list): list[id: .root]?.words(.name)
    case .plain(let plain): plain.root.fields.first { $0.name == .name }?.value?.string
    case .foreign(let foreign): foreign.name
    case .calendar: nil
    }
  }

  /// Refuses the file if it belongs to another trip; one of another program belongs to none.
  ///
  /// - Parameters:
  ///   - id: The trip that is meant.
  ///   - tripName: What that is called, for the error.
  /// - Throws: `wrong-trip`.
  public func check(isTrip id: ListID, called tripName: String? = nil) throws(DocumentFailure) {
    guard listID != id, !belongsToNoTrip else { return }
    func label(_ id: ListID, _ name: String?) -> String {
      name.map { "“\($0.excerpt)” (\(id.uuid))" } ?? id.uuid
    }
    throw DocumentFailure(
      file: name, place: idPlace, reason: .wrongTrip,
      text: "this is trip \(label(listID, listName)), not \(label(id, tripName)): "
        + "only copies of one trip are joined; its items can be taken over as CSV")
  }
}

extension ImportGround {
  /// Leaves alone what a file could not read: nobody took it out.
  fileprivate mutating func leave(_ file: ForeignFile) {
    guard file.hasUnknownSkips || !file.skippedIDs.isEmpty else { return }
    if file.hasUnknownSkips { removesMissing = false }
    // One that could be read as well is in the file.
    view.leave(file.skippedIDs.subtracting(file.items.map { $0.id }))
  }
}

import Betwixt

/// A document joined with a calendar.
struct CalendarImport {
  private(set) var list: ReplicatedList
  private(set) var counts = TripImport.Counts(skipped: 0)

  /// What the calendar shows: of one with a base the base and what it changed, else the list.
  private(set) var shown: ReplicatedList

  /// What the calendar writes.
  private(set) var writes = Delta.Builder().build()

  /// What the merge of the calendar's edits told.
  private(set) var merged = ListChanges()

  /// What events that came back, or were cancelled, had here as their calendar said it before.
  private(set) var replaced: Set<Entry> = []

  /// One for each event that is skipped or doubtful, with the line where it begins.
  private(set) var notes: [(line: Int, text: String)]

  private var clock: CalendarClock
  // The zone that what is compared was shown in.
  private var zone: ShownZone?
  private let exportedStartDate: CivilDate?
  private let firstDay: FirstDay
  // The items that the calendar carries, as they were exported.
  private let exported: ReplicatedList
  // What the calendar was made from, if that is known.
  private let base: ReplicatedList?
  private let baseStartDate: CivilDate?
  // The list that knows how the events were shown when they were taken in.
  private let seen: ReplicatedList?
  private var changes: [Change] = []
  private var missing = MissingProperties()
  private var lastNumbers: [Int64: Double] = [:]

  /// What one event writes.
  private struct Change {
    let id: ItemID
    var time: Timestamp
    var life: UInt64?
    var place: PlainPlace?
    /// What it writes beside what ``new`` says.
    var fields: [FieldName: FieldValue?] = [:]
    /// Which event is new here; its fields are made when they are written, because a calendar may
    /// have a hundred thousand of them.
    var new: New?
  }

  /// An event that is new here, by its place in the file.
  private enum New {
    /// Exported from a trip, with or without a version.
    case own(Int, hasVersion: Bool)
    /// Of another calendar, and where the trip shows its start.
    case foreign(Int, shownAt: CalendarTime)
  }

  /// Takes a calendar into a document.
  ///
  /// - Parameters:
  ///   - file: The calendar.
  ///   - document: The document; an empty list makes a new one.
  ///   - base: What the calendar was made from; what it lacks of that is removed.
  ///   - seen: The list that the calendar is a base for: its first day counts for one that belongs to
  ///     no trip, and it shows events at the times that it has them at.
  ///   - holder: The list whose events keep the zones that they have; `nil` for the document.
  ///   - utcOffset: The minutes that the clock for UTC times is ahead of UTC.
  ///   - zones: The zones that are known; `nil` for those of the list or the document.
  /// - Complexity: O(*n* log *n*)
  init(
    _ file: CalendarFile, into document: ReplicatedList, base: ReplicatedList? = nil,
    seenIn seen: ReplicatedList? = nil, heldIn holder: ReplicatedList? = nil,
    utcOffset: Int? = nil, zones: KnownZones? = nil
  ) {
    let knownZones = zones ?? KnownZones(of: seen ?? document)
    let file = file.known(in: [base, seen ?? holder ?? document], besides: knownZones)
    list = document
    shown = document
    self.seen = seen
    self.base = base
    baseStartDate = base.flatMap { Trip($0).startDate }
    zone = ShownZone(of: base ?? document)
    firstDay = FirstDay(of: document)
    let seenStart = file.tripID == nil ? seen.flatMap { Trip($0).startDate } : nil
    let documentStart = Trip(document).startDate ?? seenStart
    exportedStartDate = file.exportedStartDate ?? documentStart
    clock = CalendarClock(
      startDate: documentStart ?? file.startDate(utcOffset: utcOffset), utcOffset: utcOffset,
      zoneName: file.zoneName, zones: file.zones)
    exported = file.exportedItems
    notes = file.skips.map { ($0.line, "skipped: \($0.text)") }
    counts.skipped = file.skips.count
    for (index, event) in file.events.enumerated() { take(event, at: index) }
    if let base { removeMissing(from: file, base: base) }
    if let words = file.otherWords { notes.append((1, words)) }
    notes += file.lostNotes
    if clock.unresolvedCount > 0 { notes.append((1, unresolvedWords)) }
    notes += file.zoneNotes(in: knownZones)
    notes += missing.notes
    notes.sort { $0.line < $1.line }
    let root = file.rootFields(missingIn: document, clock: clock, zones: knownZones)
    changes.sort { $0.id < $1.id }
    writes = delta(of: file, root: root)
    merged = list.merge(writes)
    shown = list
    if var base {
      base.merge(writes)
      shown = base
    }
    // Of two edits of one thing the later one counts, which may be the document's.
    for change in changes where change.life == nil && change.new == nil {
      guard document[id: change.id]?.isVisible ?? false else { continue }
      if list[id: change.id]?.values == document[id: change.id]?.values {
        counts.updated -= 1
        counts.unchanged += 1
      }
    }
  }

  private var unresolvedWords: String {
    let zone = clock.zoneName.map { ", and the clock of \($0.excerpt) is not known" } ?? ""
    return "\(clock.unresolvedCount) × a time of UTC is shown as it stands\(zone): "
      + "--utc-offset ±HH:MM says which clock to show"
  }

  private func delta(of file: CalendarFile, root: [(FieldName, FieldValue)]) -> Delta {
    ImportWrites.delta { take in
      func write(_ id: ItemID, register: Register, value: RegisterValue, at time: Timestamp) {
        take(ImportWrites.Write(item: id, register: register, value: value, time: time))
      }
      for (name, value) in root {
        write(.root, register: .field(name), value: .field(value), at: .zero)
      }
      for change in changes {
        if let life = change.life {
          write(change.id, register: .life, value: .life(life), at: change.time)
        }
        if let place = change.place?.value(of: change.id) {
          write(change.id, register: .position, value: place, at: change.time)
        }
        for (name, value) in fields(of: change, file: file) {
          write(change.id, register: .field(name), value: .field(value), at: change.time)
        }
      }
    }
  }

  /// The fields that a change writes, rising by name.
  private func fields(
    of change: Change, file: CalendarFile
  ) -> [(name: FieldName, value: FieldValue?)] {
    var fields: [(name: FieldName, value: FieldValue?)] = []
    switch change.new {
    case .foreign(let index, let shown)?:
      let event = file.events[index]
      fields = event.foreignFields
      for (name, value) in event.content.timeFields(shownAt: shown) {
        if let value { fields.append((name, value)) }
      }
    case .own(let index, let hasVersion)?:
      let event = file.events[index]
      for field in event.own?.fields ?? [] { fields.append((field.name, field.value)) }
      if hasVersion { fields.replace(event.versionFields) }
    case nil: break
    }
    fields.replace(change.fields.map { ($0.key, $0.value) })
    // Places are moved about more easily than fields.
    return fields.indices.sorted { fields[$0].name < fields[$1].name }.map { fields[$0] }
  }
}

extension [FieldName: FieldValue?] {
  /// Takes fields in; of two of one name the new one counts.
  fileprivate mutating func take(_ others: [(name: FieldName, value: FieldValue?)]) {
    for other in others { self[other.name] = .some(other.value) }
  }
}

extension [(name: FieldName, value: FieldValue?)] {
  /// Takes fields in; of two of one name the new one counts.
  fileprivate mutating func replace(_ others: [(name: FieldName, value: FieldValue?)]) {
    for other in others {
      if let index = firstIndex(where: { $0.name == other.name }) {
        self[index].value = other.value
      } else {
        append(other)
      }
    }
  }
}

extension CalendarImport {
  private mutating func take(_ event: CalendarEvent, at index: Int) {
    let known = list[id: event.id]
    let old = base?[id: event.id].flatMap { $0.isVisible ? $0 : nil }
    if event.isCancelled {
      cancel(event, known: known)
    } else if let known, let old, known.isVisible || known.isRemoved {
      update(event, known: known, against: old)
    } else if let known, known.isVisible {
      update(event, known: known)
    } else if let known, known.isRemoved {
      if base != nil, event.isBack(after: known) {
        bringBack(event, known: known, at: index)
      } else {
        skip(event, removed: known)
      }
    } else if let own = event.own {
      add(event, own: own, at: index)
    } else {
      addForeign(event, at: index)
    }
  }

  private mutating func skip(_ event: CalendarEvent, _ text: String) {
    counts.skipped = (counts.skipped ?? 0) + 1
    notes.append((event.line, "skipped: \(text)"))
  }

  private mutating func skip(_ event: CalendarEvent, removed item: ListItem) {
    skip(event, "“\(item.summary.excerpt)” was removed here; 'betwixt restore' brings it back")
  }

  private mutating func bringBack(_ event: CalendarEvent, known: ListItem, at index: Int) {
    let count = changes.count
    if let own = event.own {
      add(event, own: own, at: index)
    } else {
      addForeign(event, at: index)
    }
    guard count < changes.count else { return }
    let after = (known.newestTime ?? .zero).successor ?? .max
    changes[count].time = max(event.time, after)
    changes[count].life = known.lifeLength + 1
    let imported = CalendarPair.importTime(of: known)
    for entry in known.entries where entry.register != .life && entry.stamp.time <= imported {
      replaced.insert(entry)
    }
  }

  private mutating func note(_ event: CalendarEvent, doubts: [String]) {
    for doubt in doubts { notes.append((event.line, doubt)) }
  }

  private func pair(of item: ListItem) -> CalendarPair {
    CalendarPair(foreign: item, firstDay: firstDay) ?? CalendarPair(item, firstDay: firstDay)
  }

  // A greater sequence can come without a later time; it counts all the same.
  private func time(of event: CalendarEvent, after item: ListItem) -> Timestamp {
    if pair(of: item).modified < event.pair.modified { return event.time }
    return (item.newestTime ?? .zero).successor ?? .max
  }

  private mutating func cancel(_ event: CalendarEvent, known: ListItem?) {
    guard let known, known.isVisible else {
      if known?.isRemoved ?? false {
        counts.unchanged += 1
      } else {
        skip(event, "it is cancelled and not known here")
      }
      return
    }
    let isExhausted = known.lifeLength >= RegisterValue.longestLife
    guard base != nil || isCancelled(known, by: event), !isExhausted else {
      skip(event, "it is cancelled, but newer here")
      return
    }
    changes.append(
      Change(id: event.id, time: time(of: event, after: known), life: known.lifeLength + 1))
    counts.removed += 1
    if base == nil { noteSaid(known) }
  }

  /// Whether a calendar calls off what it said of an item, whatever was written about that here; what
  /// was brought back here since is not called off again.
  private func isCancelled(_ known: ListItem, by event: CalendarEvent) -> Bool {
    guard known.isForeign else { return pair(of: known) < event.pair }
    let life = known.entries.first { $0.register == .life }?.stamp.time ?? .zero
    let isRestored = known.lifeLength > 1 && CalendarPair.importTime(of: known) < life
    return CalendarPair.imported(by: known) <= event.pair && !(isRestored && event.time < life)
  }

  /// Takes note of what the calendar itself has said of an item, so that only what was written here is
  /// missed where it removes that.
  private mutating func noteSaid(_ known: ListItem) {
    let imported = CalendarPair.importTime(of: known)
    let sent = exported[id: known.id]
    let said = sent?.values ?? [:]
    for entry in known.entries where entry.register != .life {
      let isSame =
        entry.register == .position
        ? sent?.section == known.section : said[entry.register] == entry.value
      if isSame || known.isForeign && entry.stamp.time <= imported { replaced.insert(entry) }
    }
  }

  /// Takes what the event says otherwise than the base, whichever version it claims to be.
  private mutating func update(
    _ event: CalendarEvent, known: ListItem, against old: ListItem
  ) {
    var edits = CalendarEdits(
      event.content, against: old, startDate: baseStartDate, known: old,
      zone: &zone, clock: &clock)
    missing.note(edits.missing, line: event.line)
    note(event, doubts: edits.doubts)
    edits.dropKnown(by: old)
    let isEdited = !edits.isEmpty
    // What was taken in before is not written again, and neither is what somebody wrote here alike.
    edits.dropKnown(by: known)
    let version = CalendarPair.imported(by: known)
    let isNewVersion = isEdited && old.isForeign && version < event.pair
    guard !edits.isEmpty || isNewVersion else {
      counts.unchanged += 1
      return
    }
    let after = old.newestTime(withVersion: version != event.pair).successor ?? .max
    var change = Change(id: event.id, time: max(event.time, after))
    change.fields = edits.fields
    if old.isForeign { change.fields.take(event.versionFields) }
    change.place = place(edits)
    changes.append(change)
    // What was removed here stays so, and the merge tells the edit that is lost.
    if known.isRemoved { return skip(event, removed: known) }
    counts.updated += 1
    note(event, doubts: event.doubts)
  }

  private mutating func update(_ event: CalendarEvent, known: ListItem) {
    let old = pair(of: known)
    let isOwn = event.own != nil
    let exported = isOwn ? exported[id: event.id] : nil
    var edits = CalendarEdits(
      event.content, against: exported ?? known,
      startDate: exported == nil ? clock.startDate : exportedStartDate, known: known,
      zone: &zone, clock: &clock)
    // Without a base nobody knows whether a calendar of others ever said it.
    if isOwn { missing.note(edits.missing, line: event.line) }
    note(event, doubts: edits.doubts)
    // What the calendar says as it was told is nobody's edit.
    if let exported { edits.dropKnown(by: exported) }
    edits.dropKnown(by: known)
    let isForeign = !isOwn && known.isForeign
    let version = isForeign ? CalendarPair.imported(by: known) : old
    guard version < event.pair || isOwn && event.pair != old else {
      return leave(event, known: known, edits: edits)
    }
    // Edited there and here: of each field the later edit counts.
    if isForeign {
      edits.drop(
        writtenAfter: event.time, in: known, since: CalendarPair.importTime(of: known))
    } else if event.pair < old || event.pair.modified < old.modified {
      edits.drop(writtenAfter: event.time, in: known, since: .zero)
      guard !edits.isEmpty else {
        return leave(event, known: known, edits: edits, isOlder: !isUnedited(event))
      }
    }
    var change = Change(id: event.id, time: event.time)
    change.fields = edits.fields
    if isForeign { change.fields.take(event.versionFields) }
    change.place = place(edits)
    guard change.place != nil || !change.fields.isEmpty else {
      counts.unchanged += 1
      return
    }
    change.time = max(event.time, time(of: change, over: known))
    changes.append(change)
    counts.updated += 1
    note(event, doubts: event.doubts)
  }

  /// The first time at which a change counts where it writes, for a greater sequence can come without a
  /// later time.
  ///
  /// No later: what is written here in other places stays later than what the calendar said.
  private func time(of change: Change, over known: ListItem) -> Timestamp {
    var newest = Timestamp.zero
    for entry in known.entries {
      let isWritten =
        switch entry.register {
        case .position: change.place != nil
        case .field(let name): change.fields[name] != nil
        default: false
        }
      if isWritten { newest = max(newest, entry.stamp.time) }
    }
    return newest.successor ?? .max
  }

  /// Whether an event of ours is as it was exported.
  private mutating func isUnedited(_ event: CalendarEvent) -> Bool {
    guard let item = exported[id: event.id], let known = list[id: event.id] else { return true }
    var edits = CalendarEdits(
      event.content, against: item, startDate: exportedStartDate, known: known,
      zone: &zone, clock: &clock)
    edits.dropKnown(by: known)
    return edits.isEmpty
  }

  /// Counts an event of which nothing is taken.
  private mutating func leave(
    _ event: CalendarEvent, known: ListItem, edits: CalendarEdits, isOlder: Bool? = nil
  ) {
    let old = pair(of: known)
    let isForeign = event.own == nil && known.isForeign
    let isImported = isForeign && event.pair == CalendarPair.imported(by: known)
    if !isImported, isOlder ?? (!edits.isEmpty && event.pair < old) {
      skip(event, "it is newer here")
      return
    }
    counts.unchanged += 1
    if !edits.isEmpty, !isForeign {
      note(event, doubts: ["edited without a new SEQUENCE or LAST-MODIFIED, so nothing was taken"])
    }
  }

  private mutating func add(_ event: CalendarEvent, own: PlainItem, at index: Int) {
    var change = Change(id: event.id, time: event.time, life: 1, place: own.place)
    // What is written here from now on makes a greater sequence than the calendar has.
    let hasVersion = event.pair.sequence > 0 || own.fields.contains { $0.name == .calendarUID }
    change.new = .own(index, hasVersion: hasVersion)
    if let item = exported[id: event.id] {
      let edits = CalendarEdits(
        event.content, against: item, startDate: exportedStartDate, known: item,
        zone: &zone, clock: &clock)
      missing.note(edits.missing, line: event.line)
      change.fields = edits.fields
      change.place = place(edits) ?? own.place
      note(event, doubts: event.doubts + edits.doubts)
    }
    append(change)
  }

  private mutating func addForeign(_ event: CalendarEvent, at index: Int) {
    guard let shown = event.content.start.map({ shownTime($0, of: event.id) }),
      let day = clock.day(of: shown.date)
    else {
      skip(event, "it has no day")
      return
    }
    let number = shown.clock.map { Double(100 + $0.minuteOfDay) } ?? -1
    var change = Change(id: event.id, time: event.time, life: 1)
    change.place = PlainPlace(section: day, number: number, origin: .given, fileIndex: 0)
    change.new = .foreign(index, shownAt: shown)
    append(change)
    let doubt = event.content.point == nil ? event.content.pointDoubt : nil
    note(event, doubts: event.doubts + [doubt].compactMap { $0 })
  }

  /// Where the trip shows a start: as a list has it that took in the same line before.
  private mutating func shownTime(_ start: CalendarTimeLine, of id: ItemID) -> CalendarTime {
    guard let kept = KeptTime(seen?[id: id]?[KeptProperty.start]),
      kept.remainder.hasSameBytes(as: start.remainder)
    else { return clock.shown(start.time) }
    return kept.shown
  }

  private mutating func append(_ change: Change) {
    if let place = change.place {
      lastNumbers[place.section] = Swift.max(last(of: place.section) ?? place.number, place.number)
    }
    changes.append(change)
    counts.added += 1
  }

  private func last(of section: Int64) -> Double? {
    lastNumbers[section]
      ?? list.lastID(inSection: section).flatMap { list[id: $0]?.key?.approximateSortOrder }
  }

  private mutating func place(_ edits: CalendarEdits) -> PlainPlace? {
    guard let day = edits.day else { return nil }
    let number = edits.number ?? PlainPlacer.number(below: last(of: day))
    lastNumbers[day] = Swift.max(last(of: day) ?? number, number)
    return PlainPlace(section: day, number: number, origin: .given, fileIndex: 0)
  }

  /// Removes what the base had as an event and the calendar has not.
  private mutating func removeMissing(from file: CalendarFile, base: ReplicatedList) {
    var present = file.skippedIDs
    for event in file.events { present.insert(event.id) }
    for item in base where !present.contains(item.id) {
      let content = CalendarContent(item, startDate: baseStartDate, zone: &zone)
      guard content.start != nil else { continue }
      guard item.lifeLength < RegisterValue.longestLife else { continue }
      let removed = item.lifeLength + 1
      let held = list[id: item.id]
      let isGone = held.map { $0.isRemoved && $0.lifeLength >= removed } ?? false
      guard !isGone else { continue }
      let time = (item.newestTime ?? .zero).successor ?? .max
      changes.append(Change(id: item.id, time: time, life: removed))
      if held?.isVisible ?? false { counts.removed += 1 }
    }
  }
}

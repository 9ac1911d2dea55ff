import Betwixt

/// A document joined with a calendar.
struct CalendarImport {
  private(set) var list: ReplicatedList
  private(set) var counts = TripImport.Counts(skipped: 0)

  /// One for each event that is skipped or doubtful, with the line where it begins.
  private(set) var notes: [(line: Int, text: String)]

  private let clock: CalendarClock
  private let exportedStartDate: CivilDate?
  private let startDateTime: Timestamp
  // The items that the calendar carries, as they were exported.
  private let exported: ReplicatedList
  private var changes: [Change] = []
  private var lastNumbers: [Int64: Double] = [:]

  /// What one event writes.
  private struct Change {
    let id: ItemID
    let time: Timestamp
    var life: UInt32?
    var place: PlainPlace?
    var fields: [FieldName: FieldValue?] = [:]
  }

  /// Takes a calendar into a document.
  ///
  /// - Parameters:
  ///   - file: The calendar.
  ///   - document: The document; an empty list makes a new one.
  ///   - utcOffset: The minutes that the clock for UTC times is ahead of UTC.
  /// - Complexity: O(*n* log *n*)
  init(_ file: CalendarFile, into document: ReplicatedList, utcOffset: Int? = nil) {
    list = document
    startDateTime = document.startDateTime
    let documentStart = Trip(document).startDate
    exportedStartDate = file.exportedStartDate ?? documentStart
    clock = CalendarClock(
      startDate: documentStart ?? file.startDate(utcOffset: utcOffset), utcOffset: utcOffset)
    exported = file.exportedItems
    notes = file.skips.map { ($0.line, "skipped: \($0.text)") }
    counts.skipped = file.skips.count
    for event in file.events { take(event) }
    if file.foreignComponentCount > 0 {
      notes.append((1, "\(file.foreignComponentCount) components that are no events were skipped"))
    }
    notes.sort { $0.line < $1.line }
    list.merge(writes(root: file.rootFields(missingIn: document, clock)).delta())
  }

  private func writes(root: [(FieldName, FieldValue)]) -> ImportWrites {
    var writes = ImportWrites()
    for (name, value) in root { writes.add(.root, .field(name), .field(value), at: .zero) }
    for change in changes.sorted(by: { $0.id < $1.id }) {
      if let life = change.life { writes.add(change.id, .life, .life(life), at: change.time) }
      if let place = change.place { writes.addPosition(change.id, place, at: change.time) }
      for (name, value) in change.fields.sorted(by: { $0.key < $1.key }) {
        writes.add(change.id, .field(name), .field(value), at: change.time)
      }
    }
    return writes
  }
}

extension CalendarImport {
  private mutating func take(_ event: CalendarEvent) {
    let known = list[id: event.id]
    if event.isCancelled {
      cancel(event, known)
    } else if let known, known.isVisible {
      update(event, known)
    } else if known?.isRemoved ?? false {
      skip(event, "it was removed here")
    } else if let own = event.own {
      add(event, own)
    } else {
      addForeign(event)
    }
  }

  private mutating func skip(_ event: CalendarEvent, _ text: String) {
    counts.skipped = (counts.skipped ?? 0) + 1
    notes.append((event.line, "skipped: \(text)"))
  }

  private mutating func note(_ event: CalendarEvent, _ doubts: [String]) {
    for doubt in doubts { notes.append((event.line, doubt)) }
  }

  private func pair(of item: ListItem) -> CalendarPair {
    CalendarPair(foreign: item) ?? CalendarPair(item, startDateTime: startDateTime)
  }

  // A greater sequence can come without a later time; it counts all the same.
  private func time(of event: CalendarEvent, after item: ListItem) -> Timestamp {
    if pair(of: item).modified < event.pair.modified { return event.time }
    return (item.newestTime ?? .zero).successor ?? .max
  }

  private mutating func cancel(_ event: CalendarEvent, _ known: ListItem?) {
    guard let known, known.isVisible else {
      if known?.isRemoved ?? false {
        counts.unchanged += 1
      } else {
        skip(event, "it is cancelled and not known here")
      }
      return
    }
    let (removed, isExhausted) = known.lifeLength.addingReportingOverflow(1)
    guard pair(of: known) < event.pair, !isExhausted else {
      skip(event, "it is cancelled, but newer here")
      return
    }
    changes.append(Change(id: event.id, time: time(of: event, after: known), life: removed))
    counts.removed += 1
  }

  private mutating func update(_ event: CalendarEvent, _ known: ListItem) {
    let old = pair(of: known)
    let base = event.own == nil ? nil : exported[id: event.id]
    var edits = CalendarEdits(
      event.content, against: base ?? known,
      startDate: base == nil ? clock.startDate : exportedStartDate, clock)
    edits.dropKnown(by: known)
    let isForeign = event.own == nil && CalendarPair(foreign: known) != nil
    guard old < event.pair else {
      if !edits.isEmpty, event.pair < old {
        skip(event, "it is newer here")
      } else {
        counts.unchanged += 1
        if !edits.isEmpty, !isForeign {
          note(event, ["edited without a new SEQUENCE or LAST-MODIFIED, so nothing was taken"])
        }
      }
      return
    }
    var change = Change(id: event.id, time: time(of: event, after: known))
    change.fields = edits.fields
    if isForeign { change.fields.merge(event.versionFields) { $1 } }
    change.place = place(edits)
    guard change.place != nil || !change.fields.isEmpty else {
      counts.unchanged += 1
      return
    }
    changes.append(change)
    counts.updated += 1
    note(event, event.doubts + edits.doubts)
  }

  private mutating func add(_ event: CalendarEvent, _ own: PlainItem) {
    var change = Change(id: event.id, time: event.time, life: 1, place: own.place)
    for field in own.fields { change.fields[field.name] = .some(field.value) }
    if let item = exported[id: event.id] {
      let edits = CalendarEdits(
        event.content, against: item, startDate: exportedStartDate, clock)
      change.fields.merge(edits.fields) { $1 }
      change.place = place(edits) ?? own.place
      note(event, event.doubts + edits.doubts)
    }
    append(change)
  }

  private mutating func addForeign(_ event: CalendarEvent) {
    var doubts = event.doubts
    guard let start = event.content.start.map({ clock.local($0, &doubts) }),
      let day = clock.day(of: start.date)
    else {
      skip(event, "it has no day")
      return
    }
    let number = start.clock.map { Double(100 + $0.minuteOfDay) } ?? -1
    var change = Change(id: event.id, time: event.time, life: 1)
    change.place = PlainPlace(section: day, number: number, origin: .given, fileIndex: 0)
    change.fields = event.foreignFields
    if let clock = start.clock { change.fields[.time] = .some(.string("\(clock)")) }
    append(change)
    note(event, doubts)
  }

  private mutating func append(_ change: Change) {
    if let place = change.place {
      lastNumbers[place.section] = Swift.max(last(of: place.section) ?? place.number, place.number)
    }
    changes.append(change)
    counts.added += 1
  }

  private func last(of section: Int64) -> Double? {
    lastNumbers[section] ?? list.lastID(inSection: section).flatMap { list[id: $0]?.key?.sortOrder }
  }

  private mutating func place(_ edits: CalendarEdits) -> PlainPlace? {
    guard let day = edits.day else { return nil }
    let number = edits.number ?? PlainPlacer.number(below: last(of: day))
    lastNumbers[day] = Swift.max(last(of: day) ?? number, number)
    return PlainPlace(section: day, number: number, origin: .given, fileIndex: 0)
  }
}

extension CalendarEvent {
  /// The fields of an event that is new here.
  fileprivate var foreignFields: [FieldName: FieldValue?] {
    var fields = versionFields
    fields[.kind] = .some("custom")
    fields[.calendarUID] = uid.map { .some(.string($0)) }
    let texts: [(FieldName, String?)] = [
      (.title, content.summary), (.note, content.note), (.address, content.location),
    ]
    for (name, text) in texts {
      if let text, !text.isEmpty { fields[name] = .some(.string(text)) }
    }
    if let minutes = content.minutes { fields[.duration] = .some(.int64(minutes)) }
    if let point = content.point {
      fields[.latitude] = .some(.double(point.latitude))
      fields[.longitude] = .some(.double(point.longitude))
    }
    return fields
  }

  /// The version, by which the next import tells whether it brings a newer one.
  fileprivate var versionFields: [FieldName: FieldValue?] {
    [
      .calendarSequence: .some(.int64(pair.sequence)),
      .calendarModified: .some(.string(CalendarTime.stamp(seconds: pair.modified))),
    ]
  }
}

extension CalendarFile {
  /// The items that the calendar carries, as export had them.
  fileprivate var exportedItems: ReplicatedList {
    var writes = ImportWrites()
    for item in events.compactMap(\.own).sorted(by: { $0.id < $1.id }) {
      writes.addNew(item, at: .zero)
    }
    var list = ReplicatedList(id: listID)
    list.merge(writes.delta())
    return list
  }

  private func dates(utcOffset: Int?) -> [CivilDate] {
    let clock = CalendarClock(startDate: nil, utcOffset: utcOffset)
    var doubts: [String] = []
    return events.compactMap(\.content.start).map { clock.local($0, &doubts).date }
  }

  /// The date of day 1: of the trip that was exported, else of the earliest event.
  fileprivate func startDate(utcOffset: Int?) -> CivilDate? {
    exportedStartDate ?? (tripID == nil ? dates(utcOffset: utcOffset).min() : nil)
  }

  /// The fields of the trip, for a document that has no start date.
  fileprivate func rootFields(
    missingIn document: ReplicatedList, _ clock: CalendarClock
  ) -> [(FieldName, FieldValue)] {
    let written = Set((document[id: .root]?.entries ?? []).map(\.register))
    guard !written.contains(.field(.startDate)) else { return [] }
    var fields: [(FieldName, FieldValue)] = []
    if let start = clock.startDate {
      fields.append((.startDate, .string("\(start)")))
      let last = dates(utcOffset: clock.utcOffset).max() ?? start
      let count = tripID == nil ? last - start + 1 : nil
      if let days = days ?? count { fields.append((.days, .int64(days))) }
    }
    if let name { fields.append((.name, .string(name))) }
    return fields.filter { !written.contains(.field($0.0)) }.sorted { $0.0 < $1.0 }
  }
}

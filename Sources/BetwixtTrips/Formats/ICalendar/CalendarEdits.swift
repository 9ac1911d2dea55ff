import Betwixt

/// How wall clocks of a calendar become days and times of a trip.
struct CalendarClock {
  /// The date of day 1.
  let startDate: CivilDate?

  /// The minutes that the wanted clock is ahead of UTC; `nil` if nobody said.
  let utcOffset: Int?

  /// The zone that the calendar itself is shown in.
  let zoneName: String?

  private(set) var zones: CalendarZones

  /// How many times of UTC were taken as they stand.
  private(set) var unresolvedCount = 0

  init(startDate: CivilDate?, utcOffset: Int?, zoneName: String?, zones: CalendarZones) {
    self.startDate = startDate
    self.utcOffset = utcOffset
    self.zoneName = zoneName
    self.zones = zones
  }

  func day(of date: CivilDate) -> Int64? { startDate.map { date - $0 + 1 } }

  /// The moment that a time means, in minutes since 1970 UTC; `nil` if nobody knows its clock.
  mutating func utcMinutes(of time: CalendarTime) -> Int64? { zones.utcMinutes(of: time) }

  /// How far the wall clock moves that shows a time, if that moves; by the zone of the calendar, if that
  /// showed it where it was.
  mutating func minutes(
    from old: CalendarTime, shownAt shown: CalendarTime, to new: CalendarTime
  ) -> Int64 {
    let plain = new.minutes - old.minutes
    guard old.isUTC, utcOffset == nil, let zoneName,
      let before = zones.offset(of: zoneName, atUTC: old.minutes),
      shown.minutes - old.minutes == Int64(before),
      let after = zones.offset(of: zoneName, atUTC: new.minutes)
    else { return plain }
    return plain + Int64(after - before)
  }

  /// Where the trip shows a time: at the wall clock of its own zone; one of UTC at the wanted
  /// clock, else at that of the calendar's zone, else as it stands.
  mutating func shown(_ time: CalendarTime) -> CalendarTime {
    guard time.isUTC else { return time.floating }
    if let utcOffset { return (time.later(by: Int64(utcOffset)) ?? time).floating }
    guard let zoneName, let offset = zones.offset(of: zoneName, atUTC: time.minutes) else {
      unresolvedCount += 1
      return time.floating
    }
    return (time.later(by: Int64(offset)) ?? time).floating
  }
}

extension CalendarContent {
  /// The fields that say when the event is; `nil` clears one.
  ///
  /// The lines of the file are kept only where export would not write the same ones, and of a series,
  /// whose other days count from its first.
  ///
  /// - Parameter shown: Where the trip shows the start.
  /// - Returns: The fields.
  func timeFields(shownAt shown: CalendarTime) -> [(name: FieldName, value: FieldValue?)] {
    let isOneDay = shown.clock == nil && minutes == 1_440
    var (keptStart, keptEnd, keptDuration): (FieldValue?, FieldValue?, FieldValue?)
    var fields: [(name: FieldName, value: FieldValue?)] {
      [
        (.time, shown.clock.map { .string("\($0)") }),
        (.duration, isOneDay ? nil : minutes.map { .int64($0) }), (KeptProperty.start, keptStart),
        (KeptProperty.end, keptEnd), (KeptProperty.duration, keptDuration),
      ]
    }
    guard let start else { return fields }
    let isAsWritten = start.remainder.hasSameBytes(as: CalendarTimeLine(shown).remainder)
    if !isAsWritten || kept.isSeries {
      let kept = KeptTime(shown: shown, remainder: start.remainder)
      keptStart = kept.startValue
    }
    let written = minutes.flatMap { start.later(by: $0) }?.remainder
    let stands = end.map { $0.isDuration ? nil : $0.remainder } ?? ""
    if let end, end.isDuration {
      let kept = KeptTime(shown: shown, minutes: minutes, remainder: end.remainder)
      keptDuration = kept.endValue
    } else if let stands, !stands.hasSameBytes(as: written ?? "") {
      let kept = KeptTime(shown: shown, minutes: minutes, remainder: stands)
      keptEnd = kept.endValue
    }
    return fields
  }
}

/// What somebody changed in an event, as writes to its item.
struct CalendarEdits {
  /// The fields; `nil` clears one.
  private(set) var fields: [FieldName: FieldValue?] = [:]

  /// The day that it was moved to.
  private(set) var day: Int64?

  /// Where it stands on that day; `nil` for the end.
  private(set) var number: Double?

  private(set) var doubts: [String] = []

  /// The properties that the item was exported with and the event lacks; they are no edits.
  private(set) var missing: [String] = []

  var isEmpty: Bool { fields.isEmpty && day == nil }

  /// Compares an event with what export would have written.
  ///
  /// A property that the event lacks is unchanged, so a calendar that drops what it does not know
  /// destroys nothing; it is ``missing``. An empty one clears its field.
  ///
  /// - Parameters:
  ///   - content: What the event says.
  ///   - item: The item as it was exported.
  ///   - startDate: The date of day 1 when it was exported.
  ///   - known: The item as it is, whose other properties count.
  ///   - zone: The zone that its times of UTC were shown in when it was exported.
  ///   - clock: The clock of the trip that takes the edits.
  init(
    _ content: CalendarContent, against item: ListItem, startDate: CivilDate?, known: ListItem,
    zone: inout ShownZone?, clock: inout CalendarClock
  ) {
    let old = CalendarContent(item, startDate: startDate, zone: &zone)
    note(content.summary, was: old.summary, as: .title)
    note(content.note, was: old.note, as: .note)
    let kind = ItemKind(item[.kind])
    if let location = content.location, !location.hasSameBytes(as: old.location ?? "") {
      take(location: location, of: item, kind: kind)
    }
    if let point = content.point, point != old.point {
      fields[.latitude] = .some(.double(point.latitude))
      fields[.longitude] = .some(.double(point.longitude))
    }
    if content.point == nil, old.point != nil, let doubt = content.pointDoubt {
      doubts.append(doubt)
    }
    if kind == .game {
      takeGame(content, old: old, of: item, clock: &clock)
    } else {
      takeTimes(content, old: old, of: item, startDate: startDate, clock: &clock)
    }
    keep(content.kept, over: known)
    missing = content.missing(of: old, item)
  }

  /// Leaves out what an item holds already.
  mutating func dropKnown(by item: ListItem) {
    fields = fields.filter { item[$0.key] != $0.value }
    if item.section == day, number == nil || item.key?.approximateSortOrder == number {
      day = nil
      number = nil
    }
  }

  /// Leaves out what was written in the list at a later time.
  ///
  /// - Parameters:
  ///   - time: When the event was edited.
  ///   - item: The item as it is.
  ///   - start: Writes up to this time are the calendar's own.
  mutating func drop(writtenAfter time: Timestamp, in item: ListItem, since start: Timestamp) {
    for entry in item.entries where time < entry.stamp.time && start < entry.stamp.time {
      switch entry.register {
      case .field(let name): fields[name] = nil
      case .position:
        day = nil
        number = nil
      default: break
      }
    }
  }

  private mutating func note(_ text: String?, was old: String?, as name: FieldName) {
    guard let text, !text.hasSameBytes(as: old ?? "") else { return }
    fields[name] = .some(text.isEmpty ? nil : .string(text))
  }

  // Of properties that come in numbers the event has all or, if a program dropped them, none.
  private mutating func keep(_ kept: KeptProperties, over known: ListItem) {
    var families: Set<String> = []
    let kind = ":" + ItemKind(known[.kind]).text
    for field in kept.fields {
      // What export made of the kind comes back when a calendar dropped what says so.
      let isKind = field.text.hasSameBytes(as: kind) && known[field.name] == nil
      if isKind, KeptProperty.family(field.name).hasSameBytes(as: "ics:CATEGORIES") { continue }
      families.insert(KeptProperty.family(field.name))
      fields[field.name] = .some(.string(field.text))
    }
    for entry in known.entries {
      guard case .field(let name) = entry.register, KeptProperty.isKept(name),
        families.contains(KeptProperty.family(name)), fields[name] == nil
      else { continue }
      fields[name] = .some(nil)
    }
  }

  private mutating func take(location: String, of item: ListItem, kind: ItemKind) {
    var location = location
    let name: FieldName
    switch kind {
    case .travel:
      doubts.append("where a leg starts is not changed by a calendar")
      return
    case .custom, .other: name = .address
    case .game:
      name = .venue
      let city = ", " + CalendarText.plain(item.words(.city) ?? "")
      let bytes = location.utf8
      if bytes.count > city.utf8.count, bytes.suffix(city.utf8.count).elementsEqual(city.utf8) {
        location = String(decoding: bytes.dropLast(city.utf8.count), as: UTF8.self)
      }
    }
    fields[name] = .some(location.isEmpty ? nil : .string(location))
  }

  // A game's date, time and offset are one field, and its place follows from them.
  private mutating func takeGame(
    _ content: CalendarContent, old: CalendarContent, of item: ListItem,
    clock: inout CalendarClock
  ) {
    if let minutes = content.minutes, minutes != old.minutes {
      fields[.duration] = .some(.int64(minutes))
    }
    guard let start = content.start?.time,
      start.floating != old.start?.time.floating
        || start.zone != old.start?.time.zone
    else { return }
    let game = item.words(.start).flatMap { GameStart($0) }
    var local = start
    if let offset = game?.utcOffset, start.zone != .floating {
      // The moment counts: calendars write one of UTC by a zone of their own.
      guard let moment = clock.utcMinutes(of: start),
        let moved = CalendarTime(utcMinutes: moment)?.later(by: Int64(offset))
      else {
        doubts.append("it starts in a zone whose clock is not known, so its start stays")
        return
      }
      local = moved
    } else {
      local = clock.shown(start)
    }
    let text = local.clock.map { "\(local.date)T\($0)" + (game?.offsetText ?? "") }
    guard let new = GameStart(text ?? "\(local.date)"), new != game else { return }
    fields[.start] = .some(.string("\(new)"))
    day = clock.day(of: new.date)
    number = day == nil ? nil : GameAnchor.number(of: new)
  }

  private mutating func takeTimes(
    _ content: CalendarContent, old: CalendarContent, of item: ListItem,
    startDate: CivilDate?, clock: inout CalendarClock
  ) {
    guard let start = content.start, let oldStart = old.start else { return }
    // A start alone says nothing of the end.
    let saysEnd = content.end != nil && content.end != old.end
    guard start != oldStart || saysEnd, let section = item.section,
      let date = startDate.flatMap({ $0 + (section - 1) })
    else { return }
    let was = CalendarTime(date, clock: item.clock)
    var shown = was
    if start.time.zone == oldStart.time.zone,
      (start.time.clock == nil) == (oldStart.time.clock == nil),
      let moved = was.later(
        by: clock.minutes(from: oldStart.time, shownAt: was, to: start.time))
    {
      shown = moved.floating
    } else {
      shown = clock.shown(start.time)
    }
    if shown.date != was.date { day = clock.day(of: shown.date) }
    var content = content
    if content.end == nil {
      content.minutes = old.minutes
      content.end = old.minutes.flatMap { start.later(by: $0) }
        .map { CalendarEndLine(isDuration: false, remainder: $0.remainder) }
    }
    let here = day == nil ? clock.startDate.flatMap { $0 + (section - 1) } : nil
    let at = CalendarTime(here ?? shown.date, clock: shown.clock)
    for field in content.timeFields(shownAt: at) { fields[field.name] = .some(field.value) }
    if shown.clock == nil, content.minutes == 1_440, item[.duration] == nil {
      fields[.duration] = nil
    }
  }
}

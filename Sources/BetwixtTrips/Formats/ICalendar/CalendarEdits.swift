import Betwixt

/// How wall clocks of a calendar become days and times of a trip.
struct CalendarClock {
  /// The date of day 1.
  let startDate: CivilDate?

  /// The minutes that the wanted clock is ahead of UTC; `nil` if nobody said.
  let utcOffset: Int?

  func day(of date: CivilDate) -> Int64? { startDate.map { date - $0 + 1 } }

  /// The time by the wanted clock.
  func local(_ time: CalendarTime, _ doubts: inout [String]) -> CalendarTime {
    guard time.isUTC else { return time }
    if utcOffset == nil { doubts.append("its time is UTC and is taken as it stands") }
    return time.later(by: Int64(utcOffset ?? 0)) ?? time
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

  var isEmpty: Bool { fields.isEmpty && day == nil }

  /// Compares an event with what export would have written.
  ///
  /// A property that the event lacks is unchanged, so a calendar that drops what it does not know
  /// destroys nothing. An empty one clears its field.
  ///
  /// - Parameters:
  ///   - content: What the event says.
  ///   - item: The item as it was exported.
  ///   - startDate: The date of day 1 when it was exported.
  ///   - clock: The clock of the trip that takes the edits.
  init(
    _ content: CalendarContent, against item: ListItem, startDate: CivilDate?,
    _ clock: CalendarClock
  ) {
    let old = CalendarContent(item, startDate: startDate)
    note(content.summary, was: old.summary, as: .title)
    note(content.note, was: old.note, as: .note)
    let kind = ItemKind(item[.kind])
    if let location = content.location, !location.hasSameBytes(as: old.location ?? "") {
      take(location: location, of: item, kind)
    }
    if let point = content.point, point != old.point {
      fields[.latitude] = .some(.double(point.latitude))
      fields[.longitude] = .some(.double(point.longitude))
    }
    if let minutes = content.minutes, minutes != old.minutes {
      fields[.duration] = .some(.int64(minutes))
    }
    if let start = content.start, let oldStart = old.start, start != oldStart {
      if kind == .game {
        reschedule(to: start, item, clock)
      } else {
        move(to: start, from: oldStart, clock)
      }
    }
  }

  /// Leaves out what an item holds already.
  mutating func dropKnown(by item: ListItem) {
    fields = fields.filter { item[$0.key] != $0.value }
    if item.section == day, number == nil || item.key?.sortOrder == number {
      day = nil
      number = nil
    }
  }

  private mutating func note(_ text: String?, was old: String?, as name: FieldName) {
    guard let text, !text.hasSameBytes(as: old ?? "") else { return }
    fields[name] = .some(text.isEmpty ? nil : .string(text))
  }

  private mutating func take(location: String, of item: ListItem, _ kind: ItemKind) {
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
  private mutating func reschedule(
    to start: CalendarTime, _ item: ListItem, _ clock: CalendarClock
  ) {
    let old = item.words(.start).flatMap { GameStart($0) }
    let local: CalendarTime
    if start.isUTC, let offset = old?.utcOffset, let moved = start.later(by: Int64(offset)) {
      local = moved
    } else {
      local = clock.local(start, &doubts)
    }
    let text = local.clock.map { "\(local.date)T\($0)" + (old?.offsetText ?? "") }
    guard let new = GameStart(text ?? "\(local.date)") else { return }
    fields[.start] = .some(.string("\(new)"))
    day = clock.day(of: new.date)
    number = day == nil ? nil : GameAnchor.number(of: new)
  }

  private mutating func move(
    to start: CalendarTime, from old: CalendarTime, _ clock: CalendarClock
  ) {
    let new = clock.local(start, &doubts)
    if new.clock != old.clock {
      fields[.time] = .some(new.clock.map { .string("\($0)") })
    }
    if new.date != old.date { day = clock.day(of: new.date) }
  }
}

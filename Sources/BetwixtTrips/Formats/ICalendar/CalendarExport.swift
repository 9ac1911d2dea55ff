public import Betwixt

/// A trip as an iCalendar file (RFC 5545), one event for each item; tasks as one `VTODO` each.
///
///     let export = CalendarExport(list)
///     export.bytes         // the file
///     export.omissions     // items without a date, and fields that have no form in a file
///
/// The bytes are a function of the state: an event's version comes from its writes, never from a
/// clock. An item that came from another calendar goes out as its event came in: what Betwixt has
/// no field for, its time zone, its end and its alarms are as they stood, and its `SEQUENCE` is
/// one greater for each field that was edited here.
public struct CalendarExport: Sendable {
  /// The file.
  public let bytes: [UInt8]

  /// The number of items that have no date within the years 1 to 9999.
  public let omittedCount: Int

  /// Everything that the file has no room for, in list order.
  public let omissions: [Omission]

  // From so many events on it is known how long one is.
  private static let sampleCount = 256

  /// Writes a trip or a list of tasks.
  ///
  /// - Complexity: O(*n* log *n*)
  public init(_ list: ReplicatedList) {
    let view = PlainView(list)
    let startDate = Trip(list).startDate
    let dates = view.dialect == .tasks ? nil : startDate
    var writer = CalendarWriter(zones: WrittenZones(of: list, startDate: dates))
    var omissions = view.omissions
    writer.head(of: list, in: view.dialect, noting: &omissions)
    var omitted = 0
    let firstDay = FirstDay(of: list)
    var zone = ShownZone(of: list)
    var movedSeries: Set<String> = []
    for (index, (item, shown)) in zip(list, view.items).enumerated() {
      if index == CalendarExport.sampleCount { writer.reserve(list.count, after: index) }
      if view.dialect == .tasks {
        writer.task(item, shown: shown, noting: &omissions)
        continue
      }
      let content = CalendarContent(item, startDate: startDate, zone: &zone)
      guard let start = content.start else {
        omitted += 1
        omissions.append(Omission(item: item.id, field: nil, reason: .noDate))
        continue
      }
      let entries = item.entries
      let pair =
        CalendarPair(foreign: item, firstDay: firstDay, entries: entries)
        ?? CalendarPair(item, firstDay: firstDay)
      let kept = writer.kept(item, entries)
      writer.event(
        item, shown: shown, content: content, kept: kept, from: start, pair: pair,
        noting: &omissions)
      guard let series = MovedSeries(item, kept: kept, to: start) else { continue }
      omissions += series.leftBehind
      movedSeries.insert(series.uid)
    }
    omissions += MovedSeries.exceptions(in: list, of: movedSeries)
    writer.line("END", "VCALENDAR")
    bytes = writer.bytes
    omittedCount = omitted
    self.omissions = omissions
  }
}

extension CalendarWriter {
  fileprivate mutating func head(
    of list: ReplicatedList, in dialect: PlainDialect, noting omissions: inout [Omission]
  ) {
    let trip = Trip(list)
    line("BEGIN", "VCALENDAR")
    line("VERSION", "2.0")
    line("PRODID", "-//Betwixt//Betwixt 1//EN")
    if let name = trip.name, !name.isEmpty {
      text("NAME", name)
      text("X-WR-CALNAME", name)
    }
    line("X-BETWIXT-TRIP", list.id.uuid)
    if dialect == .tasks {
      line("X-BETWIXT-TYPE", "tasks")
    } else {
      if let startDate = trip.startDate { line("X-BETWIXT-START", "\(startDate)") }
      if let days = list.metadata[.days]?.int64 { line("X-BETWIXT-DAYS", "\(days)") }
    }
    kept(ofRoot: list[id: .root], &omissions)
  }

  fileprivate mutating func event(
    _ item: ListItem, shown: PlainViewItem, content: CalendarContent, kept: KeptEntries,
    from start: CalendarTimeLine, pair: CalendarPair, noting omissions: inout [Omission]
  ) {
    line("BEGIN", "VEVENT")
    version(of: item, pair: pair)
    line("DTSTART", remainder: zones.renaming(start.remainder))
    if let end = content.end {
      line(end.isDuration ? "DURATION" : "DTEND", remainder: zones.renaming(end.remainder))
    }
    if let summary = content.summary { text(.summary, summary, of: item) }
    if let location = content.location { text(.location, location, of: item) }
    if let point = content.point {
      let digits = [point.latitude, point.longitude].map { NumberLayout.decimal($0) }
      line("GEO" + KeptProperty.parameters(.geo, of: item), "\(digits[0]);\(digits[1])")
    }
    if let note = content.note { text(.description, note, of: item) }
    let kind = ItemKind(item[.kind]).text
    // A calendar has its own categories, or none.
    if item[.calendarUID] == nil, !kept.hasCategories { text("CATEGORIES", kind) }
    write(kept, components: false, &omissions)
    text("X-BETWIXT-KIND", kind)
    line("X-BETWIXT-DAY", "\(shown.section)")
    line("X-BETWIXT-SORT", NumberLayout.json(shown.number))
    text("X-BETWIXT-FIELDS", "", shown.calendarFields)
    write(kept, components: true, &omissions)
    line("END", "VEVENT")
  }

  /// Appends who the event is and of which version.
  mutating func version(of item: ListItem, pair: CalendarPair) {
    text("UID", item.calendarUID)
    let stamp = CalendarTime.stamp(seconds: pair.modified)
    line("DTSTAMP", stamp)
    line("LAST-MODIFIED", stamp)
    line("SEQUENCE", "\(pair.sequence)")
  }
}

extension ListItem {
  /// The `UID`: that of the calendar which the item came from, else its own id.
  fileprivate var calendarUID: String {
    // A remote writer can put any text into the field. Only one that leads back to the item is
    // written, else reading the file would make another item.
    guard let uid = self[.calendarUID]?.string,
      ForeignIdentity.event(uid, recurrence: self["ics:RECURRENCE-ID"]?.string) == id,
      CalendarText.plain(uid).hasSameBytes(as: uid)
    else { return id.uuid }
    return uid
  }
}

extension ForeignIdentity {
  /// The id of an event of a foreign calendar.
  ///
  /// Of one day of a series it is made of the day as the calendar spells it: what an edit changes takes no
  /// part. A zone counts by the name that the calendar gave it, without our mark.
  ///
  /// - Parameters:
  ///   - uid: Its `UID`.
  ///   - recurrence: What stands behind `RECURRENCE-ID`, for one day of a series.
  /// - Returns: The id of the item.
  package static func event(_ uid: String, recurrence: String? = nil) -> ItemID {
    guard let recurrence else { return ItemID(uuid: uid) ?? hashed(in: "ics", uid) }
    return hashed(in: "ics", uid + "\u{0}" + ZoneMark.withoutMark(recurrence))
  }
}

extension PlainViewItem {
  /// All fields as one JSON object, but for those that stand in the event as they are.
  ///
  /// The one control character that JSON leaves raw is escaped, because a calendar would lose it.
  var calendarFields: [UInt8] {
    var writer = JSONWriter()
    writer.fields(of: self) { name in
      if name == .calendarSequence || name == .calendarModified { return false }
      return !KeptProperty.isKept(name) || KeptProperty.isTime(name)
    }
    guard writer.bytes.contains(0x7f) else { return writer.bytes }
    var text: [UInt8] = []
    text.reserveCapacity(writer.bytes.count)
    for byte in writer.bytes {
      if byte == 0x7f { text.append(contentsOf: "\\u007f".utf8) } else { text.append(byte) }
    }
    return text
  }
}

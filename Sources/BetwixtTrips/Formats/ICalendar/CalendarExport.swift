public import Betwixt

/// A trip as an iCalendar file (RFC 5545), one event for each item.
///
///     let export = CalendarExport(list)
///     export.bytes         // the file
///     export.omittedCount  // items without a date
///
/// The bytes are a function of the state: an event's version comes from its newest write, never
/// from a clock.
public struct CalendarExport: Sendable {
  /// The file.
  public let bytes: [UInt8]

  /// The number of items that have no date within the years 1 to 9999.
  public let omittedCount: Int

  /// Every live field that the file has no room for, in list order.
  public let omissions: [Omission]

  /// Writes a trip.
  ///
  /// - Complexity: O(*n* log *n*)
  public init(_ list: ReplicatedList) {
    let trip = Trip(list)
    let view = PlainView(list)
    let startDateTime = list.startDateTime
    var writer = CalendarWriter()
    writer.head(of: trip)
    var omitted = 0
    for (item, shown) in zip(list, view.items) {
      let content = CalendarContent(item, startDate: trip.startDate)
      guard let start = content.start else {
        omitted += 1
        continue
      }
      let pair = CalendarPair(item, startDateTime: startDateTime)
      writer.event(item, shown, content, from: start, pair)
    }
    writer.line("END", "VCALENDAR")
    bytes = writer.bytes
    omittedCount = omitted
    omissions = view.omissions
  }
}

extension CalendarWriter {
  fileprivate mutating func head(of trip: Trip) {
    line("BEGIN", "VCALENDAR")
    line("VERSION", "2.0")
    line("PRODID", "-//Betwixt//Betwixt 1//EN")
    if let name = trip.name, !name.isEmpty {
      text("NAME", name)
      text("X-WR-CALNAME", name)
    }
    line("X-BETWIXT-TRIP", trip.list.id.uuid)
    if let startDate = trip.startDate { line("X-BETWIXT-START", "\(startDate)") }
    if let days = trip.list.metadata[.days]?.int64 { line("X-BETWIXT-DAYS", "\(days)") }
  }

  fileprivate mutating func event(
    _ item: ListItem, _ shown: PlainViewItem, _ content: CalendarContent,
    from start: CalendarTime, _ pair: CalendarPair
  ) {
    line("BEGIN", "VEVENT")
    text("UID", item.calendarUID)
    let stamp = CalendarTime.stamp(seconds: pair.modified)
    line("DTSTAMP", stamp)
    line("LAST-MODIFIED", stamp)
    line("SEQUENCE", "\(pair.sequence)")
    time("DTSTART", start)
    if let end = content.end { time("DTEND", end) }
    text("SUMMARY", content.summary ?? "")
    if let location = content.location { text("LOCATION", location) }
    if let point = content.point {
      let digits = [point.latitude, point.longitude].map { NumberLayout.decimal($0) }
      line("GEO", "\(digits[0]);\(digits[1])")
    }
    if let note = content.note { text("DESCRIPTION", note) }
    let kind = ItemKind(item[.kind]).text
    text("CATEGORIES", kind)
    text("X-BETWIXT-KIND", kind)
    line("X-BETWIXT-DAY", "\(shown.section)")
    line("X-BETWIXT-SORT", NumberLayout.json(shown.number))
    text("X-BETWIXT-FIELDS", shown.calendarFields)
    line("END", "VEVENT")
  }

  private mutating func time(_ name: String, _ time: CalendarTime) {
    if case .date = time {
      line("\(name);VALUE=DATE", "\(time)")
    } else {
      line(name, "\(time)")
    }
  }
}

extension ListItem {
  /// The `UID`: that of the calendar which the item came from, else its own id.
  fileprivate var calendarUID: String {
    // A remote writer can put any text into the field. Only one that leads back to the item is
    // written, else reading the file would make another item.
    guard let uid = self[.calendarUID]?.string, ForeignIdentity.event(uid) == id,
      CalendarText.plain(uid).hasSameBytes(as: uid)
    else { return id.uuid }
    return uid
  }
}

extension ForeignIdentity {
  /// The id of an event of a foreign calendar.
  package static func event(_ uid: String) -> ItemID {
    ItemID(uuid: uid) ?? hashed(in: "ics", uid)
  }
}

extension PlainViewItem {
  /// All fields as one JSON object.
  ///
  /// The one control character that JSON leaves raw is escaped, because a calendar would lose it.
  fileprivate var calendarFields: String {
    var writer = JSONWriter()
    writer.fields(of: self)
    var text: [UInt8] = []
    text.reserveCapacity(writer.bytes.count)
    for byte in writer.bytes {
      if byte == 0x7f { text.append(contentsOf: "\\u007f".utf8) } else { text.append(byte) }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
